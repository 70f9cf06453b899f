"""Folders of articles for benchmarks: the sample articles, as often and under such titles as a benchmark needs."""

import re
from pathlib import Path

SAMPLE = Path("kb_sync/sample/articles")

_ID = re.compile(r"^id: (.+)$", re.MULTILINE)
_TITLE = re.compile(r"""^title: (["']?)(.+)\1$""", re.MULTILINE)


def copy_articles(folder: Path, *, copies: int, mark: str = "") -> int:
    """Write every sample article so often, each with an id of its own and *mark* in its title, and return how many that are.

    Passages are embedded with their title, so another mark means that all of them must be embedded again; without one, copies
    share their vectors.
    """
    texts = [path.read_text(encoding="utf-8") for path in sorted(SAMPLE.rglob("*.md"))]
    for copy in range(copies):
        title = rf"title: \g<1>\g<2> {mark}{copy}\g<1>" if mark else r"\g<0>"
        for number, text in enumerate(texts):
            named = _TITLE.sub(title, _ID.sub(rf"id: \g<1>.{copy}", text, count=1), count=1)
            _write(folder / f"{copy}" / f"{number}.md", named)
    return copies * len(texts)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
