"""What stands of a conversation after edits and deletions, in whatever order these were stored."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.core.conversation import Kind, Role, Source
from bot.core.revisions import (
    agents_revision,
    current,
    outdated,
    revised,
    revised_in_place,
    revision_id,
    without_old_texts,
)
from tests.builders import NOON_MS, a_bot_message, a_message, an_agent_message

ROLES = st.sampled_from(list(Role))
REVISIONS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["1", "2", "3", None])), max_size=8)


def asked(text, seq, **fields):
    return a_message(text, seq=seq, channel_message_id=f"m{seq}", **fields)


def revision_of(original, text, seq, *, number="1"):
    kind = Kind.TOMBSTONE if text is None else Kind.TEXT
    own_id = revision_id(original.channel_message_id, None if text is None else number)
    return replace(
        original, seq=seq, text=text or "", kind=kind, channel_message_id=own_id, revises=original.seq
    )


@st.composite
def conversations(draw):
    """Up to four messages, each revised any number of times, in any order."""
    messages = [asked(f"m{n}", n + 1, role=draw(ROLES)) for n in range(draw(st.integers(1, 4)))]
    for at, number in draw(REVISIONS):
        original = messages[at % min(4, sum(m.revises is None for m in messages))]
        text = None if number is None else f"{original.text}#{number}"
        messages.append(revision_of(original, text, len(messages) + 1, number=number))
    return tuple(messages)


def last_words(messages):
    """By the id of each original: the greatest edit, nothing where it was deleted, else itself."""
    said: dict[str, tuple[str, str]] = {}
    for m in messages:
        original, _, number = (m.channel_message_id or "").partition("#")
        said[original] = max(said.get(original, ("", "")), (number, m.text))
    return {original: text for original, (_, text) in said.items() if text}


def test_a_customers_edit_is_a_new_question_and_stands_later():
    first, answer = asked("how do I move it", 1), a_bot_message(seq=2)
    edit = revision_of(first, "how do I move a class", 3)

    assert revised((first, answer, edit)) == (answer, edit)


def test_what_others_edit_stands_in_its_place():
    for sent in (an_agent_message("Troot?", seq=1), replace(a_bot_message("Troot?"), channel_message_id="b")):
        edit = replace(revision_of(sent, "Trout?", 3), at_ms=NOON_MS + 9)

        assert revised((sent, asked("what?", 2), edit)) == (
            replace(sent, text="Trout?"),
            asked("what?", 2),
        )


def test_what_was_deleted_is_gone_with_its_edits():
    first = asked("my card is 4242", 1)
    edit, deletion = revision_of(first, "my card", 2), revision_of(first, None, 3)

    assert revised((first, edit, deletion)) == revised((first, deletion, edit)) == ()


def test_a_revision_whose_original_is_not_read_is_read_alone_or_not_at_all():
    edit = revision_of(asked("no", 1), "yes", 5)
    reply = revision_of(an_agent_message(seq=2), "yes", 6)

    assert revised((edit, reply, revision_of(asked("x", 3), None, 7))) == (edit,)


def test_in_place_a_customers_edit_has_the_time_of_its_original():
    first = asked("how do I move it", 1)
    edit = replace(revision_of(first, "how do I move a class", 3), at_ms=NOON_MS + 9)

    assert revised_in_place((first, a_bot_message(seq=2), edit)) == (
        replace(first, text="how do I move a class"),
        a_bot_message(seq=2),
    )


def test_browsers_get_every_seq_and_no_old_text():
    first = replace(asked("my card is 4242", 1), sources=(Source(id="KB1", title="Cards", url="/1"),))
    second = asked("mi name is Al", 2)
    edit, deletion = revision_of(second, "my name is Al", 3), revision_of(first, None, 4)

    shown = without_old_texts((first, second, edit, deletion))

    assert [(m.seq, m.kind, m.text) for m in shown] == [
        (1, Kind.TOMBSTONE, ""),
        (2, Kind.TEXT, "my name is Al"),
        (3, Kind.TEXT, "my name is Al"),
        (4, Kind.TOMBSTONE, ""),
    ]
    assert shown[0].sources == ()
    assert [m.revises for m in shown] == [None, None, 2, 1]


def test_an_agents_revision_is_of_the_same_author_and_names_what_it_revises():
    sent = an_agent_message("Troot?", seq=7)

    edit, deletion = agents_revision(sent, "Trout?", revision="5"), agents_revision(sent, None, revision="5")

    assert (edit.text, edit.kind, edit.revises, edit.author) == ("Trout?", Kind.TEXT, 7, "anna")
    assert (edit.channel_message_id, deletion.channel_message_id) == (
        "agent:anna:r1#5",
        "agent:anna:r1#deleted",
    )
    assert (deletion.text, deletion.kind) == ("", Kind.TOMBSTONE)


@given(conversations())
def test_whatever_the_order_the_greatest_revision_stands_and_a_deletion_wins(messages):
    expected = sorted(last_words(messages).values())

    for fold in (current, revised, revised_in_place):
        assert sorted(m.text for m in fold(messages)) == expected


@given(conversations())
def test_the_revisions_alone_say_what_is_outdated(messages):
    assert outdated(m for m in messages if m.revises is not None) == outdated(messages)


@given(conversations())
def test_no_browser_gets_a_text_that_does_not_stand(messages):
    shown = without_old_texts(messages)

    assert [m.seq for m in shown] == [m.seq for m in messages]
    assert {m.text for m in shown} - {""} == set(last_words(messages).values())
