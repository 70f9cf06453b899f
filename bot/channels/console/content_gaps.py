"""Gaps as the content page shows them: groups of questions in the customers' words, and how agents answered. Pure."""

from contextlib import suppress

from bot.channels.console.evidence import finite
from bot.channels.events import Event
from bot.channels.evidence_wording import TRIAGES, unsearched_in_words
from bot.channels.wording import Names, agent_name
from bot.core.gaps import AskedAgain, Gap, GapQuestion, GapReport, GapSign, QuotedReply
from bot.core.outcome import ReasonCode, Triage
from bot.core.replies import Replies

MARKED = "an agent marked it as a knowledge gap"


def to_gaps(report: GapReport, names: Names, replies: Replies, locale: str) -> Event:
    """Translate a report; `problem` says why the questions were not compared with today's articles, null that they were."""
    return {
        "gaps": [_to_gap(gap, names, replies, locale) for gap in report.gaps],
        "questions": report.questions,
        "left_out": report.left_out,
        "not_asked": report.not_asked,
        "problem": unsearched_in_words(report.problem) if report.problem else None,
    }


def _to_gap(gap: Gap, names: Names, replies: Replies, locale: str) -> Event:
    return {
        "id": gap.id,
        "label": list(gap.label),
        "count": gap.count,
        "last": gap.last_ms,
        "locale": gap.locale,
        "triage": gap.triage,
        "triage_text": _triage_in_words(gap.triage),
        "answered_by": gap.answered_by,
        "questions": [_to_question(question, replies, locale) for question in gap.questions],
        "replies": [_to_reply(reply, names) for reply in gap.replies],
    }


def _to_question(question: GapQuestion, replies: Replies, locale: str) -> Event:
    return {
        "conversation": question.conversation,
        "turn": question.turn,
        "text": question.text,
        "at": question.at_ms,
        "locale": question.locale,
        "reason": question.sign,
        "reason_text": _sign_in_words(question.sign, replies, locale),
        "marked": question.marked,
        "remark": question.remark,
        "triage": question.triage_now,
        "triage_text": _triage_in_words(question.triage_now),
        "best_cosine": finite(question.best_cosine),
        "threshold": finite(question.threshold),
        "article": question.article,
        "today": _to_today(question.today),
    }


def _to_today(today: AskedAgain | None) -> Event | None:
    if today is None:
        return None
    return {
        "passes": today.passes,
        "best_cosine": finite(today.best_cosine),
        "threshold": finite(today.threshold),
        "article": today.article,
        "title": today.title,
    }


def _to_reply(reply: QuotedReply, names: Names) -> Event:
    return {
        "conversation": reply.conversation,
        "agent": agent_name(reply.agent, names),
        "text": reply.text,
        "at": reply.at_ms,
    }


def _triage_in_words(triage: Triage | None) -> str | None:
    return TRIAGES[triage] if triage else None


def _sign_in_words(sign: GapSign, replies: Replies, locale: str) -> str:
    with suppress(ValueError):
        return replies.reason(ReasonCode(sign), locale)
    return MARKED
