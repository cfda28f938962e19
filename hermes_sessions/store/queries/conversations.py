"""The list of conversations, and finding one by any of its ids."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from functools import cache
from typing import Any, Final, Self

from sqlalchemy import (
    ColumnElement,
    Executable,
    Select,
    Text,
    case,
    cast,
    false,
    func,
    literal,
    select,
    true,
    union_all,
)
from sqlalchemy import orm as sa_orm

from hermes_sessions.errors import InvalidQueryError, NotFoundError
from hermes_sessions.messages import ConversationKind, Severity
from hermes_sessions.store.queries.compactions import count_prunes
from hermes_sessions.store.queries.conversation_order import (
    ConversationOrder,
    beyond,
    order_columns,
    place_of,
)
from hermes_sessions.store.queries.find_session import find_session
from hermes_sessions.store.queries.paging import Page, TimeCursor, check_limit, read_limit
from hermes_sessions.store.schema.models import Compaction, Conversation, Finding, Origin, Session
from hermes_sessions.store.schema.organising import SavedSearch, SessionTag

KINDS = (*(str(kind) for kind in ConversationKind), "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRow:
    """One conversation as lists and headers show it."""

    id: int
    public_id: str
    tip: str | None
    origin_id: int
    origin: str | None
    origin_kind: str | None
    kind: str
    title: str | None
    preview: str | None
    source: str | None
    model: str | None
    cwd: str | None
    started_at: float | None
    last_active_at: float
    ended_at: float | None
    end_reason: str | None
    message_count: int
    session_count: int
    fork_count: int
    compaction_count: int
    prune_count: int
    tool_call_count: int
    input_tokens: int
    output_tokens: int
    estimated_cost_usd: float | None
    actual_cost_usd: float | None
    archived: bool
    pinned: bool
    note: str | None
    tags: str | None
    gone: bool
    worst_finding: str | None
    root_id: int | None
    tip_id: int | None
    worst_rule: str | None = None
    """The rule of its worst stored finding, in lists and alone, where that is a warning or an error."""
    worst_compaction: int | None = None
    """The compaction that the finding is about, where it is about one."""

    @property
    def cost(self) -> float:
        """What it cost, in dollars: as charged where that is known, else as estimated; 0 where unknown."""
        known = self.actual_cost_usd if self.actual_cost_usd is not None else self.estimated_cost_usd
        return known or 0.0

    @property
    def tag_names(self) -> tuple[str, ...]:
        """Its tags, sorted."""
        return tuple((self.tags or "").split())


@dataclass(frozen=True, slots=True)
class Facets:
    """What a list can be filtered by: what occurs, and the searches that were saved.

    Attributes:
        saved: (name, path and query string) of each saved search.
        compactions: how many are stored.
        prunes: how many of these are stored.
        swallowed: how many replies were summarised away, as far as the audit has looked.
    """

    sources: tuple[str, ...]
    origins: tuple[str, ...]
    tags: tuple[str, ...] = ()
    saved: tuple[tuple[str, str], ...] = ()
    conversations: int = 0
    compactions: int = 0
    prunes: int = 0
    swallowed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationListing:
    """Which conversations a list shows, newest activity first unless another order is asked for.

    Attributes:
        kind: chat, delegate, scheduled, all of these (archived and empty ones included), or trash.
        title: only those whose title, or beginning where they have none, holds this text.
        tag: only those with this tag.
        pinned: only those that are pinned, or that are not.
        archived: None follows *kind*; True shows archived ones only.
        since: earliest last activity, epoch seconds, included.
        until: latest last activity, epoch seconds, not included.
        before: show what follows this row (older).
        after: show what precedes this row (newer); only one of the two is used.
    """

    kind: str = "chat"
    title: str | None = None
    source: str | None = None
    model: str | None = None
    origin: str | None = None
    tag: str | None = None
    pinned: bool | None = None
    since: float | None = None
    until: float | None = None
    compacted: bool | None = None
    archived: bool | None = None
    sort: ConversationOrder = ConversationOrder.ACTIVE
    before: TimeCursor | None = None
    after: TimeCursor | None = None
    limit: int = 50

    @classmethod
    def from_args(cls, args: Mapping[str, str]) -> Self:
        """Read a listing from a query string; empty values count as absent.

        Raises:
            InvalidQueryError: a value cannot be used; the text names it.
        """
        before, after = args.get("before"), args.get("after")
        return cls(
            kind=_one_of("kind", args.get("kind") or "chat", KINDS),
            title=(args.get("title") or "").strip() or None,
            source=args.get("source") or None,
            model=args.get("model") or None,
            origin=args.get("origin") or None,
            tag=(args.get("tag") or "").strip().casefold().removeprefix("#") or None,
            pinned=_yes_no("pinned", args.get("pinned")),
            since=_day("since", args.get("since")),
            until=_day("until", args.get("until"), days=1),
            compacted=_yes_no("compacted", args.get("compacted")),
            archived=_yes_no("archived", args.get("archived")),
            sort=ConversationOrder(_one_of("sort", args.get("sort") or "active", tuple(ConversationOrder))),
            before=TimeCursor.parse(before) if before else None,
            after=TimeCursor.parse(after) if after else None,
            limit=read_limit(args.get("limit")),
        )

    @property
    def narrowed(self) -> bool:
        """Whether any filter besides the kind is set."""
        blank = replace(self, kind="chat", sort=ConversationOrder.ACTIVE, before=None, after=None, limit=50)
        return blank != ConversationListing()

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the filters as SQL conditions, cursors left out."""
        found = self._kind_conditions()
        if self.title is not None:
            shown = func.coalesce(func.nullif(Conversation.title, ""), Conversation.preview)
            found.append(shown.icontains(self.title, autoescape=True))
        if self.tag is not None:
            tagged = select(SessionTag.session_id).where(SessionTag.tag == self.tag)
            members = select(Session.conversation_id).where(Session.id.in_(tagged))
            found.append(Conversation.id.in_(members))
        if self.pinned is not None:
            found.append(Conversation.pinned == (true() if self.pinned else false()))
        if self.source is not None:
            found.append(Conversation.source == self.source)
        if self.model is not None:
            found.append(Conversation.model == self.model)
        if self.origin is not None:
            label = select(Origin.id).where(Origin.label == self.origin).scalar_subquery()
            found.append(Conversation.origin_id == label)
        if self.since is not None:
            found.append(Conversation.last_active_at >= self.since)
        if self.until is not None:
            found.append(Conversation.last_active_at < self.until)
        if self.compacted is not None:
            some = Conversation.compaction_count > 0
            found.append(some if self.compacted else ~some)
        return found

    def _kind_conditions(self) -> list[ColumnElement[bool]]:
        trash = ConversationKind.TRASH
        found: list[ColumnElement[bool]] = [
            Conversation.kind != trash if self.kind == "all" else Conversation.kind == self.kind
        ]
        if self.pinned:
            # The few pinned ones have an index of their own; else the list's is walked to its end.
            kind = func.coalesce(Conversation.kind, "")
            found = [kind != trash if self.kind == "all" else kind == self.kind]
        if self.kind not in ("all", trash):
            found.append(Conversation.message_count > 0)
        if self.kind not in ("all", trash) or self.archived is not None:
            found.append(Conversation.archived == bool(self.archived))
        return found

    def select(self) -> Select[Any]:
        """Return the statement of one page and one row more, in walking order."""
        backwards = self.before is None and self.after is not None
        cursor = self.after if backwards else self.before
        where = self.conditions()
        if cursor is not None:
            where.append(beyond(self.sort, cursor, backwards=backwards))
        order = order_columns(self.sort, backwards=backwards)
        if self.sort is ConversationOrder.ACTIVE:
            return select_listed().where(*where).order_by(*order).limit(self.limit + 1)
        # What a row shows is looked up for the rows of the page alone, not for all that are sorted.
        page = select(Conversation.id).where(*where).order_by(*order).limit(self.limit + 1)
        return select_listed().where(Conversation.id.in_(page)).order_by(*order)


