"""The table of contents of a conversation: the user's prompts and the compactions, with links."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import merge

from flask import Blueprint, Response, render_template, request, url_for
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.exporters.compaction_words import compaction_name
from hermes_sessions.operations.documents.conversations import ContentsEntryJson, ContentsJson
from hermes_sessions.store.queries.compactions import ListedCompaction, load_compactions
from hermes_sessions.store.queries.contents import Prompt, list_prompts
from hermes_sessions.store.queries.conversations import ConversationRow, get_conversation
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.web.conversation.transcript_window import place_in_session
from hermes_sessions.web.serving.respond import respond
from hermes_sessions.web.site.context import database

bp = Blueprint("contents", __name__)
PAGE = 500
"""Prompts on one page."""
BESIDE = 60
"""Prompts ahead of a place and behind it, for the contents beside a conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsEntry:
    """One line: a prompt, or a compaction; `id` is the message's or the compaction's."""

    kind: str
    id: int
    link: str
    text: str
    at: float | None
    place: ScrollPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsPage:
    """`conversations/contents.html`: a part of a conversation's table of contents."""

    conversation: ConversationRow
    entries: tuple[ContentsEntry, ...]
    next: ScrollPlace | None
    previous: ScrollPlace | None = None
    """The first prompt listed, where others stand ahead of it; known around a place only."""


@bp.get("/c/<sid:public_id>/contents")
def show(public_id: str) -> str:
    """List the user's prompts and the compactions, for jumping to them; with `at` those around a place."""
    part = "contents_part" if request.args.get("part") else "contents"
    at = request.args.get("at")
    page = _load_around(public_id, ScrollPlace.parse(at)) if at else _load_page(public_id)
    return render_template(f"conversations/{part}.html", page=page)


@bp.get("/api/conversations/<sid:public_id>/contents")
def api_show(public_id: str) -> Response:
    """Return what the page lists."""
    page = _load_page(public_id)
    return respond(
        ContentsJson(
            conversation=page.conversation.public_id,
            entries=[_entry_value(one) for one in page.entries],
            next=str(page.next) if page.next else None,
        )
    )


def _load_page(public_id: str) -> ContentsPage:
    given = request.args.get("after")
    after = ScrollPlace.parse(given) if given else None
    with database().read() as db:
        conversation = get_conversation(db, public_id)
        prompts = list_prompts(db, conversation.id, after=after, limit=PAGE + 1)
        compactions = _compactions_of(db, conversation)
    last = prompts[PAGE - 1].place if len(prompts) > PAGE else None
    return ContentsPage(
        conversation=conversation,
        entries=_entries(prompts[:PAGE], _within(compactions, after, last)),
        next=last,
    )


def _load_around(public_id: str, at: ScrollPlace) -> ContentsPage:
    with database().read() as db:
        conversation = get_conversation(db, public_id)
        earlier = list_prompts(db, conversation.id, before=at, limit=BESIDE + 1)
        just_before = ScrollPlace(at.ordinal, at.position - 1)
        later = list_prompts(db, conversation.id, after=just_before, limit=BESIDE + 1)
        compactions = _compactions_of(db, conversation)
    prompts = (*earlier[-BESIDE:], *later[:BESIDE])
    first = prompts[0].place if len(earlier) > BESIDE else None
    last = prompts[-1].place if len(later) > BESIDE else None
    return ContentsPage(
        conversation=conversation,
        entries=_entries(prompts, _within(compactions, first, last)),
        previous=first,
        next=last,
    )


def _compactions_of(db: DbSession, conversation: ConversationRow) -> Sequence[ListedCompaction]:
    any_stored = conversation.compaction_count or conversation.prune_count
    return load_compactions(db, conversation.id) if any_stored else ()


def _within(
    compactions: Sequence[ListedCompaction], after: ScrollPlace | None, last: ScrollPlace | None
) -> list[ContentsEntry]:
    """Return those of the one scroll that stand behind a place, up to another one."""
    listed = [_compaction(row) for row in compactions if not row.session_fork]
    return [
        one for one in listed if (after is None or one.place > after) and (last is None or one.place <= last)
    ]


def _entry_value(entry: ContentsEntry) -> ContentsEntryJson:
    return ContentsEntryJson(
        kind=entry.kind, id=entry.id, text=entry.text, created_at=entry.at, place=str(entry.place)
    )


def _entries(prompts: Sequence[Prompt], compactions: Sequence[ContentsEntry]) -> tuple[ContentsEntry, ...]:
    """Join both in the order they stand in the conversation; a compaction before its place's prompt."""
    said = [
        ContentsEntry(
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


def _compaction(row: ListedCompaction) -> ContentsEntry:
    return ContentsEntry(
        kind="compaction",
        id=row.id,
        link=url_for("ledger.locate", compaction_id=row.id),
        text=compaction_name(row.method, row.ordinal)
        + ("" if row.status == "committed" else f", {row.status}"),
        at=row.at,
        place=ScrollPlace(row.session_ordinal, max(0, place_in_session(row))),
    )
