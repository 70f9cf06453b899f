"""Slack's documented limits: what fits to the last character passes, one more does not."""

import pytest

from tests.vendors.slack_blocks import a_button, a_modal, a_section, a_select, actions, an_input, feedback
from tests.vendors.slack_limits import problems_of


def plain(length: int) -> dict[str, object]:
    return {"type": "plain_text", "text": "x" * length}


def an_option(text: int = 1, value: str = "a") -> dict[str, object]:
    return {"text": plain(text), "value": value}


def text_input(**fields: object) -> list[dict[str, object]]:
    return [a_modal(an_input(element={"type": "plain_text_input", "action_id": "a", **fields}))]


LIMITS = {
    "section text": (3_000, lambda n: [[a_section("x" * n)]]),
    "header": (150, lambda n: [[{"type": "header", "text": plain(n)}]]),
    "blocks of a message": (50, lambda n: [[a_section()] * n]),
    "blocks of a modal": (100, lambda n: [a_modal(*[a_section()] * n)]),
    "block_id": (255, lambda n: [[a_section(block_id="x" * n)]]),
    "actions": (25, lambda n: [[actions(*(a_button(f"a:{i}") for i in range(n)))]]),
    "context": (10, lambda n: [[{"type": "context", "elements": [plain(1)] * n}]]),
    "button text": (75, lambda n: [[actions(a_button(text="x" * n))]]),
    "button value": (2_000, lambda n: [[actions(a_button(value="x" * n))]]),
    "action_id": (255, lambda n: [[actions(a_button("x" * n))]]),
    "fields": (10, lambda n: [[{"type": "section", "fields": [plain(1)] * n}]]),
    "field": (2_000, lambda n: [[{"type": "section", "fields": [plain(n)]}]]),
    "markdown": (12_000, lambda n: [[{"type": "markdown", "text": "x" * n}]]),
    "markdown in all": (
        12_000,
        lambda n: [[{"type": "markdown", "text": "x" * 6_000}, {"type": "markdown", "text": "x" * (n - 6_000)}]],
    ),
    "feedback value": (2_000, lambda n: [[feedback("x" * n)]]),
    "options": (100, lambda n: [a_modal(an_input(element=a_select(*map(str, range(n)))))]),
    "option value": (150, lambda n: [[actions({"type": "overflow", "action_id": "a", "options": [an_option(value="x" * n)]})]]),
    "option text": (75, lambda n: [[actions({"type": "overflow", "action_id": "a", "options": [an_option(n)]})]]),
    "input max_length": (3_000, lambda n: text_input(max_length=n)),
    "initial value": (40, lambda n: text_input(max_length=40, initial_value="x" * n)),
    "placeholder": (150, lambda n: text_input(placeholder=plain(n))),
    "modal title": (24, lambda n: [a_modal(title=plain(n))]),
    "modal submit": (24, lambda n: [a_modal(submit=plain(n))]),
    "modal close": (24, lambda n: [a_modal(close=plain(n))]),
    "private_metadata": (3_000, lambda n: [a_modal(private_metadata="x" * n)]),
    "callback_id": (255, lambda n: [a_modal(callback_id="x" * n)]),
    "message text": (40_000, lambda n: [{"text": "x" * n}]),
    "message markdown": (12_000, lambda n: [{"markdown_text": "x" * n}]),
}  # fmt: skip


@pytest.mark.parametrize(("most", "made"), LIMITS.values(), ids=LIMITS.keys())
def test_the_last_that_fits_passes_and_the_next_is_named(most, made):
    (fits,), (too_much,) = made(most), made(most + 1)

    assert problems_of(fits) == []
    assert problems_of(too_much) != []


@pytest.mark.parametrize(
    ("thing", "problem"),
    [
        pytest.param([{"type": "carousel"}], "unsupported type", id="unknown block"),
        pytest.param([an_input()], "unsupported type", id="input in a message"),
        pytest.param(
            a_modal({"type": "markdown", "text": "x"}), "unsupported type", id="markdown in a modal"
        ),
        pytest.param([a_section(color="red")], "invalid additional property: color", id="unknown field"),
        pytest.param([a_section(accessory=None)], "accessory is null", id="null"),
        pytest.param([a_section("")], "0 characters", id="empty text"),
        pytest.param([{"type": "section"}], "neither text nor fields", id="empty section"),
        pytest.param([a_section(block_id="b")] * 2, "block_id b comes 2 times", id="block ids"),
        pytest.param([actions(a_button("a"), a_button("a"))], "action_id a comes 2 times", id="action ids"),
        pytest.param([actions(a_button(style="blue"))], "style: blue", id="style"),
        pytest.param([actions(an_input())], "input is not allowed here", id="block as element"),
        pytest.param(
            [{"type": "header", "text": {"type": "mrkdwn", "text": "x"}}], "must be plain_text", id="header"
        ),
        pytest.param({"text": ""}, "no text", id="nothing to say"),
        pytest.param({"text": "x", "blocks": [a_section("x" * 2_700)] * 5}, "13500 characters", id="in all"),
        pytest.param(
            {"text": "x", "metadata": {"event_type": "a b", "event_payload": {}}}, "event_type", id="m"
        ),
        pytest.param(
            {"text": "x", "metadata": {"event_type": "a", "event_payload": {"n": None}}},
            "NoneType",
            id="payload",
        ),
    ],
)
def test_what_slack_refuses_is_named(thing, problem):
    assert [found for found in problems_of(thing) if problem in found] != []


def test_a_modal_with_an_input_needs_a_submit():
    view = a_modal()
    del view["submit"]

    assert problems_of(view) == ["view.submit: needed beside an input"]
