"""Accusations that a second look at their own evidence puts in doubt: they are notes. Pure.

Each way of noticing takes something for granted: that a count before *failed* counts tests, that a number has
one unit, that a sentence is denied as a whole, that a figure is told as the source tells it. Where the texts
at hand show that it may be otherwise, nobody is warned.
"""

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import log10
from typing import Final

from hermes_sessions.audit.checking.agreement import is_said_plainly
from hermes_sessions.audit.checking.contexts import is_swapped
from hermes_sessions.audit.checking.denied import is_denied
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.exchanges.measures import numbers_with_units
from hermes_sessions.audit.figures.relative_words import is_compared, is_relative, place_of
from hermes_sessions.audit.figures.told_figures import FigureTelling, ToldFigures
from hermes_sessions.audit.figures.written_numbers import PART, read_numbers
from hermes_sessions.audit.support.other_sorts import (
    are_told_together,
    both_deny_twice,
    denies_both,
    denies_in_pairs,
    is_another_deed,
    is_conditional,
    is_none_of,
    is_of_another_amount,
    is_of_another_sort,
    is_rate,
    is_under_its_name,
    is_written_elsewhere,
)
from hermes_sessions.audit.unheard.unheard_days import BOUND, FULL_OR_HALF
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.equivalence import OUTCOMES, outcome
from hermes_sessions.facts.quantities.amounts import read_clock
from hermes_sessions.facts.speech.stops import SentenceCut
from hermes_sessions.late_patterns import late_pattern

