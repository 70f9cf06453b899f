"""When a row that could not be delivered is tried again."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.core.conversation import ConversationId
from bot.core.outbox import LONGEST_PAUSE_S, Announcement, OutboxRow, due_again_ms

ROW = OutboxRow(
    key="k", kind=Announcement.MESSAGE, conversation=ConversationId("c1"), epoch=0, created_ms=0, seq=1
)
jitters = st.floats(min_value=0, max_value=1)


@given(attempts=st.integers(min_value=0, max_value=10**9), jitter=jitters, asked_s=st.floats())
def test_a_pause_is_between_a_second_and_a_quarter_of_an_hour(attempts, jitter, asked_s):
    row = replace(ROW, attempts=attempts)

    due_ms = due_again_ms(row, now_ms=0, jitter=jitter, asked_s=asked_s)

    assert 1_000 <= due_ms <= LONGEST_PAUSE_S * 1_000


@given(attempts=st.integers(min_value=0, max_value=100), jitter=jitters)
def test_no_pause_is_shorter_than_the_one_before(attempts, jitter):
    earlier, later = replace(ROW, attempts=attempts), replace(ROW, attempts=attempts + 1)

    assert due_again_ms(earlier, now_ms=0, jitter=jitter) <= due_again_ms(later, now_ms=0, jitter=jitter)


def test_what_the_receiver_asks_for_counts_where_it_is_longer():
    assert due_again_ms(ROW, now_ms=0, jitter=0, asked_s=30) == 30_000
    assert due_again_ms(replace(ROW, attempts=6), now_ms=0, jitter=0, asked_s=30) == 64_000


def test_what_waits_for_slack_is_told_within_a_minute_of_its_return():
    """R-S16: after an hour of failures too; what Slack itself asks for is obeyed for longer."""
    row = replace(ROW, kind=Announcement.SLACK, attempts=40)

    assert due_again_ms(row, now_ms=0, jitter=1) == 60_000
    assert due_again_ms(row, now_ms=0, jitter=1, asked_s=600) == 600_000
