"""`slack manifest`: valid YAML for both ways of receiving, and a scope for whatever the bot calls and hears."""

import re

import pytest
import yaml

from bot.channels.slack.manifest import SCOPES, AppShape, manifest
from tests.rules.tree import modules
from tests.terminal.command_line import CommandLine
from tests.vendors.local_server import Body
from tests.vendors.slack_scopes import EVENTS, needed

FAMILY = r"(?:apps|assistant|bots|chat|conversations|files|reactions|team|users|views)"
CALLED = re.compile(rf'"({FAMILY}\.[a-zA-Z.]+)"|client\.({FAMILY}(?:_[a-zA-Z]+)+)\b')


def read(*arguments: str, at: CommandLine) -> Body:
    """Return what the command prints, as YAML."""
    run = at.run("slack", "manifest", *arguments)
    assert run.exit_code == 0, run.output
    made: Body = yaml.safe_load(run.stdout)
    return made


def test_over_sockets_no_address_is_named(empty: CommandLine):
    made = read("--socket-mode", at=empty)

    settings = made["settings"]
    assert settings["socket_mode_enabled"] is True
    assert settings["interactivity"] == {"is_enabled": True}
    assert "request_url" not in settings["event_subscriptions"]


def test_over_http_both_addresses_are_the_routes(empty: CommandLine):
    settings = read("--url", "https://support.example/", at=empty)["settings"]

    assert settings["socket_mode_enabled"] is False
    assert settings["event_subscriptions"]["request_url"] == "https://support.example/slack/events"
    assert settings["interactivity"]["request_url"] == "https://support.example/slack/actions"


def test_a_new_app_has_the_agents_view_and_an_old_one_may_keep_the_assistants(empty: CommandLine):
    new, old = (read("--socket-mode", *more, at=empty) for more in ((), ("--assistant-view",)))

    assert "agent_view" in new["features"]
    assert "app_home_opened" in new["settings"]["event_subscriptions"]["bot_events"]
    assert "assistant_view" in old["features"]
    assert "assistant_thread_started" in old["settings"]["event_subscriptions"]["bot_events"]


def test_a_name_with_signs_of_yaml_stays_a_name(empty: CommandLine):
    made = read("--socket-mode", "--name", 'Ask: "us" #1', at=empty)

    assert made["display_information"]["name"] == 'Ask: "us" #1'


def test_every_scope_and_event_stands_beside_its_reason():
    lines = [line.strip() for line in manifest(AppShape()).splitlines() if line.lstrip().startswith("- ")]

    assert len(lines) == len(SCOPES) + len(AppShape().heard)
    assert [line for line in lines if not re.fullmatch(r"- \S+  # \S.*", line)] == []


def test_every_method_that_the_channel_calls_has_its_scope():
    source = "\n".join("\n".join(module.lines) for module in modules("bot/channels/slack"))
    found = {(named or made).replace("_", ".") for named, made in CALLED.findall(source)}
    methods = found - {"apps.connections.open"}  # of the app's own token

    lacking = {
        f"{method}: {scope}"
        for method in methods
        for kind in ("channel", "group")
        if (scope := needed(method, kind)) and scope not in SCOPES
    }
    assert len(methods) > 10
    assert lacking == set()


@pytest.mark.parametrize("assistant", [False, True], ids=["agent view", "assistant view"])
def test_every_event_that_is_subscribed_has_its_scope(assistant):
    heard = [name.partition(".") for name in AppShape(assistant=assistant).heard]
    scopes = {EVENTS.get(kind, "").replace("{kind}", family) for kind, _, family in heard}

    assert scopes - {""} <= set(SCOPES)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="neither"),
        pytest.param(("--socket-mode", "--url", "https://support.example"), id="both"),
        pytest.param(("--url", "http://support.example"), id="no https"),
        pytest.param(("--url", "support.example"), id="no address"),
        pytest.param(("--socket-mode", "--name", "x" * 36), id="too long a name"),
    ],
)
def test_what_is_no_app_is_wrong_usage(empty: CommandLine, arguments):
    assert empty.run("slack", "manifest", *arguments).exit_code == 2
