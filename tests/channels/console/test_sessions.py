"""Getting in: what a browser is given, what of it can be forged, and how often may be tried (FAULTS W15, W16)."""

import pytest

from bot.channels.console.guard import COOKIE
from bot.channels.console.sessions import NEEDS_HTTPS
from bot.channels.console.throttle import Throttle
from bot.channels.proxies import Proxies
from bot.core.accounts import SESSION_MS, AgentRole
from tests.channels.console.door import EMAIL, PASSWORD, SESSION, opened_door

LOOK, ACCEPT = "/console/v1/invitation/look", "/console/v1/invitation"


async def test_a_session_says_who_is_signed_in_and_what_writes_repeat(door):
    joined = await door.join()
    read = await door.read()

    agent = await door.store.agent_by_email(EMAIL)
    assert (joined.status, read.status, joined.body) == (201, 200, read.body)
    assert read.body["agent"] == {"id": agent.id, "name": "Maria Lopez", "role": "agent"}
    assert read.body["expires_at"] == door.clock.now_ms() + SESSION_MS
    assert len(str(read.body["csrf"])) >= 43


async def test_the_cookie_is_for_this_host_and_for_no_script(door):
    answer = await door.join()

    name, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert name.startswith(f"{COOKIE}=")
    assert sorted(attributes) == ["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Strict", "Secure"]
    assert answer.headers["Cache-Control"] == "no-store"


async def test_a_cookie_with_any_byte_changed_is_refused(door):
    await door.join()
    whole = door.cookie
    assert whole is not None

    codes = []
    for place, byte in enumerate(whole):
        door.cookie = whole[:place] + ("A" if byte != "A" else "B") + whole[place + 1 :]
        codes.append((await door.read()).code)
    for door.cookie in (whole[:-1], whole + "A", whole.swapcase(), "A" * 5_000):
        codes.append((await door.read()).code)

    assert set(codes) == {"signed_out"}
    door.cookie = whole
    assert (await door.read()).status == 200


async def test_without_a_cookie_nobody_is_signed_in(door):
    results = [await door.read(), await door.ask("GET", "/room"), await door.ask("GET", "/watch")]

    assert {(one.status, one.code) for one in results} == {(401, "signed_out")}


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("csrf", ["", "wrong", "é", "cut", "another session's"])
async def test_a_write_without_its_sessions_token_is_refused(door, method, csrf):
    await door.join()
    other = door.another_browser()
    await other.sign_in()
    sent = {"cut": str(door.csrf)[:-1], "another session's": str(other.csrf)}.get(csrf, csrf)

    refused = await door.ask(method, "/room", **{"X-Candor-CSRF": sent})

    assert (refused.status, refused.code) == (403, "csrf_refused")
    assert (await door.ask(method, "/room")).status == 200


@pytest.mark.parametrize(
    "origin", ["", "null", "https://evil.example", "{own}.evil.example", "{own}0", "HTTP{rest}"]
)
async def test_a_foreign_page_may_not_write_or_watch_or_sign_in(door, origin):
    await door.join()
    door.origin = origin.format(own=door.url, rest=door.url[4:])

    results = [
        await door.ask("POST", "/room"),
        await door.ask("GET", "/watch"),
        await door.sign_in(),
        await door.ask("DELETE", SESSION),
        await door.ask("POST", LOOK, {"token": "x"}),
        await door.ask("POST", ACCEPT, {"token": "x", "password": PASSWORD}),
    ]

    assert {(one.status, one.code) for one in results} == {(403, "origin_refused")}


async def test_a_role_that_answers_no_customers_is_told_so(door):
    await door.join(role=AgentRole.CONTENT)

    refused = await door.ask("POST", "/room")

    assert (refused.status, refused.code) == (403, "not_allowed")


async def test_each_refused_sign_in_says_the_same(door):
    await door.join()
    await door.inviting.add("new@shop.example", name="New", role=AgentRole.AGENT)

    results = [
        await door.sign_in(password="wrong"),
        await door.sign_in("nobody@shop.example"),
        await door.sign_in("new@shop.example"),
    ]

    assert {(one.status, str(one.body)) for one in results} == {(401, str(results[0].body))}
    assert results[0].code == "sign_in_refused"
    assert "Set-Cookie" not in results[0].headers


async def test_a_sign_in_rotates_the_session_of_the_cookie_that_is_sent_along(door):
    await door.join()
    before, csrf = door.cookie, door.csrf

    await door.sign_in()

    assert door.cookie != before
    assert door.csrf != csrf
    assert (await door.read()).status == 200
    door.cookie = before
    assert (await door.read()).code == "signed_out"


async def test_a_cookie_that_somebody_planted_is_not_what_a_sign_in_makes_valid(door):
    await door.join()
    door.cookie = "planted"

    await door.sign_in()

    assert door.cookie != "planted"
    door.cookie = "planted"
    assert (await door.read()).code == "signed_out"


