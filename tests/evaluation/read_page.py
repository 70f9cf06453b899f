"""A page as it reads: its elements, their attributes, and whether they are nested rightly."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """Collects elements, their attributes and their nesting."""

    VOID = frozenset({"meta"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.unbalanced = False
        self.feed(text)
        self.unbalanced |= bool(self._open)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        self.unbalanced |= not self._open or self._open.pop() != tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]
