"""`agents`: accounts and the links with which their owners set a password."""

import asyncio

import pytest

from bot.adapters.argon2_passwords import Argon2Passwords
from bot.adapters.sqlite.accounts import SqliteAccountStore
from bot.adapters.sqlite.database import SqliteDatabase
from bot.adapters.system_clock import SystemClock
from bot.core.accounts import INVITATION_MS
from bot.service.accounts import Accounts

ADD = ("agents", "add", "maria@shop.example", "--name", "Maria Lopez")
WORDS = "correct horse battery staple"


def _accept(data, url: str):
    """Set the password with a printed link, as the console's page does."""

    async def accepted():
        database = SqliteDatabase.open(data / "candor.db")
        try:
            accounts = Accounts(
                store=SqliteAccountStore(database), passwords=Argon2Passwords(), clock=SystemClock()
            )
            return (await accounts.accept(url.partition("#")[2], WORDS)).signed_in
        finally:
            database.close()

    return asyncio.run(accepted())


def test_an_added_agent_gets_a_link_that_sets_the_password_once(empty):
    added = empty.json(*ADD, "--role", "admin")
    signed_in = _accept(empty.data, added["url"])

    assert added["url"].startswith("http://127.0.0.1:8080/console/join#")
    assert added["expires_ms"] - added["created_ms"] == pytest.approx(INVITATION_MS, abs=5_000)
    assert (signed_in.agent.name, signed_in.agent.role) == ("Maria Lopez", "admin")
    assert signed_in.agent.password_hash.startswith("$argon2id$")


def test_the_link_is_printed_whole_on_a_line_of_its_own(empty):
    result = empty.run(*ADD, COLUMNS="40")

    links = [line for line in result.stdout.splitlines() if line.startswith("http")]
    assert len(links) == 1
    assert len(links[0].partition("#")[2]) == 43
    assert "works once" in result.stdout
    assert "on this machine only" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("given", "environment", "address"),
    [
        ((), {"HOST": "0.0.0.0", "PORT": "9000"}, "http://127.0.0.1:9000"),  # noqa: S104 - what an operator sets
        ((), {"HOST": "::1"}, "http://[::1]:8080"),
        ((), {"PUBLIC_URL": "https://support.example"}, "https://support.example"),
        (
            ("--url", "https://desk.example/"),
            {"PUBLIC_URL": "https://support.example"},
            "https://desk.example",
        ),
    ],
)
def test_the_link_names_the_address_that_agents_use(empty, given, environment, address):
    added = empty.json(*ADD, *given, **environment)

    assert added["url"].partition("/console/join#")[0] == address


def test_a_public_address_needs_no_warning(empty):
    assert "this machine only" not in empty.run(*ADD, "--url", "https://desk.example").stdout


def test_the_list_shows_who_may_sign_in(empty):
    _accept(empty.data, empty.json(*ADD)["url"])
    empty.run("agents", "add", "new@shop.example", "--name", "New", "--role", "content")
    empty.run("agents", "add", "gone@shop.example", "--name", "Gone")
    empty.run("agents", "disable", "GONE@shop.example")

    listed = empty.json("agents", "list")["agents"]
    shown = empty.run("agents", "list", COLUMNS="120").stdout

    assert [(a["email"], a["role"], a["has_password"], a["disabled_ms"] is None) for a in listed] == [
        ("gone@shop.example", "agent", False, False),
        ("maria@shop.example", "agent", True, True),
        ("new@shop.example", "content", False, True),
    ]
    assert all(words in shown for words in ("no, disabled", "yes", "once the password is set"))
    assert "password_hash" not in str(listed)


def test_a_disabled_agent_is_let_in_again(empty):
    empty.run(*ADD)
    empty.run("agents", "disable", "maria@shop.example")
    refused = empty.run("agents", "invite", "maria@shop.example")
    empty.run("agents", "enable", "maria@shop.example")

    assert (refused.exit_code, "enable it first" in refused.stderr) == (1, True)
    assert empty.run("agents", "invite", "maria@shop.example").exit_code == 0


def test_a_new_link_ends_the_one_before(empty):
    first = empty.json(*ADD)["url"]
    second = empty.json("agents", "invite", "maria@shop.example")["url"]

    assert first != second
    with pytest.raises(Exception, match="used up, too old or incomplete"):
        _accept(empty.data, first)
    assert _accept(empty.data, second).agent.email == "maria@shop.example"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "maria", "--name", "Maria"), "email: is not an e-mail address"),
        (("add", "MARIA@shop.example", "--name", "Other"), "email: is another agent's"),
        (("add", "a@shop.example", "--name", " "), "name: has 0 characters"),
        (("invite", "nobody@shop.example"), "email: belongs to no agent"),
        (("disable", "nobody@shop.example"), "email: belongs to no agent"),
        (("enable", "nobody@shop.example"), "email: belongs to no agent"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(empty, arguments, said):
    empty.run(*ADD)

    result = empty.run("agents", *arguments)

    assert result.exit_code == 1
    assert said in result.stderr


@pytest.mark.parametrize(
    "command", [("list",), ("disable", "a@b.de"), ("enable", "a@b.de"), ("invite", "a@b.de")]
)
def test_a_directory_without_a_data_file_gets_none(empty, command):
    result = empty.run("agents", *command)

    assert result.exit_code == 1
    assert "there is no data file" in result.stderr
    assert not empty.data.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("add", "a@b.de"),
        ("add", "a@b.de", "--name", "A", "--role", "boss"),
        ("add", "a@b.de", "--name", "A", "--url", "desk.example"),
        ("add", "a@b.de", "--name", "A", "--url", "https://desk.example/console"),
    ],
)
def test_wrong_usage_ends_with_code_2(empty, arguments):
    assert empty.run("agents", *arguments).exit_code == 2
