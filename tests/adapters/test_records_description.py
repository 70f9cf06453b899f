"""The file that describes records: read whole, or refused with what is wrong in it; and how cells are told."""

import re
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest

from bot.adapters.records.cells import LONGEST_CELL, MOST_CHARACTERS, shown, to_cell
from bot.adapters.records.description import load_description
from bot.adapters.records.postgres_ddl import ddl
from bot.errors import Misconfigured

WHOLE = """
timezone = "Europe/Madrid"
notes = "Orders of a shop."
functions = ["initcap"]
[views.orders]
description = "One row for each order."
select = "SELECT id, placed_at::date AS day FROM shop.orders WHERE customer_id::text = :customer"
[views.orders.columns]
id = { type = "integer" }
day = { type = "date", description = "when it was placed" }
"""


def test_what_it_says_is_what_may_be_asked(tmp_path):
    (tmp_path / "records.toml").write_text(WHOLE)
    schema = load_description(tmp_path / "records.toml").schema("postgres")

    assert [(view.name, [one.name for one in view.columns]) for view in schema.views] == [
        ("orders", ["id", "day"])
    ]
    assert {"initcap", "count"} <= schema.functions
    assert schema.notes.startswith(
        "Orders of a shop. Every view holds the rows of the one customer who asks."
    )
    assert "time zone Europe/Madrid" in schema.notes


def test_the_customer_stands_in_the_view_and_a_cast_stays_a_cast(tmp_path):
    (tmp_path / "records.toml").write_text(WHOLE)
    written = ddl(load_description(tmp_path / "records.toml"), "shop_reader")

    assert "WHERE customer_id::text = (SELECT candor.customer())" in written
    assert "placed_at::date" in written
    assert 'GRANT SELECT ON candor."orders" TO "shop_reader"' in written
    assert not re.search(r"(?<!:):customer", written)


@pytest.mark.parametrize(
    ("there", "instead", "said"),
    [
        ("[views.orders]", "[views.orders", "cannot be read"),
        ("= :customer", "= 'c1'", "must select by :customer"),
        ("= :customer", "= :customer; DROP TABLE x", "must be one SELECT"),
        ("[views.orders", '[views."Orders; --"', "is no plain name"),
        ('"initcap"', '"pg_sleep("', "is no plain name"),
        ("Europe/Madrid", "Mars/Olympus", "there is no time zone 'Mars/Olympus'"),
        ('type = "integer"', 'kind = "integer"', "views.orders.columns.id.type: Field required"),
        ('type = "date"', 'type = "date); --"', "views.orders.columns.day.type"),
        ("notes", "hints", "hints: Extra inputs are not permitted"),
    ],
)
def test_what_is_wrong_in_it_is_said(tmp_path, there, instead, said):
    file = tmp_path / "records.toml"
    file.write_text(WHOLE.replace(there, instead))

    with pytest.raises(Misconfigured, match="RECORDS_DESCRIPTION: ") as refused:
        load_description(file)
    assert said in str(refused.value)
    assert str(file) in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Misconfigured, match=r"nothing.toml cannot be read"):
        load_description(tmp_path / "nothing.toml")


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (1.5, 1.5),
        (float("nan"), "nan"),
        (Decimal("12.50"), "12.50"),
        (Decimal("1E+3"), "1000"),
        (Decimal("NaN"), "NaN"),
        (date(2026, 11, 30), "2026-11-30"),
        (time(9, 30), "09:30:00"),
        (datetime(2026, 11, 30, 9, 30, tzinfo=UTC), "2026-11-30T09:30:00+00:00"),
        (b"\xff", "(binary)"),
        ({"a": [1, "é"]}, '{"a": [1, "é"]}'),
        ("x" * 600, "x" * (LONGEST_CELL - 1) + "…"),
    ],
)
def test_a_value_becomes_a_cell_that_can_be_kept(value, cell):
    assert to_cell(value) == cell


def test_rows_end_where_they_would_be_too_much_to_read():
    found = [("x" * LONGEST_CELL,) * 10] * 40

    assert len(shown(found)) == MOST_CHARACTERS // (LONGEST_CELL * 10)
    assert len(shown([("x",)] * 60)) == 50
