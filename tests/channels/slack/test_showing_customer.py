"""A customer in Slack sees what the bot and agents say, in order and once, and what becomes of it later."""

import pytest

from bot.core.conversation import Channel, ConversationId
from bot.core.slack_rows import Place, Side, SlackThread
from bot.errors import NotDelivered
from tests.builders import a_bot_message, a_conversation
from tests.channels.slack.sending_rig import DIRECT, a_sending
from tests.contract.scene import Scene
from tests.service.rig import QUESTION, UNCOVERED
from tests.vendors.slack_server import CUSTOMER, HELP
from tests.vendors.slack_transcripts import buttons


@pytest.fixture
async def sending(slack):
    made = await a_sending(slack)
    await made.asks_in_slack()
    return made


class OneStream:
    """Has streamed the first answer to the message *ts*; the first attempts to end it fail."""

    def __init__(self, ts: str, *, failures: int = 0) -> None:
        self.ts = ts
        self.failures = failures

    async def finish(self, conversation, message, rendered):
        if self.failures:
            self.failures -= 1
            raise NotDelivered("the stream cannot be ended now")
        return self.ts


async def test_an_answer_is_posted_once_with_its_article_and_something_to_press(sending):
    await sending.customer_says(QUESTION)

    await sending.told()
    await sending.told()

    (answer,) = sending.with_customer()
    assert "Open My Lessons" in answer
    assert "https://help.example/KB000003" in answer
    assert "candor_helped" in buttons(sending.server.posted(DIRECT.channel)[0])


async def test_what_was_to_press_goes_when_something_follows(sending):
    await sending.customer_says(QUESTION)
    await sending.told()

    await sending.customer_says(UNCOVERED)
    await sending.told()

    answer, handed_over = sending.server.posted(DIRECT.channel)
    assert buttons(answer) == []
    assert "text" in handed_over


async def test_what_an_agent_says_in_the_console_reaches_the_customer_with_the_agents_name(sending):
    await sending.claimed()

    await sending.agent_says("Riesling goes with trout.")
    await sending.told()

    assert "Anna" in sending.with_customer()[-1]
    assert "Riesling goes with trout." in sending.with_customer()[-1]


@pytest.mark.parametrize("failures", [0, 2])
async def test_a_streamed_answer_is_not_posted_again(slack, failures):
    sending = await a_sending(slack, streams=OneStream("1750000000.000099", failures=failures))
    await sending.asks_in_slack()

    await sending.customer_says(QUESTION)
    await sending.told_in_the_end()

    assert sending.with_customer() == []
    (post,) = await sending.store.posts_of(sending.id)
    assert post.ts == "1750000000.000099"


async def test_a_long_answer_is_split_in_order(sending):
    scene = Scene(sending.rig.store, sending.id)
    await scene.customer_writes(QUESTION)
    paragraphs = "\n\n".join(f"{number}. " + "word " * 300 for number in range(20))

    await scene.bot_settles(await scene.turn_begins(), messages=[a_bot_message(paragraphs)])
    await sending.told()

    parts = sending.with_customer()
    starts = ["".join(parts).index(f"{number}. word") for number in range(20)]
    assert starts == sorted(starts)
    assert len(parts) > 2


async def test_a_customer_who_deleted_the_thread_holds_nothing_up(sending):
    place = Place(team=DIRECT.team, channel=HELP, thread_ts=await sending.server.says(CUSTOMER, HELP, "Hi"))
    there = a_conversation(id=ConversationId("c-thread"), channel=Channel.SLACK)
    sending.rig.conversation = (await sending.rig.store.open_conversation(there)).id
    await sending.store.bind(SlackThread(conversation=there.id, side=Side.CUSTOMER, place=place))
    await sending.customer_says(QUESTION)

    await sending.server.deletes(HELP, place.thread_ts)
    await sending.told()

    assert sending.server.posted(HELP) == []  # where Slack would show it to everybody
    assert await sending.waiting() == ()
    assert sending.health.troubles == ()
