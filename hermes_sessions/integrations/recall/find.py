"""The tools that find: `search` and `list`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.integrations.recall.answers import (
    OWN_WORD,
    FoundTitle,
    Hit,
    ListAnswer,
    ListedLine,
    SearchAnswer,
    count_fitting,
    utc,
)
from hermes_sessions.integrations.recall.arguments import ListArguments, SearchArguments
from hermes_sessions.integrations.recall.reading import Reading
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import read_message
from hermes_sessions.operations.search import FoundMessage, Results, highlighter_of, place_of, run_search
from hermes_sessions.store.language.query_filters import Scope
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.store.language.query_text import MAX_CHARS, Query, parse_query
from hermes_sessions.store.queries.conversations import (
    ConversationListing,
    ConversationRow,
    list_conversations,
)
from hermes_sessions.store.queries.paging import TimeCursor
from hermes_sessions.store.queries.transcript_rows import TranscriptRow
from hermes_sessions.store.searching.message_hits import Search

_OWN_TOOLS: Final = "hermes-sessions-"
"""Is in the names that agents give our tools: mcp__hermes-sessions__search, hermes-sessions_search."""
_NOT_IN_NAMES: Final = late_pattern(r"[\W_]+")
_TITLES_CHARS: Final = 2_000


def search(reading: Reading, asked: SearchArguments) -> SearchAnswer:
    """Find messages, newest first, without what recall itself said or was asked.

    Raises:
        InvalidQueryError: the query or the cursor cannot be used.
        NotFoundError: no conversation within reach has the id.
    """
    query = _within_reach(reading, asked)
    limit = asked.limit
    while True:
        found = run_search(reading.db, Search(query=query, limit=limit, cursor=asked.cursor))
        hits = [_hit(reading, query, one) for one in found.messages if _is_wanted(reading, one)]
        fitting = count_fitting(hits)
        if fitting >= len(hits) or limit == 1:
            break
        limit = max(1, fitting)
    titles = list(_titles(reading, found))
    return SearchAnswer(
        hits=hits,
        conversations=titles[: count_fitting(titles, _TITLES_CHARS)],
        notes=list(_notes(reading, asked, found, hits)),
        next=found.next,
    )


def list_newest(reading: Reading, asked: ListArguments) -> ListAnswer:
    """List conversations, newest activity first.

    Raises:
        InvalidQueryError: the cursor cannot be used.
    """
    if reading.reach.only:
        rows: Sequence[ConversationRow] = reading.only()
        cursor = None
    else:
        before = TimeCursor.parse(asked.cursor) if asked.cursor else None
        page = list_conversations(
            reading.db, ConversationListing(origin=reading.reach.origin, before=before, limit=asked.limit)
        )
        rows, cursor = page.items, page.next
    lines = [_listed(reading, row) for row in rows]
    fitting = count_fitting(lines)
    if fitting < len(lines):
        cursor = TimeCursor(rows[fitting - 1].last_active_at, rows[fitting - 1].id)
    return ListAnswer(conversations=lines[:fitting], next=None if cursor is None else str(cursor))


# -- where to look ---------------------------------------------------------------------------------


def _within_reach(reading: Reading, asked: SearchArguments) -> Query:
    query = parse_query(asked.query[:MAX_CHARS], reading.now)
    scope = query.scope
    if asked.scope == "archived":
        scope = replace(scope, archived=True)
    if asked.conversation is not None:
        found = reading.conversation(asked.conversation)
        scope = replace(scope, conversations=(found.public_id,), titles=scope.titles or False)
    elif reading.reach.only:
        scope = replace(scope, conversations=_conversations(reading, scope))
    if reading.reach.origin is not None:
        scope = replace(scope, origins=(reading.reach.origin,))
    # Not words of the query: what is left out is neither marked nor explained.
    return replace(query, scope=scope, excluded=(*query.excluded, Term(OWN_WORD)))


def _conversations(reading: Reading, scope: Scope) -> tuple[str, ...]:
    """Return the ids that `conv:` names, or all within reach."""
    if scope.conversations:
        return tuple(reading.conversation(one).public_id for one in scope.conversations)
    found = tuple(row.public_id for row in reading.only())
    if not found:
        raise InvalidQueryError("nothing that may be read here is stored yet")
    return found


def _is_wanted(reading: Reading, found: FoundMessage) -> bool:
    return reading.allows(found.conversation) and not (found.where == "call" and _calls_us_alone(found.row))


def _calls_us_alone(row: TranscriptRow) -> bool:
    calls = read_message({"role": row.role, "content": row.content, "tool_calls": row.tool_calls}).tool_calls
    return bool(calls) and all(_OWN_TOOLS in _NOT_IN_NAMES.sub("-", call.name.lower()) for call in calls)


# -- what is answered ------------------------------------------------------------------------------


def _hit(reading: Reading, query: Query, found: FoundMessage) -> Hit:
    row = reading.masked(found.row)
    # The place is looked for once more, in the masked text: a snippet may hold half a secret.
    _, pieces = place_of(row, highlighter_of(query))
    return Hit(
        message=row.id,
        conversation=found.conversation.public_id,
        session=row.session,
        role=row.voice,
        tool=row.tool_name,
        at=utc(row.created_at),
        labels=list(found.labels),
        snippet=" ".join("".join(piece.text for piece in pieces).split()),
    )


def _titles(reading: Reading, found: Results) -> Iterator[FoundTitle]:
    for one in found.conversations:
        if reading.allows(one.row):
            title = reading.line(one.row.title or one.row.preview)
            yield FoundTitle(conversation=one.row.public_id, title=title, by=one.where)


def _notes(reading: Reading, asked: SearchArguments, found: Results, hits: Sequence[Hit]) -> Iterator[str]:
    if len(asked.query) > MAX_CHARS:
        yield f"The query was cut after {MAX_CHARS:,} characters."
    # What the store says about filters may name what is out of reach.
    yield from found.search.query.notes if reading.reach.narrowed else found.notes
    if found.cut_short:
        yield f"Looked at {found.looked_at:,} possible messages so far; `next` continues."
    elif not hits and asked.scope == "archived" and not asked.cursor:
        yield "Nothing that a compaction took out of the context; scope `all` looks at the rest too."


def _listed(reading: Reading, row: ConversationRow) -> ListedLine:
    return ListedLine(
        conversation=row.public_id,
        title=reading.line(row.title or row.preview),
        origin=reading.line(row.origin),
        last_active=utc(row.last_active_at or None),
        messages=row.message_count,
        compactions=row.compaction_count,
    )
