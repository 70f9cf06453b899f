"""Every tag and attribute of a piece of HTML, to look for those that must not be there."""

from html.parser import HTMLParser


class Inventory(HTMLParser):
    """What was read so far."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


def inventory(html: str) -> Inventory:
    found = Inventory()
    found.feed(html)
    return found
