"""What a text says by its form: rules that stand alone in a tool's output, statements under a label.

A sentence among rows, code or log lines is a notice. A line such as `POLICY: ...` or `USER PREFERENCE: ...`
was given its label by somebody who wanted it to be remembered.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.facts.constraints import would_be_rule
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.page import make_page
from hermes_sessions.facts.speech.sentences import sentences, without_end
from hermes_sessions.facts.speech.speech import heading_kind
from hermes_sessions.facts.unwrap import Form, TextPiece, Unwrapped
from hermes_sessions.facts.values import MAX_FACT_CHARS, Fact, FactKind, weigh
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_MOST: Final = 4
"""A text with more sentences is documentation, whose rules are not about the work in hand."""

LISTED: Final = "listed"
"""The key of a rule that stands in a list of rules."""

_MOST_LINES: Final = 400
"""A page with more lines is a document, and what it says is not about the work in hand."""

_LEAST_LIST: Final = 2
_MOST_LISTED: Final = 24
_LISTED_SIGNS: Final = 8
_HEADING_WORDS: Final = 6
_LISTED_CODE = late_pattern(r"[{}<>|\\]|;$|==|\w\(")

_SENTENCE = late_pattern(r"[^\W\d_](?:[^\n{}();=<>|\\]|; (?=[^\W\d_])|(?<!\w)\(|\)){5,300}[.!。！]")
"""Prose, parentheses but no calls in it."""

_SIGNS_OF_ITEMS: Final = "-*•"
_WORDS: Final = 4
_CHARS: Final = 16
_UNSPACED = late_pattern(r"[\u3040-\u30ff\u3400-\u9fff]{4}")
_LEAST_WORDS: Final = 3

_LABELLED = late_pattern(
    r"(?m)^[ \t>*#-]{0,8}(?P<label>[^\W\d_a-z]{3,20}(?:[ -][^\W\d_a-z]{1,20}){0,3}):[ \t]+"
    r"(?P<said>[^\W_][^\n]{11,360})$"
)
_NOTICE = late_pattern(
    r"(?m)^[ \t>*#/-]{0,8}[^\W\d_a-z]{4,20}(?:[ -][^\W\d_a-z]{2,20}){0,3}"
    r"(?: (?:for|to|an|für|pour|aux?|para|per) [^\W\d_]{2,20}(?: [^\W\d_]{2,20}){0,2})?"
    r": [^\W\d_][^\n]{11,360}$"
)
_NOTICE_WORDS: Final = late_pattern(
    r"(?im)^[ \t>*#/-]{0,8}(?:notice|nota bene|n\.?b\.?|important|attention|warning|reminder|please note"
    r"|hinweis|achtung|wichtig|bitte beachten|avis|rappel|aviso|atención|importante|recordatorio|atenção"
    r"|avviso|attenzione|let op|注意|通知|重要|请注意|お知らせ|공지|주의|внимание|важно|uwaga|dikkat)"
    r" ?[:：!！][ \t]{0,3}(?P<said>[^\n]{8,300})$"
)
"""What stands under such a word was written for whoever reads it, in a page as in a listing."""

_LEVELS: Final = frozenset(
    {
        *("ERROR", "ERR", "WARNING", "WARN", "INFO", "DEBUG", "TRACE", "FATAL", "CRITICAL", "NOTICE"),
        *("PASS", "PASSED", "FAIL", "FAILED", "SKIP", "SKIPPED", "OK", "DONE", "STATUS"),
        *("USER", "ASSISTANT", "SYSTEM", "TOOL", "STDOUT", "STDERR", "OUTPUT", "INPUT"),
        *("GET", "PUT", "POST", "PATCH", "DELETE", "HTTP", "URL"),
    }
)
_BINDING: Final = frozenset(
    {
        *(
            "RULE",
            "RULES",
            "POLICY",
            "CONSTRAINT",
            "CONSTRAINTS",
            "REQUIREMENT",
            "REQUIREMENTS",
            "RESTRICTION",
        ),
        *(
            "MANDATORY",
            "NEVER",
            "ALWAYS",
            "MUST",
            "REGEL",
            "REGELN",
            "VORGABE",
            "VORGABEN",
            "AUFLAGE",
            "PFLICHT",
        ),
        *(
            "VERBOT",
            "RÈGLE",
            "CONSIGNE",
            "CONTRAINTE",
            "EXIGENCE",
            "OBLIGATION",
            "REGLA",
            "NORMA",
            "RESTRICCIÓN",
        ),
        *("REQUISITO", "REGRA", "REGOLA", "VINCOLO", "ПРАВИЛО"),
    }
)
"""What a label says when the statement under it binds."""


def labelled_statements(unwrapped: Unwrapped) -> Iterator[Fact]:
    """Yield the lines that somebody put a label in capitals on, as rules or as decisions.

    Levels of logs are no labels, nor is one that stands before many lines: those are rows.
    """
    found = [
        (piece, match)
        for piece in unwrapped.pieces
        if piece.form in (Form.SPEECH, Form.DATA) and ":" in piece.text
        for match in _LABELLED.finditer(piece.text)
        if not _LEVELS.issuperset(match["label"].split()) and _is_statement(match["said"])
    ]
    often = Counter((piece.form, match["label"]) for piece, match in found)
    for piece, match in found:
        if piece.form is Form.DATA and (len(found) > _MOST or often[piece.form, match["label"]] > 1):
            continue
        binding = not _BINDING.isdisjoint(match["label"].replace("-", " ").split())
        kind = FactKind.CONSTRAINT if binding else FactKind.DECISION
        text = f"{match['label']}: {match['said'].strip()}"[:MAX_FACT_CHARS]
        at = piece.start + match.start("label")
        yield Fact(kind, "", text, text, piece.speaker, weigh(kind, piece.speaker), (at, at + len(text)))


def _is_statement(said: str) -> bool:
    """Whether it reads like a sentence: words, not code, a path or a number alone."""
    if any(sign in said for sign in "{}=;<>|\\"):
        return False
    return not said.isascii() or sum(word[:1].isalpha() for word in said.split()) >= _LEAST_WORDS


def standing_rules(unwrapped: Unwrapped) -> Iterator[Fact]:
    """Yield the rules among the few notices and lines of prose in what a tool put out."""
    for piece in unwrapped.pieces:
        for line in dict.fromkeys((*(text for _, text in lone_prose(piece)), *_notices(piece))):
            found = extract_text_facts(line, Role.TOOL)
            yield from (fact for fact in found if fact.kind == FactKind.CONSTRAINT)
        for match in _announced(piece):
            if not would_be_rule(match["said"]):
                continue
            text, at = match[0].strip(), piece.start + match.start("said")
            weight, place = weigh(FactKind.CONSTRAINT, piece.speaker), (at, at + len(text))
            yield Fact(FactKind.CONSTRAINT.value, LISTED, text, text, piece.speaker, weight, place)


def _announced(piece: TextPiece) -> list[re.Match[str]]:
    """Return the lines under a word that announces them, where they are few."""
    found = list(_NOTICE_WORDS.finditer(piece.text)) if piece.form is Form.DATA else []
    return found if len(found) <= _MOST else []


def listed_rules(unwrapped: Unwrapped) -> Iterator[Fact]:
    """Yield the items that a document lists under a heading for rules: such a list was written to be kept to.

    A long list is a reference, and so is one under a heading that is a sentence.
    """
    for piece in unwrapped.pieces:
        if piece.form is not Form.DATA or piece.text.count("\n") < _LEAST_LIST:
            continue
        page = make_page(piece)
        found = [
            (one.start, without_end(page.text, one.start, one.end))
            for one in sentences(page)
            if one.item and not one.box and _heads_rules(one.heading)
        ]
        if len(found) > _MOST_LISTED:
            continue
        for start, end in found:
            text = page.text[start:end]
            if _is_said(text):
                weight, place = (
                    weigh(FactKind.CONSTRAINT, piece.speaker),
                    (piece.start + start, piece.start + end),
                )
                line = page.text[start : end + 1].rstrip()
                yield Fact(FactKind.CONSTRAINT.value, LISTED, text, line, piece.speaker, weight, place)


def _heads_rules(heading: str) -> bool:
    return 0 < len(heading.split()) <= _HEADING_WORDS and heading_kind(heading) == FactKind.CONSTRAINT


def _is_said(text: str) -> bool:
    """Whether an item says something: some words, and no code."""
    if _LISTED_CODE.search(text):
        return False
    return len(text.split()) >= _WORDS if text.isascii() else len(text) >= _LISTED_SIGNS


def _notices(piece: TextPiece) -> list[str]:
    """Return the lines under a label of their own, where they are few: a notice stands out in a source."""
    found = [match[0].strip() for match in _NOTICE.finditer(piece.text)] if piece.form is Form.DATA else []
    return found if len(found) <= _MOST else []


def lone_prose(piece: TextPiece) -> Iterator[tuple[int, str]]:
    """Yield place and text of the few sentences among rows, code or log lines; of documentation none."""
    lines, prose = _prose_lines(piece)
    if 0 < len(prose) <= _MOST and len(prose) < len(lines):
        yield from _placed(lines, prose)


def page_prose(piece: TextPiece) -> Iterator[tuple[int, str]]:
    """Yield place and text of the lines of prose of a page that holds more of it."""
    lines, prose = _prose_lines(piece)
    if prose and len(lines) <= _MOST_LINES:
        yield from _placed(lines, prose)


def _prose_lines(piece: TextPiece) -> tuple[list[str], frozenset[str]]:
    """Return the lines of a piece of data, and which of them, bare, are sentences."""
    lines = piece.text.split("\n") if piece.form is Form.DATA else []
    return lines, frozenset(line for line in map(_bare, lines) if _is_sentence(line))


def _bare(line: str) -> str:
    """Return a line without its indent and the sign of a list."""
    line = line.strip()
    return line[2:].strip() if line[1:2] == " " and line[0] in _SIGNS_OF_ITEMS else line


def _placed(lines: Sequence[str], wanted: frozenset[str]) -> Iterator[tuple[int, str]]:
    place = 0
    for line in lines:
        bare = _bare(line)
        if bare in wanted:
            yield place + line.find(bare), bare
        place += len(line) + 1


def _is_sentence(line: str) -> bool:
    if _SENTENCE.fullmatch(line) is None:
        return False
    if line.isascii():
        return len(line) >= _CHARS and len(line.split()) >= _WORDS
    return len(line) >= _CHARS or _UNSPACED.search(line) is not None