@cache
def select_conversations() -> Select[Any]:
    """Return a statement whose rows are the fields of `ConversationRow`; made once."""
    tip = sa_orm.aliased(Session)
    joined = {"tip", "origin", "origin_kind", "worst_rule", "worst_compaction"}
    own = [getattr(Conversation, name) for name in ConversationRow.__slots__ if name not in joined]
    # Outer joins keep SQLite from starting at the small table and sorting everything afterwards.
    return (
        select(
            *own,
            tip.public_id.label("tip"),
            Origin.label.label("origin"),
            Origin.kind.label("origin_kind"),
        )
        .outerjoin(Origin, Origin.id == Conversation.origin_id)
        .outerjoin(tip, tip.id == Conversation.tip_id)
    )


@cache
def select_listed() -> Select[Any]:
    """Return `select_conversations` with the worst finding of each row; made once."""
    alarming = Conversation.worst_finding.in_((Severity.WARNING, Severity.ERROR))

    def worst(column: Any) -> ColumnElement[Any]:
        own = select(column).where(
            Finding.conversation_id == Conversation.id, Finding.severity == Conversation.worst_finding
        )
        found = own.order_by(Finding.id).limit(1).correlate(Conversation)
        return case((alarming, found.scalar_subquery()))

    return select_conversations().add_columns(
        worst(Finding.rule).label("worst_rule"),
        worst(Finding.compaction_id).label("worst_compaction"),
    )


