"""How much a sentence reads like something that holds beyond the moment, whoever said it. Pure.

Rules and decisions are recognised by how they are built, and a sentence that is built in no known way is
neither. What all of them have in common are weak signs: they name a thing, a person or a number, they tell
neither of the past nor of what is about to be looked at, they ask nothing, they are short and are not about
code. None of these signs is sure; together they make a grade. It is read from the words alone, so that a
sentence has the same grade in every round.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from hermes_sessions.compaction.economy.certain_rules import loss_of_manual
from hermes_sessions.compaction.economy.fact_lines import LATER, PATH_KINDS, STATEMENT, FactLine
from hermes_sessions.compaction.economy.settings.reading import MARKED
from hermes_sessions.compaction.economy.told_effects import narrates
from hermes_sessions.compaction.economy.wording.asking import asks
from hermes_sessions.compaction.economy.wording.binding_words import binding
from hermes_sessions.compaction.economy.wording.named_things import names_a_thing
from hermes_sessions.compaction.economy.wording.resolving_words import broke_off
from hermes_sessions.facts.values import FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

LEAST_GRADE: Final = 0.4
"""From here on a sentence is kept in sight through rounds, while there is room for it."""

_SAID_KINDS: Final = frozenset(
    {STATEMENT, FactKind.DECISION, FactKind.IDENTIFIER, FactKind.NAME, FactKind.NUMBER, FactKind.DURATION}
)
_OTHERS: Final = frozenset(
    {FactKind.CONSTRAINT, FactKind.REQUEST, FactKind.QUESTION, FactKind.COMMAND, FactKind.TEST_RESULT}
)
_BROKEN_GRADE: Final = 1.0
"""Of what a tool said in plain words to have broken off: nobody can read it again."""
_NAMED_GAIN: Final = 1.5
_PERSON_GAIN: Final = 0.5
_MARK_GAIN: Final = 1.5
_BINDING_SHARE: Final = 0.6
_ROW_LOSS: Final = 0.5
_DECISION_GAIN: Final = 2.0
_USER_GAIN: Final = 0.5
_CODE_LOSS: Final = 2.0
_JOINED_LOSS: Final = 0.5
_ASIDE_LOSS: Final = 3.0
_LONG_CHARS, _CHARS_A_POINT = 110, 40
_CODE_NAME: Final = late_pattern(
    r"`|\w\(|\w\[|\b__\w|\w__\b|\w\.(?:py|js|ts|tsx|go|rs|java|c|h|cc|cpp|rb|sh|md|txt|json|toml|ya?ml|html|css)\b"
    r"|\b[a-z]\w*\.[a-z_]\w*|(?<!\w)\*\w+\*|\b(?:self|cls|None|True|False)\b"
)
"""Names that code has: what is said of them can be had again by reading it."""

_PROPER: Final = late_pattern(
    r"(?<=[^\W_] )[A-ZÀ-ÞА-Я][^\W\d_]*[a-zà-ÿа-я]|\b[A-Z][a-z]+[A-Z][a-z]\w*|^[A-Z][a-z]{3,}(?:['’]s)? (?:is|has|may|must|will|stays|runs|gets|moves|goes)\b"  # noqa: E501
    r"|[\u3040-\u30ff\u3400-\u9fff] ?[A-Za-z][\w-]{2,}|^[A-Za-z][\w-]{2,} ?[\u3040-\u30ff\u3400-\u9fff]"
)
"""A name of its own: a capital within a sentence, or Latin letters among others."""

_WRITTEN_TOGETHER: Final = late_pattern(r"(?<![\w-])[a-z][a-z0-9]*_\w+")
"""A name that code may have, and other things too."""

_PATHS: Final = late_pattern(r"\S*\w/\w\S*")
_JOINED_NAME: Final = late_pattern(r"(?<![\w-])[A-Za-z]\w*_\w+")
_KNOWN_LOSS: Final = 2.0
_MOST_GAIN: Final = 2.5
_SHARE: Final = 1.0
_ROW: Final = late_pattern(
    r"[^\s:]{1,200}[./][^\s:]{1,60}[:-]\d{1,7}[:-]|\W{0,3}\d{1,7}[|→]|\W{0,3}(?:#|//|/\*|\*|--|%|<!--|\"{3}|'{3})"
    r"|[^;]*(?:[{}<>\\]| =|==)|[^\n]*;$"
    r"|(?:if|elif|for|while|def|class|return|import|from|with)\b.{1,120}[:)]$"
)
_FULL_NAME: Final = late_pattern(
    r"^[A-ZÀ-Þ][a-zà-ÿ]+ [A-ZÀ-Þ][a-zà-ÿ]+ [a-zà-ÿ]"
    r"|(?<=[a-zà-ÿ] )[A-ZÀ-Þ][a-zà-ÿ]+ [A-ZÀ-Þ][a-zà-ÿ]+(?![\w-])"
)
"""Of somebody, or of something that is called like that."""

MARK: Final = late_pattern(r"(?<![\w./-])(?:[A-Z]{1,4}[-/]?\d{4,9}|\d{2,4}[/-]\d{3,6}-[A-Z]{1,3})(?![\w/-])")
"""A number of a file, a booking, a case: letters and digits that nobody makes up twice."""

_COUNTED: Final = late_pattern(r"(?<![\w.])\d[\d.,:]*(?![\w(])")


def standing_grade(line: FactLine) -> float:
    """Return how much *line* reads like something that holds: below 0 for talk, about 3 for a plain rule."""
    by_tool = line.speaker == Role.TOOL
    if by_tool and line.kind == FactKind.ERROR:
        told = line.text.partition("] ")[2] if line.text.startswith("[") else line.text
        return max(_BROKEN_GRADE, grade_of(told)) if broke_off(told) else 0.0
    if line.kind in _OTHERS or (by_tool and (line.kind in PATH_KINDS or line.text.startswith("["))):
        return 0.0
    grade = 0.0 if not by_tool or line.kind in _SAID_KINDS else -_ROW_LOSS
    grade += grade_of(line.text, line.speaker == Role.USER)
    return grade + (_DECISION_GAIN if line.kind == FactKind.DECISION else 0.0)


def holds_on(line: FactLine) -> bool:
    """Return whether an earlier handoff held *line* and it is kept through rounds while there is room.

    That is a sentence that reads like something that holds, or a setting that stood out in its file.
    """
    if line.at >= 0:
        return False
    return standing_grade(line) >= LEAST_GRADE or any(fact.span == MARKED for fact in line.slots)


def has_own_name(text: str) -> bool:
    """Return whether a sentence names somebody, something by its name, or the number of a case."""
    return _PROPER.search(text) is not None or MARK.search(text) is not None


def code_names(texts: Iterable[str]) -> frozenset[str]:
    """Return the names in what tools were given and put out that are written as those of code."""
    return frozenset(name for text in texts if "_" in text for name in _JOINED_NAME.findall(text))


def worth_of_standing(line: FactLine, known: frozenset[str]) -> float:
    """Return what it adds to a line to read like something that holds, or takes that it is talk.

    Args:
        known: names of code that was read: what is said of them alone can be had again.
    """
    if " " not in line.text and line.text.isascii():
        return 0.0
    grade = min(standing_grade(line), _MOST_GAIN)
    if "_" in line.text and line.at >= 0 and line.speaker != Role.TOOL:
        names = _JOINED_NAME.findall(_PATHS.sub(" ", line.text))
        grade -= _KNOWN_LOSS if names and known.issuperset(names) else 0.0
    return _SHARE * grade


@lru_cache(maxsize=65_536)
def grade_of(text: str, by_user: bool = False) -> float:
    """Return how much a sentence reads like something that holds, by its words."""
    text = text.partition(LATER)[0]
    if " " not in text and text.isascii():
        return 0.0
    if text.startswith("…") or _ROW.match(text):
        return -_CODE_LOSS
    bare = _PATHS.sub(" ", text)
    coded = _CODE_NAME.search(bare) is not None
    named = not coded and (names_a_thing(text) or bare != text)
    proper = _PROPER.search(text) is not None
    grade = (_NAMED_GAIN if named else 0.0) + (_PERSON_GAIN if proper else 0.0)
    grade += _PERSON_GAIN if _FULL_NAME.search(text) else 0.0
    grade += _MARK_GAIN if MARK.search(text) else 0.0
    grade += (_PERSON_GAIN if _COUNTED.search(text) else 0.0) + (_USER_GAIN if by_user else 0.0)
    grade += _BINDING_SHARE * binding(text)
    if not (named or proper):
        grade -= loss_of_manual(text) / 2
    if coded:
        grade -= _CODE_LOSS
    elif _WRITTEN_TOGETHER.search(bare):
        grade -= (_NAMED_GAIN if named else 0.0) + _JOINED_LOSS
    if asks(text) or narrates(text):
        grade -= _ASIDE_LOSS
    return grade - max(0, len(text) - _LONG_CHARS) / _CHARS_A_POINT
