"""What message events say: every subtype (SL5), edits (SL6), deletions, whom a message names, and where it belongs."""

import pytest

from bot.channels.slack.payloads import Deleted, Edited, Ignored, Naming, Said, Why, to_event
from bot.core.slack_rows import Place

BOT = "U0CANDOR"
TS, THREAD, EDITED = "1700000002.000100", "1700000001.000100", "1700000009.000100"
OTHER_SUBTYPES = (
    "assistant_app_thread", "bot_add", "bot_message", "bot_remove", "bot_disable", "bot_enable", "channel_archive",
    "channel_convert_to_private", "channel_join", "channel_leave", "channel_name", "channel_posting_permissions",
    "channel_purpose", "channel_topic", "channel_unarchive", "document_mention", "ekm_access_denied", "file_comment",
    "file_mention", "group_archive", "group_join", "group_leave", "group_name", "group_purpose", "group_topic",
    "group_unarchive", "huddle_thread", "joiner_notification", "me_message", "message_replied", "pinned_item",
    "reminder_add", "reply_broadcast", "sh_room_created", "tombstone", "unpinned_item", "a_subtype_of_tomorrow",
)  # fmt: skip


def a_message(**fields):
    return {"type": "message", "user": "U1", "text": "How do I pay?", "ts": TS, **fields}


def in_channel(message, **fields):
    return {"team_id": "T1", "event": {**message, "channel": "C1", "channel_type": "channel", **fields}}


def direct(message, **fields):
    return {"team_id": "T1", "event": {**message, "channel": "D1", "channel_type": "im", **fields}}


def changed(message, previous, **fields):
    return {
        "type": "message",
        "subtype": "message_changed",
        "message": message,
        "previous_message": previous,
        **fields,
    }


def deleted(previous):
    return {"type": "message", "subtype": "message_deleted", "previous_message": previous, "deleted_ts": TS}


def heard(body):
    return to_event(body, bot_user=BOT)


@pytest.mark.parametrize("subtype", OTHER_SUBTYPES)
def test_other_subtypes_say_nothing(subtype):
    assert heard(direct(a_message(subtype=subtype))) == Ignored(why=Why.SUBTYPE)


@pytest.mark.parametrize("subtype", [None, "file_share", "thread_broadcast"])
def test_people_write_under_these_subtypes(subtype):
    event = heard(direct(a_message(subtype=subtype)))

    assert isinstance(event, Said)
    assert event.text == "How do I pay?"


@pytest.mark.parametrize(
    "fields",
    [{"bot_id": "B9"}, {"bot_id": "B9", "subtype": "bot_message"}, {"bot_profile": {"id": "B9"}}, {"user": "USLACKBOT"}],
    ids=["bot", "workflow", "profile", "slackbot"],
)  # fmt: skip
@pytest.mark.parametrize("wrap", [lambda m: m, lambda m: changed(m, a_message()), deleted])
def test_no_bot_is_heard_in_any_way(fields, wrap):
    assert heard(direct(wrap(a_message(text="Hi", edited={"ts": EDITED}, **fields)))) == Ignored(
        why=Why.FROM_A_BOT
    )


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"event": a_message()},
        {"team_id": "T1", "event": a_message()},
        {"team_id": "T1", "event": ["message"]},
        direct({"type": "message", "text": "x", "ts": TS}),
        direct({"type": "message", "text": "x", "user": "U1"}),
        direct(a_message(ts="now")),
        direct(changed(None, None)),
        direct(deleted(None)),
        direct(deleted({"ts": TS})),
    ],
)
def test_what_lacks_an_author_or_a_place_says_nothing(body):
    assert heard(body) == Ignored(why=Why.MALFORMED)


