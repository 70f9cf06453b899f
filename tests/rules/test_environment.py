"""The environment is read in one place: where a command line starts."""

import ast

import pytest

from tests.rules.tree import SOURCE_FOLDERS, Module, modules

READERS = ("bot/__main__.py", "kb_sync/__main__.py")
NAMES = frozenset({"environ", "environb", "getenv", "getenvb", "putenv"})


def test_only_the_command_lines_read_the_environment():
    readers = [place for module in _others() for place in _environment_reads(module)]

    assert readers == []


def test_only_the_command_lines_build_the_settings():
    builders = [
        module.at(node)
        for module in _others()
        if module.path != "bot/settings.py"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Settings"
    ]

    assert builders == []


@pytest.mark.parametrize(
    "line",
    [
        "import os; os.environ['HOST']",
        "from os import getenv",
        "from os import environ as e",
        "import os as o; o.getenv('HOST')",
    ],
)
def test_each_way_to_read_the_environment_is_noticed(line):
    module = Module(path="bot/core/gate.py", lines=(line,), tree=ast.parse(line))

    assert _environment_reads(module) == ["bot/core/gate.py:1"]


def _others() -> list[Module]:
    return [module for module in modules(*SOURCE_FOLDERS) if module.path not in READERS]


def _environment_reads(module: Module) -> list[str]:
    places = []
    for node in ast.walk(module.tree):
        match node:
            case ast.Attribute(attr=name) if name in NAMES:
                places.append(module.at(node))
            case ast.ImportFrom(module="os", names=names) if NAMES & {alias.name for alias in names}:
                places.append(module.at(node))
    return places
