"""Which names a statement may use: declared views and their columns, and names of its own that hide none of them. Pure."""

from collections.abc import Iterable, Mapping

from sqlglot import exp

from bot.adapters.records import grammar
from bot.core.records import RecordsSchema
from bot.errors import StatementRejected


def require_declared(statement: exp.Select, schema: RecordsSchema) -> None:
    """Raise StatementRejected unless every table, alias and column is one that may be named."""
    views = {view.name: frozenset(column.name for column in view.columns) for view in schema.views}
    _require_own_names(statement, views)
    _require_tables(statement, views)
    _require_columns(statement, views)


def _require_own_names(statement: exp.Select, views: Mapping[str, frozenset[str]]) -> None:
    for node in statement.find_all(exp.Alias, exp.TableAlias):
        name = node.alias if isinstance(node, exp.Alias) else node.name
        if name.casefold() in views and not _is_itself(node, name):
            raise StatementRejected(
                f"{name} is a view; no alias and no WITH may have its name, so choose another"
            )
        if not name.isprintable() or not 0 < len(name.encode()) <= grammar.LONGEST_NAME:
            raise StatementRejected("a name is empty, too long or cannot be printed; choose a short one")


def _is_itself(node: exp.Expr, name: str) -> bool:
    table = node.parent
    return isinstance(node, exp.TableAlias) and isinstance(table, exp.Table) and table.name == name


def _require_tables(statement: exp.Select, views: Mapping[str, frozenset[str]]) -> None:
    """A WITH is seen by what follows it alone: before that, the database would take its name for a table's."""
    queries = statement.args.get("with_")
    if any(one is not queries for one in statement.find_all(exp.With)):
        raise StatementRejected("WITH is allowed at the beginning only; use one there or a subquery")
    known = set(views)
    for query in queries.expressions if queries else ():
        _require_known(query.this.find_all(exp.Table), known)
        known.add(query.alias)
    _require_known(statement.find_all(exp.Table), known)
    tables = [one.name for one in statement.find_all(exp.Table)]
    if not views.keys() & set(tables):
        raise StatementRejected(f"a statement reads from a view; there are {_listed(views)}")
    if len(tables) > grammar.MOST_TABLES:
        raise StatementRejected(
            f"at most {grammar.MOST_TABLES} views may be read at once; write a simpler statement"
        )


def _require_known(tables: Iterable[exp.Table], known: set[str]) -> None:
    for table in tables:
        if not isinstance(table.this, exp.Identifier) or table.name not in known:
            raise StatementRejected(
                f"{table.sql()[:80]} is not a view that may be read; there are {_listed(known)}"
            )


def _require_columns(statement: exp.Select, views: Mapping[str, frozenset[str]]) -> None:
    """In PostgreSQL `alias.name` may call a function, and in SQLite an unknown quoted name is a text: both are refused here."""
    tables: dict[str, str] = {one.alias_or_name: one.name for one in statement.find_all(exp.Table)}
    own = {one.alias for one in statement.find_all(exp.Alias)}
    declared = frozenset().union(*views.values())
    for column in statement.find_all(exp.Column):
        possible = views.get(tables.get(column.table, ""), declared | own)
        if not isinstance(column.this, exp.Star) and column.name not in possible:
            raise StatementRejected(f"there is no column {column.sql()[:80]}; there are {_listed(possible)}")
    for name in statement.find_all(exp.Join):
        for used in name.args.get("using") or ():
            if used.name not in declared | own:
                raise StatementRejected(f"there is no column {used.name}; there are {_listed(declared)}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
