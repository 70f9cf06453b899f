"""A ROC curve drawn with characters, small enough for any terminal."""

from collections.abc import Sequence

_WIDTH, _HEIGHT = 50, 11  # the height is odd, so that a row is 50 %
_CURVE, _CHOSEN = "·", "●"

Point = tuple[float, float]


def plotted(corners: Sequence[Point], chosen: Point) -> str:
    """Draw the curve with one mark a column, the best that can be had there, and the chosen point on top.

    *corners* are the curve's, from (0, 0) to (1, 1), both coordinates rising.
    """
    rows = [[" "] * _WIDTH for _ in range(_HEIGHT)]
    for column in range(_WIDTH):
        across = column / (_WIDTH - 1)
        best = max(y for x, y in corners if x <= across)
        rows[_row(best)][column] = _CURVE
    rows[_row(chosen[1])][_column(chosen[0])] = _CHOSEN
    lines = [f"{_name(row)} │{''.join(marks)}".rstrip() for row, marks in enumerate(rows)]
    below = f"     └{'─' * _WIDTH}"
    return "\n".join((*lines, below, f"      0 %{'50 %':^{_WIDTH - 8}}100 %"))


def _column(share: float) -> int:
    return round(share * (_WIDTH - 1))


def _row(share: float) -> int:
    return round((1 - share) * (_HEIGHT - 1))


def _name(row: int) -> str:
    share = 1 - row / (_HEIGHT - 1)
    return f"{share:>4.0%}" if row % 5 == 0 else " " * 4
