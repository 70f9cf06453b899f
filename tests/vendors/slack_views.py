"""Slack's modals: opening one with a trigger, changing it, and what an app's answer to a submission does to it."""

from tests.vendors.local_server import Body
from tests.vendors.slack_limits import problems_of
from tests.vendors.slack_workspace import APP, BOT, Refused, Workspace

MAX_VIEW_BYTES = 250_000


def open_view(workspace: Workspace, args: Body) -> Body:
    view = required_view(args.get("view"))
    trigger = workspace.take_trigger(args.get("trigger_id"))
    return {"ok": True, "view": show(workspace, trigger.user, view)}


def push_view(workspace: Workspace, args: Body) -> Body:
    return open_view(workspace, args)


def update_view(workspace: Workspace, args: Body) -> Body:
    view = required_view(args.get("view"))
    view_id = args.get("view_id")
    if not isinstance(view_id, str) or view_id not in workspace.views:
        raise Refused("not_found")
    if "hash" in args and args["hash"] != workspace.views[view_id]["hash"]:
        raise Refused("hash_conflict")
    return {"ok": True, "view": replace(workspace, view_id, view)}


def show(workspace: Workspace, user: str, view: Body) -> Body:
    """Open *view* for *user*."""
    view_id = workspace.new_id("V")
    workspace.viewers[view_id] = user
    return replace(workspace, view_id, view)


def replace(workspace: Workspace, view_id: str, view: Body) -> Body:
    """Show *view* where *view_id* is shown."""
    usual = {"submit": None, "close": None, "private_metadata": "", "callback_id": "", "external_id": ""}
    workspace.views[view_id] = {
        **usual, "clear_on_close": False, "notify_on_close": False, **view, "id": view_id,
        "blocks": [{"block_id": workspace.new_id("b"), **block} for block in view["blocks"]],
        "team_id": workspace.team, "state": {"values": {}}, "hash": workspace.new_id("hash."),
        "previous_view_id": None, "root_view_id": view_id, "app_id": APP, "bot_id": BOT,
        "app_installed_team_id": workspace.team,
    }  # fmt: skip
    return workspace.views[view_id]


def settle(workspace: Workspace, view_id: str, answer: Body) -> None:
    """Do to the modal what the app answered to its submission; without an action it is closed."""
    action = answer.get("response_action")
    if action == "errors":
        return
    user = workspace.viewers[view_id]
    if action == "update":
        replace(workspace, view_id, required_view(answer.get("view")))
    elif action == "push":
        show(workspace, user, required_view(answer.get("view")))
    elif action == "clear":
        for other in [known for known, viewer in workspace.viewers.items() if viewer == user]:
            close(workspace, other)
    else:
        close(workspace, view_id)


def close(workspace: Workspace, view_id: str) -> None:
    workspace.views.pop(view_id, None)
    workspace.viewers.pop(view_id, None)


def required_view(view: object) -> Body:
    """Return *view*, or say what is wrong with it."""
    if not isinstance(view, dict):
        raise Refused("invalid_arguments")
    if wrong := problems_of(view):
        raise Refused(
            "invalid_arguments",
            response_metadata={"messages": [f"[ERROR] {problem}" for problem in wrong]},
        )
    if len(str(view).encode()) > MAX_VIEW_BYTES:
        raise Refused("view_too_large")
    return view


def filled_in(view: Body, given: dict[str, str]) -> dict[str, Body]:
    """Return the state of *view* after each field, told by its block's or action's id, was given its value."""
    fields = {block["block_id"]: block["element"] for block in view["blocks"] if block["type"] == "input"}
    known = {*fields, *(element["action_id"] for element in fields.values())}
    assert set(given) <= known, f"no fields {set(given) - known} in the modal; it has {known}"
    return {
        block_id: {element["action_id"]: _value(element, _given(block_id, element, given))}
        for block_id, element in fields.items()
    }


def _given(block_id: str, element: Body, given: dict[str, str]) -> str | None:
    return given.get(block_id, given.get(element["action_id"]))


def _value(element: Body, given: str | None) -> Body:
    if element["type"] == "plain_text_input":
        return {"type": element["type"], "value": element.get("initial_value") if given is None else given}
    chosen = element.get("initial_option")
    if given is not None:
        (chosen,) = (option for option in element["options"] if option["value"] == given)
    if element["type"] == "checkboxes":
        return {"type": element["type"], "selected_options": [chosen] if chosen else []}
    return {"type": element["type"], "selected_option": chosen}
