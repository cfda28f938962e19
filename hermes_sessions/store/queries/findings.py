"""Stored audit results as the viewer's pages ask for them: neighbours, findings by rule, sizes over time."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import func, select
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.messages import CompactionMethod, CompactionStatus, ConversationKind, Role
from hermes_sessions.store.engines.statements import chunks
from hermes_sessions.store.queries.transcript_rows import TranscriptRow, select_rows
from hermes_sessions.store.schema.models import Compaction, Conversation, Finding, Message, Session

MAX_POINTS = 300
"""A chart shows the newest so many compactions."""


_NO_FILTERS = ("severity", "origin", "conversation", "compaction", "since", "kind", "status")
"""What narrows other lists: one that is left aside would look as if it had been applied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A compaction beside another one, as a link needs it."""

    id: int
    ordinal: int
    is_prune: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousHandoff:
    """The summary that a compaction found, written by the one before."""

    compaction: int
    ordinal: int
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingLine:
    """One stored finding with the names a reader knows."""

    id: int
    rule: str
    severity: str
    conversation: str
    title: str | None
    preview: str | None
    session: str | None
    compaction: int | None
    ordinal: int | None
    method: str | None
    messages: list[Any] | None
    evidence: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingPage:
    """Findings, newest first, and the `before` of the page that follows."""

    items: tuple[FindingLine, ...]
    next: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingQuery:
    """Which findings a page shows.

    Attributes:
        rule: code of a rule, None for all.
        before: show what is older than this finding.
    """

    rule: str | None = None
    before: int | None = None
    limit: int = 100

    @classmethod
    def from_args(cls, args: Mapping[str, str]) -> Self:
        """Read a query string.

        Raises:
            InvalidQueryError: `before` is none of our cursors, or something narrows findings that does not.
        """
        other = next((name for name in _NO_FILTERS if args.get(name)), None)
        if other is not None:
            raise InvalidQueryError(f"findings are not narrowed by {other}, only by rule")
        before = args.get("before") or ""
        if before and not (before.isascii() and before.isdigit() and len(before) < 19):
            raise InvalidQueryError("this page cursor is not one of ours; start from the first page")
        return cls(rule=args.get("rule") or None, before=int(before) if before else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPoint:
    """What is stored about the size of the context around one compaction.

    Attributes:
        audit: the audit's measurements, None where none was made.
    """

    id: int
    ordinal: int
    finished_at: float | None
    tokens_before: int | None
    tokens_after: int | None
    retained: float | None
    audit: Mapping[str, Any] | None


def load_originals(db: sa_orm.Session, message_ids: Collection[int]) -> Mapping[int, int]:
    """Return, for those messages that are copies, what they repeat."""
    found: dict[int, int] = {}
    for some in chunks(message_ids):
        stmt = select(Message.id, Message.copy_of).where(Message.id.in_(some), Message.copy_of.is_not(None))
        found |= {key: original for key, original in db.execute(stmt) if original is not None}
    return found


def load_titles(db: sa_orm.Session, public_ids: Collection[str]) -> Mapping[str, str]:
    """Return what each conversation is called: its title, else how it begins."""
    title = func.coalesce(func.nullif(Conversation.title, ""), Conversation.preview)
    found: dict[str, str] = {}
    for some in chunks(public_ids):
        rows = db.execute(select(Conversation.public_id, title).where(Conversation.public_id.in_(some)))
        found |= {public_id: told for public_id, told in rows if told}
    return found


def find_reply_after(db: sa_orm.Session, message_id: int) -> int | None:
    """Return the first thing that the assistant said after a message, in its session."""
    own = sa_orm.aliased(Message)
    stmt = (
        select(Message.id)
        .join(own, own.session_id == Message.session_id)
        .where(
            own.id == message_id, Message.position > own.position,
            Message.role == Role.ASSISTANT, Message.text != "",
        )
        .order_by(Message.position)
    )  # fmt: skip
    return db.scalars(stmt.limit(1)).first()


def load_neighbours(
    db: sa_orm.Session, conversation_id: int, compaction_id: int
) -> tuple[Neighbour | None, Neighbour | None]:
    """Return the compactions and prunes before and after one of a conversation's."""
    columns = Compaction.id, Compaction.number, Compaction.method
    own = select(*columns).where(Compaction.conversation_id == conversation_id)
    place = _place_of(compaction_id)
    before = own.where(Compaction.ordinal < place).order_by(Compaction.ordinal.desc())
    after = own.where(Compaction.ordinal > place).order_by(Compaction.ordinal)
    first, second = (db.execute(stmt.limit(1)).first() for stmt in (before, after))
    return (_neighbour(first) if first else None, _neighbour(second) if second else None)


