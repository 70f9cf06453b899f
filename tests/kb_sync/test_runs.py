"""Each run is told to the dead-man's switch and to people, and a worker outlives its failures (FAULTS K1, K3)."""

import asyncio
import json
import os
import signal

import pytest

from bot.errors import SourceUnavailable
from kb_sync.change import Allowed
from kb_sync.pings import Pings
from kb_sync.runs import Request, Runs
from tests.kb_sync.folders import ListSource
from tests.kb_sync.switches import PATH, switched
from tests.kb_sync.sync_rig import SyncRig, articles
from tests.vendors.local_server import hangs, sends

BEGAN = ("GET", f"{PATH}/start", "")
GOOD = ("GET", PATH, "")


@pytest.fixture
def rig() -> SyncRig:
    return SyncRig()


def runs(rig: SyncRig, pings: Pings, source: ListSource, **fields) -> Runs:
    request = Request(**{"source": source, "allowed": Allowed(), "as_json": True, **fields})
    return Runs(job=rig.job, request=request, pings=pings, chance=lambda: 0.5)


class Failing(ListSource):
    """Cannot be fetched so many times; then somebody asks the process to end."""

    def __init__(self, times: int) -> None:
        super().__init__([])
        self.times = times

    async def read(self, progress):
        self.times -= 1
        if self.times < 0:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.Event().wait()
        raise SourceUnavailable("page 3 of 9 answers 503")


async def test_a_good_run_is_told_as_one(rig, capsys):
    async with switched() as (switch, pings):
        code = await runs(rig, pings, ListSource(articles(3))).run()

    assert (code, switch.heard) == (0, [BEGAN, GOOD])
    assert json.loads(capsys.readouterr().out)["outcome"] == "done"


async def test_a_failure_is_told_with_its_reason(rig, capsys):
    fails = SourceUnavailable("page 3 of 9 answers 503")
    async with switched() as (switch, pings):
        code = await runs(rig, pings, ListSource([], fails=fails)).run()

    assert (code, switch.heard) == (1, [BEGAN, ("POST", f"{PATH}/fail", str(fails))])
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"outcome": "failed", "exit_code": 1, "error": str(fails)}
    assert printed.err == f"kb_sync: {fails}\n"


async def test_withheld_retirements_are_told_as_a_failure(rig):
    await rig.sync(*articles(40))
    async with switched() as (switch, pings):
        code = await runs(rig, pings, ListSource(articles(20))).run()

    assert code == 1
    began, (method, path, reason) = switch.heard
    assert (began, method, path) == (BEGAN, "POST", f"{PATH}/fail")
    assert "--approve-retirements 20" in reason


async def test_an_unexpected_error_is_told_and_raised(rig):
    async with switched() as (switch, pings):
        with pytest.raises(ZeroDivisionError):
            await runs(rig, pings, ListSource([], fails=ZeroDivisionError("secret"))).run()

    assert switch.heard[1] == ("POST", f"{PATH}/fail", "an error that was not expected: ZeroDivisionError")


@pytest.mark.parametrize("reply", [sends("no", status=500), hangs()], ids=["failing", "slow"])
async def test_a_switch_that_does_not_work_changes_no_result(rig, reply):
    async with switched(reply) as (switch, pings):
        code = await runs(rig, pings, ListSource(articles(3))).run()

    assert (code, len(switch.told), rig.run.outcome) == (0, 2, "done")


async def test_a_preview_tells_nobody(rig):
    async with switched() as (switch, pings):
        code = await runs(rig, pings, ListSource(articles(3)), is_dry_run=True).run()

    assert (code, switch.heard, rig.writer.generations()) == (0, [], ())


async def test_a_worker_goes_on_after_failures_and_stops_cleanly_when_it_is_told_to(rig, capsys):
    async with switched() as (switch, pings):
        code = await runs(rig, pings, Failing(2), interval_s=0.001).run()

    failures = [path for _, path, _ in switch.heard if path.endswith("/fail")]
    assert (code, len(failures)) == (0, 2)
    outcomes = [run.outcome for run in rig.writer.runs(limit=9)]
    assert outcomes == ["stopped", "failed", "failed"]
    assert rig.writer.lock() is None


async def test_a_single_run_that_is_told_to_end_says_that_nothing_was_changed(rig, capsys):
    async with switched() as (_, pings):
        code = await runs(rig, pings, Failing(0)).run()

    assert (code, rig.run.outcome) == (1, "stopped")
    assert "stopped; nothing was changed" in capsys.readouterr().err
