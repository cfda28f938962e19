"""Whether what departs from a source is an accusation or a note: one decision for everything that was noticed.

A reader is warned where the evidence would convince them without the transcript at hand. What binds a value of
the handoff to another one of the source decides that:

* **the name of a setting**, or an id, a name or an address that is another one misspelt: certain by itself; a number
  misspelt, where two other words, or most, are the same;
* **a line**: certain where the sentence of the handoff and the line share enough other words, and the value is not
  the source's said less exactly, a day worked out, or a number that came later (`other_readings`);
* **what turns a clause round** (a ban, a denial, a state, a side, an order, who): certain only where most of what a
  clause of either names stands in the other one, so that little but the word that turns it is left;
* **what was forbidden**: certain in mostly the same words;
* **how things stand**: certain only in nearly the same words, where the agent said it and nobody spoke of it again. What
  failed passes later, what was open is done, and what a user complains of is mended;
* **what is bound crosswise**: certain where a good part of the words is the same;
* **a relation** (order, choice, side): certain only in nearly the same words, a test's outcome never: it changes;
* **who does or decided something**: never; too few words tell what.

What is not certain is kept as a note.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.turning import NOTHING
from hermes_sessions.audit.checking.agreement import agreement
from hermes_sessions.audit.checking.contexts import is_swapped
from hermes_sessions.audit.checking.denied import denies_a_thing_alone
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.inventions import language_of
from hermes_sessions.audit.figures.reckoned import is_day_reckoned, is_reckoned
from hermes_sessions.audit.notices.other_readings import is_given_later, may_mean
from hermes_sessions.audit.notices.put_since import is_put_since
from hermes_sessions.audit.relations.bans import forbids
from hermes_sessions.audit.relations.statements import ToldSentences
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.telling import telling_words
from hermes_sessions.audit.words.wording import FORBIDS, RESTRICTS
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_SOME: Final = 2
_LINE: Final = late_pattern(r"\n|\\n")
_SHORT_LINE: Final = 200


class Binding(StrEnum):
    """What ties a finding to its source."""

    OWN = "own"
    CROSSED = "crossed"
    SPELLING = "spelling"
    LINE = "line"
    BAN = "ban"
    DEMAND = "demand"
    STATE = "state"
    TWIN = "twin"
    RELATION = "relation"
    NONE = "none"


BINDINGS: Final[dict[str, Binding]] = {
    **dict.fromkeys(
        ("same-key", "same-name", "superseded", "exit-code", "exists-nowhere", "nobody-said"),
        Binding.OWN,
    ),
    **dict.fromkeys(
        (
            "swapped-ends",
            "turned-result",
            "same-outcome",
            "other-unit",
            "other-line",
            "replaced",
            "withheld",
            "ruled-out",
            "of-another",
            "set-since",
            "figures-crossed",
            "said-nowhere",
        ),
        Binding.OWN,
    ),
    "bound-otherwise": Binding.CROSSED,
    **dict.fromkeys(
        ("same-line", "same-noun", "same-slot", "same-folder", "only-value", "same-sentence"), Binding.LINE
    ),
    **dict.fromkeys(("other-part", "other-day", "name-changed"), Binding.LINE),
    **dict.fromkeys(("negation", "ban-dropped", "condition-dropped"), Binding.BAN),
    **dict.fromkeys(("misspelt", "swapped"), Binding.SPELLING),
    **dict.fromkeys(("ban-gained", "held-back", "lifted"), Binding.DEMAND),
    **dict.fromkeys(("twin", "turned-round"), Binding.TWIN),
    "done": Binding.STATE,
    **dict.fromkeys(("exchanged", "bound-elsewhere", "other-hold"), Binding.RELATION),
    **dict.fromkeys(("who", "who-decided", "other-side", "outdated"), Binding.NONE),
}
"""How each way of noticing something is tied to the source."""


class Closeness(NamedTuple):
    """How much a line of a handoff and its source have in common, what differs left out.

    Attributes:
        shared: how many terms both name.
        share: which part that is of the shorter one's.
    """

    shared: int
    share: float


def closeness(one: Deviation) -> Closeness:
    """Return how close the line of a finding and the line of its source are."""
    differing = (
        read_terms(one.value).all | read_terms(one.source).all if one.value != one.line else frozenset()
    )
    own, other = read_terms(one.line).all - differing, read_terms(one.source_line).all - differing
    count = len(own & other)
    return Closeness(count, count / max(1, min(len(own), len(other))))


def is_certain(one: Deviation, told: ToldSentences, rows: Sequence[AuditMessage]) -> bool:
    """Return whether a finding is tied to its source so that a reader may be warned.

    Args:
        one: the finding.
        told: what was said.
        rows: the context before, results of tools included.
    """
    binding = BINDINGS.get(one.rule, Binding.NONE)
    newer = binding in (Binding.LINE, Binding.RELATION) and is_given_later(one, rows)
    if newer or may_mean(one):
        return False
    if one.rule == "misspelt" and one.kind == "date" and not is_swapped(one.value, one.source):
        return False  # days of a month are all alike
    if binding in (Binding.CROSSED, Binding.RELATION) and _CALL.match(one.source_line):
        return False  # what was tried, or asked for: it may have turned out otherwise
    if one.rule == "negation" and denies_a_thing_alone(one.source_line):
        return False
    if one.rule == "name-changed" and agreement(one.line, one.source_line, _MANY) < AGREED:
        return False
    if one.rule == "replaced" and _FORECAST.search(one.source_line):
        return False  # `the limit will rise to 90`
    if one.rule == "of-another" and _is_reckoned(one, told):
        return False
    if binding in (Binding.OWN, Binding.NONE):
        return binding is Binding.OWN
    return _is_agreed(one, binding) and (binding is Binding.TWIN or _is_bound(one, told, binding))


def _is_agreed(one: Deviation, binding: Binding) -> bool:
    """Return whether a clause of the source says all but the word that turns it round; a pair has its own two sides."""
    if binding not in _TURNED or one.rule == "exchanged":
        return True
    names_all = binding is Binding.TWIN and NOTHING.search(one.source)  # `nothing ordered`
    if one.rule in ("negation", "ban-dropped") and len(read_terms(one.line).all) < _MANY:
        return False  # an entry of a list, denied or not by what stands above it
    return bool(names_all) or agreement(one.line, one.source, _MANY) >= AGREED


def _is_bound(one: Deviation, told: ToldSentences, binding: Binding) -> bool:
    """Return whether the source and the handoff are close enough for what binds them."""
    near = closeness(one)
    if binding in (Binding.SPELLING, Binding.LINE):
        return _is_value_tied(one, near, binding) and not _is_reckoned(one, told)
    if binding is Binding.CROSSED:
        return near.shared >= _SOME and near.share >= _PART_OF
    if binding is Binding.RELATION:
        is_whole = near.shared >= _SOME and near.share == 1
        is_close = is_whole or (near.shared >= _MANY and near.share >= _NEARLY_ALL)
        if one.rule == "bound-elsewhere" and _has_its_numbers(one):
            return False
        return is_close and (not one.grave or _is_last_word(one, told))
    is_close = near.shared >= _SOME and near.share >= _NEARLY_ALL
    if binding is Binding.DEMAND:
        return is_close or (one.rule == "held-back" and near.share == 1 and _is_told_as_done(one, told))
    if binding is Binding.BAN and forbids(one, told):
        return near.shared >= _SOME and near.share >= _MOST_OF
    return is_close and _is_last_word(one, told, 1 if binding is Binding.BAN else _SOME)


def _has_its_numbers(one: Deviation) -> bool:
    """Return whether the line has every number of its source, several: it tells of both things."""
    own, other = (frozenset(_DIGITS.findall(text)) for text in (one.line, one.source_line))
    return len(other) > 1 and other <= own


def _is_value_tied(one: Deviation, near: Closeness, binding: Binding) -> bool:
    """Return whether a value stands where the other one stood: by its digits, by what it is of, or by the line."""
    if is_swapped(one.value, one.source) and (near.shared or _is_long_or_translated(one)):
        return True
    if one.rule in _TIED_BY_NUMBERS and len(_shared_numbers(one)) >= _SOME:
        return True
    is_close = (near.shared > 0 and near.share >= _MOST_OF) or _is_clause_close(one)
    if binding is Binding.SPELLING:
        if one.kind not in _COUNTED or is_close:
            return True
        return near.shared >= _SOME and (near.share >= _PART_OF or not _is_common(one))
    if one.source_line in ("", one.source):
        return True  # what it is of is part of the value: `5 of 9`, a first name
    return is_close or near.shared >= _PLENTY or (near.shared >= _SOME and near.share >= _PART_OF)


def _shared_numbers(one: Deviation) -> frozenset[str]:
    """Return the other numbers that both lines have, in whatever languages; none where a line has both values."""
    if one.value in one.source_line or one.source in one.line:
        return frozenset()
    own = frozenset(_DIGITS.findall(one.line)) - frozenset(_DIGITS.findall(one.value))
    return own & frozenset(_DIGITS.findall(one.source_line)) - frozenset(_DIGITS.findall(one.source))


def _is_common(one: Deviation) -> bool:
    """Return whether values like this one stand anywhere: days, round numbers, numbers of two digits."""
    digits = "".join(filter(str.isdigit, one.value))
    return one.kind in ("date", "time") or len(digits.rstrip("0")) <= _SOME


def _is_long_or_translated(one: Deviation) -> bool:
    """Return whether no word need be shared: a number of many digits, hardly a word, lines of two languages."""
    languages = {language_of(one.line), language_of(one.source_line)} - {""}
    is_bare = len(read_terms(one.line).all) < _MANY
    return is_bare or len(languages) > 1 or sum(map(str.isdigit, one.value)) >= _PLENTY


def _is_clause_close(one: Deviation) -> bool:
    """Return whether the clauses that both values stand in share most of what they name: a line may be a paragraph."""
    own, other = _clause_about(one.line, one.value), _clause_about(one.source_line, one.source)
    shared = len(own & other)
    return shared >= _SOME and shared >= _MOST_OF * min(len(own), len(other))


def _clause_about(line: str, value: str) -> frozenset[str]:
    """Return what the clause that *value* stands in names beside it."""
    at = line.find(value)
    if at < 0:
        return frozenset()
    start, end = _CUT.around(line, at, at + len(value))
    return read_terms(f"{line[start:at]} {line[at + len(value) : end]}").all - read_terms(value).all


def _is_reckoned(one: Deviation, told: ToldSentences) -> bool:
    """Return whether the value follows from what was said where the source's was; exchanged figures never do."""
    if is_swapped(one.value, one.source):
        return False
    rows = {each.message for each in told if one.source in each.text} | {one.message}
    said = [each.text for each in told if each.message in rows][:_MOST_SAID]
    if is_reckoned(one, "\n".join((one.source_line, *said))):
        return True
    return one.kind == "date" and is_day_reckoned(one.value, [each.text for each in told][-_MOST_SAID:])


