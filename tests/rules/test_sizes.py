"""The sizes at which code is stopped and split; the linter holds parameters and branches."""

import ast

import pytest

from tests.rules.tree import PYTHON_FOLDERS, SOURCE_FOLDERS, Module, modules

MODULE_LINES = 300
FUNCTION_LINES = 40
TEST_LINES = 25
IMPORTS = 20
MODULE_DOCSTRING_LINES = 6
DRAWS_ITS_TREE = "bot/errors.py"  # the tree of errors stands in its docstring


@pytest.fixture(scope="module")
def parsed() -> list[Module]:
    """Every module; parsing all of them takes seconds."""
    return modules(*PYTHON_FOLDERS)


def test_modules_stay_under_their_limit(parsed):
    long = [
        f"{module.path}: {length} lines"
        for module in parsed
        if (length := sum(1 for line in module.lines if line.strip())) > MODULE_LINES
    ]

    assert long == []


def test_functions_stay_under_their_limit(parsed):
    assert _longer_than(FUNCTION_LINES, parsed) == []


def test_tests_stay_under_their_limit(parsed):
    assert _longer_than(TEST_LINES, _within(parsed, "tests"), prefix="test_") == []


def test_no_module_imports_so_much_that_it_does_two_jobs(parsed):
    crowded = [
        f"{module.path}: {count} imports"
        for module in _within(parsed, *SOURCE_FOLDERS)
        if (count := sum(isinstance(node, ast.Import | ast.ImportFrom) for node in module.tree.body))
        > IMPORTS
    ]

    assert crowded == []


def test_every_module_says_in_a_few_lines_what_it_does(parsed):
    wrong = [
        f"{module.path}: a docstring of {length} lines"
        for module in parsed
        if module.path != DRAWS_ITS_TREE
        and not 1 <= (length := module.docstring_length(module.tree)) <= MODULE_DOCSTRING_LINES
    ]

    assert wrong == []


def _within(parsed: list[Module], *folders: str) -> list[Module]:
    return [module for module in parsed if module.path.startswith(tuple(f"{one}/" for one in folders))]


def _longer_than(limit: int, found: list[Module], *, prefix: str = "") -> list[str]:
    return [
        f"{module.at(function)} {function.name}: {length} lines"
        for module in found
        for function in module.functions
        if function.name.startswith(prefix) and (length := module.length(function)) > limit
    ]
