"""Where the user's last request is after a compaction: one answer for the rules and the verdict. Pure."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from hermes_sessions.audit.effects.delivery import Delivery, read_delivery
from hermes_sessions.audit.handed_on.answers import LastWords
from hermes_sessions.audit.handed_on.kept_facts import KeptFact
from hermes_sessions.audit.measure import MeasuredCompaction
from hermes_sessions.audit.searchable_text import SearchableText
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.facts import shorten_line
from hermes_sessions.facts.speech.requests import request_span

_MIN_BYTES: Final = 12
"""Fewer bytes, such as `go on`, may be anywhere by chance: the facts of the request decide alone."""


class RequestState(StrEnum):
    """Where a request is after a compaction."""

    IN_SIGHT = "in sight"
    IN_SUMMARY = "in the summary"
    PERHAPS = "perhaps in the summary"
    ANSWERED = "answered"
    PERHAPS_ANSWERED = "perhaps answered"
    GONE = "gone"


def find_request_state(measured: MeasuredCompaction, request: AuditMessage) -> RequestState:
    """Return where a request of the context before a compaction is after it.

    One that is said again afterwards is in sight. In the summary is what the handoff quotes, says in most
    of its words, or names among what is open; perhaps there is what some open work has in common with it, and
    what asks for nothing by itself: *go on*. Answered is what a reply gave: one that only promises, asks back
    or fails leaves it open.
    """
    case = measured.case
    if request.original in case.kept or any(_asks_the_same(row, request) for row in case.following):
        return RequestState.IN_SIGHT
    facts = measured.retention.facts
    asked = [fact for fact in facts if fact.kind == "request" and request.id in fact.messages]
    if _is_quoted(case, request) or (asked and not any(one.is_lost or one.in_doubt for one in asked)):
        return RequestState.IN_SUMMARY
    place = next(at for at, row in enumerate(case.before) if row.id == request.id)
    kinds = {fact.kind for fact in facts if request.id in fact.messages}
    delivery = read_delivery(request.text, case.before[place + 1 :], kinds)
    if delivery is Delivery.GIVEN:
        return RequestState.ANSWERED
    if _may_be_told(asked, request) or _may_be_meant(case, request):
        return RequestState.PERHAPS
    return RequestState.PERHAPS_ANSWERED if delivery is Delivery.PERHAPS else RequestState.GONE


def _is_quoted(case: CompactionCase, request: AuditMessage) -> bool:
    """Whether the handoff has the first line of a request word for word."""
    line = shorten_line(request.text)
    return len(line.encode("utf-8", "replace")) >= _MIN_BYTES and SearchableText(case.body).holds(line)


def _may_be_told(asked: Sequence[KeptFact], request: AuditMessage) -> bool:
    """Whether the handoff may say a request in other words, or nothing is asked."""
    start, end = request_span(request.text)
    return any(fact.in_doubt for fact in asked) or (start == end and bool(request.text.strip()))


def _may_be_meant(case: CompactionCase, request: AuditMessage) -> bool:
    """Whether nothing is asked but something decided, or the handoff has what was answered or came of it."""
    older = [row.handoff for row in case.after if row.handoff and row.id != case.facts.handoff]
    words = LastWords(case.before, request, [case.body, *older])
    return words.ask_nothing() or words.may_be_told()


def _asks_the_same(row: AuditMessage, request: AuditMessage) -> bool:
    """Whether the user says the same again, or shows it again where there was no text."""
    text = request.text.strip()
    same = row.text.strip() == text if text else row.attachments == request.attachments
    return row.is_request and same


def last_request(rows: Iterable[AuditMessage]) -> AuditMessage | None:
    """Return the last row in which the user asked for something, or showed something."""
    return next((row for row in reversed(tuple(rows)) if row.is_request), None)
