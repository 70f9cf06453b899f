"""What people do in Slack, as a test says it: say, edit, delete, press, fill in. The app is told, and its answer waited for."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.vendors.local_server import Body, LocalServer
from tests.vendors.slack_chat import change, remove, told_of
from tests.vendors.slack_events import (
    assistant_event,
    changed_event,
    closing,
    mention_event,
    opened_event,
    press,
    replied_event,
    submission,
)
from tests.vendors.slack_pushes import Delivery, Pushes
from tests.vendors.slack_sockets import Sockets
from tests.vendors.slack_views import close, filled_in, settle
from tests.vendors.slack_workspace import APP, BOT, BOT_USER, Channel, Workspace

MENTION = f"<@{BOT_USER}>"


@dataclass(slots=True, kw_only=True)
class SlackPeople(LocalServer):
    """A workspace and the people in it."""

    workspace: Workspace = field(default_factory=Workspace)
    sockets: Sockets = field(default_factory=Sockets)
    pushes: Pushes = field(init=False)

    def __post_init__(self) -> None:
        self.pushes = Pushes(workspace=self.workspace, sockets=self.sockets)
        self.workspace.happened = self.pushes.event

    async def says(self, user: str, channel: str, text: str, *, thread_ts: str = "", **more: object) -> str:
        """Let *user* write, and return the message's `ts`; *more* are fields of it, `subtype` or `files` or `bot_id`.

        *text* is as Slack tells it: of what was typed, `&`, `<` and `>` come escaped.
        """
        place = self.workspace.channel(channel)
        threaded = {"thread_ts": thread_ts} if thread_ts else {}
        said: Body = {"user": user, "text": text, "blocks": [_rich_text(text)], **threaded, **more}
        said.setdefault("client_msg_id", self.workspace.new_id("msg-"))
        message = await self._told(lambda: self._post(place, said))
        return str(message["ts"])

    async def edits(self, channel: str, ts: str, text: str) -> None:
        """Let the author change a message."""
        place = self.workspace.channel(channel)
        message = place.found(ts)
        edited = {"user": message["user"], "ts": self.workspace.new_ts()}
        changes = {"text": text, "blocks": [_rich_text(text)], "edited": edited}
        await self._told(lambda: change(self.workspace, place, message, changes))

    async def deletes(self, channel: str, ts: str) -> None:
        """Let the author take a message away."""
        place = self.workspace.channel(channel)
        await self._told(lambda: remove(self.workspace, place, place.found(ts)))

    async def unfurls(self, channel: str, ts: str) -> None:
        """Show what a link in a message leads to: a change that changes no text."""
        place = self.workspace.channel(channel)
        attached = {"attachments": [{"id": 1, "from_url": "https://acme.example/", "title": "Acme"}]}
        await self._told(lambda: change(self.workspace, place, place.found(ts), attached))

    async def tells_growth(self, channel: str, ts: str) -> None:
        """Tell that the thread of *ts* grew, in both forms that Slack uses."""
        place = self.workspace.channel(channel)
        root = place.found(ts)
        events = [
            replied_event(place, root, ts=self.workspace.new_ts()),
            changed_event(place, root, root, ts=self.workspace.new_ts()),
        ]
        await self._told(lambda: self._happened(*events))

    async def opens_messages(self, user: str, *, beside: str = "") -> str:
        """Let *user* open the app's messages, beside the channel *beside*; return the direct message's id."""
        place = self.workspace.direct(user)
        opened = opened_event(place, user, beside, self.workspace.new_ts())
        await self._told(lambda: self._happened(opened))
        return place.id

    async def opens_assistant(self, user: str, *, beside: str = "") -> str:
        """Let *user* open the assistant of an app made before July 2026; return the thread's `ts`."""
        self.workspace.is_agent_view = False
        place = self.workspace.direct(user)
        said = {
            "user": BOT_USER, "bot_id": BOT, "app_id": APP, "text": "New Assistant Thread",
            "subtype": "assistant_app_thread",
        }  # fmt: skip
        root = self.workspace.add_message(place, said)
        ts = str(root["ts"])
        started = assistant_event(
            "assistant_thread_started", place, user, ts, beside, self.workspace.new_ts()
        )
        await self._told(lambda: self._happened(started))
        return ts

    def pressing(self, user: str, channel: str, ts: str, action_id: str, *, value: str | None = None) -> Body:
        """Return what a press of the button tells the app, to be sent with `sends` now, later or twice."""
        place = self.workspace.channel(channel)
        message = self._shown(place, ts)
        element, block_id = _element(message, action_id, value)
        moment = self.workspace.new_ts()
        action = {**element, "action_id": action_id, "block_id": block_id, "action_ts": moment}
        return press(
            message,
            place,
            self.workspace.people[user],
            action,
            trigger=self.workspace.new_trigger(user),
            response_url=f"{self.url}/response/{moment}",
        )

    async def presses(
        self, user: str, channel: str, ts: str, action_id: str, *, value: str | None = None
    ) -> Delivery:
        """Let *user* press a button; of several alike, the one with *value*."""
        return await self.sends(self.pressing(user, channel, ts, action_id, value=value))

    async def sends(self, body: Body) -> Delivery:
        """Send an interaction as it is."""
        return await self.pushes.action(body)

    def view_of(self, user: str) -> Body:
        """Return the modal that *user* sees on top."""
        seen = [view for view, viewer in self.workspace.viewers.items() if viewer == user]
        assert seen, f"{user} sees no modal"
        return self.workspace.views[seen[-1]]

    def submitting(self, user: str, **values: str) -> Body:
        """Return what the submission of the modal on top tells the app; *values* go by block's or action's id."""
        view = self.view_of(user)
        person = self.workspace.people[user]
        return submission(view, person, filled_in(view, values), trigger=self.workspace.new_trigger(user))

    async def submits(self, user: str, **values: str) -> Delivery:
        """Let *user* submit the modal on top, and do to it what the app answers."""
        body = self.submitting(user, **values)
        delivery = await self.sends(body)
        if delivery.taken:
            settle(self.workspace, body["view"]["id"], delivery.answer)
        return delivery

    async def closes(self, user: str) -> None:
        """Let *user* close the modal on top; the app is told when it asked for that."""
        view = self.view_of(user)
        close(self.workspace, view["id"])
        if view["notify_on_close"]:
            await self.sends(closing(view, self.workspace.people[user]))

    def _happened(self, *events: Body) -> None:
        for event in events:
            self.pushes.event(event)

    def _post(self, place: Channel, said: Body) -> Body:
        message = self.workspace.add_message(place, said)
        if place.kind == "im" or BOT_USER in place.members:
            told_of(self.workspace, place, message)
            if MENTION in said["text"] and place.kind != "im":
                self.pushes.event(mention_event(place, message))
        return message

    def _shown(self, place: Channel, ts: str) -> Body:
        whispers = [one for one in self.workspace.whispers if one["ts"] == ts]
        return whispers[0] if whispers else place.found(ts)

    async def _told(self, act: Callable[[], object]) -> Body:
        """Do *act*, and wait until the app has answered what that told it."""
        before = len(self.pushes.told)
        done = act()
        await self.pushes.answered(self.pushes.told[before:])
        return done if isinstance(done, dict) else {}


def _rich_text(text: str) -> Body:
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return {"type": "rich_text", "block_id": "typed", "elements": [section]}


def _element(message: Body, action_id: str, value: str | None) -> tuple[Body, str]:
    """Return the button of that id as its press tells it, and its block."""
    for block in message.get("blocks", ()):
        for element in (*block.get("elements", ()), block.get("accessory", {})):
            if element.get("action_id") == action_id and value in {None, *_values(element)}:
                return _pressed(element, value), block["block_id"]
    raise AssertionError(f"no {action_id} in {message}")


def _values(element: Body) -> list[str]:
    choices = [element.get(f"{mood}_button", {}) for mood in ("positive", "negative")]
    return [str(one["value"]) for one in (element, *choices, *element.get("options", ())) if "value" in one]


def _pressed(element: Body, value: str | None) -> Body:
    if element["type"] == "button":
        return element
    if element["type"] == "feedback_buttons":
        return {"type": element["type"], "value": value or element["positive_button"]["value"]}
    (chosen,) = (option for option in element["options"] if option["value"] == value)
    return {"type": element["type"], "selected_option": chosen}