def _is_last_word(one: Deviation, told: ToldSentences, least: int = _SOME) -> bool:
    """Return whether the agent said it, and nobody speaks of the same after that: how things stand may have changed.

    To speak of the same is to name *least* of what both name; what was missing may be there since in one word.
    """
    shared = read_terms(one.line).all & read_terms(one.source_line).all
    about = told.sharing(shared, min(least, len(shared)))
    is_own = any(said.message == one.message and said.speaker == Role.ASSISTANT for said in about)
    return is_own and all(said.message <= (one.message or 0) for said in about)


def _is_told_as_done(one: Deviation, told: ToldSentences) -> bool:
    """Return whether a line reports what was held back as done, without any word of restraint; that was said last."""
    is_held = RESTRICTS.search(one.line) or FORBIDS.search(one.line) or _HELD.search(one.line)
    return is_held is None and _is_last_word(one, told, 1)


def decided(one: Deviation, told: ToldSentences, rows: Sequence[AuditMessage]) -> Deviation:
    """Return a finding as an accusation where it is certain, else as a note."""
    if one.grade is Grade.NOT_VERBATIM or is_certain(one, told, rows):
        return one
    return one._replace(grade=Grade.NOT_VERBATIM, grave=False)


def eased_by_results(found: Sequence[Deviation], rows: Sequence[AuditMessage]) -> list[Deviation]:
    """Return *found* with states as notes where a later result has a line with all that both name.

    `TEST ALERT DELIVERED` for *the alert was delivered*, once it was not. Of very many the first are looked at.
    """
    accused = [one for one in found if one.grade is not Grade.NOT_VERBATIM and one.rule in _STATES]
    shown = {one for one in accused[:_MOST_SHOWN] if _is_shown_since(one, rows)}
    return [one._replace(grade=Grade.NOT_VERBATIM, grave=False) if one in shown else one for one in found]


