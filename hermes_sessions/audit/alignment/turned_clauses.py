"""Clauses of a handoff that say no where the last clause about just the same says yes, or the other way round.

Nothing is known of a clause but what it names and whether it denies, so this holds in any words and in most
languages that are read: *the cast has been mailed* for *I haven't mailed the cast yet*.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import Clause
from hermes_sessions.audit.alignment.items import read_items
from hermes_sessions.audit.alignment.turning import NOTHING, Turns, read_turns, without_turns
from hermes_sessions.audit.checking.denied import is_denial, is_over_since
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.relations.opposite_states import IF
from hermes_sessions.audit.relations.replacing import tells_former
from hermes_sessions.audit.relations.statements import contradiction
from hermes_sessions.audit.words.headings import PartKind, classify_heading
from hermes_sessions.audit.words.stances import Stance, read_stance
from hermes_sessions.audit.words.wording import FAILS, MODAL, RESTRICTS
from hermes_sessions.facts.polarity import is_portuguese
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_LEAST: Final = 2
_FEW: Final = 3
_ALONE: Final = 1
_BEFORE: Final = 12
_BEHIND: Final = 40
"""So many clauses before another one may be what it answers."""
_COVERED: Final = 0.9
_OF_NOTHING: Final = 0.45
_THEIRS: Final = 0.5
_UNKNOWN: Final = 0.5
"""What an item that stands nowhere before counts for."""
_MOST_PLACES: Final = 120
_LEAVING: Final = frozenset({0, 1})
"""Axes of which a clause may have no word and say yes: what is used is part of it."""
_NO: Final = late_pattern(r"\bno\b", re.I)
_STEM: Final = 4
_ALIKE: Final = 0.6
_TELLING: Final = 0.25
_CALL: Final = late_pattern(r"[\w.:/-]+ \{\s?[\"']")
"""Arguments of a call: a draft, or what was tried."""
_EMPTY: Final = ("use", "answer:", "outcome:", "switch:", "keeping:", "compass:", "direction:", "era:")


OF_PARTS: Final = late_pattern(
    r"(?<=\S)[,，;；](?!\d)(?=\S)|^\W*(?:que|qui|dont|che|which|who|that|where|die|der|das|welche[rs]?|wo|который|которая|которое|которые|które|który|która|waar)\s",
    re.I,
)
"""A clause that is of more than one, or about something that stands before it."""


_CONTRAST: Final = late_pattern(
    r"\W*(?:and |und |et |y |e |и |а )?(?:not|nicht|pas|no|não|non|niet|nie|не|anders|other than|unlike|contrairement|diferente|a differenza)"
    r" (?:(?:as|wie|als|comme|como|come|zoals|jak|как|à|de|di)\b|[^\W\d_]*\s?\d)",
    re.I,
)
"""What was planned or said before, beside what holds instead: *PostgreSQL 15, not 16 as planned*."""


class _AskedAnswer(NamedTuple):
    """A clause of a handoff: what it is about, and whether it says no of that."""

    claim: Clause
    about: frozenset[str]
    turns: Turns


def turned_clauses(claims: Sequence[Clause], index: ClauseIndex) -> Iterator[Deviation]:
    """Yield clauses of a handoff whose answer is not that of the last clause about the same."""
    seen: set[str] = set()
    for claim in claims:
        if claim.said.text in seen or not _is_told(claim):
            continue
        asked = _AskedAnswer(claim, about_of(claim.text), read_turns(claim.text))
        origin = (
            _turned(asked, index) if len(asked.about) >= (_ALONE if asked.turns.sides else _LEAST) else None
        )
        if origin is not None:
            seen.add(claim.said.text)
            grave = origin.said.speaker in (Role.USER, Role.SYSTEM)
            yield contradiction(claim.said, origin.said, "turned-round", "negation", grave=grave)


def _is_told(claim: Clause) -> bool:
    """Return whether a clause says how things are, or are to be; not what is planned or asked."""
    if claim.said.mode is Mode.PLANNED or claim.said.is_question or IF.search(claim.text):
        return False
    if tells_former(claim.said.text) or (claim.said.heading and is_denial(claim.said.heading)):
        return False  # `Never: push to main`
    if OF_PARTS.search(claim.text) or _CONTRAST.match(claim.text):
        return False
    if FAILS.search(claim.said.text) and not read_turns(claim.text).sides:
        return False  # `the push is broken` for `no push arrives`
    own, whole = read_turns(claim.text), read_turns(claim.said.text)
    if (
        is_heading(claim.said.text)
        or not own.sides.keys() <= whole.sides.keys()
        or (not own.times and whole.times)
    ):
        return False  # `Off limits: the ledger, the cache`; `it failed; it passes now`
    return not claim.said.heading or classify_heading(claim.said.heading) not in (
        PartKind.PENDING,
        PartKind.NEXT,
    )


@lru_cache(maxsize=20_000)
def about_of(text: str) -> frozenset[str]:
    """Return what a clause names but for the words that turn it round."""
    return frozenset(one for one in read_items(without_turns(text)).all if not one.startswith(_EMPTY))


def _turned(asked: _AskedAnswer, index: ClauseIndex) -> Clause | None:
    """Return the last clause about the same, where it gives the other answer, and nobody the handoff's behind it.

    It is looked for from the end: what was said before it is not read.
    """
    behind: list[int] = []
    for at, is_near in reversed([*_places(asked.about, index)]):
        told = index.clause(at) if is_near else None
        if told is not None and _may_tell(told) and _is_of_same(asked, told, index):
            is_last = _is_turned(asked, told) and not any(
                _is_said(asked, index.clause(one)) for one in behind
            )
            return (
                told if is_last and _is_answer(asked, told) and not _is_outlived(asked, at, index) else None
            )
        behind.append(at)
    return None


def _may_tell(told: Clause) -> bool:
    """Return whether a clause of the source says how things are."""
    if told.said.is_question or told.is_former:
        return False
    return OF_PARTS.search(told.text) is None and not is_over_since(told.said.text)


def _is_said(asked: _AskedAnswer, told: Clause) -> bool:
    """Return whether a clause of the source reports something with the same answer."""
    return _may_tell(told) and read_turns(told.text).times == asked.turns.times and _reports(told)


def _is_outlived(asked: _AskedAnswer, origin: int, index: ClauseIndex) -> bool:
    """Return whether a later clause that names nothing gives the handoff's answer: `it failed; it passes now`."""
    later = (
        read_turns(index.text(at))
        for at in index.behind(origin, _BEHIND)
        if len(about_of(index.text(at))) <= _ALONE
    )
    return any(
        one.times == asked.turns.times and one.sides.keys() & asked.turns.sides.keys() for one in later
    )


