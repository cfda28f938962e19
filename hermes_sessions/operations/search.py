"""Search as every edge shows it: hits with their conversation, labels and a marked snippet."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from sqlalchemy import orm as sa_orm

from hermes_sessions.json_text import without_escapes
from hermes_sessions.messages import ConversationKind, MessageKind, MessageState, Role, content_text
from hermes_sessions.operations.documents.search_results import (
    FoundConversationJson,
    HitJson,
    SearchPageJson,
    SnippetPieceJson,
)
from hermes_sessions.store.language.highlight import Highlighter, Piece
from hermes_sessions.store.language.indexed_text import call_values
from hermes_sessions.store.language.query_text import Query
from hermes_sessions.store.queries.conversations import ConversationRow, select_conversations
from hermes_sessions.store.queries.transcript_rows import TranscriptRow, select_rows
from hermes_sessions.store.schema.models import Conversation, Message
from hermes_sessions.store.searching.message_hits import HitPage, MessageHit, Search, find_hits
from hermes_sessions.store.searching.title_hits import NamedPage, find_named

PLAIN_CHARS: Final = 200
"""How much of a message stands for it where nothing in it can be marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMessage:
    """A message that was found.

    Attributes:
        where: what of it holds the words: text, call (arguments), tool (its name), id.
        snippet: the place, marked; the beginning where nothing can be marked.
        labels: archived, handoff, undone, replaced.
    """

    row: TranscriptRow
    conversation: ConversationRow
    where: str
    snippet: tuple[Piece, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundConversation:
    """A conversation that was found by its title, folder or the id of one of its sessions."""

    row: ConversationRow
    where: str
    name: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One page of an answer.

    Attributes:
        conversations: found by title, folder or id: a few on the first page, or pages of
            them where titles alone are looked into.
        conversations_total: how many were found so; None where nobody asked.
        messages: in the order asked for.
        next: cursor of the following page, None at the end.
        looked_at: rows of the index that were looked at.
        cut_short: a filter left so much out that looking stopped; `next` goes on.
    """

    search: Search
    conversations: tuple[FoundConversation, ...]
    conversations_total: int | None
    messages: tuple[FoundMessage, ...]
    next: str | None
    looked_at: int
    cut_short: bool
    notes: tuple[str, ...]

    @property
    def more_conversations(self) -> int:
        """How many conversations were found by name that no page of this search shows."""
        if self.search.query.scope.titles:
            return 0
        return (self.conversations_total or 0) - len(self.conversations)

    @property
    def conversations_query(self) -> str | None:
        """The query that lists all conversations found by name, where this one does not."""
        return f"in:title {self.search.query.typed.strip()}" if self.more_conversations > 0 else None


def run_search(db: sa_orm.Session, search: Search) -> Results:
    """Answer one page of a search.

    Raises:
        InvalidQueryError: the cursor is none of ours.
        AmbiguousIdError: `conv:` fits several conversations.
    """
    found = find_hits(db, search)
    return results(db, search, found, find_named(db, search))


def results(db: sa_orm.Session, search: Search, found: HitPage, named: NamedPage) -> Results:
    """Return what *found* and *named* hold, loaded."""
    keys = {hit.conversation_id for hit in found.hits} | {key for key, _ in named.found}
    conversations = load_conversations(db, keys)
    highlighter = highlighter_of(search.query)
    return Results(
        search=search,
        conversations=tuple(
            _named(conversations[key], where, highlighter)
            for key, where in named.found
            if key in conversations
        ),
        conversations_total=named.total,
        messages=load_messages(db, found.hits, conversations, highlighter),
        next=found.next or named.next,
        looked_at=found.looked_at,
        cut_short=found.cut_short,
        notes=(*search.query.notes, *found.notes),
    )


def highlighter_of(query: Query) -> Highlighter:
    """Return what marks the words of a query."""
    return Highlighter.of(chain.from_iterable(query.words))


def load_conversations(db: sa_orm.Session, keys: Iterable[int]) -> dict[int, ConversationRow]:
    """Return conversations by key; those in the trash are left out."""
    visible = Conversation.kind != ConversationKind.TRASH
    rows = db.execute(select_conversations().where(Conversation.id.in_(sorted(keys)), visible))
    return {row.id: ConversationRow(**row._mapping) for row in rows}


def load_messages(
    db: sa_orm.Session,
    hits: Sequence[MessageHit],
    conversations: dict[int, ConversationRow],
    highlighter: Highlighter,
) -> tuple[FoundMessage, ...]:
    """Return the messages of *hits* in their order, with labels and snippets."""
    stmt = select_rows().where(Message.id.in_([hit.id for hit in hits]))
    rows = {row.id: TranscriptRow(**row._mapping) for row in db.execute(stmt)}
    return found_messages(hits, rows, conversations, highlighter)


def found_messages(
    hits: Sequence[MessageHit],
    rows: Mapping[int, TranscriptRow],
    conversations: Mapping[int, ConversationRow],
    highlighter: Highlighter,
) -> tuple[FoundMessage, ...]:
    """Return the messages of *hits* in their order; *rows* and *conversations* are by their keys."""
    found = []
    for hit in hits:
        row, conversation = rows.get(hit.id), conversations.get(hit.conversation_id)
        if row is not None and conversation is not None:
            where, snippet = place_of(row, highlighter)
            found.append(
                FoundMessage(
                    row=row,
                    conversation=conversation,
                    where=where,
                    snippet=snippet,
                    labels=tuple(_labels(row)),
                )
            )
    return tuple(found)


def place_of(row: TranscriptRow, highlighter: Highlighter) -> tuple[str, tuple[Piece, ...]]:
    """Return what of a message holds the words, and that place as a marked snippet."""
    text = row.text or content_text(row.content)
    if row.role == Role.TOOL:
        text = without_escapes(text)
    places: tuple[tuple[str, Callable[[], str]], ...] = (
        ("text", lambda: text),
        ("call", lambda: "\n".join(call_values(row.tool_calls or ""))),
        ("tool", lambda: row.tool_name or ""),
        ("id", lambda: row.tool_call_id or ""),
    )
    for where, read in places:
        snippet = highlighter.snippet(read()) if highlighter else None
        if snippet is not None:
            return where, snippet
    where, beginning = ("text", text) if text.strip() else ("call", _calls_in_words(row))
    cut = beginning[:PLAIN_CHARS]
    return where, (Piece(cut if len(beginning) <= PLAIN_CHARS else f"{cut} …"),)


def _calls_in_words(row: TranscriptRow) -> str:
    return " · ".join(call_values(row.tool_calls)) if row.tool_calls else ""


def _labels(row: TranscriptRow) -> Iterator[str]:
    if row.kind != MessageKind.MESSAGE:
        yield "handoff"
    if row.state == MessageState.REWOUND:
        yield "undone"
    elif row.state == MessageState.SUPERSEDED:
        yield "replaced"
    elif row.archived_by is not None or row.state == MessageState.COMPACTED:
        yield "archived"


def found_value(row: ConversationRow, where: str, query: Query) -> FoundConversation:
    """Return a conversation that was found by name, the words in it marked."""
    return _named(row, where, highlighter_of(query))


def _named(row: ConversationRow, where: str, highlighter: Highlighter) -> FoundConversation:
    title = row.title or row.preview or row.public_id
    shown = {"folder": row.cwd or "", "id": row.public_id}.get(where, title)
    return FoundConversation(row=row, where=where, name=highlighter.pieces(shown[:300]))


# -- documents -------------------------------------------------------------------------------------


def search_document(found: Results) -> SearchPageJson:
    """Return the answer as documents show it; docs/search.md describes it."""
    return SearchPageJson(
        query=found.search.query.typed,
        order=found.search.order,
        conversations=[named_value(one) for one in found.conversations],
        conversations_total=found.conversations_total,
        conversations_query=found.conversations_query,
        hits=[hit_value(one) for one in found.messages],
        next=found.next,
        looked_at=found.looked_at,
        complete=not found.cut_short,
        notes=list(found.notes),
    )


def named_value(one: FoundConversation) -> FoundConversationJson:
    """Return a conversation found by name as documents show it."""
    return FoundConversationJson(
        id=one.row.public_id,
        title=one.row.title,
        preview=one.row.preview,
        where=one.where,
        last_active_at=one.row.last_active_at or None,
    )


def hit_value(one: FoundMessage) -> HitJson:
    """Return a hit as documents show it."""
    row = one.row
    return HitJson(
        id=row.id,
        conversation=one.conversation.public_id,
        title=one.conversation.title or one.conversation.preview,
        session=row.session,
        position=row.position,
        role=row.role,
        kind=row.said_as,
        state=row.state,
        tool_name=row.tool_name,
        created_at=row.created_at,
        where=one.where,
        labels=list(one.labels),
        snippet=[SnippetPieceJson(text=piece.text, marked=piece.marked) for piece in one.snippet],
    )
