"""What a document of each collection must look like. The server refuses others, whoever writes them, once it was told.

`migrate` tells it of the conversations' database, and every sync of that of the articles.

Fields that are not named here are let through, so that a newer version may add one before the older processes have ended.
"""

from collections.abc import Mapping
from typing import Any

from bot.core.conversation import Role, Status

Schema = Mapping[str, Any]

_TYPES: Mapping[str, object] = {
    "text": "string",
    "text_or_none": ["string", "null"],
    "number": "number",
    "number_or_none": ["number", "null"],
    "flag": ["boolean", "number"],
    "several": "array",
    "part": "object",
    "part_or_none": ["object", "null"],
}


def _shape(*, optional: str = "", **fields: str) -> dict[str, Any]:
    """Return the schema of documents with these fields, by their types; all but the *optional* ones are required."""
    properties = {name: {"type": _TYPES[kind]} for kind, names in fields.items() for name in names.split()}
    required = sorted({"_id", *properties} - set(optional.split()))
    return {"type": "object", "required": required, "properties": {"_id": {"type": "string"}, **properties}}


def _one_of(schema: dict[str, Any], field: str, values: type[Role] | type[Status]) -> dict[str, Any]:
    allowed = {"enum": [str(value) for value in values]}
    return {**schema, "properties": {**schema["properties"], field: allowed}}


_HANDOFF = _shape(
    text="conversation turn reason",
    number="epoch opened_ms order",
    number_or_none="closed_ms claimed_ms replied_ms",
)
_CONVERSATION = _shape(
    text="channel locale status",
    text_or_none="agent",
    number="epoch episode last_seq last_customer_seq answered_seq created_ms owned_since_ms version last_message_ms owes "
    "owed_since_ms written_ms unsettled",
    number_or_none="lease_until_ms waiting_since_ms",
    part_or_none="draft handoff profile",
    several="unanswered journal",
)
_MESSAGE = _shape(
    text="conversation role kind text once",
    text_or_none="reason turn channel_message_id author",
    number="seq at_ms order",
    number_or_none="revises",
    flag="refusal interrupted",
    several="sources options words",
    optional="revises",
)

SCHEMAS: Mapping[str, Schema] = {
    "agents": _shape(
        text="email email_key name role",
        text_or_none="password_hash",
        number="created_ms signs",
        number_or_none="disabled_ms",
    ),
    "attachments": {
        **(kept := _shape(text="conversation message_id media_type", number="size at_ms order")),
        "required": [*kept["required"], "content"],  # bytes, which JSON has no type for
    },
    "audit": _shape(
        text="conversation who what before after detail", text_or_none="agent", number="at_ms epoch order"
    ),
    "canned_replies": _shape(text="title text locale"),
    "conversations": _one_of(_CONVERSATION, "status", Status),
    "counters": _shape(number="n"),
    "duties": _shape(text="holder", number="version until_ms"),
    "erased": _shape(number="number at_ms"),
    "handoffs": _HANDOFF,
    "invitations": _shape(text="digest", number="expires_ms"),
    "ledger": _shape(number="version", part="counting"),
    "marks": _shape(text="conversation kind agent remark", number="seq at_ms order"),
    "messages": _one_of(_MESSAGE, "role", Role),
    "notes": _shape(text="conversation author text once", text_or_none="key", number="seq at_ms"),
    "outbox": _shape(
        text="key kind conversation",
        number="epoch created_ms attempts due_ms order",
        number_or_none="seq delivered_ms",
    ),
    "ratings": _shape(text="conversation message_id comment", number="episode score at_ms order"),
    "read_marks": _shape(text="conversation", number="customer agent", optional="customer agent"),
    "sessions": _shape(text="agent csrf", number="created_ms expires_ms signs"),
    "sign_outs": _shape(number="at_ms"),
    "slack_inbox": _shape(
        text="key kind payload once",
        text_or_none="effect error",
        number="received_ms due_ms attempts",
        number_or_none="done_ms dead_ms",
    ),
    "slack_people": _shape(text="team user agent"),
    "slack_posts": _shape(
        text="key conversation team channel thread_ts digest", text_or_none="ts", number="begun_ms"
    ),
    "slack_threads": _shape(
        text="conversation side team channel thread_ts user", number="spell shown_seq shown_note"
    ),
    "spending": _shape(text="turn conversation", number="at_ms tokens micro_usd version"),
    "subjects": _shape(text="conversation", number="version"),
    "turns": _shape(
        text="conversation outcome record",
        text_or_none="reason",
        number="settled_ms order reduced",
        optional="reduced",
    ),
    "unsent_replies": _shape(text="conversation agent text", number="at_ms"),
}
ARTICLES = _shape(
    text="id title body url category locale status digest",
    number="passages retired token written_ms added_ms",
    number_or_none="last_modified_ms",
    flag="evergreen",
    several="tags supersedes terms",
)
PASSAGES = _shape(
    text="article_id article_digest text embedded_text digest status locale title url",
    number="position token",
    number_or_none="last_modified_ms",
    flag="evergreen",
    several="headings terms vector",
)
KNOWLEDGE: Mapping[str, Schema] = {
    "kb_state": _shape(
        text="rolled_back",
        number="revision token newest_ms",
        part_or_none="lock",
        several="generations decisions recorded",
    ),
    "manifests": _shape(number="token", several="members"),
    "sync_runs": _shape(
        text="source outcome error", number="started_ms number", number_or_none="ended_ms exit_code"
    ),
    "vectors": _shape(text="fingerprint digest", several="vector"),
    "calibrations": _shape(text="fingerprint data", number="strict permissive lowest highest", part="blend"),
}


def insisting_on(schema: Schema) -> Mapping[str, object]:
    """Return the rules of a collection: documents of other shapes are refused, those that are there may still be changed."""
    return {
        "validator": {"$jsonSchema": schema},
        "validationLevel": "moderate",
        "validationAction": "error",
    }
