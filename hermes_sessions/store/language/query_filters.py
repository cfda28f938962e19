"""The filters of a search: which there are, what their values mean. Pure.

Filters about a message become marks that the index holds; the others become a `Scope`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import ConversationKind
from hermes_sessions.store.language.indexed_text import mark
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.store.language.segment import MARK_JOIN

NAMES: Final = (
    *("role", "tool", "source", "model", "origin", "conv", "before", "after", "in", "has", "kind"),
)
HAS: Final = ("error", "code", "link", "call")
IN: Final = ("handoff", "archived", "undone", "title")
KINDS: Final = tuple(str(kind) for kind in ConversationKind if kind is not ConversationKind.TRASH)
_ROLES: Final = {"me": "user", "you": "user", "human": "user", "agent": "assistant", "ai": "assistant"}
_AGO = late_pattern(r"(\d{1,5})\s?(h|d|w|m|y|hours?|days?|weeks?|months?|years?)")
_UNIT_DAYS: Final = {"h": 1 / 24, "d": 1.0, "w": 7.0, "m": 30.44, "y": 365.25}
_MONTH = late_pattern(r"(\d{4})-(\d{1,2})")
_YEAR = late_pattern(r"\d{4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where to look. Of each tuple one value must fit; those of `not_` tuples must not.

    Attributes:
        after: earliest time, epoch seconds, included.
        before: latest time, epoch seconds, not included.
        archived: no longer in what the model sees (True), still in it (False), or both.
        undone: taken back by the user or replaced (True), not so (False), or both.
        titles: look into titles and ids alone (True), into messages alone (False), or both.
    """

    sources: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()
    not_sources: tuple[str, ...] = ()
    not_models: tuple[str, ...] = ()
    not_origins: tuple[str, ...] = ()
    not_kinds: tuple[str, ...] = ()
    not_conversations: tuple[str, ...] = ()
    after: float | None = None
    before: float | None = None
    archived: bool | None = None
    undone: bool | None = None
    titles: bool | None = None

    @property
    def narrows(self) -> bool:
        """Whether there is any filter in it."""
        return self != Scope()

    @property
    def of_sessions(self) -> bool:
        """Whether it says something about sessions, which the index does not know."""
        names = ("sources", "models", "origins", "kinds", "conversations")
        return any(getattr(self, name) or getattr(self, f"not_{name}") for name in names)


class ScopeBuilder:
    """Collects filters; several of one name are alternatives, except `in:` and `has:`."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._lists: dict[str, list[str]] = {}
        self._values: dict[str, float | bool] = {}
        self._roles: list[Term] = []
        self._tools: list[Term] = []
        self._each: list[list[Term]] = []
        self.excluded: list[Term] = []
        self._take: dict[str, Callable[[str, bool], None]] = {
            "role": self._role,
            "tool": self._tool,
            "has": self._has,
            "in": self._in,
            "kind": self._kind,
        }

    def take(self, name: str, value: str, *, unwanted: bool) -> None:
        """Take one filter.

        Raises:
            InvalidQueryError: it has no such value.
        """
        if not value.strip():
            raise InvalidQueryError(
                f"search: {name}: needs a value, such as {name}:{_EXAMPLES[name]};"
                f' as text it stands in quotes: "{name}:"'
            )
        if name in self._take:
            self._take[name](value.strip(), unwanted)
        elif name in ("before", "after"):
            self._date(name, value.strip(), unwanted=unwanted)
        else:
            plural = "conversations" if name == "conv" else f"{name}s"
            self._lists.setdefault(f"not_{plural}" if unwanted else plural, []).append(value.strip())

    def groups(self) -> list[list[Term]]:
        """Return what the index is asked for besides the words."""
        return [group for group in (self._roles, self._tools, *self._each) if group]

    def scope(self) -> Scope:
        """Return the rest."""
        lists = {name: tuple(values) for name, values in self._lists.items()}
        return Scope(**lists, **self._values)  # type: ignore[arg-type]

    def _role(self, value: str, unwanted: bool) -> None:
        role = _ROLES.get(value.lower(), value)
        self._marked(self._roles, [Term(mark("r", role), mark=True)], unwanted)

    def _tool(self, value: str, unwanted: bool) -> None:
        """Take a tool by its name, the first words of it, or a beginning with a star."""
        if value.endswith("*"):
            found = [Term(mark("t", value[:-1]), prefix=True, mark=True)]
        else:
            word = mark("t", value)
            found = [Term(word, mark=True), Term(f"{word}{MARK_JOIN}", prefix=True, mark=True)]
        self._marked(self._tools, found, unwanted)

    def _marked(self, group: list[Term], found: list[Term], unwanted: bool) -> None:
        (self.excluded if unwanted else group).extend(found)

    def _has(self, value: str, unwanted: bool) -> None:
        term = Term(mark("h", _one_of("has", value, HAS)), mark=True)
        self._mark_each(term, unwanted)

    def _in(self, value: str, unwanted: bool) -> None:
        place = _one_of("in", value, IN)
        if place == "handoff":
            self._mark_each(Term(mark("k", "handoff"), mark=True), unwanted)
        elif place == "title":
            self._values["titles"] = not unwanted
        else:
            self._values[place] = not unwanted

    def _mark_each(self, term: Term, unwanted: bool) -> None:
        if unwanted:
            self.excluded.append(term)
        else:
            self._each.append([term])

    def _kind(self, value: str, unwanted: bool) -> None:
        if value.lower() == "handoff":
            self._in("handoff", unwanted)
            return
        kind = _one_of("kind", value, (*KINDS, "handoff"))
        self._lists.setdefault("not_kinds" if unwanted else "kinds", []).append(kind)

    def _date(self, name: str, value: str, *, unwanted: bool) -> None:
        at = read_date(value, self._now)
        if at is None:
            raise InvalidQueryError(
                f"search: {name}:{value[:40]} is not a date; say 2026-05-01, 2026-05, 2026, today, yesterday,"
                " or how long ago: 12h, 7d, 3w, 6m, 1y"
            )
        name = name if not unwanted else {"before": "after", "after": "before"}[name]
        narrower = max if name == "after" else min
        self._values[name] = narrower(at, self._values.get(name, at))


_EXAMPLES: Final = {
    "role": "user", "tool": "terminal", "source": "cli", "model": "gpt", "origin": "work", "conv": "ID",
    "before": "2026-05-01", "after": "7d", "in": "archived", "has": "error", "kind": "delegate",
}  # fmt: skip


def read_date(text: str, now: datetime) -> float | None:
    """Return the time at which a day, month or year begins, or that long ago; None: no date."""
    text = text.strip().lower()
    midnight = datetime.combine(now.date(), time.min, now.tzinfo)
    try:
        if text in ("now", "today", "yesterday"):
            days = {"now": None, "today": 0, "yesterday": 1}[text]
            return (now if days is None else midnight - timedelta(days=days)).timestamp()
        if found := _AGO.fullmatch(text):
            return (now - timedelta(days=int(found[1]) * _UNIT_DAYS[found[2][0]])).timestamp()
        if _YEAR.fullmatch(text):
            return datetime(int(text), 1, 1, tzinfo=now.tzinfo).timestamp()
        if found := _MONTH.fullmatch(text):
            return datetime(int(found[1]), int(found[2]), 1, tzinfo=now.tzinfo).timestamp()
        day = datetime.fromisoformat(text.upper())
        return (day if day.tzinfo else day.replace(tzinfo=now.tzinfo)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    if value.lower() in known:
        return value.lower()
    raise InvalidQueryError(f"search: {name}: knows {', '.join(known)}, not “{value[:40]}”")
