"""Puts what belongs to no conversation into a MongoDB database, and reads it back. What is there already is left as it is."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pymongo import InsertOne

from bot.adapters.mongo.accounts import to_agent, to_session
from bot.adapters.mongo.database import Document, MongoDatabase
from bot.adapters.mongo.desk_marks import canned_replies
from bot.adapters.mongo.documents import from_audit
from bot.adapters.mongo.erasing import to_erased
from bot.adapters.mongo.slack import PEOPLE, person_document
from bot.adapters.mongo.slack_inbox import INBOX, inbox_document
from bot.core.accounts import Agent, Invitation, email_key
from bot.core.audit import AuditRow
from bot.core.belongings import Household
from bot.core.conversation import AgentId
from bot.core.customers import Subject
from bot.core.erasure import Erased
from bot.stored_rows import to_audit
from bot.stored_slack import to_kept_inbox, to_person

_MOVED = {"_id": "moved"}


async def put_household(database: MongoDatabase, household: Household) -> None:
    """Write everything, in an order in which a cut leaves nothing that points nowhere."""
    documents = {
        "erased": [_erased(one) for one in household.erased],
        "audit": _audit(household.audit),
        "agents": [_agent(one) for one in household.agents],
        "invitations": [
            {"_id": one.agent, "digest": one.digest, "expires_ms": one.expires_ms}
            for one in household.invitations
        ],
        "sessions": [_with_id(asdict(one), "digest", signs=1) for one in household.sessions],
        "canned_replies": [_with_id(asdict(one), "id") for one in household.canned_replies],
        "sign_outs": [{"_id": subject, "at_ms": at_ms} for subject, at_ms in household.sign_outs],
        PEOPLE: [person_document(one) for one in household.slack_people],
        INBOX: [
            inbox_document(one.row, done_ms=one.done_ms, dead_ms=one.dead_ms) for one in household.slack_inbox
        ],
    }
    for collection, rows in documents.items():
        await database.write(collection, [InsertOne(row) for row in rows])
    last = max((one.number for one in household.erased), default=0)
    await database.update("counters", {"_id": "erased"}, {"$max": {"n": last}}, upsert=True)


async def read_household(database: MongoDatabase, like: Household) -> Household:
    """Return what there is of *like*, in its order."""
    erased = [one.conversation for one in like.erased]
    of_erased = sorted({row.conversation for row in like.audit})
    return Household(
        agents=tuple(map(to_agent, await _some(database, "agents", [one.id for one in like.agents]))),
        invitations=tuple(
            Invitation(digest=one["digest"], agent=AgentId(one["_id"]), expires_ms=one["expires_ms"])
            for one in await _some(database, "invitations", [one.agent for one in like.invitations])
        ),
        sessions=tuple(
            map(to_session, await _some(database, "sessions", [one.digest for one in like.sessions]))
        ),
        canned_replies=tuple(sorted(await canned_replies(database), key=lambda one: one.id)),
        sign_outs=tuple(
            (Subject(one["_id"]), one["at_ms"])
            for one in await _some(database, "sign_outs", [subject for subject, _ in like.sign_outs])
        ),
        erased=tuple(
            sorted(map(to_erased, await _some(database, "erased", erased)), key=lambda one: one.number)
        ),
        audit=tuple(
            map(
                to_audit,
                await database.find(
                    "audit",
                    {"conversation": {"$in": of_erased}},
                    order=[("conversation", 1), ("order", 1)],
                ),
            )
        ),
        slack_people=tuple(
            map(
                to_person,
                await _some(database, PEOPLE, [f"{one.team}:{one.user}" for one in like.slack_people]),
            )
        ),
        slack_inbox=tuple(
            map(to_kept_inbox, await _some(database, INBOX, [one.row.key for one in like.slack_inbox]))
        ),
    )


async def was_moved(database: MongoDatabase) -> bool:
    """Return whether everything was put in and compared before; agents may have gone on since."""
    return await database.count("state", _MOVED) > 0


async def note_moved(database: MongoDatabase) -> None:
    """Remember that everything is there."""
    await database.update("state", _MOVED, {"$set": {"moved": 1}}, upsert=True)


async def erased_ids(database: MongoDatabase) -> frozenset[str]:
    """Return the conversations that were erased here, which nothing may bring back."""
    return frozenset(str(one["_id"]) for one in await database.find("erased", {}))


async def _some(database: MongoDatabase, collection: str, ids: Sequence[str]) -> list[Any]:
    if not ids:
        return []
    found = await database.find(collection, {"_id": {"$in": list(ids)}})
    places = {one: place for place, one in enumerate(ids)}
    return sorted(found, key=lambda one: places[str(one["_id"])])


def _agent(agent: Agent) -> Document:
    fields = {**asdict(agent), "role": str(agent.role), "email_key": email_key(agent.email)}
    return _with_id(fields, "id", signs=1)


def _erased(one: Erased) -> Document:
    return {"_id": one.conversation, "number": one.number, "at_ms": one.at_ms}


def _audit(rows: Sequence[AuditRow]) -> list[Document]:
    """Number the rows of all below 0: of each conversation they keep their order."""
    return [
        {**from_audit(row), "_id": f"{row.conversation}:moved:{place}", "order": place - len(rows)}
        for place, row in enumerate(rows)
    ]


def _with_id(fields: dict[str, Any], name: str, **more: object) -> Document:
    return {"_id": fields.pop(name), **fields, **more}