def _is_shown_since(one: Deviation, rows: Sequence[AuditMessage]) -> bool:
    shared = telling_words(one.value) & telling_words(one.source)
    if one.message is None or len(shared) < _SOME:
        return False
    later = (row.text for row in rows if row.id > (one.message or 0) and row.role == Role.TOOL)
    near = (text for text in later for folded in (text.casefold(),) if all(one in folded for one in shared))
    lines = (line for text in near for line in _LINE.split(text) if len(line) <= _SHORT_LINE)
    return any(shared <= telling_words(line) and not is_negated(line) for line in lines)


_MOST_SHOWN: Final = 40
_STATES: Final = frozenset({"done", "held-back", "turned-round", "twin"})


def stands_since(one: Deviation, told: ToldSentences, rows: Sequence[AuditMessage]) -> bool:
    """Return whether a value that a finding is about was put in the place of the source's: nothing is wrong."""
    is_value = one.rule == "same-key" or BINDINGS.get(one.rule) is Binding.LINE
    return is_value and one.value != one.line and is_put_since(one, told, rows)


_CUT: Final = SentenceCut(r"[.;!?]\s|[。；！？，、]|,\s|\s\|\s|\n|\s[—–]\s")
"""Where a clause ends."""
_CALL: Final = late_pattern(r"[\w.:/-]+ \{\s?[\"']")
_FORECAST: Final = late_pattern(
    r"\b(?:will|going to|wird|werden|sera|seront|va|vont|será|serán|subirá\w*|sarà|saranno|zal|zullen|будет|будут|będzie|będą)\b"
    r"|会|将|予定",
    re.I,
)
_DIGITS: Final = late_pattern(r"\d+(?:[.,:]\d+)*")
_HELD: Final = late_pattern(
    r"\b(?:held|hold\w*|wait\w*|pending|zurück\w*|wart\w*|reten\w+|suspen\w+|attend\w*|espera\w*|aguard\w*|sospes\w+|wacht\w*|жд[её]\w*|отлож\w+)\b|等|待|보류",
    re.I,
)
_TURNED: Final = frozenset({Binding.BAN, Binding.DEMAND, Binding.STATE, Binding.TWIN, Binding.RELATION})
"""What is said otherwise with the same words."""
AGREED: Final = 0.6
"""So much of two clauses must be the same both ways where one turns the other round."""
_TIED_BY_NUMBERS: Final = frozenset({"misspelt", "only-value"})
_COUNTED: Final = frozenset({"number", "duration", "money", "percentage", "time", "date"})
"""Kinds that may be counted or worked out anew: a digit more or less is no slip by itself."""
_MOST_SAID: Final = 200
_MANY: Final = 3
_PLENTY: Final = 5
_PART_OF: Final = 0.4
_MOST_OF: Final = 0.6
_NEARLY_ALL: Final = 0.75
