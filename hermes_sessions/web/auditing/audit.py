"""The audit's pages: one compaction, the findings of the store, what the model saw at a message."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from flask import Blueprint, render_template, request, url_for
from sqlalchemy import orm as sa_orm

from hermes_sessions.audit.rules import get_rule
from hermes_sessions.audit.verdict.differences import other_evidence, read_places
from hermes_sessions.audit.verdict.sentence import why_not_judged
from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.messages import Severity
from hermes_sessions.operations.auditing.context_seen import SeenContext, load_seen
from hermes_sessions.operations.auditing.shown_compaction import ShownCompaction, show_compaction
from hermes_sessions.store.queries.compactions import ListedCompaction, find_compaction
from hermes_sessions.store.queries.conversations import ConversationRow, get_conversation
from hermes_sessions.store.queries.findings import (
    FindingPage,
    FindingQuery,
    Neighbour,
    count_audited,
    find_previous_handoff,
    list_finding_lines,
    load_neighbours,
    load_rows_by_key,
)
from hermes_sessions.store.queries.stored_audits import count_findings
from hermes_sessions.store.queries.windows import get_row
from hermes_sessions.web.auditing.audit_values import CompactionPage, FindingsPage, SeenPage
from hermes_sessions.web.auditing.audit_words import count_rules, evidence_words
from hermes_sessions.web.auditing.compaction_view import (
    MAX_CLAIMS,
    after_column,
    before_column,
    claim_sections,
    finding_views,
    following_column,
    numbers,
    rule_lines,
    shown_ids,
)
from hermes_sessions.web.auditing.fact_chips import chip_groups, kind_shares
from hermes_sessions.web.auditing.verdict_view import verdict_view
from hermes_sessions.web.conversation.item_values import Bubble, Item
from hermes_sessions.web.conversation.items import ItemOptions, row_items, who_asks
from hermes_sessions.web.site.context import database, viewer_config
from hermes_sessions.web.site.site_values import Pager
from hermes_sessions.web.text.diffs import diff_texts
from hermes_sessions.web.text.sentences import count_of_kind, separator_words

bp = Blueprint("audit", __name__)
SEEN_ROWS = 100
OWN_LINE = "The agent's own line"


@bp.get("/compactions/<int:compaction_id>")
def compaction(compaction_id: int) -> str:
    """Show what one compaction kept, lost and invented."""
    with database().read() as db:
        row = get_compaction(db, compaction_id)
        page = _compaction_page(db, row, show_compaction(db, row))
    return render_template("audit/compaction.html", page=page)


@bp.get("/findings")
def findings() -> str:
    """List the stored findings by rule; those of one rule one by one."""
    query = FindingQuery.from_args(request.args)
    if query.rule is not None:
        get_rule(query.rule)
    with database().read() as db:
        counts = count_findings(db)
        found = list_finding_lines(db, query) if query.rule else FindingPage(items=(), next=None)
        audited, conversations = count_audited(db)
    rules = count_rules(counts)
    page = FindingsPage(
        rules=rules,
        rule=next((one for one in rules if one.code == query.rule), None),
        lines=tuple(
            (line, evidence_words(other_evidence(line.evidence)), read_places(line.rule, line.evidence))
            for line in found.items
        ),
        pager=_findings_pager(query, found),
        audited=audited,
        conversations=conversations,
        totals={level: sum(n for (_, one), n in counts.items() if one == level) for level in _LEVELS},
    )
    return render_template("audit/findings.html", page=page)


@bp.get("/m/<int:message_id>/seen")
def seen(message_id: int) -> str:
    """Show the context that the model had in front of it at a message, its end first."""
    with database().read() as db:
        found = find_seen(db, message_id)
        conversation = get_conversation(db, found.conversation)
        end = _seen_end(len(found.ids))
        keys = found.ids[max(0, end - SEEN_ROWS) : end]
        rows = load_rows_by_key(db, keys)
    reading = ItemOptions(
        every_part=True,
        asked_by=who_asks(conversation.kind),
        max_image_bytes=viewer_config().max_image_bytes,
    )
    items = tuple(_as_sent(item, found.added) for _, own in row_items(rows, reading) for item in own)
    page = SeenPage(
        conversation=conversation,
        message=message_id,
        session=found.session,
        has_system_prompt=len(found.messages) > len(found.ids),
        items=items,
        count=len(found.ids),
        first=end - len(keys) + 1,
        last=end,
        tokens=found.tokens.tokens,
        tokens_exact=found.tokens.exact,
        tokens_method=found.tokens.method,
        notes=found.notes,
        pager=_seen_pager(message_id, end, len(found.ids)),
    )
    return render_template("audit/seen.html", page=page)


def get_compaction(db: sa_orm.Session, compaction_id: int) -> ListedCompaction:
    """Return a compaction by the number in its address.

    Raises:
        NotFoundError: no compaction has it.
    """
    row = find_compaction(db, compaction_id) if compaction_id < 2**63 else None
    if row is None:
        raise NotFoundError(f"no compaction has the id {compaction_id}")
    return row


def find_seen(db: sa_orm.Session, message_id: int) -> SeenContext:
    """Return the context at the message with the number in its address.

    Raises:
        NotFoundError: no message has it.
    """
    if message_id >= 2**63:
        raise NotFoundError(f"no message has the id {message_id}")
    _, conversation = get_row(db, message_id)
    return load_seen(db, conversation, message_id)


# -- inside ----------------------------------------------------------------------------------------

_LEVELS = tuple(level.value for level in reversed(Severity))


def _compaction_page(db: sa_orm.Session, row: ListedCompaction, audit: ShownCompaction) -> CompactionPage:
    measured, case = audit.span, audit.span.case
    conversation = _conversation_of(db, row)
    headline, detail = separator_words(row, count_of_kind(row, conversation))
    previous, following = load_neighbours(db, row.conversation_id, row.id)
    handoff = find_previous_handoff(db, row.conversation_id, row.id)
    asked_by = who_asks(conversation.kind)
    after = after_column(case, asked_by)
    before = before_column(measured, audit.claims, after, asked_by)
    shown = frozenset(shown_ids(before))
    return CompactionPage(
        row=row,
        conversation=conversation,
        headline=headline,
        detail=detail,
        verdict=verdict_view(audit.verdict, compared=not why_not_judged(measured)),
        previous=previous,
        next=following,
        numbers=numbers(measured, contradicted=audit.contradicted, invented=len(audit.invented)),
        findings=finding_views(audit.findings),
        before=before,
        sections=claim_sections(audit.claims, case, shown, asked_by),
        claims_left_out=max(0, len(audit.claims) - MAX_CLAIMS),
        after=after,
        following=following_column(case, asked_by),
        chips=chip_groups(measured, audit.invented, shown),
        shares=kind_shares(measured.retention.shares),
        rules=rule_lines(audit.ledger, row.id, asked_by),
        diff=diff_texts(handoff.summary, case.body) if handoff and case.body else None,
        diff_with=Neighbour(id=handoff.compaction, ordinal=handoff.ordinal) if handoff else None,
        is_empty=not case.before,
    )


def _conversation_of(db: sa_orm.Session, row: ListedCompaction) -> ConversationRow:
    return get_conversation(db, row.conversation)


def _findings_pager(query: FindingQuery, found: FindingPage) -> Pager:
    more = url_for(".findings", rule=query.rule, before=found.next) if found.next else None
    first = url_for(".findings", rule=query.rule) if query.before is not None else None
    return Pager(previous=first, next=more)


def _as_sent(item: Item, added: Collection[int]) -> Item:
    """Return an item; a line of the agent's own says that it is one."""
    if isinstance(item, Bubble) and item.row.id in added:
        return replace(item, speaker=OWN_LINE)
    return item


def _seen_end(count: int) -> int:
    """Return where the shown part of the context ends: at the message itself unless asked otherwise."""
    asked = request.args.get("end") or ""
    if not asked:
        return count
    if not (asked.isascii() and asked.isdigit() and len(asked) < 10):
        raise InvalidQueryError("end is the number of a message of this context")
    return min(int(asked), count)


def _seen_pager(message_id: int, end: int, count: int) -> Pager:
    def link(place: int) -> str:
        args: dict[str, Any] = {} if place >= count else {"end": place}
        return url_for(".seen", message_id=message_id, **args)

    return Pager(
        previous=link(end - SEEN_ROWS) if end > SEEN_ROWS else None,
        next=link(end + SEEN_ROWS) if end < count else None,
    )
