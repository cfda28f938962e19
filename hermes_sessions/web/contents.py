"""The table of contents of a conversation: the user's prompts and the compactions, with links."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import merge
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request, url_for

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
    """One line: a prompt, or a compaction; `id` is the message's or the compaction's."""

    kind: str
    id: int
    link: str
    text: str
    at: float | None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsPage:
    """`conversations/contents.html`: a part of a conversation's table of contents."""

    conversation: ConversationRow
    entries: tuple[Entry, ...]
    next: Place | None


@bp.get("/c/<sid:public_id>/contents")
def show(public_id: str) -> str:
    """List the user's prompts and the compactions, for jumping to them."""
    part = "contents_part" if request.args.get("part") else "contents"
    return render_template(f"conversations/{part}.html", page=_load_page(public_id))


@bp.get("/api/conversations/<sid:public_id>/contents")
def api_show(public_id: str) -> Response:
    """Return what the page lists."""
    page = _load_page(public_id)
    return jsonify(
        conversation=page.conversation.public_id,
        entries=[_entry_value(one) for one in page.entries],
        next=str(page.next) if page.next else None,
    )


def _load_page(public_id: str) -> ContentsPage:
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
    return ContentsPage(conversation=conversation, entries=_entries(prompts[:PAGE], within), next=last)


def _entry_value(entry: Entry) -> dict[str, Any]:
    return {
        "kind": entry.kind,
        "id": entry.id,
        "text": entry.text,
        "created_at": entry.at,
        "place": str(entry.place),
    }


def _entries(prompts: Sequence[Prompt], compactions: Sequence[Entry]) -> tuple[Entry, ...]:
    """Join both in the order they stand in the conversation; a compaction before its place's prompt."""
    said = [
        Entry(
            kind="prompt",
            id=one.id,
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
        id=row.id,
        link=url_for("ledger.locate", compaction_id=row.id),
        text=f"Compaction {row.ordinal}" + ("" if row.status == "committed" else f", {row.status}"),
        at=row.at,
        place=Place(row.session_ordinal, max(0, place_in_session(row))),
    )
