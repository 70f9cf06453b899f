"""Writes what PostgreSQL is told once, by the owner of the tables: a role that may read views, and views of one customer's rows. Pure.

The customer is entered by a function, once in a transaction, and kept as a setting under a seal: a setting alone could be set by any
statement. The seal holds for one transaction of one connection, and what it is made with can be read by the owner alone.
"""

from bot.adapters.records.description import CUSTOMER, DescribedView, Description

SCHEMA = "candor"
READER = "candor_reader"
ENTERED = 7_267_301  # the first half of the advisory lock that says that somebody was entered

_HEAD = """\
-- Lets Candor read the rows of one customer at a time (PostgreSQL 13 or later). Run it as the owner of the tables, in their database;
-- running it again brings the views to a changed description.
-- The role has no password yet: set one, or let it in by another way, in pg_hba.conf.
BEGIN;

DO $do$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = '{role}') THEN
    CREATE ROLE "{role}" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 20;
  END IF;
END $do$;
ALTER ROLE "{role}" SET default_transaction_read_only = on;
ALTER ROLE "{role}" SET statement_timeout = '3s';

CREATE SCHEMA IF NOT EXISTS candor;
REVOKE ALL ON SCHEMA candor FROM PUBLIC;
GRANT USAGE ON SCHEMA candor TO "{role}";

CREATE TABLE IF NOT EXISTS candor.seal (secret bytea NOT NULL);
REVOKE ALL ON candor.seal FROM PUBLIC, "{role}";
INSERT INTO candor.seal
  SELECT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
  WHERE NOT EXISTS (SELECT FROM candor.seal);

CREATE OR REPLACE FUNCTION candor.sealed(customer text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp AS $function$
  SELECT encode(sha256(secret || sha256(secret || convert_to(
    pg_backend_pid() || ' ' || extract(epoch FROM transaction_timestamp()) || ' ' || customer, 'UTF8'))), 'hex')
  FROM candor.seal
$function$;

CREATE OR REPLACE FUNCTION candor.enter(customer text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
  IF customer IS NULL OR customer = '' THEN
    RAISE EXCEPTION 'a customer has an id';
  END IF;
  IF EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
             AND classid = {entered} AND objid = pg_backend_pid() AND objsubid = 2)
     OR NOT pg_try_advisory_xact_lock({entered}, pg_backend_pid()) THEN
    RAISE EXCEPTION 'a customer was entered already in this transaction';
  END IF;
  PERFORM set_config('candor.customer', candor.sealed(customer) || ' ' || customer, true);
END $function$;

CREATE OR REPLACE FUNCTION candor.customer() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
  entered text := coalesce(current_setting('candor.customer', true), '');
  customer text := substr(entered, 66);
BEGIN
  IF customer = '' OR left(entered, 64) IS DISTINCT FROM candor.sealed(customer) THEN
    RAISE EXCEPTION 'no customer was entered in this transaction';
  END IF;
  RETURN customer;
END $function$;

REVOKE ALL ON FUNCTION candor.sealed(text), candor.enter(text), candor.customer() FROM PUBLIC, "{role}";
GRANT EXECUTE ON FUNCTION candor.enter(text), candor.customer() TO "{role}";
"""

_VIEW = """
DROP VIEW IF EXISTS candor."{name}";
CREATE VIEW candor."{name}" WITH (security_barrier = true) AS
SELECT {columns} FROM (
{select}
) AS selected;
REVOKE ALL ON candor."{name}" FROM PUBLIC;
GRANT SELECT ON candor."{name}" TO "{role}";
"""


def ddl(description: Description, role: str = READER) -> str:
    """Return the statements, for `psql` or any other client."""
    head = _HEAD.format(role=role, entered=ENTERED)
    return "".join([head, *(_view(one, role) for one in description.views), "\nCOMMIT;\n"])


def _view(described: DescribedView, role: str) -> str:
    return _VIEW.format(
        name=described.view.name,
        columns=", ".join(f'"{column.name}"' for column in described.view.columns),
        select=CUSTOMER.sub("(SELECT candor.customer())", described.select),
        role=role,
    )
