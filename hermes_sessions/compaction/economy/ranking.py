"""What the lines of a span and of earlier handoffs are worth: current ones, each once, with a score. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hermes_sessions.compaction.economy.alike_lines import alike_as_one
from hermes_sessions.compaction.economy.certain_rules import as_said, is_code, loss_of_manual
from hermes_sessions.compaction.economy.fact_lines import (
    PATH_KINDS,
    STATEMENT,
    WHOLE_KINDS,
    FactLine,
    without_replaced,
)
from hermes_sessions.compaction.economy.printed_rows import (
    ROWS,
    is_prose,
    loss_of_row,
    rows_among,
    shape_of,
    shapes_of,
)
from hermes_sessions.compaction.economy.replacing.corrections import corrections, weighed
from hermes_sessions.compaction.economy.replacing.later_values import with_later
from hermes_sessions.compaction.economy.replacing.replaced_lines import (
    each_once,
    in_force,
    in_step,
    not_set_anew,
    replaced_lines,
)
from hermes_sessions.compaction.economy.settings.columns import columns_among, last_key
from hermes_sessions.compaction.economy.settings.edits import is_marked
from hermes_sessions.compaction.economy.settings.held import read_back
from hermes_sessions.compaction.economy.settings.spoken import (
    is_setting,
    settings_spoken_of,
    spoken_of,
    with_whole_keys,
)
from hermes_sessions.compaction.economy.sounding import worth_of_sound
from hermes_sessions.compaction.economy.standing import worth_of_standing
from hermes_sessions.compaction.economy.statements import TALK_KINDS, routine
from hermes_sessions.compaction.economy.told_effects import narrates, worth_of_effect
from hermes_sessions.compaction.economy.wording.asking import asks, is_for_later
from hermes_sessions.compaction.economy.wording.binding_words import binding, may_bind
from hermes_sessions.compaction.economy.wording.joined_names import JOINED_NAME
from hermes_sessions.compaction.economy.wording.new_words import news_among
from hermes_sessions.facts.slots import find_superseded
from hermes_sessions.facts.values import Fact, FactKind
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_ROW_LOSS: Final = 3.0
_PROSE_GAIN: Final = 1.5
_KEY_GAIN: Final = 0.5
_AGAIN_GAIN = _NEW_GAIN = 0.5
_FIXED_LOSS: Final = 2.0
_OLDER_ERROR_LOSS: Final = 0.5
_ANSWERED_LOSS: Final = 8.0
_FORMER_REQUEST_LOSS: Final = 9.0
_REQUEST_CHARS: Final = 120
_PASSED_LOSS: Final = 4.0
"""Of a step that was announced, or a question, when the work went on behind it."""

_ANSWERED_QUESTION_LOSS: Final = 6.0
_NAMED_REQUEST_GAIN: Final = 3.0
"""Of a request that names its thing: what is to be done with it is no talk, and may still be open."""

_NARRATION_LOSS: Final = 3.0
"""Of what somebody is just about to look at: it says what was done next, and nothing that was found."""

_FORMER_STEP_LOSS: Final = 3.0
"""Of a step that was announced before an earlier compaction, on top of that."""

_SPOKEN_GAIN: Final = 1.5
"""Of a value, a mark or a measure that somebody said: nobody can read it again."""

_REPLACING_GAIN: Final = 2.0
"""Of a line that replaces another: that one is out of sight, or is remembered by somebody."""

_FORMER_TALK_LOSS: Final = 2.0
"""Of a sentence of an earlier round that names no thing and counts nothing."""

_OLDER_COUNT_LOSS: Final = 2.0
"""Of what a tool said again later with other numbers."""
_VISITED_LOSS: Final = 3.5
"""Of an address that stands alone: it was fetched, nobody said anything of it."""

_LISTED_LOSS: Final = 3.0
"""Of a changed file that only the output of a tool names, as a diff does that somebody looked at."""

_WORDED_GAIN: Final = 1.0
"""Of a value that a tool puts out in words of their own, not in a row."""

_MANY_LOSS: Final = 2.0
"""Of a line that stands for many alike: what is said so often tells little each time."""

_SETTING_LOSS: Final = 1.5
"""Of a setting among others of its file, in place of what a row loses: no other file says it."""

_WANTED_GAIN: Final = 1.0
"""Of a setting in a tool's output that the talk is about, or that an edit set: in whatever rows it stands."""

_COLUMN_LOSS: Final = 2.0
"""Of a value under a key that so many things have, and that nobody talks of."""

