"""The parser's wall: one SELECT over declared views, made of listed pieces only. Pure.

What is run is not the text that came but what was understood of it, written anew with every name quoted and no comment: the database
and the parser cannot read it differently.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from sqlglot import exp, parse, tokenize
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers
from sqlglot.tokenizer_core import Token, TokenType

from bot.adapters.records import grammar
from bot.adapters.records.names import require_declared
from bot.core.records import RecordsSchema
from bot.errors import StatementRejected

_CALL = re.compile(r"\w+\(")
_ONE_SELECT = "only one SELECT is allowed: no second statement, no UNION, nothing that writes or sets"
_FIRST = frozenset({TokenType.SELECT, TokenType.WITH})
_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})


def allowed(sql: str, schema: RecordsSchema) -> str:
    """Return the statement as it is to be run; StatementRejected says what may not be in it, and what may."""
    try:
        _require_short(sql, schema)
        statement = _statement(sql, schema)
        _require_listed(statement, schema)
        require_declared(statement, schema)
        written = statement.sql(dialect=schema.dialect, identify=True, comments=False)
        _require_functions(written, schema)
    except SqlglotError as exc:
        raise StatementRejected(f"this is no {grammar.NAMES[schema.dialect]}: {_first_line(exc)}") from exc
    except RecursionError as exc:
        raise StatementRejected("the statement is nested too deeply; write a simpler one") from exc
    return written


def _first_line(exc: SqlglotError) -> str:
    return str(exc).split("\n", 1)[0][:200]


def _require_short(sql: str, schema: RecordsSchema) -> None:
    """Bound what the parser is given: its own time grows with nesting, and what is no SELECT it repeats in a warning."""
    if "\0" in sql or len(sql) > grammar.LONGEST:
        raise StatementRejected(f"a statement has at most {grammar.LONGEST} characters; write a shorter one")
    words = tokenize(sql, dialect=schema.dialect)
    if len(words) > grammar.MOST_WORDS or _deepest(words) > grammar.DEEPEST_BRACKETS:
        raise StatementRejected(
            "the statement is too long or has too many brackets in brackets; write a simpler one"
        )
    if not words or words[0].token_type not in _FIRST or TokenType.SEMICOLON in map(_type, words[:-1]):
        raise StatementRejected(_ONE_SELECT)


def _type(word: Token) -> TokenType:
    return word.token_type


def _deepest(words: list[Token]) -> int:
    depth = deepest = 0
    for word in words:
        depth += (word.token_type in _OPENING) - (word.token_type in _CLOSING)
        deepest = max(deepest, depth)
    return deepest


def _statement(sql: str, schema: RecordsSchema) -> exp.Select:
    parsed = [one for one in parse(sql, dialect=schema.dialect) if one is not None]
    if len(parsed) != 1 or not isinstance(parsed[0], exp.Select):
        raise StatementRejected(_ONE_SELECT)
    return normalize_identifiers(parsed[0], dialect=schema.dialect)


def _require_listed(statement: exp.Select, schema: RecordsSchema) -> None:
    for node, depth in _nodes(statement):
        if depth > grammar.DEEPEST:
            raise StatementRejected("the statement is nested too deeply; write a simpler one")
        kind = type(node)
        if kind in grammar.PARTS:
            _require_parts(node, grammar.PARTS[kind])
        elif kind not in grammar.PLAIN and not _is_called(node, schema):
            raise StatementRejected(
                f"{_named(node)} is not allowed; use a plain SELECT with WHERE, JOIN, GROUP BY, ORDER BY and LIMIT"
            )
        if isinstance(node, exp.DataType) and (node.this not in grammar.TYPES or node.args.get("nested")):
            raise StatementRejected(
                f"a cast to {node.sql()} is not allowed; cast to text, numbers, dates and times only"
            )


def _is_called(node: exp.Expr, schema: RecordsSchema) -> bool:
    """Whether it will be written as a word and brackets; the word is looked at when all is written."""
    return isinstance(node, exp.Func) and bool(_CALL.match(node.sql(dialect=schema.dialect)))


def _nodes(statement: exp.Select) -> Iterator[tuple[exp.Expr, int]]:
    waiting: list[tuple[exp.Expr, int]] = [(statement, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting.extend((child, depth + 1) for child in node.iter_expressions())


def _require_parts(node: exp.Expr, parts: frozenset[str]) -> None:
    odd = sorted(name for name, value in node.args.items() if value and name not in parts)
    if odd:
        raise StatementRejected(
            f"{_named(node)} with {odd[0].strip('_').upper()} is not allowed; leave that out"
        )


def _named(node: exp.Expr) -> str:
    return node.key.upper()


def _require_functions(written: str, schema: RecordsSchema) -> None:
    """Look at each word before a bracket, as the database will read it; functions without brackets are pieces of grammar."""
    words = tokenize(written, dialect=schema.dialect)
    for word, following in pairwise(words):
        if following.token_type is not TokenType.L_PAREN or not _is_word(word):
            continue
        name = word.text.lower()
        if word.token_type is TokenType.IDENTIFIER or name not in schema.functions | grammar.NO_FUNCTIONS:
            raise StatementRejected(
                f"the function {name} is not allowed; allowed are {', '.join(sorted(schema.functions))}"
            )


def _is_word(word: Token) -> bool:
    return word.text[:1].isalpha() or word.text[:1] == "_" or word.token_type is TokenType.IDENTIFIER
