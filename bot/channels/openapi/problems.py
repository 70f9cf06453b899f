"""Every code with which a request can be refused: its status, when it comes, and what to do then."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One code. With `waits` the answer's Retry-After says in how many seconds to come back."""

    status: int
    code: str
    when: str
    waits: bool = False


INPUT = Problem(
    status=400,
    code="input_rejected",
    when="Something sent is missing, unknown, of another type, too long or empty. The message names the field and the remedy, and "
    "never repeats what was sent. Sending the same again does not help.",
)
NO_UPGRADE = Problem(status=400, code="bad_request", when="The request is no WebSocket handshake.")
TOKEN = Problem(
    status=401,
    code="token_refused",
    when="The token is missing, damaged, of another site or more than 30 days old, or its conversation was erased. Open a new "
    "session without a token.",
)
IDENTITY_REQUIRED = Problem(
    status=401,
    code="identity_required",
    when="This server talks to customers only whom their site vouches for: send `identity`.",
)
IDENTITY_REFUSED = Problem(
    status=401,
    code="identity_refused",
    when="The identity is not signed with the site's secret, of another site, more than an hour old, or from before a sign-out.",
)
SIGNED_OUT = Problem(
    status=401,
    code="signed_out",
    when="There is no session cookie, or its session has ended: after 12 hours, by signing out, or because the account was disabled.",
)
SIGN_IN = Problem(
    status=401,
    code="sign_in_refused",
    when="E-mail address and password do not belong together. It is not said which of them is wrong.",
)
ORIGIN = Problem(
    status=403,
    code="origin_refused",
    when="The Origin header is missing or names a site that may not call this route.",
)
CSRF = Problem(
    status=403, code="csrf_refused", when="X-Candor-CSRF is missing or is not that of the cookie's session."
)
ROLE = Problem(status=403, code="not_allowed", when="The agent's role does not include this.")
HTTPS = Problem(
    status=403,
    code="https_needed",
    when="The page was not loaded over HTTPS, and not from the machine that serves it either.",
)
NO_MESSAGE = Problem(
    status=404, code="message_unknown", when="The conversation has no message of the bot with this seq."
)
NO_CONVERSATION = Problem(status=404, code="conversation_unknown", when="No conversation has this id.")
NO_TURN = Problem(status=404, code="turn_unknown", when="The conversation has no turn with this id.")
NO_IMAGE = Problem(status=404, code="attachment_unknown", when="No image came with this message.")
NO_ARTICLE = Problem(status=404, code="article_unknown", when="The index knows no article with this id.")
NO_GAP = Problem(status=404, code="gap_unknown", when="No gap of these days has this id any more.")
NOT_FOUND = Problem(status=404, code="not_found", when="The address does not have this form.")
CONFLICT = Problem(
    status=409,
    code="message_conflict",
    when="The same client_message_id came before with another body. Choose a fresh id for another message.",
)
NOT_RESOLVED = Problem(status=409, code="not_resolved", when="Nothing was finished yet that could be rated.")
REFUSED = Problem(
    status=409,
    code="refused",
    when="The state of what is written to does not allow this. The message says why.",
)
CLAIM_REFUSED = Problem(
    status=409,
    code="claim_refused",
    when="A colleague was first, whom the message names, or nobody waits here any more.",
)
CLAIM_LOST = Problem(
    status=409,
    code="claim_lost",
    when="The agent does not have the conversation, or no longer. A reply that was not sent is kept as the agent's draft.",
)
WROTE = Problem(
    status=409,
    code="customer_wrote",
    when="The customer has written after `seen`. Read it, then send the request again with the new seq.",
)
CHANGED = Problem(
    status=409,
    code="conversation_changed",
    when="Something else happened to the conversation at the same moment. Read it, then decide again.",
)
INVITATION = Problem(
    status=410, code="invitation_refused", when="The invitation was used, has run out, or never was."
)
FILE_TOO_LARGE = Problem(status=413, code="file_too_large", when="The image is larger than 5 MB.")
NO_ROOM = Problem(
    status=413, code="no_room", when="The conversation's images take all the room that there is for them."
)
UNSUPPORTED = Problem(
    status=415,
    code="unsupported_file",
    when="The Content-Type, or what the file begins with, is not that of a PNG, JPEG, WebP or GIF image.",
)
TOO_SLOW = Problem(status=408, code="request_timeout", when="The file did not arrive within 60 seconds.")
TOO_LARGE = Problem(
    status=413, code="request_entity_too_large", when="The body is larger than 16 KB (16,384 bytes)."
)
TOO_MANY = Problem(
    status=429,
    code="too_many_requests",
    when="A limit of requests within some time is used up; nothing was done.",
    waits=True,
)
UNAVAILABLE = Problem(
    status=503,
    code="unavailable",
    when="The store cannot be read or written now. Nothing was lost that was acknowledged.",
    waits=True,
)
NO_SEARCH = Problem(
    status=503,
    code="retrieval_unavailable",
    when="Articles cannot be searched now, and none is known from an earlier turn.",
    waits=True,
)
NO_INDEX = Problem(
    status=503,
    code="index_not_ready",
    when="There is no index of articles to search yet, and none is known from an earlier turn.",
    waits=True,
)
OUT_OF_TIME = Problem(
    status=503,
    code="out_of_time",
    when="The search took too long, and no article is known from an earlier turn.",
    waits=True,
)