_GREEN_LOSS: Final = 3.0
"""Of tests that passed, when others ran later."""

_CODE_LOSS: Final = 3.0
"""Of what stands in code that was read: it can be read again."""

_FORMER_COMMAND_LOSS: Final = 2.0

_ROUTINE_LOSS: Final = 1.5

_ALL_THE_TIME: Final = 3
"""How usual the words of a user are who says one thing again and again."""

_DIGITS = late_pattern(r"\d+|0x[0-9a-f]+")
_COUNTS = late_pattern(r"(?<![\w.:/#-])\d[\d.,]*(?![\w/-])")
_PASSING = late_pattern(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*|\b\d\d:\d\d:\d\d(?:[.,]\d+)?|\b0x[0-9a-fA-F]+"
    r"|\b\d+(?:[.,]\d+)? ?(?:[mµn]?s|sec(?:ond)?s?|min)\b|\[\d+\]|(?<=\w):\d+(?::\d+)?(?=[:\s)]|$)"
    r"|(?i:\b(?:pid|line|attempt|try|retry|column|offset|took)[ :=#]{1,2})\d+(?:/\d+)?"
)
"""What differs when one error is met again: when, where in the code, how long, the how-manieth time."""

"""What an identifier looks like: two lines that share one may be about one thing."""

_UNSPOKEN: Final = (WHOLE_KINDS - {FactKind.ERROR, FactKind.COMMAND}) | TALK_KINDS | PATH_KINDS

_TOLD_KINDS: Final = (STATEMENT, FactKind.PATH, FactKind.IDENTIFIER)
_PASTED = late_pattern(r"[^\s:]*[./][^\s:]*:\d+[:-]|diff --git |@@ |(?:\+\+\+|---) [ab]/")
"""How a row of a search or a patch begins, whoever pasted it."""

_WORDED = late_pattern(r"(?:[^\s=]{0,40}\s){0,20}?(?:[^\W\d_]{2,30}[:,;(]?\s(?:\S{1,60}\s)?){3}")
_TROUBLE = late_pattern(r"(?i)fail|error|broken|✗|✘")


@dataclass(frozen=True, slots=True)
class Ranked:
    """What may stand in a handoff.

    Attributes:
        rules: in force, oldest first, each once.
        scored: all other lines, each once, with what they are worth.
        outdated: texts that a later line replaces or may correct.
    """

    rules: tuple[FactLine, ...] = ()
    scored: tuple[tuple[FactLine, float], ...] = ()
    outdated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Overheard:
    """What lines are judged by, besides themselves.

    Attributes:
        said: (index, speaker, text) of the span, oldest first: where a rule may be lifted.
        succeeded: for each tool and subject the last message in which it ran without an error.
        known: names of code in what tools were given and put out.
    """

    said: Sequence[tuple[int, str, str]] = ()
    succeeded: Mapping[str, int] = field(default_factory=dict)
    known: frozenset[str] = frozenset()


def rank(former: Iterable[FactLine], span: Sequence[Sequence[FactLine]], heard: Overheard) -> Ranked:
    """Return what is current of *former* and *span*, scored.

    Args:
        former: of the earlier handoffs.
        span: of each message of the span, oldest first.
    """
    before = read_back(tuple(former))
    messages = with_whole_keys([[as_said(line) for line in lines] for lines in (before, *span)])
    current = _current(messages)
    corrected = corrections(current)
    gone = {**replaced_lines(current), **corrected.replaced}
    replacing = {current[place].text for place in gone.values()}
    left = [line for place, line in enumerate(current) if place not in gone]
    alive, many = alike_as_one(not_set_anew(each_once(_newest_outcomes(left))))
    rows = rows_among(messages)
    newest = max((line.at for lines in span for line in lines), default=0) or 1
    usual = routine(alive)
    older = _older(alive)
    last = _last_said(heard)
    columns = columns_among(alive)
    news = news_among(messages, heard.said)
    said = Counter(line.text for lines in messages for line in {one.text: one for one in lines}.values())
    wanted = settings_spoken_of(alive, spoken_of(heard.said))
    rules = [line for line in alive if line.kind == FactKind.CONSTRAINT]
    scored = [
        (
            line,
            _score(line, heard, rows, newest, wanted)
            - _passed(line, last)
            + _again(line, said[line.text] - 1)
            + (_REPLACING_GAIN if line.text in replacing else 0.0)
            - _habit(line, usual.get(line.text, 0))
            - older[place]
            - (_MANY_LOSS if line.text in many else 0.0)
            - (_COLUMN_LOSS if last_key(line) in columns and line not in wanted else 0.0)
            + (
                0.0
                if line in wanted or is_setting(line)
                else news(line) + worth_of_standing(line, heard.known)
            ),
        )
        for place, line in enumerate(alive)
        if line.kind != FactKind.CONSTRAINT
    ]
    standing = tuple(in_force(rules, heard.said))
    worth = tuple(in_step(standing, list(weighed(scored, current, corrected))))
    outdated = frozenset(current[place].text for place in gone)
    rules_now, scored_now, told = with_later(standing, worth, _REPLACING_GAIN)
    return Ranked(rules_now, scored_now, outdated | told)


