"""The tree is the architecture: what lies at the top, and what a module may not be called."""

from fnmatch import fnmatch

from tests.rules.tree import PYTHON_FOLDERS, ROOT, module_paths

REQUIRED = {"pyproject.toml", "README.md", "bot", "kb_sync", "tests", "prompts", "Procfile"}
BESIDE_THEM = {"Makefile", "LICENSE", "CHANGELOG.md", "requirements.lock"}
VAGUE_NAMES = {"utils", "helpers", "common", "models", "managers", "logging"}


def test_the_top_level_holds_exactly_the_parts_of_the_design():
    entries = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    entries -= {entry for entry in entries if _is_left_by_a_run(entry)}

    assert entries == REQUIRED | BESIDE_THEM


def test_no_module_has_a_name_that_says_nothing():
    vague = [path for path in module_paths(*PYTHON_FOLDERS) if VAGUE_NAMES & _names(path)]

    assert vague == []


def test_every_folder_with_modules_is_a_package():
    folders = {path.parent for folder in PYTHON_FOLDERS for path in (ROOT / folder).rglob("*.py")}

    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


def _names(path: str) -> set[str]:
    return set(path.removesuffix(".py").split("/"))


def _is_left_by_a_run(entry: str) -> bool:
    """What .gitignore names is no part of the tree."""
    patterns = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    return any(fnmatch(entry, pattern.strip("/")) for pattern in patterns if pattern and pattern[0] != "#")
