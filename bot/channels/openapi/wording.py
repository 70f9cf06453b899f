"""The document's general parts: what holds for every route, who may call which, and the sockets' numbers."""

from collections.abc import Mapping, Sequence

from bot.channels import websockets
from bot.channels.console.guard import COOKIE, CSRF_HEADER
from bot.channels.openapi.operations import Tag
from bot.channels.websockets import HEARTBEAT_S, MAX_FRAME_BYTES, Closing

TITLE = "Candor"
EXAMPLE_WAIT_S = 5
WAITS = "Seconds after which it is worth trying again."

CLOSINGS: Sequence[tuple[Closing, str]] = (
    (websockets.GONE, "the other side left"),
    (websockets.BINARY, "a frame was not text"),
    (Closing(code=1007, message=""), "a text was not valid UTF-8"),
    (Closing(code=1009, message=""), f"a frame was larger than {MAX_FRAME_BYTES // 1024} KB"),
    (websockets.FAILED, "the store cannot be read; connect again later"),
    (websockets.STOPPING, "the server stops or starts anew; connect again with a random delay"),
    (websockets.OVERLOADED, "what was sent was not read fast enough; connect again with the last seq"),
    (websockets.MALFORMED, "a frame was not understood; do not send it again"),
    (websockets.NOT_AUTHENTICATED, "not signed in, or no longer"),
    (websockets.TOO_LATE, "no first frame came within 5 seconds"),
    (websockets.TOO_MANY, "this customer has too many sockets open; close one, or read over HTTP"),
    (Closing(code=1002, message=""), "what came was no WebSocket frame"),
)

ABOUT = f"""How web pages and programs talk to a Candor server: the customers' widget, the agents' console, the article pages, and what
operators watch.

**Times** are Unix time in milliseconds unless a name ends in `_s` (seconds) or `_ms` (a length in milliseconds). **seq** numbers the
messages of one conversation from 1 without gaps; it is the cursor with which a client asks for what it does not have yet. Clients put
messages into order by seq, never by time.

**Repeats.** A client chooses `client_message_id`, new for each message. The same id with the same body is the same message and gets the
same answer, so a request whose answer was lost is sent again unchanged.

**Bodies** are JSON (`Content-Type: application/json`) of at most {MAX_FRAME_BYTES // 1024} KB, with the fields listed here and no others.
**Origin.** Routes of the widget want an `Origin` header that is the server's own or listed in WIDGET_ORIGINS; writes to the console, and its
socket, want the server's own. **Errors** have the form of `Problem`. A method that a route does not have is answered with 405
(`method_not_allowed`) and `Allow`. Where GET is served for a page or a file, HEAD is too. What is no HTTP at all gets 400 in plain text.

**Limits.** Each customer may send 5 messages in 10 seconds and 30 in 10 minutes; one address may open as many conversations in 12 hours and
as many sockets at a time as the operator allows. Signing in: 5 tries in 5 minutes for an account and for an address. What is over a limit
is answered with 429 and `Retry-After`, and not done.

**Sockets.** The server pings at least every {HEARTBEAT_S:g} seconds and closes with one of these codes:

| code | when |
| --- | --- |
""" + "\n".join(
    f"| {closing.code} | {when} |" for closing, when in sorted(CLOSINGS, key=lambda one: one[0].code)
)

TAGS: Mapping[Tag, str] = {
    Tag.WIDGET: "What the customer's browser does. The widget's frame is a page of this server, so these routes are called from its origin.",
    Tag.CONSOLE: "What the agents' browsers do. Every write needs the session's cookie and its token.",
    Tag.PAGES: "Pages and files for browsers.",
    Tag.OPERATION: "What operators and their tools watch.",
}

SCHEMES: Mapping[str, Mapping[str, str]] = {
    "customerToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "The `token` of a session. It stands for one conversation, is valid for 30 days, and each session answers with a "
        "fresh one. It belongs into this header or a socket's first frame, never into an address.",
    },
    "agentSession": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "Set by signing in; HttpOnly, Secure, SameSite=Strict. It ends after 12 hours.",
    },
    "agentCsrf": {
        "type": "apiKey",
        "in": "header",
        "name": CSRF_HEADER,
        "description": "The `csrf` of the session. Every request that changes something repeats it.",
    },
}