def _is_turned(asked: _AskedAnswer, told: Clause) -> bool:
    """Return whether just one of two clauses is turned round, once, by words of one axis or by a negation."""
    own, other = asked.turns, read_turns(told.text)
    if any(_NO.search(one.text) for one in (asked.claim, told)) and any(
        is_portuguese(one.said.text) for one in (asked.claim, told)
    ):
        return False
    if {own.times, other.times} != {0, 1} or (not other.times and read_turns(told.said.text).times):
        return False
    if own.sides.keys() != other.sides.keys() and not (own.sides.keys() ^ other.sides.keys()) <= _LEAVING:
        return False
    if own.is_open or other.is_open:
        done = told if own.is_open else asked.claim
        is_same = len(_shared(asked.about, about_of(told.text))) == max(
            len(asked.about), len(about_of(told.text))
        )
        is_asked = own.is_open or (told.said.speaker == Role.USER and not own.sides)
        return (is_same and not is_asked) or read_stance(done.text) is Stance.DONE or bool(own.sides)
    return True


def _shared(about: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in about if one in theirs or any(is_bent(one, other) for other in theirs))


def _places(about: frozenset[str], index: ClauseIndex) -> Iterator[tuple[int, bool]]:
    """Yield the places of the clauses that name something of *about* that tells, in their order; whether half of it."""
    telling = [
        item for item in about if 0 < index.count(item) <= _MOST_PLACES and index.weight((item,)) >= _TELLING
    ]
    counts = Counter(chain.from_iterable(map(index.places, telling)))
    least = max(1, len(about) // 2)
    yield from ((at, counts[at] >= least) for at in sorted(counts))


def _is_of_same(asked: _AskedAnswer, told: Clause, index: ClauseIndex) -> bool:
    """Return whether a clause of the source is about what a clause of the handoff is about, and little else.

    Where both say the same of it, what was spoken of just before counts, too.
    """
    theirs = about_of(told.text)
    shared = _shared(asked.about, theirs)
    if not shared or len(shared) < len(theirs) * _THEIRS:
        return False
    if _is_of_all(asked, told, theirs, shared):
        return _part(shared, asked.about, index) >= _OF_NOTHING
    is_alike = bool(asked.turns.sides) and asked.turns.sides.keys() == read_turns(told.text).sides.keys()
    if is_alike and len(shared) < len(asked.about):
        shared |= frozenset(
            one for one in _shared(asked.about, _context(told.place, index)) if not _is_number(one)
        )
    if all(map(_is_number, shared)) or len(shared) < (
        _ALONE if is_alike and len(theirs) <= _LEAST else _LEAST
    ):
        return False
    return _part(shared, asked.about, index) >= _COVERED


def _is_of_all(asked: _AskedAnswer, told: Clause, theirs: frozenset[str], shared: frozenset[str]) -> bool:
    """Return whether the agent says that nothing at all is as a clause says: *nothing is signed yet*."""
    return (
        not asked.turns.times
        and len(asked.about) <= _FEW
        and told.said.speaker == Role.ASSISTANT
        and len(shared) >= len(theirs)
        and NOTHING.search(told.text) is not None
    )


def _part(shared: frozenset[str], about: frozenset[str], index: ClauseIndex) -> float:
    """Return which part of what a clause is about is shared; what nobody named counts, too."""
    known, whole = (
        index.weight(items) + _UNKNOWN * sum(not index.knows(one) for one in items)
        for items in (shared, about)
    )
    return known / whole if whole else 0.0


def _context(at: int, index: ClauseIndex) -> frozenset[str]:
    """Return what the clauses before a place name, of its message and the one before it."""
    found: set[str] = set()
    message = index.said(at).message
    here = index.next_to(at, -1)
    for _ in range(_BEFORE):
        if here is None or index.said(here).message < message - _LEAST:
            break
        found |= about_of(index.text(here))
        here = index.next_to(here, -1)
    return frozenset(found)


@lru_cache(maxsize=65_536)
def is_bent(one: str, other: str) -> bool:
    """Return whether two words may be of one stem: languages bend words otherwise than by an ending."""
    if not (one.isalpha() and other.isalpha()) or one > "\u2e7f":
        return False
    short = min(len(one), len(other))
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), short)
    return common >= _STEM and common >= short * _ALIKE


def _is_number(item: str) -> bool:
    return item.startswith("#") or item.isdecimal()


def _is_answer(asked: _AskedAnswer, told: Clause) -> bool:
    """Return whether a clause of the source says how things are: what is only asked for may not be done."""
    if _CALL.match(told.said.text):
        return False
    if IF.search(told.text) or RESTRICTS.search(told.text) or RESTRICTS.search(asked.claim.text):
        return False
    if asked.turns.times:
        return _reports(told) and not MODAL.search(told.text)
    return True


def _reports(told: Clause) -> bool:
    """Return whether a clause reports: the agent says it, or something has been done."""
    return told.said.speaker in (Role.ASSISTANT, Role.TOOL) or read_stance(told.text) is Stance.DONE
