"""Looks whether PostgreSQL is what `records ddl` makes of it: the role, the views, the functions. Whatever is more is named."""

from collections.abc import Mapping, Sequence

from psycopg import AsyncConnection
from psycopg.rows import tuple_row

from bot.core.records import RecordsSchema
from bot.errors import Misconfigured

_REMEDY = "run what `python -m bot records ddl` prints as the owner of the tables"

_ROLE = """
SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls,
  (SELECT string_agg(roleid::regrole::text, ', ') FROM pg_auth_members WHERE member = r.oid)
FROM pg_roles r WHERE rolname = current_user
"""
# What belongs to an extension may be read by everybody, as a rule, and holds nobody's rows; written it may not be.
_TABLES = """
SELECT c.oid::regclass::text, w.writes
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (SELECT has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
  OR has_any_column_privilege(c.oid, 'INSERT, UPDATE')
  OR pg_has_role(current_user, c.relowner, 'USAGE') AS writes) w
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND n.nspname NOT LIKE 'pg\\_t%%'
  AND (w.writes OR (has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    AND NOT (n.nspname = 'candor' AND c.relname = ANY(%(views)s))
    AND NOT EXISTS (SELECT FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')))
ORDER BY 2 DESC, 1 LIMIT 1
"""
_SCHEMAS = """
SELECT nspname::text FROM pg_namespace
WHERE nspname NOT LIKE 'pg\\_%%' AND has_schema_privilege(oid, 'CREATE') ORDER BY 1 LIMIT 1
"""
_FUNCTIONS = """
SELECT coalesce(bool_and(p.prosecdef AND NOT pg_has_role(current_user, p.proowner, 'USAGE')
    AND has_function_privilege(p.oid, 'EXECUTE') = (p.proname <> 'sealed')), false) AND count(*) = 3
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname = 'candor' AND p.proname IN ('enter', 'customer', 'sealed')
"""
_VIEWS = """
SELECT c.relname::text,
  c.relkind = 'v' AND coalesce('security_barrier=true' = ANY(c.reloptions), false)
    AND NOT coalesce('security_invoker=true' = ANY(c.reloptions), false),
  c.relkind = 'v' AND pg_get_viewdef(c.oid) LIKE '%%candor.customer()%%',
  has_table_privilege(c.oid, 'SELECT'),
  (SELECT array_agg(a.attname::text) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'candor' AND c.relname = ANY(%(views)s)
"""


async def require_fit(connection: AsyncConnection, schema: RecordsSchema) -> None:
    """Raise Misconfigured unless the role can read the declared views, and can do nothing else."""
    await connection.execute("SET LOCAL search_path = pg_catalog")  # so that names are written out
    views = [view.name for view in schema.views]
    await _require_role(connection)
    await _require_views(connection, schema, {"views": views})
    await _require_tables(connection, {"views": views})
    await connection.execute("SET LOCAL search_path = candor, pg_temp")


async def _rows(
    connection: AsyncConnection, query: str, values: Mapping[str, object] | None = None
) -> Sequence[tuple[object, ...]]:
    async with connection.cursor(row_factory=tuple_row) as cursor:
        await cursor.execute(query.encode(), values or {})
        return await cursor.fetchall()


async def _require_role(connection: AsyncConnection) -> None:
    ((is_powerful, memberships),) = await _rows(connection, _ROLE)
    if is_powerful:
        raise Misconfigured(
            f"RECORDS_URL: its role may do more than read (superuser or alike); {_REMEDY}, and name that role"
        )
    if memberships:
        raise Misconfigured(
            f"RECORDS_URL: its role is a member of {memberships} and may do what that may; revoke it, or use a role of its own"
        )


async def _require_tables(connection: AsyncConnection, values: Mapping[str, object]) -> None:
    for table, may_write in await _rows(connection, _TABLES, values):
        if may_write:
            raise Misconfigured(
                f"RECORDS_URL: its role may write {table}; revoke that, or use a role of its own"
            )
        raise Misconfigured(
            f"RECORDS_URL: its role may read {table}, which is no view for one customer; "
            "take that right from the role and from PUBLIC"
        )
    for (name,) in await _rows(connection, _SCHEMAS):
        raise Misconfigured(
            f"RECORDS_URL: its role may create tables in the schema {name}; REVOKE CREATE ON SCHEMA {name} FROM PUBLIC"
        )


async def _require_views(
    connection: AsyncConnection, schema: RecordsSchema, values: Mapping[str, object]
) -> None:
    (((are_whole,),), found) = (
        await _rows(connection, _FUNCTIONS),
        {str(row[0]): row[1:] for row in await _rows(connection, _VIEWS, values)},
    )
    if not are_whole:
        raise Misconfigured(
            f"RECORDS_URL: the functions candor.enter and candor.customer are not as they must be; {_REMEDY}"
        )
    for view in schema.views:
        if view.name not in found:
            raise Misconfigured(f"RECORDS_URL: there is no view candor.{view.name}; {_REMEDY}")
        is_barrier, is_scoped, is_readable, columns = found[view.name]
        if not (is_barrier and is_scoped):
            raise Misconfigured(
                f"RECORDS_URL: candor.{view.name} is no security_barrier view of one customer's rows; {_REMEDY}"
            )
        if not is_readable:
            raise Misconfigured(f"RECORDS_URL: its role may not read candor.{view.name}; {_REMEDY}")
        missing = [one.name for one in view.columns if one.name not in _names(columns)]
        if missing:
            raise Misconfigured(f"RECORDS_URL: candor.{view.name} has no column {missing[0]}; {_REMEDY}")


def _names(columns: object) -> Sequence[object]:
    return columns if isinstance(columns, list) else []