def list_conversations(db: sa_orm.Session, listing: ConversationListing) -> Page[ConversationRow]:
    """Return one page of conversations in one statement.

    Raises:
        InvalidQueryError: `listing.limit` leaves no room for a row.
    """
    check_limit(listing.limit)
    backwards = listing.before is None and listing.after is not None
    rows = [ConversationRow(**row._mapping) for row in db.execute(listing.select())]
    more = len(rows) > listing.limit
    rows = rows[: listing.limit]
    if backwards:
        rows.reverse()
    has_next = bool(rows) if backwards else more
    has_previous = more if backwards else bool(rows) and listing.before is not None
    return Page(
        tuple(rows),
        next=place_of(listing.sort, rows[-1]) if has_next else None,
        previous=place_of(listing.sort, rows[0]) if has_previous else None,
    )


def list_facets(db: sa_orm.Session) -> Facets:
    """Return what occurs, the saved searches and the figures of the store, in one statement."""
    found = db.execute(_select_facets()).all()
    figures = {facet: int(value or 0) for facet, value, _ in found if facet in _FIGURES}
    return Facets(
        **figures,
        sources=tuple(sorted(value for facet, value, _ in found if facet == "source" and value)),
        origins=tuple(sorted(value for facet, value, _ in found if facet == "origin")),
        tags=tuple(sorted(value for facet, value, _ in found if facet == "tag")),
        saved=tuple(sorted((value, target) for facet, value, target in found if facet == "saved")),
    )


@cache
def _select_facets() -> Executable:
    """Return the statement of `list_facets`.

    The sources are found by hopping through their index, one seek per distinct
    value, not by reading every conversation.
    """
    first = select(func.min(Conversation.source).label("value")).cte("hop", recursive=True)
    following = (
        select(func.min(Conversation.source)).where(Conversation.source > first.c.value).scalar_subquery()
    )
    hop = first.union_all(select(following).where(first.c.value.is_not(None)))
    nothing = literal(None, Text())
    return union_all(
        select(literal("source").label("facet"), hop.c.value, nothing.label("target")).where(
            hop.c.value.is_not(None)
        ),
        select(literal("origin"), Origin.label, nothing),
        select(literal("tag"), SessionTag.tag, nothing).distinct(),
        select(literal("saved"), SavedSearch.name, SavedSearch.target),
        *_figures(nothing),
    )


_FIGURES: Final = ("conversations", "compactions", "prunes", "swallowed")


def _figures(nothing: ColumnElement[Any]) -> list[Select[Any]]:
    chats = (Conversation.kind == ConversationKind.CHAT, Conversation.archived.is_(false()))
    told = {
        "conversations": select(func.count()).where(*chats, Conversation.message_count > 0),
        "compactions": select(func.count() - count_prunes()).select_from(Compaction),
        "prunes": select(count_prunes()),
        "swallowed": select(func.count()).where(Finding.rule == "reply-swallowed"),
    }
    return [
        select(literal(name), cast(figure.scalar_subquery(), Text()), nothing)
        for name, figure in told.items()
    ]


def get_conversation(db: sa_orm.Session, public_id: str, *, trashed: bool = False) -> ConversationRow:
    """Return the conversation that a session id, or a unique prefix of one, belongs to.

    Args:
        trashed: one in the trash counts as well.

    Raises:
        NotFoundError: nothing in the store has this id, or it is in the trash.
        AmbiguousIdError: the prefix fits several conversations.
    """
    found = find_session(db, public_id, trashed=trashed)
    row = None
    if found is not None:
        row = db.execute(select_listed().where(Conversation.id == found[1])).first()
    if row is None:
        if not trashed and find_session(db, public_id, trashed=True) is not None:
            raise NotFoundError(f"{public_id}: is in the trash; `hermes-sessions restore` brings it back")
        raise NotFoundError(f"no conversation or session has the id {public_id!r}")
    return ConversationRow(**row._mapping)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise InvalidQueryError(f"{name} is one of {', '.join(allowed)}")
    return value


def _yes_no(name: str, value: str | None) -> bool | None:
    if not value:
        return None
    return _one_of(name, value, ("yes", "no")) == "yes"


def _day(name: str, value: str | None, *, days: int = 0) -> float | None:
    """Return the local midnight that begins a day, or *days* later."""
    if not value:
        return None
    try:
        day = date.fromisoformat(value)
    except ValueError:
        raise InvalidQueryError(f"{name} is a date such as 2026-03-12") from None
    day = date.fromordinal(min(day.toordinal() + days, date.max.toordinal()))
    try:
        return datetime.combine(day, time.min).timestamp()
    except (ValueError, OverflowError, OSError):
        # So far away no zone has a rule: its midnight is UTC's.
        return (day - date(1970, 1, 1)).days * 86_400.0
