"""Folders of articles for benchmarks: the sample articles, as often and under such titles as a benchmark needs."""

import re
from pathlib import Path

SAMPLE = Path("kb_sync/sample/articles")

_ID = re.compile(r"^id: (.+)$", re.MULTILINE)
_TITLE = re.compile(r"""^title: (["']?)(.+)\1$""", re.MULTILINE)


def copy_articles(folder: Path, *, copies: int) -> int:
    """Write every sample article so often, each with an id of its own, and return how many that are."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(SAMPLE.rglob("*.md"))]
    for copy in range(copies):
        for number, text in enumerate(texts):
            _write(folder / f"{copy}" / f"{number}.md", _ID.sub(rf"id: \g<1>.{copy}", text, count=1))
    return copies * len(texts)


def retitle_articles(folder: Path, mark: str) -> None:
    """Write the sample articles with *mark* in each title, so that every passage must be embedded again."""
    for path in sorted(SAMPLE.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        _write(
            folder / path.relative_to(SAMPLE), _TITLE.sub(rf"title: \g<1>\g<2> {mark}\g<1>", text, count=1)
        )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
