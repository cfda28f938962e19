"""Sentences that nobody's rules know: what was laid down in words of its own, in any language.

The facts of a message are found by wordings. A decision worded in another way ("Postgres it is, then") is no
fact, and neither is a rule ("deploys wait for Marta"). What somebody says in a sentence of its own is listed
as a statement, and weighs more the more it sounds like something that was laid down.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import STATED_KINDS, STATEMENT, FactLine, one_line, shown
from hermes_sessions.compaction.economy.lone_lines import lone_lines
from hermes_sessions.compaction.economy.notices import lone_prose, page_prose
from hermes_sessions.compaction.economy.standing import grade_of, has_own_name
from hermes_sessions.compaction.economy.wording.announced import specifics
from hermes_sessions.compaction.economy.wording.asking import QUESTION_MARKS, asks
from hermes_sessions.compaction.economy.wording.binding_words import binding, may_bind
from hermes_sessions.compaction.economy.wording.chosen_words import WISH, tells_a_choice
from hermes_sessions.compaction.economy.wording.joined_names import JOINED_WORD
from hermes_sessions.facts.constraints import would_be_rule
from hermes_sessions.facts.page import TextPage
from hermes_sessions.facts.speech.sentences import sentences
from hermes_sessions.facts.unwrap import Form, TextPiece, Unwrapped
from hermes_sessions.facts.values import Fact, FactKind, weigh
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MAX_CHARS: Final = 240
_LABEL_CHARS: Final = 24
"""*Decision on the codec:* before what was decided."""

_LEAST_WORDS: Final = 3
_LEAST_SIGNS: Final = 5
"""Of a sentence in a script that writes no blanks."""

_LEAST_PAIR: Final = 2
_PAIR: Final = late_pattern(r"[^\W\d_]{3,20}: [^\W\d_][\w-]{2,}[.!]?$")
"""*thumbnails: sharp*, of which one word says what the other is."""

_CELLS: Final = late_pattern(r"[ \t]*\|(?: {0,3}[^|\n]{1,60}\|){2,6}[ \t]*")
_NAMED_CELL: Final = late_pattern(r"[^\W\d_]{2}")
_MOST_CELLS: Final = 2
"""So many rows with bars are no table."""

_FEW: Final = 4
_SHORT_PAGE: Final = 16
_SPECIFIC: Final = 2
"""In a page of so few sentences one with so many names, codes, days or numbers stands out."""
_PAGE_GRADE, _NAMED_PAGE_GRADE = 1.9, 1.4
_MOST_OF_A_PAGE: Final = 4
"""So many sentences of a page that was read, and from which grade on: a lower one with a name, or a bound."""

_MOST: Final = 60
"""A message with more sentences is a document; those that bind are taken first."""

TALK_KINDS: Final = frozenset({STATEMENT, FactKind.IDENTIFIER, FactKind.NAME, FactKind.NUMBER})
"""What a sentence may be listed for that lays nothing down."""

_COUNTED: Final = frozenset({FactKind.DURATION, FactKind.DATE, FactKind.PERCENTAGE, FactKind.ERROR})
_HABITS: Final = TALK_KINDS | {FactKind.REQUEST}

_ROUTINE: Final = 4
_ROUTINE_SHARE: Final = 0.02
"""A pair of words that so many sentences have, and so many of all, belongs to how somebody talks."""

_ALL_THE_TIME: Final = 12
_PART: Final = 0.4
_MOSTLY: Final = 0.5
_WORD = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+|\d+")
_NAMES = late_pattern(r"\S*\w[/_]\w\S*")
"""Paths and names of code: what a habit is about, and no part of it."""

"""A name of something: what is asked of it stands for itself, however much else the message asks."""

_STOPS: Final = ".!。！"
_TOLD_WORDS: Final = 6
_DATA_SIGNS: Final = frozenset("{}|\\")


def statements(unwrapped: Unwrapped, facts: Sequence[Fact], strays: Sequence[str] = ()) -> Iterator[Fact]:
    """Yield the sentences that none of *facts*, those of the same message, is shown with.

    Args:
        strays: lines of a tool's output that are no part of what it lists.
    """
    known = [shown(fact) for fact in facts if fact.kind != FactKind.REQUEST]
    told = "\n".join(known)
    asked = "\n".join(one_line(fact.value) for fact in facts if fact.kind == FactKind.REQUEST)
    stated = tuple(one_line(fact.value, 400).rstrip(_STOPS) for fact in facts if fact.kind in STATED_KINDS)
    found = []
    for piece in unwrapped.pieces:
        for start, text in (*_sentences(piece), *_places(strays, piece)):
            said = one_line(text, _MAX_CHARS)
            kind = (
                FactKind.DECISION if _is_choice(piece, said) and not _stands_in(said, stated) else STATEMENT
            )
            if kind == STATEMENT and _is_known(piece, said, told, asked, stated):
                continue
            found.append((kind, piece, start, said))
    if len(found) > _MOST:
        found = [one for one in found if may_bind(one[3])][:_MOST]
    for kind, piece, start, said in found:
        at = piece.start + start
        yield Fact(kind, "", said, said, piece.speaker, weigh(kind, piece.speaker), (at, at + len(said)))


def _is_choice(piece: TextPiece, said: str) -> bool:
    return piece.form is Form.SPEECH and not asks(said) and tells_a_choice(said)


def _stands_in(said: str, stated: Sequence[str]) -> bool:
    """Return whether a sentence is one of *stated*, or one of them with little around it."""
    bare = said.rstrip(_STOPS)
    return any(
        bare in one or (one in bare and len(bare) <= len(one) * 3 // 2 + _LABEL_CHARS) for one in stated
    )


def _is_known(piece: TextPiece, said: str, told: str, asked: str, stated: Sequence[str]) -> bool:
    """Return whether a fact shows the sentence already, or it only says what to do now."""
    bare = said.rstrip(_STOPS)
    if piece.form is Form.SPEECH and (said in told or bare in told or _stands_in(said, stated)):
        return True
    return bare in asked and binding(said) <= 0 and not _tells(said) and JOINED_WORD.search(said) is None


def _tells(said: str) -> bool:
    """Return whether a sentence of a request tells how something is, and asks for nothing."""
    return len(_WORD.findall(said)) >= _TOLD_WORDS and not asks(said) and WISH.search(said) is None


def _places(strays: Sequence[str], piece: TextPiece) -> Iterator[tuple[int, str]]:
    if piece.form is Form.DATA:
        yield from ((at, line) for line in strays if (at := piece.text.find(line)) >= 0)


def _sentences(piece: TextPiece) -> Iterator[tuple[int, str]]:
    if piece.form is Form.DATA:
        yield from _among_rows(piece)
    elif piece.form is Form.SPEECH:
        page = TextPage(piece.text, "", piece.form, piece.speaker, "", "", "", piece.text, {})
        for one in sentences(page):
            text = piece.text[one.start : one.end]
            if _is_statement(text):
                yield one.start, text


def _among_rows(piece: TextPiece) -> Iterator[tuple[int, str]]:
    """Yield the odd lines, and sentences of the little prose; of a longer text only those that bind.

    Of a page of prose those few are yielded that name a thing of the work and read like something that holds.
    """
    odd = {**dict(lone_lines(piece.text)), **dict(_lone_cells(piece.text))}
    yield from odd.items()
    prose = _sentences_of(lone_prose(piece), piece)
    few = len({text for _, text in prose}) <= _FEW
    for place, text in prose:
        if (
            place not in odd
            and _is_statement(text)
            and (few or may_bind(text) or specifics(text) >= _SPECIFIC)
        ):
            yield place, text
    page = [] if prose else _sentences_of(page_prose(piece), piece)
    graded = [
        (grade_of(text), place, text) for place, text in page if place not in odd and _is_statement(text)
    ]
    short = len(page) <= _SHORT_PAGE
    told = [
        one
        for one in graded
        if one[0] >= _least_grade(one[2]) or (short and specifics(one[2]) >= _SPECIFIC and one[0] >= 0)
    ]
    for _, place, text in sorted(told, reverse=True)[:_MOST_OF_A_PAGE]:
        yield place, text


def _least_grade(text: str) -> float:
    return _NAMED_PAGE_GRADE if has_own_name(text) or would_be_rule(text) else _PAGE_GRADE


def _lone_cells(text: str) -> Iterator[tuple[int, str]]:
    """Yield place and text of a row or two of a table that stand alone among other text."""
    if text.count("|") > _MOST_CELLS * 8:
        return
    lines = text.split("\n")
    rows = [line for line in lines if "|" in line and _CELLS.fullmatch(line) and _NAMED_CELL.search(line)]
    if 0 < len(rows) <= _MOST_CELLS and len(rows) < len(lines):
        yield from ((text.find(row.strip()), row.strip()) for row in rows)


def _sentences_of(lines: Iterable[tuple[int, str]], piece: TextPiece) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for place, line in lines:
        page = TextPage(line, "", piece.form, piece.speaker, "", "", "", line, {})
        found += [(place + one.start, line[one.start : one.end]) for one in sentences(page)]
    return found


def _is_statement(text: str) -> bool:
    if text[-1:] in QUESTION_MARKS or not _DATA_SIGNS.isdisjoint(text) or len(text) > 2 * _MAX_CHARS:
        return False
    words = _WORD.findall(text)
    if len(words) == _LEAST_PAIR and _PAIR.match(text):
        return True
    return len(words) >= (_LEAST_WORDS if text.isascii() or " " in text.strip() else _LEAST_SIGNS)


def routine(lines: Iterable[FactLine]) -> Mapping[str, int]:
    """Return, for sentences made of pairs of words in frequent use, 1 for a good part of them, 2 for most.

    3 is for most of them in use all the time: nobody lays anything down in one form that often.
    """
    by_speaker: dict[str, dict[str, frozenset[tuple[str, str]]]] = {}
    for line in lines:
        if line.kind in _HABITS or (line.kind == FactKind.PATH and " " in line.text) or _is_aside(line):
            by_speaker.setdefault(line.speaker, {})[line.text] = _pairs(_NAMES.sub(" ", line.text))
    found: dict[str, int] = {}
    for said in by_speaker.values():
        found |= _habits(said)
    return found


def _is_aside(line: FactLine) -> bool:
    """Whether an assistant tells how long or how much of nothing that has a name."""
    spoken = line.speaker == Role.ASSISTANT and " " in line.text
    return spoken and line.kind in _COUNTED and JOINED_WORD.search(line.text) is None


def _habits(said: Mapping[str, frozenset[tuple[str, str]]]) -> dict[str, int]:
    """Return the levels of what one speaker said, by its pairs of words."""
    often = Counter(pair for pairs in said.values() for pair in pairs)
    least = max(_ROUTINE, int(len(said) * _ROUTINE_SHARE))
    found = {}
    for text, pairs in said.items():
        usual = sum(often[pair] >= least for pair in pairs)
        if pairs and usual >= len(pairs) * _PART:
            found[text] = 2 if usual >= len(pairs) * _MOSTLY else 1
            if sum(often[pair] >= _ALL_THE_TIME for pair in pairs) >= len(pairs) * _MOSTLY:
                found[text] = 3
    return found


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(_WORD.findall(text.lower())))