@pytest.mark.parametrize(
    ("body", "thread_ts"),
    [
        (direct(a_message()), ""),
        (direct(a_message(thread_ts=THREAD)), THREAD),
        (direct(a_message(thread_ts=TS)), ""),
        (in_channel(a_message()), TS),
        (in_channel(a_message(thread_ts=THREAD)), THREAD),
        (direct(changed(a_message(text="Hi", thread_ts=TS), a_message())), ""),
        (in_channel(deleted(a_message(thread_ts=THREAD))), THREAD),
    ],
    ids=["direct", "assistant", "direct with replies", "channel", "thread", "edited", "deleted"],
)
def test_each_message_has_its_place(body, thread_ts):
    channel = body["event"]["channel"]

    assert heard(body).at.place == Place(team="T1", channel=channel, thread_ts=thread_ts)
    assert heard(body).at.message_id == f"slack:T1:{channel}:{TS}@U1"


@pytest.mark.parametrize(
    ("text", "naming", "words"),
    [
        (f"<@{BOT}> How do I pay?", Naming.BOT, "How do I pay?"),
        (f"<@{BOT}>, how do I pay?", Naming.BOT, "how do I pay?"),
        (f"Can <@{BOT}|candor> help <@U2>?", Naming.BOT, "Can help @someone?"),
        ("<@U2> what do you think?", Naming.OTHERS, "@someone what do you think?"),
        ("How do I pay?", Naming.NOBODY, "How do I pay?"),
        (f"&lt;@{BOT}&gt;", Naming.NOBODY, f"<@{BOT}>"),
        (f"<@{BOT}>", Naming.BOT, ""),
    ],
)
def test_whom_a_message_names(text, naming, words):
    event = heard(in_channel(a_message(text=text)))

    assert (event.at.naming, event.text) == (naming, words)


def test_half_a_character_does_not_lose_the_message():
    assert heard(direct(a_message(text="Pay \ud83d now"))).text == "Pay \ufffd now"


def test_names_of_files_are_told():
    files = [{"name": "bill.pdf"}, {"name": "\u202e"}, "odd"]

    assert heard(direct(a_message(text="", files=files))).files == ("bill.pdf", "file", "file")


def test_an_edit_counts_with_its_new_text():
    body = in_channel(
        changed(a_message(text=f"<@{BOT}> And now?", edited={"user": "U1", "ts": EDITED}), a_message())
    )

    event = heard(body)

    assert isinstance(event, Edited)
    assert (event.text, event.revision, event.at.naming) == ("And now?", EDITED, Naming.BOT)


@pytest.mark.parametrize(
    ("message", "previous"),
    [
        (a_message(), a_message()),
        (a_message(attachments=[{"from_url": "https://x.example"}]), a_message()),
        (a_message(reply_count=1, thread_ts=TS), a_message()),
        (a_message(text="How do I pay? "), a_message()),
        (a_message(edited={"ts": EDITED}), a_message()),
        (a_message(), {}),
    ],
    ids=["same", "unfurled", "thread grew", "trimmed", "edited back", "old text unknown"],
)
def test_a_change_without_another_text_says_nothing(message, previous):
    assert heard(direct(changed(message, previous))) == Ignored(why=Why.UNCHANGED)


def test_an_edit_whose_old_text_is_unknown_counts():
    assert isinstance(heard(direct(changed(a_message(edited={"ts": EDITED}), {}))), Edited)


@pytest.mark.parametrize(
    ("old", "new", "naming"),
    [
        (f"<@{BOT}> a", "b", Naming.BOT),
        ("a", f"<@{BOT}> b", Naming.BOT),
        ("<@U2> a", "<@U2> b", Naming.OTHERS),
        ("<@U2> a", "b", Naming.NOBODY),
        ("a", "<@U2> b", Naming.NOBODY),
    ],
)
def test_an_edit_is_for_whom_any_version_was(old, new, naming):
    assert heard(in_channel(changed(a_message(text=new), a_message(text=old)))).at.naming is naming


@pytest.mark.parametrize(
    "event",
    [
        deleted(a_message()),
        changed({"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "ts": TS}, a_message()),
        changed(a_message(text="", files=[{"name": "bill.pdf"}]), a_message()),
    ],
    ids=["deleted", "deleted above replies", "only the file is left"],
)
def test_a_message_goes_in_three_ways(event):
    assert isinstance(heard(direct(event)), Deleted)