_NUMBER: Final = late_pattern(r"\d+(?:[.,]\d+)*")
_PART_OF: Final = late_pattern(
    r"(?:\b(?:of|von|aus|sur|de|des|di|su|van|z|ze|spośród|из|av|af)(?: (?:the|den|las?|los|les|i|de))?\s"
    r"|\d\s?/\s?)$",
    re.I,
)
"""What is written before the number of all: of *one of 15 failed* the 15 did not."""
_WORD_BEFORE: Final = late_pattern(r"([^\W\d_]{3,20})\s?$")
_OF_TESTS: Final = late_pattern(
    r"\b(?:tests?|specs?|checks?|prüfung\w*|pruebas?|testes|тест\w*)\b|\b\d+ (?:passed|failed|skipped)\b"
    r"|测试|テスト|테스트",
    re.I,
)
_RANGE: Final = late_pattern(
    r"(\d[\d.,]*)[ \u00a0]?[^\W\d_]{0,9}[ \u00a0]?(?:[-–—~～]"
    r"|\b(?:to|and|bis|und|à|et|a|y|e|tot|en|do|i|до|и|по)\b|至|到|から)"
    r"[ \u00a0]?(\d[\d.,]*)",
    re.I,
)
_SIGN_BEHIND: Final = late_pattern(r"\s*(?:[:：—–|]|->|→)\s*([^|\n.;]{1,80})")
_STOP: Final = SentenceCut(r"(?<=[.!?;])\s|[。！？；\n]")
_PIECE: Final = SentenceCut(r"[,;:(）)（—–|\n]|[.!?]\s|[，；。]")
_LONG_WORD: Final = late_pattern(r"[^\W\d_][\w-]{2,40}")
_FORMER_VALUE: Final = late_pattern(
    r"(\S{1,40}) (?:\(?[^\W\d_]{1,12}\)? )?(?:to|auf|à|a|al|naar|na|do|до|по|->|→|=>|⇒) \W{0,2}$", re.I
)
"""What stands before the value that took its place."""
_NAMES: Final = frozenset({"hash", "branch", "identifier", "id", "host", "path", "email"})
_FIGURES: Final = frozenset({"number", "money", "duration", "percentage"})
_MANY_TIMES: Final = 20.0
"""No slip makes a value so many times another one."""
_SUMMED: Final = 2
_TINY: Final = 1e-6
_NAME_IN_DIGITS: Final = late_pattern(r"0\d+(?![\d.,:])")
_WORD_AHEAD: Final = late_pattern(r"([^\W\d_]{3,24})\W{1,4}$")
_WITH_UNIT: Final = late_pattern(r"(?<![\d.,])(\d{1,7})[ \u00a0]?([^\W\d_]{1,8})")
_HEAD: Final = late_pattern(r"\W{0,6}([^|:：\n]{2,40}?)(?:[|:：]|[.!]?\*\*)")
_TITLE: Final = late_pattern(r"[#*_ ]{0,6}([^\W\d_][^.,;!?\n]{2,30})$", re.M)
_MOST_ABOVE: Final = 600
"""So many characters above a line may its title be."""
_FORBIDDEN: Final = late_pattern(
    r"\b(?:don['’]?ts?|no-?gos?|forbidden|prohibited|prohibitions?|off[- ]limits|never|must not|not allowed|verbot\w*|untersagt|tabus?|interdit\w*|interdictions?"
    r"|prohibid\w+|prohibici\w+|proibid\w+|proibiç\w+|viet\w+|divieti|verboden|zabron\w+|zakaz\w*|запрещ\w+|запрет\w*|нельзя|yasak\w*"
    r"|rejected|ruled out|discarded|declined|turned down|verworfen|abgelehnt|écartée?s?|refusée?s?|rejetée?s?|rechazad[oa]s?|rejeitad[oa]s?|recusad[oa]s?"
    r"|scartat[oaie]|respint[oaie]|afgewezen|odrzucon\w+|отклон\w+|отверг\w+)\b|禁止|禁忌|不可|却下|見送り|否决|放弃|금지|보류",
    re.I,
)
"""The head of a list of what is forbidden, or was ruled out."""
_OUT_OF_QUESTION: Final = late_pattern(
    r"\b(?:out of (?:the )?(?:question|bounds)|off (?:the table|limits)|a no-?go|taboo|tabu|un(?:welcome|acceptable)|disallowed|inadmissible"
    r"|unerwünscht|unzulässig|unerlaubt|inacceptables?|inaceptables?|inadmissibles?|inammissibil[ei]|ongewenst|нежелательн[оаы]|недопустим[оаы]?|ausgeschlossen|hors de question|exclue?s?|fuera de (?:discusión|lugar)|descartad[oa]s?"
    r"|fora de questão|excluíd[oa]s?|fuori discussione|esclus[oaie]|uitgesloten|wykluczon\w+|исключ[её]н\w*|söz konusu değil)\b|論外|免谈",
    re.I,
)
"""Words that bar something and deny nothing."""
_OFF: Final = 0.05
"""So far off may the middle of a range be."""
_HOUR: Final = 60
_NEAR: Final = 12
"""So near to a time is the word that bounds it."""
_LIMIT: Final = late_pattern(
    r"\b(?:before|until|till|unless|without|bevor|ehe|bis|ohne|avant|sans|jusqu\w*|antes|hasta|sin|até|sem|prima|finché"
    r"|senza|voordat|totdat|zonder|zanim|dopóki|bez|до|пока|прежде|без)\b|之前|以前|前に|まで|전에|까지",
    re.I,
)
_NO: Final = late_pattern(
    r"\W*(?:no|nope|nein|non|não|nee|nie|нет|否|不|いいえ|아니요?|never|nie(?:mals)?|jamais|nunca|mai|nooit|никогда|x|[✗✘❌✖⛔🚫])\W*$",
    re.I,
)
"""A cell, or what is behind a colon, that says no."""


def softly(found: Sequence[Deviation], figures: ToldFigures) -> list[Deviation]:
    """Return *found* with what is in doubt as a note.

    Args:
        figures: the figures and the texts of the source.
    """
    return [
        one._replace(grade=Grade.NOT_VERBATIM, grave=False)
        if one.grade is not Grade.NOT_VERBATIM
        and not _is_slip(one, figures)
        and any(doubt(one, figures) for doubt in _DOUBTS.get(one.rule, ()))
        else one
        for one in found
    ]


