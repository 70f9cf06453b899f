"""A crash half way costs a twentieth at most: what was embedded is never embedded again (FAULTS K11)."""

import pytest

from tests.faults.moments import Moment
from tests.faults.sync_library import Library, edition, texts

ARTICLES = edition(1, changing=420)
ALLOWED = 1.05


@pytest.mark.timeout(120)
@pytest.mark.parametrize("model", ["the same", "another"])
async def test_a_sync_that_is_killed_half_way_embeds_five_percent_twice_at_most(tmp_path, model):
    library = Library(folder=tmp_path)
    if model == "another":
        assert await library.sync(ARTICLES, chunker="before") == 0
        (tmp_path / "embedded").unlink()
    half = Moment(name="after embed_passages", nth=len(ARTICLES) // 16 // 2)
    assert await library.sync(ARTICLES, dies_at=half, lease_s=0.001) == -9
    half_way = len(library.embedded())

    assert await library.sync(ARTICLES) == 0

    assert 0.4 < half_way / len(ARTICLES) < 0.6
    assert len(library.embedded()) / len(ARTICLES) <= ALLOWED
    assert await library.seen() == texts(ARTICLES)
