"""Who may do what: no route of the console answers a stranger, and who writes articles never speaks to a customer."""

from dataclasses import replace

import pytest

from bot.core.accounts import AgentRole
from tests.channels.console.office import Page

READING = [
    "queue",
    "agents",
    "canned",
    "numbers",
    "search?q=lesson",
    "conversations/{id}",
    "conversations/{id}/history",
    "conversations/{id}/suggestions",
    "content/health",
    "content/articles",
    "content/articles/KB000003",
    "content/pairs",
    "content/gaps",
    "content/gaps.csv",
    "content/what-if",
]
Asked = dict[str, tuple[str, str, object]]

SPEAKING: Asked = {
    "claim": ("POST", "claim", {}),
    "release": ("POST", "release", {}),
    "return": ("POST", "return", {}),
    "transfer": ("POST", "transfer", {"to": "somebody"}),
    "resolve": ("POST", "resolve", {"code": "answered", "seen": 2}),
    "reply": ("POST", "reply", {"client_message_id": "r1", "text": "Hello", "seen": 2}),
    "draft": ("PUT", "draft", {"text": "Hello"}),
}
NOTING: Asked = {
    "note": ("POST", "note", {"client_message_id": "n1", "text": "The article is old"}),
    "mark": ("POST", "marks", {"kind": "knowledge_gap"}),
    "unmark": ("DELETE", "marks/knowledge_gap/0", None),
}
CANNED = {"title": "Greeting", "text": "Hello!", "locale": "en"}


def _stranger(page: Page) -> Page:
    return replace(page, cookie="", csrf="")


@pytest.mark.parametrize("path", READING)
async def test_a_stranger_reads_nothing(office, maria, path):
    conversation = await office.waiting()

    answer = await _stranger(maria).read(path.format(id=conversation))

    assert (answer.status, answer.code) == (401, "signed_out")


@pytest.mark.parametrize(("method", "move", "body"), (SPEAKING | NOTING).values(), ids=SPEAKING | NOTING)
async def test_a_move_needs_the_cookie_the_token_and_our_own_page(office, maria, method, move, body):
    path = f"conversations/{await office.waiting()}/{move}"

    answers = [
        await _stranger(maria).ask(method, path, body),
        await maria.ask(method, path, body, **{"X-Candor-CSRF": ""}),
        await maria.ask(method, path, body, Origin="https://elsewhere.example"),
    ]

    assert [(answer.status, answer.code) for answer in answers] == [
        (401, "signed_out"),
        (403, "csrf_refused"),
        (403, "origin_refused"),
    ]


@pytest.mark.parametrize(("method", "move", "body"), SPEAKING.values(), ids=SPEAKING)
async def test_who_writes_articles_never_speaks_to_a_customer(office, method, move, body):
    writer = await office.hire("Cleo Marsh", AgentRole.CONTENT)
    conversation = await office.waiting()

    answer = await writer.ask(method, f"conversations/{conversation}/{move}", body)

    assert (answer.status, answer.code) == (403, "not_allowed")


@pytest.mark.parametrize(("method", "move", "body"), NOTING.values(), ids=NOTING)
async def test_who_writes_articles_notes_and_marks(office, method, move, body):
    writer = await office.hire("Cleo Marsh", AgentRole.CONTENT)
    conversation = await office.waiting()

    answer = await writer.ask(method, f"conversations/{conversation}/{move}", body)

    assert answer.status == 200


@pytest.mark.parametrize("path", READING)
@pytest.mark.parametrize("role", AgentRole)
async def test_every_role_reads_everything(office, role, path):
    conversation = await office.waiting()
    page = await office.hire("Cleo Marsh", role)

    assert (await page.read(path.format(id=conversation))).status == 200


@pytest.mark.parametrize(
    ("role", "status"), [(AgentRole.AGENT, 403), (AgentRole.CONTENT, 200), (AgentRole.ADMIN, 200)]
)
async def test_canned_replies_are_written_by_content_people_and_admins(office, role, status):
    page = await office.hire("Cleo Marsh", role)

    saved = await page.ask("PUT", "canned/hello", CANNED)
    removed = await page.ask("DELETE", "canned/hello")

    assert (saved.status, removed.status) == (status, 204 if status == 200 else status)


async def test_an_admin_claims_and_replies(office):
    admin = await office.hire("Ada Vogel", AgentRole.ADMIN)
    conversation = await office.waiting()

    assert (await admin.claim(conversation)).status == 200
    assert (await admin.reply(conversation)).status == 200


async def test_nothing_that_is_shown_holds_a_secret(office, maria):
    conversation = await office.waiting()
    await maria.claim(conversation)
    shown = [await maria.read(path.format(id=conversation)) for path in READING]

    told = " ".join(str(answer.body) for answer in shown)
    for agent in await office.accounts.store.agents():
        assert agent.email not in told
        assert str(agent.password_hash) not in told
    assert maria.csrf not in told
