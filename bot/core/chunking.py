"""Articles to passages: cut at headings and block boundaries, within a limit of characters and one of tokens.

Total: any text gives passages within the limits, an article without words gives none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from textwrap import dedent

from bot.core.knowledge import Article, Passage, PassageId
from bot.core.markdown import Block, BlockKind, blocks_of, lines_of, plain_text, sentences_of

CHUNKER = "md1-800"  # part of the fingerprint: a change here means that every passage is embedded again

_MAX_CHARACTERS = 800  # scored better than 1,200, of which the shipped model's token limit cut almost half
_MAX_WHOLE = 1_200  # a table or code sample may be this long rather than be divided
_OVERLAP = 150
_SMALL = 120  # a section this short says little alone
_MAX_HEADING = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLimit:
    """How many tokens the embedder reads of one text, and how it counts them."""

    tokens: int
    count: Callable[[str], int]


@dataclass(frozen=True, slots=True)
class _Piece:
    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class _Room:
    """What fits into one passage after the line that names its title and headings."""

    prefix: str
    limit: TokenLimit

    def fits(self, text: str, *, characters: int = _MAX_CHARACTERS) -> bool:
        return len(text) <= characters and self.limit.count(self.embedded(text)) <= self.limit.tokens

    def embedded(self, text: str) -> str:
        return f"{self.prefix}\n{plain_text(text)}"


def has_text(article: Article) -> bool:
    """Tell whether there is anything to cut passages from."""
    return any(
        block.kind is not BlockKind.HEADING and plain_text(block.text) for block in blocks_of(article.body)
    )


def passages_of(article: Article, limit: TokenLimit) -> tuple[Passage, ...]:
    """Cut *article* into passages, in reading order."""
    pieces: list[_Piece] = []
    for headings, blocks in _sections(article):
        room = _room(article.title, headings, limit)
        pieces.extend(_Piece(headings, text) for text in _packed(blocks, room))
    return tuple(
        Passage(
            id=PassageId(f"{article.id}#{position}"),
            article_id=article.id,
            position=position,
            headings=piece.headings,
            text=piece.text,
            embedded_text=_room(article.title, piece.headings, limit).embedded(piece.text),
        )
        for position, piece in enumerate(_merged(pieces, article.title, limit))
    )


def _sections(article: Article) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """Yield the blocks under each heading with the path of headings above them."""
    path: list[tuple[int, str]] = []
    blocks: list[Block] = []
    for block in blocks_of(article.body):
        if block.kind is not BlockKind.HEADING:
            blocks.append(block)
            continue
        yield _names(path, article.title), blocks
        name = plain_text(block.text)[:_MAX_HEADING].strip()
        path = [step for step in path if step[0] < block.level] + [(block.level, name)]
        blocks = []
    yield _names(path, article.title), blocks


def _names(path: list[tuple[int, str]], title: str) -> tuple[str, ...]:
    return tuple(name for _, name in path if name and name.casefold() != title.casefold())


def _room(title: str, headings: tuple[str, ...], limit: TokenLimit) -> _Room:
    """Name title and headings within half of what the embedder reads; the innermost heading goes last."""
    steps = [" ".join(title.split()), *headings]
    while steps[0] and limit.count(" > ".join(steps)) > limit.tokens // 2:
        if len(steps) > 1:
            del steps[1]
        else:
            steps[0] = steps[0][: len(steps[0]) * 3 // 4].rstrip()
    return _Room(" > ".join(steps), limit)


def _packed(blocks: Sequence[Block], room: _Room) -> Iterator[str]:
    """Fill passages with whole blocks; where a section is split, the end of one part begins the next."""
    held: list[Block] = []
    for block in _units(blocks, room):
        if held and not room.fits(_joined([*held, block])):
            yield _joined(held)
            carried = _carried(held)
            held = carried if carried and room.fits(_joined([*carried, block])) else []
        held.append(block)
    if held:
        yield _joined(held)


def _joined(blocks: Sequence[Block]) -> str:
    return blocks[0].text + "".join(block.joint + block.text for block in blocks[1:])


def _carried(blocks: Sequence[Block]) -> list[Block]:
    """Return the last sentences or list items, as many as the overlap holds, but never everything."""
    kept: list[Block] = []
    room = _OVERLAP
    for block in reversed([part for whole in blocks for part in _steps(whole)][1:]):
        if len(block.text) > room or block.kind in {BlockKind.TABLE, BlockKind.FENCE}:
            break
        kept.insert(0, block)
        room -= len(block.text)
    return kept


def _steps(block: Block) -> Iterator[Block]:
    if block.kind is not BlockKind.PARAGRAPH:
        yield block
        return
    for number, sentence in enumerate(sentences_of(block.text)):
        yield replace(block, text=sentence, joint=" " if number else block.joint)


def _units(blocks: Sequence[Block], room: _Room) -> Iterator[Block]:
    """Yield blocks that fit, dividing those that do not; blocks without words are left out."""
    for block in blocks:
        whole = _MAX_WHOLE if block.kind in {BlockKind.TABLE, BlockKind.FENCE} else _MAX_CHARACTERS
        if not plain_text(block.text):
            continue
        if room.fits(block.text, characters=whole):
            yield block
        else:
            yield from _divided(block, room)


def _divided(block: Block, room: _Room) -> Iterator[Block]:
    match block.kind:
        case BlockKind.TABLE:
            yield from _table_parts(block, room)
        case BlockKind.FENCE:
            yield from _fence_parts(block, room)
        case BlockKind.ITEM | BlockKind.QUOTE:
            yield from _line_units(block, room)
        case BlockKind.PARAGRAPH | BlockKind.HEADING:
            yield from _cut(block, sentences_of(block.text), " ", room)


def _line_units(block: Block, room: _Room) -> Iterator[Block]:
    """Yield a list item's lines as blocks of their own; a code sample among them loses the item's indentation."""
    joint = block.joint
    for part in lines_of(block.text):
        if "\n" in part:
            yield from _units([replace(block, kind=BlockKind.FENCE, text=dedent(part), joint=joint)], room)
        else:
            yield from _cut(replace(block, joint=joint), [part], "\n", room)
        joint = "\n"


def _cut(block: Block, parts: Sequence[str], joint: str, room: _Room) -> Iterator[Block]:
    """Yield *parts* as blocks of their own, and what is still too long in pieces of words."""
    before = block.joint
    for part in parts:
        for piece in _within(part, room):
            yield replace(block, text=piece, joint=before)
            before = joint


def _within(text: str, room: _Room) -> Iterator[str]:
    """Cut *text* at spaces into pieces that fit; a single huge word is cut anywhere."""
    if room.fits(text):
        if text.strip():
            yield text
        return
    for sentence in sentences_of(text):
        rest = sentence
        while rest:
            head = _head(rest, room)
            yield head
            rest = rest[len(head) :].lstrip()


def _head(text: str, room: _Room) -> str:
    size = min(len(text), _MAX_CHARACTERS)
    while size > 1 and not room.fits(_to_last_word(text, size)):
        size = size * 3 // 4
    return _to_last_word(text, size)


def _to_last_word(text: str, size: int) -> str:
    if size >= len(text) or text[size].isspace():
        return text[:size]
    space = max(text.rfind(" ", 0, size), text.rfind("\n", 0, size))
    return text[:space] if space > 0 else text[:size]


def _table_parts(block: Block, room: _Room) -> Iterator[Block]:
    """Divide a table between rows, its header on each part; a row that is too long becomes text."""
    lines = block.text.split("\n")
    yield from _line_parts(block, room, lines[2:], lambda rows: "\n".join([*lines[:2], *rows]))


def _fence_parts(block: Block, room: _Room) -> Iterator[Block]:
    """Divide a code sample between lines, each part in fences of its own."""
    opening, *lines = block.text.split("\n")
    mark = opening.strip()[:1] * 3
    if lines and lines[-1].strip().startswith(mark):
        del lines[-1]
    yield from _line_parts(block, room, lines, lambda part: "\n".join([opening, *part, mark]))


def _line_parts(
    block: Block, room: _Room, lines: Sequence[str], framed: Callable[[Sequence[str]], str]
) -> Iterator[Block]:
    if not room.fits(framed([])):
        yield from _cut(replace(block, kind=BlockKind.PARAGRAPH), block.text.split("\n"), "\n", room)
        return
    held: list[str] = []
    for line in lines:
        if room.fits(framed([*held, line])):
            held.append(line)
            continue
        if held:
            yield replace(block, text=framed(held))
        held = [line] if room.fits(framed([line])) else []
        if not held:
            yield from _cut(replace(block, kind=BlockKind.PARAGRAPH), [plain_text(line)], " ", room)
    if held:
        yield replace(block, text=framed(held))


def _merged(pieces: Sequence[_Piece], title: str, limit: TokenLimit) -> list[_Piece]:
    """Join a small section with the one before it where both are under the same heading and fit together."""
    merged: list[_Piece] = []
    for piece in pieces:
        joined = _together(merged[-1], piece) if merged else None
        if joined and _room(title, joined.headings, limit).fits(joined.text):
            merged[-1] = joined
        else:
            merged.append(piece)
    return merged


def _together(first: _Piece, second: _Piece) -> _Piece | None:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(first.headings, second.headings, strict=False))
    common = tuple(name for name, _ in pairs)
    deepest = max(len(first.headings), len(second.headings))
    is_small = min(len(first.text), len(second.text)) <= _SMALL
    if first.headings == second.headings or not is_small or len(common) < deepest - 1:
        return None
    return _Piece(common, "\n\n".join(_under(piece, common) for piece in (first, second)))


def _under(piece: _Piece, common: tuple[str, ...]) -> str:
    own = piece.headings[len(common) :]
    return "\n\n".join([*(f"**{name}**" for name in own), piece.text])
