"""Examples of what the console's routes answer; each is one visit, seen from several routes."""

from bot.channels.openapi.shapes import MESSAGE

HOLDER = {"id": "3c5e0d7a9b1f4c2e8d6a5b4c3d2e1f0a", "name": "Maria Lopez"}
STATE = {"state": "claimed", "epoch": 2, "agent": HOLDER, "mine": True}
AGENT_SESSION = {
    "agent": {**HOLDER, "role": "agent"},
    "csrf": "sJ3mC1vG0T9cQ2hZ7xW5yA",
    "expires_at": 1_796_079_600_000,
}
DESK_MESSAGE = {**MESSAGE, "turn": "5d1c7e9a3b2f4d6e8c0a1b2c3d4e5f60"}
REPLY = {
    **DESK_MESSAGE,
    "seq": 4,
    "role": "agent",
    "automated": False,
    "text": "Hello, this is Maria.",
    "html": None,
    "sources": [],
    "turn": None,
    "agent": "Maria Lopez",
}
NOTE = {
    "seq": 1,
    "author": "Maria Lopez",
    "automated": False,
    "summary": False,
    "text": "Called the tutor.",
    "at": 1_796_036_460_000,
}
MARK = {
    "kind": "wrong_answer",
    "seq": 2,
    "agent": "Maria Lopez",
    "at": 1_796_036_460_000,
    "remark": "Out of date",
}
ROW = {
    "conversation": "3f2a9c0d5b7e4a1f8c6d2e0b9a7f5c3d",
    "customer": "Customer 3F2A",
    "verified": False,
    "channel": "widget",
    "locale": "en",
    "state": "claimed",
    "agent": HOLDER,
    "mine": True,
    "reason": "no_evidence",
    "reason_text": "No article covers it",
    "first_line": "How do I reschedule a lesson?",
    "waiting_since": 1_796_036_400_000,
    "owned_since": 1_796_036_430_000,
    "episode": 1,
    "unread": 1,
    "alarm": False,
    "late": False,
    "contact": None,
}
VIEW = {
    **STATE,
    "now": 1_796_036_460_000,
    "conversation": ROW["conversation"],
    "customer": ROW["customer"],
    "verified": False,
    "page": {"url": "https://shop.example/lessons", "title": "Lessons"},
    "row": ROW,
    "messages": [{**DESK_MESSAGE, "attachment": None}],
    "draft": [],
    "notes": [NOTE],
    "handoffs": [],
    "marks": [MARK],
    "reads": {"customer": 2, "agent": 1},
    "ratings": [],
    "my_draft": "",
}
CANNED = {"id": "refund", "title": "Refund", "text": "I have sent the refund.", "locale": "en"}