def _is_slip(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a figure of three digits or more has two of the other one's exchanged: none comes about so."""
    digits = sum(map(str.isdigit, one.value))
    if one.kind not in _FIGURES or digits <= _SUMMED or not is_swapped(one.value, one.source):
        return False
    return not _is_of_another_size(one, figures)


def _counts_else(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a count before *failed* or *passed* may count something else than tests.

    It is the number of all (*one of 15 failed*), which one it is (*run 1 failed, run 2 passed*), or a line
    of the source that is about no tests has it beside the same outcome (*http_req_failed: 9 of 41370*).
    """
    number = _NUMBER.search(one.value)
    if number is None:
        return False
    before = one.line[: max(0, one.line.find(one.value))]
    word = _WORD_BEFORE.search(before)
    if _PART_OF.search(before) or (word and _is_which(word[1], one.line)):
        return True
    name = outcome(one.value)
    stems = next((stems for known, stems in OUTCOMES if known == name), ())
    shape = re.compile(rf"(?<![\w.,:-]){re.escape(number.group())}(?![\w%:]|[.,]\d)")
    return any(
        shape.search(line) is not None
        for text in figures.texts
        for line in re.split(r"\n|\\n", text)
        if any(stem in line.lower() for stem in stems) and not _OF_TESTS.search(line)
    )


def _is_which(word: str, line: str) -> bool:
    """Return whether the number behind a word tells which one it is: the word has several numbers."""
    numbers = re.findall(rf"\b{re.escape(word)}\s?#?(\d{{1,4}})(?!\d)", line, re.I)
    return len({*numbers}) > 1 and not _OF_TESTS.search(word)


def _has_no_unit(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether the number stands in the source without a unit, too: `-T 30` are 30 seconds as well."""
    number = _NUMBER.search(one.value)
    if number is None or one.kind == "money":  # a currency is none of the units
        return False
    shape = re.compile(rf"(?<![\w.,:/-]){re.escape(number.group())}(?![\w%:]|[.,-]?\d)")
    return any(
        not any(start <= place.start() < end for start, end in numbers_with_units(text))
        for text in figures.texts
        for place in shape.finditer(text)
    )


def _affirms(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a clause of the source that denies nothing says all that the handoff says."""
    return is_said_plainly(one.value, one.source)


def _is_denied_behind(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether the next column, or what is behind a colon, says no: `| Restarting it | no |`."""
    body = figures.handoff
    at = body.find(one.value)
    if at < 0:
        return False
    behind = _SIGN_BEHIND.match(body, at + len(one.value))
    return behind is not None and bool(_NO.match(behind[1]) or is_denied(behind[1]))


def _turns_its_limit(one: Deviation, _: ToldFigures) -> bool:
    """Return whether *no B before A* is told as *A before B*: the sides of what limits are exchanged."""
    own, other = _LIMIT.search(one.value), _LIMIT.search(one.source)
    if own is None or other is None:
        return False
    (left, right), (first, last) = (
        (read_terms(text[: cut.start()]).all, read_terms(text[cut.end() :]).all)
        for text, cut in ((one.value, own), (one.source, other))
    )
    crossed, straight = len(left & last) + len(right & first), len(left & first) + len(right & last)
    return bool(left & last) and bool(right & first) and crossed > straight


def _differs(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a figure is told as a difference, may be one, and the source's is told as none."""
    if one.kind not in _FIGURES or not is_compared(one.value, one.line):
        return False
    if is_relative(one.source, one.source_line):
        return False
    return figures.telling(one.value, one.line) < FigureTelling.SAID and (
        figures.telling(one.value, one.line) > FigureTelling.NOWHERE or figures.adds_up(one.value, one.line)
    )


def _bounds(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a figure is an end of a range whose middle is the source's: 18 to 22 for about 20."""
    if one.kind not in _FIGURES:
        return False
    source, own = ({abs(found.size) for found in read_numbers(text)} for text in (one.source, one.value))
    for match in _RANGE.finditer(one.line):
        low, high = ({abs(found.size) for found in read_numbers(end)} for end in match.groups())
        if own & (low | high) and any(
            abs(first + last - 2 * each) <= _OFF * each for first in low for last in high for each in source
        ):
            return True
    return False


def _is_bound_alone(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a full or a half hour bounds a time that the source tells: *before three* for 2:10."""
    own, other = (read_clock(value) for value in (one.value, one.source))
    if one.kind != "time" or own is None or other is None or own[1] not in FULL_OR_HALF:
        return False
    before, theirs = (
        BOUND.findall(line[max(0, line.find(value) - _NEAR) : max(0, line.find(value))])
        for value, line in ((one.value, one.line), (one.source, one.source_line))
    )
    apart = abs(own[0] * _HOUR + own[1] - other[0] * _HOUR - other[1])
    return bool(before) and not theirs and other[1] not in FULL_OR_HALF and apart < _HOUR


def _adds_up_here(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a figure is the sum of three numbers or more of its sentence, or of its only others."""
    if one.kind not in _FIGURES or one.value == one.line or is_swapped(one.value, one.source):
        return False
    at = place_of(one.value, one.line)
    if at < 0:
        return False
    start, behind = _STOP.around(one.line, at, at + len(one.value))
    rest = f"{one.line[start:at]} | {one.line[at + len(one.value) : behind]}"
    numbers = [abs(each.size) for each in read_numbers(rest) if each.is_free and each.unit != PART]
    wanted = {abs(each.size) for each in read_numbers(one.value)}
    return any(
        total in wanted
        for first in range(len(numbers))
        for count, total in enumerate(accumulate(numbers[first:]), 1)
        if count > _SUMMED or (count == _SUMMED == len(numbers))
    )


def _is_of_another_size(one: Deviation, _: ToldFigures) -> bool:
    """Return whether a figure is many times the other one, and no slip of the point: it is of something else.

    So is what begins with a zero and has no point: a part of a number that only names something.
    """
    if one.kind not in _FIGURES:
        return False
    if _NAME_IN_DIGITS.match(one.source):
        return True
    own, other = (
        max((abs(found.size) for found in read_numbers(text)), default=0.0)
        for text in (one.value, one.source)
    )
    if min(own, other) <= 0 or max(own, other) / min(own, other) < _MANY_TIMES:
        return False
    power = log10(max(own, other) / min(own, other))
    return one.rule == "only-value" or abs(power - round(power)) > _TINY


def _is_reworded(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether the source has the figure in another form: 22.9 % where it has 0.229."""
    if one.kind not in _FIGURES or one.value == one.line:
        return False
    return figures.telling(one.value, one.line) is FigureTelling.REWORDED


def _has_its_word(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether the source has the figure beside the same word, which is nowhere beside the other one."""
    at = place_of(one.value, one.line)
    if one.kind not in _FIGURES or at < 0 or one.value == one.line:
        return False
    own, other = (_NUMBER.search(text) for text in (one.value, one.source))
    word = _WORD_AHEAD.search(one.line, 0, at)
    if own is None or other is None or word is None:
        return False
    first = rf"(?<!\w){re.escape(word[1])}"
    beside, elsewhere = (
        re.compile(rf"{first}\W{{1,4}}{re.escape(number.group())}(?![\w]|[.,]\d)", re.I)
        for number in (own, other)
    )
    texts = list(figures.texts)
    return any(map(beside.search, texts)) and not any(map(elsewhere.search, texts))


def _is_of_its_unit(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether two figures of the same unit are so far apart: 171 ms and 184 ms, 13 ms less."""
    found = _WITH_UNIT.search(one.value)
    if found is None:
        return False
    shape = re.compile(rf"(?<![\w.,])(\d{{1,7}})[ \u00a0]?(?={re.escape(found[2])}(?!\w))")
    sizes = {int(size) for text in (*figures.texts, figures.handoff) for size in shape.findall(text)}
    return any(size + int(found[1]) in sizes for size in sizes)


def _bars(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether what was forbidden stands behind a word that bars, or under it: *Prohibited | ...*, *Don'ts*."""
    if _OUT_OF_QUESTION.search(one.value):
        return True
    body = figures.handoff
    at = body.find(one.value)
    start = body.rfind("\n", 0, at) + 1
    line = body[start : at + len(one.value)] if at >= 0 else one.line
    above = body[max(0, start - _MOST_ABOVE) : start].rpartition("\n\n")[2] if at >= 0 else ""
    head = _HEAD.match(line)
    title = _TITLE.match(above)
    return any(found is not None and _FORBIDDEN.search(found[1]) is not None for found in (head, title))


def _stands_there_too(one: Deviation, _: ToldFigures) -> bool:
    """Return whether the sentence that has the other figure has this one, too: *12 of 33*."""
    own = _NUMBER.search(one.value)
    if one.kind not in _FIGURES or own is None:
        return False
    return own.group() in _NUMBER.findall(one.source_line)


def _is_of_what_it_is_beside(one: Deviation, _: ToldFigures) -> bool:
    """Return whether the part of a sentence that has a name shares no word with what has the other one.

    *main is still at 5aa91fe, mixup-test was not used* says nothing of the commit of mixup-test.
    """
    at = one.line.find(one.value)
    if one.kind not in _NAMES or at < 0:
        return False
    start, end = _PIECE.around(one.line, at, at + len(one.value))
    piece = {word.lower() for word in _LONG_WORD.findall(one.line[start:end])}
    return not any(word.lower() in piece for word in _LONG_WORD.findall(one.source_line))


def _follows_the_former(one: Deviation, figures: ToldFigures) -> bool:
    """Return whether a value is the one that a setting got, and the source's what it was: *from 8 to 15*."""
    at = one.line.find(one.value)
    before = _FORMER_VALUE.search(one.line, max(0, at - _NEAR), max(0, at)) if one.source else None
    if before is None or before[1].strip("\"'`") != one.source:
        return False
    name = re.escape(one.key.rpartition(".")[2])
    is_set = re.compile(rf"(?<!\w){name}\W{{1,8}}{re.escape(one.value)}(?![\w]|[.,]\d)", re.I)
    return bool(name) and any(map(is_set.search, figures.texts))


_Doubt = Callable[[Deviation, ToldFigures], bool]
_OF_FIGURES: Final[tuple[_Doubt, ...]] = (
    *(_differs, _bounds, _is_bound_alone, _adds_up_here, _is_of_another_size, _is_reworded, _has_its_word),
    is_of_another_sort,
)
_DOUBTS: Final[dict[str, tuple[_Doubt, ...]]] = {
    "same-outcome": (_counts_else,),
    "done": (is_another_deed, denies_both),
    "other-part": (is_none_of, are_told_together),
    "swapped": (is_rate,),
    "turned-round": (_bars, denies_in_pairs),
    "other-unit": (_has_no_unit, _is_of_its_unit),
    **dict.fromkeys(
        ("negation", "ban-dropped", "turned"),
        (_affirms, _is_denied_behind, _turns_its_limit, _bars, denies_in_pairs, is_conditional),
    ),
    "exchanged": (both_deny_twice, _bars),
    "of-another": (_stands_there_too, _is_of_what_it_is_beside, is_under_its_name),
    "same-key": (_follows_the_former,),
    "other-day": (is_of_another_amount,),
    "same-sentence": (*_OF_FIGURES, is_written_elsewhere, is_under_its_name),
    **dict.fromkeys(("only-value", "same-line", "same-noun", "same-slot", "misspelt"), _OF_FIGURES),
}
"""What is asked once more of each way of noticing."""