def _current(messages: Sequence[Sequence[FactLine]]) -> list[FactLine]:
    """Return the lines, oldest first, without the values that a later one replaces."""
    slots = [[fact for line in lines for fact in line.slots] for lines in messages]
    replaced: dict[int, list[Fact]] = {}
    for at, number in find_superseded(slots):
        replaced.setdefault(at, []).append(slots[at][number])
    found: list[FactLine] = []
    for at, lines in enumerate(messages):
        gone = replaced.get(at, ())
        for line in lines:
            found += without_replaced(line, [fact for fact in line.slots if fact in gone] if gone else ())
    return found


def _newest_outcomes(lines: Sequence[FactLine]) -> list[FactLine]:
    """Of results of the same tests, the newest stands; of one error met again or in many rows, the newest."""
    rows = Counter((line.at, _DIGITS.sub("#", line.text)) for line in lines if line.kind == FactKind.ERROR)
    keys = [
        (line.kind, text)
        if line.kind == FactKind.ERROR and rows[line.at, text := _DIGITS.sub("#", line.text)] >= ROWS
        else _outcome(line)
        for line in lines
    ]
    newest = {key: place for place, key in enumerate(keys)}
    return [line for place, line in enumerate(lines) if newest[keys[place]] == place]


def _older(lines: Sequence[FactLine]) -> list[float]:
    """Return what it takes from each line that a later one says the same with other numbers."""
    worded = [_worded(line) for line in lines]
    newest = {text: place for place, text in enumerate(worded)}
    return [
        (_OLDER_ERROR_LOSS if line.kind == FactKind.ERROR else _OLDER_COUNT_LOSS)
        if worded[place] and newest[worded[place]] != place
        else 0.0
        for place, line in enumerate(lines)
    ]


def _worded(line: FactLine) -> str:
    """Return the words of an error or a sentence that a tool put out, the program of a command; else ''."""
    if line.kind == FactKind.COMMAND:
        return " ".join(line.text.split()[:2])
    if line.speaker != Role.TOOL:
        return ""
    if line.kind == FactKind.ERROR:
        return _DIGITS.sub("#", line.text)
    return _COUNTS.sub("#", line.text) if line.kind == STATEMENT else ""


def _outcome(line: FactLine) -> tuple[str, ...]:
    if line.speaker == Role.TOOL and line.kind == FactKind.TEST_RESULT and line.text.startswith("["):
        return (line.kind, line.text[: line.text.find("] ") + 1] or line.text)
    if line.speaker == Role.TOOL and line.kind == FactKind.ERROR:
        return (line.kind, _PASSING.sub("#", line.text))
    return (line.kind, line.speaker, line.text)


def _last_said(heard: Overheard) -> Mapping[str, int]:
    """Return for each speaker where the last words are."""
    return {speaker: index for index, speaker, text in heard.said if text.strip()}


def _passed(line: FactLine, last: Mapping[str, int]) -> float:
    """What it takes from a step or a question that the work went on behind it."""
    if not _is_passed(line, last):
        return 0.0
    asked = line.kind == FactKind.QUESTION and JOINED_NAME.search(line.text) is None
    return _ANSWERED_QUESTION_LOSS if asked else _PASSED_LOSS


def _is_passed(line: FactLine, last: Mapping[str, int]) -> bool:
    """Whether somebody went on behind a question, or behind the next step that somebody announced."""
    if line.kind not in (FactKind.NEXT_STEP, FactKind.QUESTION):
        return False
    asked_back = line.kind == FactKind.QUESTION and line.speaker != Role.USER
    return last.get(Role.USER if asked_back else Role.ASSISTANT, -2) > line.at


