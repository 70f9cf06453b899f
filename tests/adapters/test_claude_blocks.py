"""Sentences that citations divided become whole again, at once, and nothing uncited rides along behind what is cited."""

import pytest

from bot.adapters.claude.blocks import LEAD_IN, Joining
from bot.core.prompt import Block, Citation

A, B = Citation(passage="KB1#0", quote="a"), Citation(passage="KB2#0", quote="b")


def joined(*parts):
    """Return what each content block, text or text with its citations, makes whole, and what is left at the end."""
    joining = Joining()
    steps = [joining.add(*((part, ()) if isinstance(part, str) else (part[0], part[1:]))) for part in parts]
    return [[(b.text, b.citations) for b in step] for step in [*steps, joining.rest()]]


@pytest.mark.parametrize(
    ("parts", "steps"),
    [
        pytest.param([("It is free.", A)], [[("It is free.", (A,))], []], id="a sentence"),
        pytest.param([("It is free.", A, B, A)], [[("It is free.", (A, B))], []], id="each citation once"),
        pytest.param([("It is free", A)], [[], [("It is free", (A,))]], id="without a full stop"),
        pytest.param([("It is free", A), "."], [[], [("It is free.", (A,))], []], id="full stop behind"),
        pytest.param(["\n\n", ("Free.", A)], [[], [("Free.", (A,))], []], id="white space before"),
        pytest.param([("Free.", A), "\n\n", ("Now.", B)], [[("Free.", (A,))], [], [("Now.", (B,))], []], id="white space between"),
        pytest.param(["Here is how:\n\n", ("Open it.", A)], [[], [("Here is how:\n\nOpen it.", (A,))], []], id="lead-in"),
        pytest.param(["To move it, ", ("open it", A), "."], [[], [], [("To move it, open it.", (A,))], []], id="divided sentence"),
        pytest.param(["1. ", ("Open it\n", A), "2. ", ("Save\n", B)], [[], [("1. Open it", (A,))], [], [("2. Save", (B,))], []], id="steps"),
        pytest.param([("Open it", A), "\n", ("Save", B)], [[], [], [("Open it", (A,))], [("Save", (B,))]], id="lines"),
        pytest.param([("Open it", A), ("\nSave.", B)], [[], [("Open it", (A,)), ("Save.", (B,))], []], id="next line"),
        pytest.param([("Open it", A), " and ", ("save", B), "."], [[], [], [], [("Open it and save.", (A, B))], []], id="two citations"),
        pytest.param([("Free", A), " and never late."], [[], [("Free", (A,)), ("and never late.", ())], []], id="uncited behind"),
        pytest.param([("Free.", A), " Really."], [[("Free.", (A,))], [("Really.", ())], []], id="uncited sentence"),
        pytest.param([("Free", A), ". Really."], [[], [("Free.", (A,)), ("Really.", ())], []], id="uncited sentence after the stop"),
        pytest.param(["Really. ", ("Free.", A)], [[("Really.", ())], [("Free.", (A,))], []], id="uncited sentence before"),
        pytest.param([("It costs", A), " 5."], [[], [], [("It costs", (A,)), ("5.", ())]], id="uncited number"),
        pytest.param(["Is it soon?"], [[("Is it soon?", ())], []], id="question"),
        pytest.param([("Say “no.”", A)], [[("Say “no.”", (A,))], []], id="closing quote"),
        pytest.param([" ", "**"], [[], [], []], id="nothing"),
    ],
)  # fmt: skip
def test_what_is_whole_is_given_out(parts, steps):
    assert joined(*parts) == steps


def test_a_long_lead_in_stands_for_itself():
    long = "as everybody knows and would say so " * 3

    assert len(long) > LEAD_IN
    assert joined(long, ("Free.", A))[0] == [(long.strip(), ())]


def test_the_citations_of_one_sentence_are_not_those_of_the_next():
    joining = Joining()
    joining.add("Free.", [A])

    assert joining.add("Late.", [B]) == [Block(text="Late.", citations=(B,))]
