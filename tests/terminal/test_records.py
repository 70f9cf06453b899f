"""`records ddl` and `records check`: what PostgreSQL is told, and whether records are as they must be."""

from bot.sample.records import DESCRIPTION, rows_around
from tests.adapters.records_rig import TODAY
from tests.terminal.command_line import CommandLine
from tests.vendors.postgres_server import PostgresServer, database_of, plant


def test_what_it_prints_makes_a_database_that_passes_the_check(empty: CommandLine, postgres: PostgresServer):
    with database_of(postgres, "printed"):
        plant(postgres, "printed", rows_around(TODAY))
        settings = {
            "RECORDS_URL": postgres.address("printed", "shop_reader"),
            "RECORDS_DESCRIPTION": str(DESCRIPTION),
        }
        postgres.run(
            empty.run("records", "ddl", "--role", "shop_reader", **settings).stdout, database="printed"
        )
        checked = empty.run("records", "check", **settings)
        postgres.run("DROP OWNED BY shop_reader", "DROP ROLE shop_reader", database="printed")

    assert (checked.exit_code, checked.stdout) == (
        0,
        "PostgreSQL as records.toml describes it: lessons, packages, payments\n",
    )


def test_what_it_prints_holds_no_password(empty: CommandLine, tmp_path):
    run = empty.run(
        "records",
        "ddl",
        RECORDS_URL="postgresql://reader:hunter22@db.example/shop",
        RECORDS_DESCRIPTION=str(DESCRIPTION),
    )

    assert run.exit_code == 0
    assert "hunter22" not in run.stdout
    assert 'CREATE ROLE "candor_reader" LOGIN NOSUPERUSER' in run.stdout


def test_the_sample_passes_the_check(empty: CommandLine):
    run = empty.run("records", "check", RECORDS_URL="sample")

    assert run.exit_code == 0
    assert run.stdout.endswith("lessons, packages, payments\n")


def test_a_check_that_fails_says_why(empty: CommandLine):
    run = empty.run("records", "check")

    assert run.exit_code == 1
    assert "RECORDS_URL is not set; set it to the address of the records" in run.stderr


def test_a_role_that_is_no_name_is_refused(empty: CommandLine):
    run = empty.run("records", "ddl", "--role", 'x"; DROP TABLE lesson')

    assert run.exit_code == 2
    assert "is no plain name" in run.output
