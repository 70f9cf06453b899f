"""Going back is one flip: nothing is read or embedded, and the state that was refused does not come back by itself (FAULTS K6)."""

import pytest

from bot.adapters.memory.embedder import HashEmbedder
from bot.errors import GenerationRefused, SyncBusy
from kb_sync.rollback import lines, remedy_for, to_json
from tests.kb_sync.folders import an_article
from tests.kb_sync.sync_rig import SyncRig, articles

LOCAL = "local/minilm/384/unit/md1-800"


@pytest.fixture
async def rig() -> SyncRig:
    """Three articles, then four."""
    rig = SyncRig()
    await rig.sync(*articles(3))
    await rig.sync(*articles(4))
    return rig


async def test_a_rollback_answers_from_what_was_before_at_once(rig):
    now, before = rig.writer.generations()
    embedded = len(rig.embedder.embedded)

    done = await rig.roll_back()

    assert (done.live.id, done.refused, done.remedy) == (before.id, now.id, "")
    assert len(await rig.searched()) == 3
    assert len(rig.embedder.embedded) == embedded


async def test_a_rollback_is_recorded_but_is_no_sync(rig):
    """Else a knowledge base that stands still would look fresh."""
    last_good_ms = (await rig.index.status()).last_sync_ms

    await rig.roll_back()

    assert (rig.run.outcome, rig.run.exit_code, rig.run.source) == ("rolled_back", 0, "--rollback")
    assert (await rig.index.status()).last_sync_ms == last_good_ms


async def test_the_refused_state_comes_back_only_when_somebody_wants_it(rig):
    await rig.roll_back()
    await rig.refused(*articles(4))

    report = await rig.sync(*articles(4), rolled_back=True)

    assert (report.added, len(await rig.searched())) == (("KB3",), 4)
    assert rig.writer.rolled_back() == ""


async def test_a_failed_run_after_the_refused_one_does_not_hide_which_state_was_refused(rig):
    await rig.refused()

    await rig.roll_back()

    assert "--forward" in str(await rig.refused(*articles(4)))


async def test_a_source_that_is_back_where_the_rollback_led_needs_nothing(rig):
    await rig.roll_back()

    report = await rig.sync(*articles(3))

    assert (report.outcome.exit_code, report.unchanged) == (0, 3)


async def test_a_rollback_of_a_rollback_goes_forward_again(rig):
    await rig.roll_back()

    await rig.roll_back()

    assert len(await rig.searched()) == 4


async def test_without_a_generation_before_there_is_nothing_to_go_back_to():
    rig = SyncRig()
    await rig.sync(an_article())

    with pytest.raises(GenerationRefused, match="no generation before"):
        await rig.roll_back()

    assert (rig.run.outcome, rig.run.exit_code, len(await rig.searched())) == ("failed", 1, 1)


async def test_a_rollback_waits_for_nobody_who_syncs(rig):
    rig.writer.take_lock("another machine", now_ms=rig.clock.now_ms(), until_ms=10**15)

    with pytest.raises(SyncBusy, match="another machine"):
        await rig.roll_back()


async def test_going_back_to_another_model_says_that_nothing_is_searched_until_it_is_set():
    rig = SyncRig()
    await rig.sync(*articles(3))
    rig.use(HashEmbedder(dimension=64))
    await rig.sync(*articles(3))

    done = await rig.roll_back()

    assert "memory/hash/128" in done.remedy
    assert "questions go to people" in done.remedy
    assert lines(done)[-1] == done.remedy
    assert to_json(done)["remedy"] == done.remedy


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        pytest.param("voyage/voyage-4/1024/unit/md1-800", "VOYAGE_MODEL is voyage-4", id="voyage"),
        pytest.param("local/org/name/384/unit/md1-800", "names the model org/name", id="local"),
        pytest.param("local/minilm/384/unit/md0", "cuts passages as md0 runs again", id="an older version"),
    ],
)
def test_what_must_be_set_is_named(theirs, said):
    assert said in remedy_for(theirs, ours=LOCAL)
    assert remedy_for(LOCAL, ours=LOCAL) == ""
