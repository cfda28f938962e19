"""What a user typed into the search box, as a value: words, phrases, filters. Pure.

Nothing typed is a syntax error: what looks like a filter and is none is text, with a
note; what cannot be answered is explained. Every word reaches an engine as a quoted
string without quotes in it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.store.language.query_filters import NAMES, Scope, ScopeBuilder
from hermes_sessions.store.language.query_terms import Term
from hermes_sessions.store.language.segment import has_words

MAX_CHARS: Final = 1_000
MAX_TERMS: Final = 50
_PIECE = late_pattern(
    r'(?P<minus>-(?=["\w])(?!\d))?'
    r'(?:(?P<name>[A-Za-z]{2,12}):(?:"(?P<quoted>[^"]*)"|(?P<value>[^\s"]*))'
    r'|"(?P<phrase>[^"]*)"(?P<star>\*?)|(?P<word>[^\s"]+))'
)
_NO_NAME = late_pattern(r"[/:\\]|\d+(?:[:.]|$)")
"""What stands behind the colon of an address, a Windows path or a line number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to look for.

    Attributes:
        typed: the text as it was typed.
        groups: of each group one term must be there.
        excluded: none of these may be there.
        scope: where to look: dates, conversations, sources.
        notes: what the user should know about how the text was read.
    """

    typed: str
    groups: tuple[tuple[Term, ...], ...]
    excluded: tuple[Term, ...]
    scope: Scope
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[tuple[Term, ...], ...]:
        """The groups that somebody typed as text, without the marks of filters."""
        return tuple(group for group in self.groups if not group[0].mark)


def parse_query(typed: str, now: datetime) -> Query:
    """Read what was typed.

    Args:
        typed: words (all must be there), "a phrase", begin*, this OR that, NOT this, -this,
            and filters `name:value`.
        now: the user's time, with time zone; dates such as `7d` and `today` count from it.

    Raises:
        InvalidQueryError: it is too long, holds nothing to look for, or a filter's value
            makes no sense; the text says what would.
    """
    if len(typed) > MAX_CHARS:
        raise InvalidQueryError(f"search: at most {MAX_CHARS:,} characters, this is {len(typed):,}")
    # No engine stores NUL, and a lone surrogate is no character of any word.
    typed = typed.replace("\0", " ").encode("utf-8", "replace").decode()
    reader = _Reader(now)
    for piece, operator in _pieces(typed):
        reader.take(piece, operator)
    return reader.query(typed)


def _pieces(typed: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each piece with the operator in front of it ('' for none).

    An operator counts between pieces only; at the end it is a word like any other.
    """
    pieces = list(_PIECE.finditer(typed))
    operator, started = "", False
    for index, piece in enumerate(pieces):
        word, follows = piece["word"], index + 1 < len(pieces)
        if follows and not piece["minus"] and (word == "NOT" or (started and word in ("OR", "AND"))):
            operator = "NOT" if "NOT" in (word, operator) else word
            continue
        yield piece, operator
        operator, started = "", True


class _Reader:
    """Collects the parts of one query, in order."""

    def __init__(self, now: datetime) -> None:
        self._groups: list[list[Term]] = []
        self._excluded: list[Term] = []
        self._scope = ScopeBuilder(now)
        self._notes: list[str] = []

    def take(self, piece: re.Match[str], operator: str) -> None:
        """Take one piece: a filter, else text."""
        unwanted = operator == "NOT" or piece["minus"] is not None
        name, value = piece["name"], piece["value"] if piece["quoted"] is None else piece["quoted"]
        if name is not None and name.lower() in NAMES:
            self._scope.take(name.lower(), value, unwanted=unwanted)
            return
        if name is not None and value and not _NO_NAME.match(value):
            self._notes.append(
                f"“{name}:” is not a filter, so it was searched as text; filters are {', '.join(NAMES)}"
            )
        text = f"{name}:{value}" if name is not None else piece["phrase"]
        text = piece["word"] if text is None else text
        star = piece["star"] == "*" if piece["phrase"] is not None else text.endswith("*")
        if not has_words(text):
            if text.strip():
                self._notes.append(f"“{text[:40]}” has no letter, number or emoji; it was left out")
        elif unwanted:
            self._excluded.append(Term(text, star))
        elif operator == "OR" and self._groups:
            self._groups[-1].append(Term(text, star))
        else:
            self._groups.append([Term(text, star)])

    def query(self, typed: str) -> Query:
        """Return the whole, or say why it cannot be answered."""
        scope = self._scope.scope()
        groups = [*self._groups, *self._scope.groups()]
        excluded = [*self._excluded, *self._scope.excluded]
        if sum(map(len, self._groups)) + len(self._excluded) > MAX_TERMS:
            raise InvalidQueryError(f"search: at most {MAX_TERMS} words")
        if not groups and not scope.narrows:
            _explain_nothing(excluded, self._notes)
        if not groups and excluded:
            raise InvalidQueryError("search: say also what to find, not only what to leave out")
        if scope.titles:
            self._notes += _explain_titles(self._groups, self._scope.groups())
        return Query(
            typed=typed,
            groups=tuple(map(tuple, groups)),
            excluded=tuple(excluded),
            scope=scope,
            notes=tuple(dict.fromkeys(self._notes)),
        )


def _explain_titles(words: Sequence[object], marks: Sequence[object]) -> Iterator[str]:
    if not words:
        yield "in:title looks into titles: type a word of one as well"
    elif marks:
        yield "no title has what the other filters ask of messages: leave them or in:title out"


def _explain_nothing(excluded: Sequence[Term], notes: Sequence[str]) -> None:
    if excluded:
        raise InvalidQueryError("search: say also what to find, not only what to leave out")
    if notes:
        raise InvalidQueryError("search: punctuation alone is not indexed; type a word, a number or an emoji")
    raise InvalidQueryError("search: type a word, a number, an emoji or a filter such as role:user")
