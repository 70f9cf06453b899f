"""The curve in the terminal: it rises, fits 80 columns, and shows where the chosen threshold stands."""

from hypothesis import given
from hypothesis import strategies as st

from bot.core.metrics import roc
from bot.terminal.trade_off_plot import plotted

SCORES = st.lists(st.floats(-1, 1))
SHARES = st.floats(0, 1)


def rows(plot: str) -> list[str]:
    return [line[6:] for line in plot.splitlines()[:11]]


def test_a_gate_that_tells_everything_apart_runs_along_the_top():
    drawn = rows(plotted(roc([0.9, 0.8], [0.2, 0.1]), (0.0, 1.0)))

    assert drawn[0] == "●" + "·" * 49
    assert "".join(drawn[1:]) == ""


def test_a_gate_that_tells_nothing_apart_runs_along_the_diagonal():
    ties = tuple((n / 49, n / 49) for n in range(50))

    drawn = rows(plotted(ties, (0.5, 0.5)))

    assert drawn[0][49] == "·"
    assert drawn[5][24] == "●"
    assert drawn[10][0] == "·"


@given(SCORES, SCORES, SHARES, SHARES)
def test_whatever_the_scores_are_the_plot_has_one_size_and_one_chosen_point(positives, negatives, x, y):
    plot = plotted(roc(positives, negatives), (x, y))

    assert len(plot.splitlines()) == 13
    assert max(map(len, plot.splitlines())) <= 60
    assert plot.count("●") == 1
