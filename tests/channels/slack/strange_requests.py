"""Requests that Slack never sent, made up by chance: whole, in pieces, signed wrongly, or signed and without sense.

Whatever chance picks, none of them is an event under a signature that counts.
"""

import json
import random
from collections.abc import Callable

from bot.channels.slack.signing import LARGEST_GAP_S, signed
from tests.channels.slack.payloads_sent import a_press, a_submission, an_event

HEAD = "POST {path} HTTP/1.1\r\nHost: slack.test\r\nContent-Length: {length}\r\n"
PATHS = ("/slack/events", "/slack/actions")
TYPES = (
    "application/json", "application/x-www-form-urlencoded", "application/json; charset=bogus", "text/html",
    "multipart/form-data; boundary=x", "multipart/form-data", "", "\xff", "application/json; charset=utf-16",
)  # fmt: skip
TIMESTAMPS = (
    "",
    "abc",
    "1.5",
    str(10**30),
    "-1",
    "0",
    "+5",
    "1e9",
    "NaN",
    "\xb2",
    "\u0661",
    "0x10",
    "9" * 400,
)
SIGNATURES = ("", "v0", "v0=", "v1=" + "0" * 64, "v0=" + "0" * 63, "v0=\xe4", "v0=" + "f" * 9_000, "null")
NONSENSE = (
    b"", b"null", b"[1,2]", b"true", b"0", b'"text"', b"{", b"payload=", b"payload=%", b"payload=%7B", b"\xff\xfe",
    b"[" * 20_000, b"{" * 20_000, b'{"a":' * 5_000, b"\x00" * 100, b"payload=" + b"%5B" * 9_000, b"&" * 5_000,
    b'{"type":"event_callback"}', b'{"type":"event_callback","event":null,"team_id":[],"event_id":{}}',
    b'{"type":"block_actions","actions":[[]]}', b'{"type":"view_submission","view":"V1"}', b"\xef\xbb\xbf{}",
    b'{"type":"event_callback","team_id":"T1","event_id":"\\ud800"}', b"NaN", b"Infinity", b"9" * 9_000,
)  # fmt: skip

Signing = Callable[[bytes], tuple[str, str]]


class Strange:
    """An endless row of requests, the same for the same seed; *now_s* is the time at which they are sent."""

    def __init__(self, *, seed: int, secret: str, now_s: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - a row to repeat, nothing to guess
        self._secret = secret
        self._now_s = now_s
        self._bodies = [json.dumps(sent).encode() for sent in (an_event(), a_press(), a_submission())]

    def request(self) -> bytes:
        """Return the next request as bytes."""
        if self._chance.random() < 0.3:
            body = self._nonsense()
            timestamp, signature = self._signed(body, self._now_s)
        else:
            body = self._nonsense() if self._chance.random() < 0.5 else self._chance.choice(self._bodies)
            timestamp, signature = self._chance.choice(self._wrong)(body)
        head = HEAD.format(path=self._chance.choice(PATHS), length=len(body))
        fields = {
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": signature,
            "Content-Type": self._chance.choice(TYPES),
            "X-Slack-Retry-Num": self._chance.choice(["1", "abc"]),
        }
        sent = [f"{name}: {value}\r\n" for name, value in fields.items() if self._chance.random() < 0.9]
        return (head + "".join(sent) + "\r\n").encode("utf-8") + body

    @property
    def _wrong(self) -> tuple[Signing, ...]:
        return (self._unsigned, self._stale, self._of_another_body, self._of_another_secret, self._bent)

    def _nonsense(self) -> bytes:
        """Half of it is chance alone; bytes that begin so are no JSON object and no form with one."""
        if self._chance.random() < 0.5:
            return self._chance.choice(NONSENSE)
        return b"%" + self._chance.randbytes(self._chance.randrange(200))

    def _unsigned(self, _body: bytes) -> tuple[str, str]:
        return self._chance.choice(TIMESTAMPS), self._chance.choice(SIGNATURES)

    def _stale(self, body: bytes) -> tuple[str, str]:
        gap_s = (LARGEST_GAP_S + self._chance.randrange(1, 10**6)) * self._chance.choice([1, -1])
        return self._signed(body, self._now_s + gap_s)

    def _of_another_body(self, body: bytes) -> tuple[str, str]:
        return self._signed(body + b" ", self._now_s)

    def _of_another_secret(self, body: bytes) -> tuple[str, str]:
        timestamp = str(self._now_s)
        return timestamp, signed(body, secret=self._secret + "?", timestamp=timestamp)

    def _bent(self, body: bytes) -> tuple[str, str]:
        timestamp, signature = self._signed(body, self._now_s)
        at = self._chance.randrange(3, len(signature))
        other = self._chance.choice([one for one in "0123456789abcdef\xe9" if one != signature[at]])
        return timestamp, signature[:at] + other + signature[at + 1 :]

    def _signed(self, body: bytes, at_s: int) -> tuple[str, str]:
        return str(at_s), signed(body, secret=self._secret, timestamp=str(at_s))
