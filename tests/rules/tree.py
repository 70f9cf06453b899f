"""The repository as the rules see it: its files, parsed."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE_FOLDERS = ("bot", "kb_sync")
PYTHON_FOLDERS = (*SOURCE_FOLDERS, "tests")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    path: str
    lines: tuple[str, ...]
    tree: ast.Module

    @property
    def functions(self) -> Iterator[Function]:
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))

    def at(self, node: ast.stmt | ast.expr) -> str:
        return f"{self.path}:{node.lineno}"

    def length(self, node: Function) -> int:
        """Non-blank lines from `def` to the end, the docstring not counted."""
        return self._non_blank(node.lineno, node.end_lineno) - self.docstring_length(node)

    def docstring_length(self, node: Function | ast.Module) -> int:
        if ast.get_docstring(node) is None:
            return 0
        docstring = node.body[0]
        return self._non_blank(docstring.lineno, docstring.end_lineno)

    def _non_blank(self, first: int, last: int | None) -> int:
        return sum(1 for line in self.lines[first - 1 : last] if line.strip())


def modules(*folders: str) -> list[Module]:
    return [_parsed(path) for path in _files(folders)]


def module_paths(*folders: str) -> list[str]:
    """Return what they are called, unparsed: parsing all of them takes seconds."""
    return [str(path.relative_to(ROOT)) for path in _files(folders)]


def _files(folders: Sequence[str]) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def _parsed(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    return Module(path=str(path.relative_to(ROOT)), lines=tuple(text.splitlines()), tree=ast.parse(text))
