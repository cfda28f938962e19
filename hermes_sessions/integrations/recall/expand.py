"""The tool `expand`: messages word for word, secrets masked, a piece at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import structs

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.exporters.readable_entries import Entry, ExportedHandoff, Speech, ToolOutput
from hermes_sessions.integrations.recall.answers import (
    ANSWER_CHARS,
    ExpandAnswer,
    QuotedMessage,
    count_fitting,
    cut_to_room,
    room_of,
    utc,
)
from hermes_sessions.integrations.recall.arguments import ExpandArguments
from hermes_sessions.integrations.recall.reading import Reading
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import MessageKind
from hermes_sessions.operations.exports.entries_of_rows import row_entries
from hermes_sessions.store.queries.compactions import ListedCompaction, load_compactions
from hermes_sessions.store.queries.conversations import ConversationRow
from hermes_sessions.store.queries.lineage import FamilySession, load_session, load_sessions_by_key
from hermes_sessions.store.queries.paging import ScrollPlace
from hermes_sessions.store.queries.transcript_rows import MAX_CALLS, NOTE, TranscriptRow
from hermes_sessions.store.queries.windows import View, WindowQuery, get_row, load_window, step_back

_OFFSET: Final = late_pattern(r"(\d{1,9}\.\d{1,9})(?:\+(\d{1,12}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """A run of messages: of the one scroll, or of one session where `session` is given.

    Attributes:
        last: where it ends, included; None where the limit ends it.
    """

    first: ScrollPlace
    last: ScrollPlace | None = None
    session: int | None = None
    notes: tuple[str, ...] = ()

    def window(self, at: ScrollPlace, limit: int) -> WindowQuery:
        """Return what to load from *at* on."""
        view = View.WHOLE if self.session is None else View.SESSION
        return WindowQuery(view=view, session_id=self.session, at=at, limit=limit, max_chars=ANSWER_CHARS)

    def holds(self, place: ScrollPlace) -> bool:
        """Return whether a place is not after the end."""
        return self.last is None or place <= self.last


def expand(reading: Reading, asked: ExpandArguments) -> ExpandAnswer:
    """Quote messages.

    Raises:
        InvalidQueryError: not one way to name them was used, or the offset is none of ours.
        NotFoundError: no such conversation, compaction or message within reach.
    """
    conversation = reading.conversation(asked.conversation)
    stretch = _find_stretch(reading, conversation, asked)
    if stretch is None:
        return ExpandAnswer(
            conversation=conversation.public_id,
            messages=[],
            notes=["The agent did not keep the messages that this compaction summarised."],
        )
    start, skipped = _read_offset(asked.offset) if asked.offset else (stretch.first, 0)
    window = load_window(reading.db, conversation.id, stretch.window(start, asked.limit))
    rows = [row for row in window.rows if stretch.holds(_place(row))]
    quoted, following = _fill(reading, rows[: asked.limit], skipped)
    if following is None and len(rows) > asked.limit:
        following = str(_place(rows[asked.limit]))
    if following is None and len(rows) == len(window.rows) and window.following is not None:
        place = window.following.place
        following = str(place) if stretch.holds(place) else None
    return ExpandAnswer(
        conversation=conversation.public_id, messages=quoted, notes=list(stretch.notes), next=following
    )


# -- which messages --------------------------------------------------------------------------------


def _find_stretch(reading: Reading, conversation: ConversationRow, asked: ExpandArguments) -> _Stretch | None:
    """Return what was asked for; None where it is not stored."""
    ways = (asked.compaction, asked.around, asked.first)
    if sum(one is not None for one in ways) != 1 or (asked.last is not None and asked.first is None):
        raise InvalidQueryError(
            "say which messages: one of `compaction`, `around`, or `from` with or without `to`"
        )
    if asked.compaction is not None:
        return _span(reading, conversation, asked.compaction)
    if asked.around is not None:
        found = _at_message(reading, conversation, asked.around)
        query = found.window(found.first, asked.limit)
        first = step_back(reading.db, conversation.id, query, asked.limit // 2)
        return _Stretch(first=first, session=found.session)
    assert asked.first is not None
    begin = _at_message(reading, conversation, asked.first)
    if asked.last is None:
        return begin
    end = _at_message(reading, conversation, asked.last)
    if begin.session != end.session or end.first < begin.first:
        raise InvalidQueryError(f"message {asked.last} does not come after message {asked.first}")
    return _Stretch(first=begin.first, last=end.first, session=begin.session)


def find_compaction(reading: Reading, conversation: ConversationRow, ordinal: int) -> ListedCompaction:
    """Return a compaction by its number in the conversation.

    Raises:
        NotFoundError: the conversation has none of this number.
    """
    rows = load_compactions(reading.db, conversation.id)
    rows = tuple(row for row in rows if not row.is_prune)
    found = sorted((row for row in rows if row.ordinal == ordinal), key=lambda row: row.fork)
    if not found:
        raise NotFoundError(f"{conversation.public_id} has no compaction {ordinal}, of {len(rows):,}")
    return found[0]


def _span(reading: Reading, conversation: ConversationRow, ordinal: int) -> _Stretch | None:
    row = find_compaction(reading, conversation, ordinal)
    if row.span_first_id is None or row.span_last_id is None:
        return None
    begin = _at_message(reading, conversation, row.span_first_id)
    end = _at_message(reading, conversation, row.span_last_id)
    notes = () if row.span_stored else ("Some of these messages were deleted by the agent.",)
    return _Stretch(first=min(begin.first, end.first), last=end.first, session=end.session, notes=notes)


def _at_message(reading: Reading, conversation: ConversationRow, message: int) -> _Stretch:
    """Return the stretch that begins at a message: of the one scroll, or of its session if it is not there.

    Raises:
        NotFoundError: the conversation has no such message.
    """
    missing = NotFoundError(f"{conversation.public_id} has no message {message}")
    try:
        row, owner = get_row(reading.db, message)
        if not row.shown and row.copy_of is not None:
            row, owner = get_row(reading.db, row.copy_of)
    except NotFoundError:
        raise missing from None
    if owner != conversation.public_id:
        raise missing
    session = load_session(reading.db, row.session_id)
    scrolls = row.shown and session is not None and not session.fork
    return _Stretch(first=_place(row), session=None if scrolls else row.session_id)


def _read_offset(text: str) -> tuple[ScrollPlace, int]:
    found = _OFFSET.fullmatch(text)
    if found is None:
        raise InvalidQueryError("this offset is not one of ours; leave it out to begin")
    return ScrollPlace.parse(found[1]), int(found[2] or 0)


def _place(row: TranscriptRow) -> ScrollPlace:
    return ScrollPlace(row.ordinal, row.position)


# -- what is quoted --------------------------------------------------------------------------------


def _fill(
    reading: Reading, rows: Sequence[TranscriptRow], skipped: int
) -> tuple[list[QuotedMessage], str | None]:
    """Return the messages that an answer has room for, and where the following answer begins.

    A message that is longer than an answer is cut, and continued by the next.
    """
    quoted: list[QuotedMessage] = []
    sessions = load_sessions_by_key(reading.db, sorted({row.session_id for row in rows}))
    for row in rows:
        whole = _quote(reading, row, sessions[row.session_id], skipped if not quoted else 0)
        if count_fitting([*quoted, whole]) > len(quoted):
            quoted.append(whole)
            continue
        if quoted:
            return quoted, str(_place(row))
        text = cut_to_room(whole.text, room_of(structs.replace(whole, text="", cut=True)))
        end = whole.from_character + len(text)
        return [structs.replace(whole, text=text, cut=True)], f"{_place(row)}+{end}"
    return quoted, None


def _quote(reading: Reading, row: TranscriptRow, session: FamilySession, skipped: int) -> QuotedMessage:
    if _is_cut(row):
        row, _ = get_row(reading.db, row.id)
    text = "\n".join(_texts(reading, row, session))
    return QuotedMessage(
        message=row.id,
        session=row.session,
        role=row.role,
        kind=NOTE if row.is_note else None if row.kind == MessageKind.MESSAGE else row.kind,
        tool=reading.masker.maybe(row.tool_name),
        at=utc(row.created_at),
        from_character=min(skipped, len(text)),
        text=text[skipped:],
    )


def _is_cut(row: TranscriptRow) -> bool:
    longer = row.text_length is not None and row.text_length > len(row.text or "")
    return longer or len(row.tool_calls or "") >= MAX_CALLS


def _texts(reading: Reading, row: TranscriptRow, session: FamilySession) -> Iterator[str]:
    """Yield what a row says, as exports show it: its text, its calls; thoughts are left out."""
    for _, entries in row_entries([row], session):
        for entry in entries:
            yield from filter(None, _words(reading.masker.entry(entry)))


def _words(entry: Entry) -> Iterator[str]:
    match entry:
        case Speech():
            yield entry.text
            yield from (f"[{one.label}]" for one in entry.pictures)
            yield from (f"[call {one.name}] {one.arguments}" for one in entry.calls)
            yield entry.broken_calls or ""
        case ExportedHandoff() | ToolOutput():
            yield entry.text
