"""Blocks for the tests of the Slack server: the smallest that Slack takes, which a test bends."""

from tests.vendors.local_server import Body


def a_section(text: str = "Hello", **fields: object) -> Body:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **fields}


def a_button(action_id: str = "claim", text: str = "Claim", **fields: object) -> Body:
    label = {"type": "plain_text", "text": text}
    return {"type": "button", "action_id": action_id, "text": label, **fields}


def actions(*elements: Body) -> Body:
    return {"type": "actions", "elements": list(elements)}


def feedback(helped: str = "yes", not_helped: str = "no") -> Body:
    moods = {
        f"{mood}_button": {"text": {"type": "plain_text", "text": mood}, "value": value}
        for mood, value in (("positive", helped), ("negative", not_helped))
    }
    return {
        "type": "context_actions",
        "elements": [{"type": "feedback_buttons", "action_id": "helped", **moods}],
    }


def an_input(block_id: str = "answer", element: Body | None = None) -> Body:
    usual = {"type": "plain_text_input", "action_id": "text", "multiline": True}
    label = {"type": "plain_text", "text": "Answer"}
    return {"type": "input", "block_id": block_id, "label": label, "element": element or usual}


def a_select(*values: str) -> Body:
    options = [{"text": {"type": "plain_text", "text": value}, "value": value} for value in values]
    return {"type": "static_select", "action_id": "why", "options": options, "initial_option": options[0]}


def a_modal(*blocks: Body, **fields: object) -> Body:
    title, submit = ({"type": "plain_text", "text": text} for text in ("Reply", "Send"))
    return {
        "type": "modal", "callback_id": "reply", "title": title, "submit": submit,
        "blocks": list(blocks) or [an_input()], **fields,
    }  # fmt: skip