def _score(
    line: FactLine,
    heard: Overheard,
    rows: frozenset[tuple[int, str]],
    newest: int,
    wanted: frozenset[FactLine],
) -> float:
    score = line.weight + _NEW_GAIN * max(line.at, 0) / newest
    if any(fact.key for fact in line.slots):
        score += _KEY_GAIN
    if line.speaker == Role.TOOL:
        score += _WANTED_GAIN if line in wanted or is_marked(line.slots) else _put_out(line, rows)
    loss = loss_of_row(line)
    if line.speaker != Role.TOOL:
        if _PASTED.match(line.text) or (line.at, shape_of(line.text)) in rows:
            loss = max(loss, _ROW_LOSS + _CODE_LOSS)
        elif line.kind not in _UNSPOKEN and " " in line.text:
            score += _SPOKEN_GAIN
    return score - loss + worth_of_sound(line) + worth_of_effect(line) - _loss_of_kind(line, heard, newest)


def _put_out(line: FactLine, rows: frozenset[tuple[int, str]]) -> float:
    """What it adds or takes to stand in a tool's output as a row, as prose, in words or as code."""
    coded = not line.is_path and line.kind != FactKind.TEST_RESULT and is_code(line.text)
    loss = _CODE_LOSS if coded else 0.0
    if any((line.at, shape) in rows for shape in shapes_of(line)):
        return -(_SETTING_LOSS if is_setting(line) else _ROW_LOSS) - loss
    if line.at < 0 or is_prose(line):
        return _PROSE_GAIN - loss
    return -loss if coded or not _WORDED.match(line.text) else _WORDED_GAIN


def _loss_of_kind(line: FactLine, heard: Overheard, newest: int) -> float:
    """What it takes from a line to be of a kind that is done with."""
    former = line.at < 0
    if line.kind in _TOLD_KINDS and line.speaker == Role.ASSISTANT and narrates(line.text):
        return _NARRATION_LOSS
    if line.kind == STATEMENT:
        bare = JOINED_NAME.search(line.text) is None and _DIGITS.search(line.text) is None
        return _FORMER_TALK_LOSS if former and bare else 0.0
    if line.kind == FactKind.NEXT_STEP:
        return _FORMER_STEP_LOSS if former else 0.0
    if line.kind == FactKind.ERROR:
        told = loss_of_manual(line.text) if line.text.endswith(".") else 0.0
        return told + (_FIXED_LOSS if _is_fixed(line, heard.succeeded) else 0.0)
    if line.kind == FactKind.TEST_RESULT:
        return _GREEN_LOSS if line.at < newest and not _TROUBLE.search(line.text) else 0.0
    if line.kind == FactKind.COMMAND:
        return _FORMER_COMMAND_LOSS if former else 0.0
    if line.kind == FactKind.REQUEST and is_for_later(line.text):
        return 0.0
    if line.kind == FactKind.REQUEST:
        named = JOINED_NAME.search(line.text) is not None and len(line.text) <= _REQUEST_CHARS
        return (_FORMER_REQUEST_LOSS if former else _ANSWERED_LOSS) - (_NAMED_REQUEST_GAIN if named else 0.0)
    if line.kind == FactKind.FILE_CHANGED:
        return _LISTED_LOSS if line.speaker == Role.TOOL and line.is_path else 0.0
    visited = line.kind == FactKind.URL and line.speaker == Role.ASSISTANT and " " not in line.text
    return _VISITED_LOSS if visited else 0.0


def _habit(line: FactLine, level: int) -> float:
    """What it takes from a line to be how somebody talks: then its words bind little, too.

    What a user says again and again in words that bind or choose is meant each time; to ask is a habit.
    """
    if line.speaker == Role.USER and level < _ALL_THE_TIME and binding(line.text) > 0 and not asks(line.text):
        return 0.0
    level = min(level, 2)
    return level * (_ROUTINE_LOSS + max(0.0, binding(line.text)) / 2) if level else 0.0


def _again(line: FactLine, times: int) -> float:
    """What it adds to be said again: weight, unless it is how somebody talks or works."""
    if line.kind == STATEMENT and not may_bind(line.text):
        return -_ROUTINE_LOSS * min(times, 2)
    if line.kind == FactKind.COMMAND:
        return -_AGAIN_GAIN * min(times, 4)
    return _AGAIN_GAIN * min(times, 2)


def _is_fixed(line: FactLine, succeeded: Mapping[str, int]) -> bool:
    about = line.text[: line.text.find("] ") + 1]
    return bool(about) and succeeded.get(about, -2) > line.at
