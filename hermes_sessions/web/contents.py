"""The table of contents of a conversation: the user's prompts and the compactions, with links."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import merge

from flask import Blueprint, render_template, request, url_for

from hermes_sessions.store.queries.compactions import CompactionRow, load_compactions
from hermes_sessions.store.queries.contents import Prompt, list_prompts
from hermes_sessions.store.queries.conversations import ConversationRow, get_conversation
from hermes_sessions.store.queries.paging import Place
from hermes_sessions.web.context import database
from hermes_sessions.web.transcript import place_in_session

bp = Blueprint("contents", __name__)
PAGE = 500
"""Prompts on one page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line: a prompt, or a compaction."""

    kind: str
    link: str
    text: str
    at: float | None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsPage:
    """`conversations/contents.html`: a part of a conversation's table of contents."""

    conversation: ConversationRow
    entries: tuple[Entry, ...]
    next: str | None


@bp.get("/c/<sid:public_id>/contents")
def show(public_id: str) -> str:
    """List the user's prompts and the compactions, for jumping to them."""
    given = request.args.get("after")
    after = Place.parse(given) if given else None
    with database().read() as db:
        conversation = get_conversation(db, public_id)
        prompts = list_prompts(db, conversation.id, after=after, limit=PAGE + 1)
        compactions = load_compactions(db, conversation.id) if conversation.compaction_count else ()
    last = prompts[PAGE - 1].place if len(prompts) > PAGE else None
    within = [_compaction(row) for row in compactions if not row.session_fork]
    within = [
        one for one in within if (after is None or one.place > after) and (last is None or one.place <= last)
    ]
    page = ContentsPage(
        conversation=conversation,
        entries=_entries(prompts[:PAGE], within),
        next=url_for(".show", public_id=public_id, after=str(last)) if last else None,
    )
    part = "contents_part" if request.args.get("part") else "contents"
    return render_template(f"conversations/{part}.html", page=page)


def _entries(prompts: Sequence[Prompt], compactions: Sequence[Entry]) -> tuple[Entry, ...]:
    """Join both in the order they stand in the conversation; a compaction before its place's prompt."""
    said = [
        Entry(
            kind="prompt",
            link=url_for("messages.locate", message_id=one.id),
            text=one.text,
            at=one.created_at,
            place=one.place,
        )
        for one in prompts
    ]
    ordered = sorted(compactions, key=lambda one: one.place)
    return tuple(merge(ordered, said, key=lambda one: one.place))


def _compaction(row: CompactionRow) -> Entry:
    return Entry(
        kind="compaction",
        link=url_for("ledger.locate", compaction_id=row.id),
        text=f"Compaction {row.ordinal}" + ("" if row.status == "committed" else f", {row.status}"),
        at=row.at,
        place=Place(row.session_ordinal, max(0, place_in_session(row))),
    )