async def test_signing_out_ends_the_session_and_takes_the_cookie_back(door):
    await door.join()
    cookie = door.cookie

    left = await door.ask("DELETE", SESSION)

    assert (left.status, door.cookie) == (204, None)
    assert {"Max-Age=0", "Secure", "Path=/"} <= set(left.headers["Set-Cookie"].split("; "))
    door.cookie = cookie
    assert (await door.read()).code == "signed_out"


async def test_a_disabled_agents_session_ends(door):
    await door.join()

    await door.inviting.disable(EMAIL)

    assert (await door.read()).code == "signed_out"
    assert (await door.ask("GET", "/watch")).code == "signed_out"


async def test_an_invitation_is_looked_at_and_used_once(door):
    token = await door.invite(role=AgentRole.ADMIN)

    seen = await door.ask("POST", LOOK, {"token": token})
    used = await door.ask("POST", ACCEPT, {"token": token, "password": PASSWORD})
    again = await door.ask("POST", ACCEPT, {"token": token, "password": PASSWORD})

    assert seen.body == {"email": EMAIL, "name": "Maria Lopez", "role": "admin"}
    assert (used.status, again.status, again.code) == (201, 410, "invitation_refused")
    assert (await door.ask("POST", LOOK, {"token": token})).status == 410


async def test_a_poor_password_is_refused_with_the_rule(door):
    token = await door.invite()

    refused = await door.ask("POST", ACCEPT, {"token": token, "password": "maria lopez 1234"})

    assert (refused.status, refused.code) == (400, "input_rejected")
    assert "easy to guess; choose at least 12 characters" in str(refused.body)


async def test_the_sixth_sign_in_waits_whichever_account_it_is_for():
    async with opened_door(throttle=Throttle()) as door:
        codes = [(await door.sign_in(f"a{number}@shop.example")).code for number in range(6)]
        refused = await door.sign_in()

    assert codes == ["sign_in_refused"] * 5 + ["too_many_requests"]
    assert refused.status == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 300
    assert "many tries to sign in. Please wait" in str(refused.body)


async def test_one_account_is_not_tried_from_many_addresses():
    async with opened_door(throttle=Throttle(), proxies=Proxies.from_texts(["127.0.0.1"])) as door:
        codes = [
            (
                await door.sign_in(EMAIL.upper() if n % 2 else EMAIL, **{"X-Forwarded-For": f"192.0.2.{n}"})
            ).code
            for n in range(6)
        ]

    assert codes == ["sign_in_refused"] * 5 + ["too_many_requests"]


async def test_a_refused_try_asks_no_password_to_be_hashed():
    async with opened_door(throttle=Throttle(sign_ins="1/5 minutes", invitations="1/5 minutes")) as door:
        await door.sign_in()
        assert [(await door.sign_in()).status for _ in range(3)] == [429, 429, 429]

        assert len(door.passwords.compared) == 1


async def test_invitations_are_tried_only_so_often():
    async with opened_door(throttle=Throttle(invitations="2/5 minutes")) as door:
        results = [
            await door.ask("POST", LOOK, {"token": "x"}),
            await door.ask("POST", ACCEPT, {"token": "x", "password": PASSWORD}),
            await door.ask("POST", LOOK, {"token": "x"}),
        ]

    assert [one.status for one in results] == [410, 410, 429]
    assert "Retry-After" in results[2].headers


@pytest.mark.parametrize("host", ["support.example", "192.168.1.5:8080", "localhost.evil.example", "[::1"])
async def test_passwords_are_taken_over_https_only(door, host):
    results = [
        await door.sign_in(Host=host, Origin=f"https://{host}"),
        await door.ask("POST", LOOK, {"token": "x"}, Host=host, Origin=f"http://{host}"),
    ]

    assert {(one.status, one.code) for one in results} == {(403, "https_needed")}
    assert NEEDS_HTTPS in str(results[0].body)


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "[::1]:8080"])
async def test_this_machine_alone_needs_no_https(door, host):
    assert (await door.sign_in(Host=host, Origin=f"http://{host}")).code == "sign_in_refused"


async def test_https_at_a_trusted_proxy_is_https():
    async with opened_door(proxies=Proxies.from_texts(["127.0.0.1"])) as door:
        headers = {"Host": "support.example", "X-Forwarded-Proto": "https"}
        answer = await door.sign_in(Origin="https://support.example", **headers)

    assert answer.code == "sign_in_refused"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (SESSION, {"email": EMAIL}),
        (SESSION, {"email": EMAIL, "password": "x" * 201}),
        (SESSION, {"email": "x" * 255, "password": "x"}),
        (SESSION, {"email": EMAIL, "password": "x", "role": "admin"}),
        (SESSION, {"email": 1, "password": None}),
        (LOOK, {"token": ""}),
        (ACCEPT, {"token": "x" * 129, "password": PASSWORD}),
        (ACCEPT, []),
    ],
)
async def test_a_body_that_is_none_of_ours_is_refused(door, path, body):
    refused = await door.ask("POST", path, body)

    assert (refused.status, refused.code) == (400, "input_rejected")