def _place_of(compaction_id: int) -> Any:
    other = sa_orm.aliased(Compaction)
    return select(other.ordinal).where(other.id == compaction_id).scalar_subquery()


def _neighbour(row: Any) -> Neighbour:
    return Neighbour(id=row.id, ordinal=row.number, is_prune=row.method == CompactionMethod.PRUNE)


def find_previous_handoff(
    db: sa_orm.Session, conversation_id: int, compaction_id: int
) -> PreviousHandoff | None:
    """Return the newest stored summary of a conversation before one of its compactions."""
    row = db.execute(
        select(Compaction.id, Compaction.number, Compaction.summary)
        .where(
            Compaction.conversation_id == conversation_id,
            Compaction.ordinal < _place_of(compaction_id),
            Compaction.status == CompactionStatus.COMMITTED,
            Compaction.fork.is_(False),
            Compaction.summary != "",
        )
        .order_by(Compaction.ordinal.desc())
        .limit(1)
    ).first()
    return PreviousHandoff(compaction=row.id, ordinal=row.number, summary=row.summary or "") if row else None


def list_finding_lines(db: sa_orm.Session, query: FindingQuery) -> FindingPage:
    """Return one page of stored findings, newest first."""
    stmt = _select_findings().order_by(Finding.id.desc()).limit(query.limit + 1)
    if query.rule is not None:
        stmt = stmt.where(Finding.rule == query.rule)
    if query.before is not None:
        stmt = stmt.where(Finding.id < query.before)
    rows = [FindingLine(**row._mapping) for row in db.execute(stmt)]
    items = tuple(rows[: query.limit])
    return FindingPage(items=items, next=items[-1].id if len(rows) > query.limit else None)


def load_finding_lines_of(db: sa_orm.Session, compaction_id: int) -> tuple[FindingLine, ...]:
    """Return the stored findings about one compaction."""
    stmt = _select_findings().where(Finding.compaction_id == compaction_id).order_by(Finding.id)
    return tuple(FindingLine(**row._mapping) for row in db.execute(stmt))


def count_audited(db: sa_orm.Session) -> tuple[int, int]:
    """Return how many conversations were audited, and how many there are."""
    stmt = select(func.count(Conversation.audit_mark), func.count(Conversation.id))
    row = db.execute(stmt.where(Conversation.kind != ConversationKind.TRASH)).one()
    return row[0], row[1]


def load_context_points(db: sa_orm.Session, conversation_id: int) -> tuple[ContextPoint, ...]:
    """Return a conversation's newest committed compactions in their order; forks and prunes are left out."""
    apart = {"ordinal": Compaction.number}
    columns = [apart.get(name, getattr(Compaction, name)).label(name) for name in ContextPoint.__slots__]
    rows = db.execute(
        select(*columns)
        .where(
            Compaction.conversation_id == conversation_id,
            Compaction.status == CompactionStatus.COMMITTED,
            Compaction.fork.is_(False),
            Compaction.method != CompactionMethod.PRUNE,
        )
        .order_by(Compaction.ordinal.desc())
        .limit(MAX_POINTS)
    ).all()
    found: Sequence[ContextPoint] = [ContextPoint(**row._mapping) for row in rows]
    return tuple(reversed(found))


def load_rows_by_key(db: sa_orm.Session, keys: Sequence[int]) -> tuple[TranscriptRow, ...]:
    """Return stored rows in the order of *keys*."""
    found = {
        row.id: TranscriptRow(**row._mapping) for row in db.execute(select_rows().where(Message.id.in_(keys)))
    }
    return tuple(found[key] for key in keys if key in found)


def _select_findings() -> Any:
    return (
        select(
            Finding.id,
            Finding.rule,
            Finding.severity,
            Conversation.public_id.label("conversation"),
            Conversation.title,
            Conversation.preview,
            Session.public_id.label("session"),
            Finding.compaction_id.label("compaction"),
            Compaction.number.label("ordinal"),
            Compaction.method,
            Finding.messages,
            Finding.evidence,
        )
        .join(Conversation, Conversation.id == Finding.conversation_id)
        .outerjoin(Session, Session.id == Finding.session_id)
        .outerjoin(Compaction, Compaction.id == Finding.compaction_id)
        .where(Conversation.kind != ConversationKind.TRASH)
    )
