"""Rules of a conversation: what must, must not, may only be done, whoever says so."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from hermes_sessions.facts.clauses.notices import is_headed, is_plain_word
from hermes_sessions.facts.clauses.ruling import SaidAs, lays_down
from hermes_sessions.facts.clauses.taken_up import ACKNOWLEDGED, ONLY_ACKNOWLEDGED
from hermes_sessions.facts.gates import GatedShapes, Shapes, holds, present
from hermes_sessions.facts.idioms.barring import BARRED, IDIOMS
from hermes_sessions.facts.idioms.tales import FORMAL, TALE, WORKINGS
from hermes_sessions.facts.page import Mark, TextPage
from hermes_sessions.facts.slots import tells_of_lifting
from hermes_sessions.facts.speech.pasted_code import find_code
from hermes_sessions.facts.speech.sentences import Sentence, sentences, without_end
from hermes_sessions.facts.speech.speech import heading_kind
from hermes_sessions.facts.values import MAX_FACT_CHARS
from hermes_sessions.facts.wording.observations import DOCUMENTED, OBSERVED, without_quoted_errors
from hermes_sessions.facts.wording.promise_rules import ASKED, CIRCUMSTANCE, PROMISED, SIGNED
from hermes_sessions.facts.wording.rule_grammar import PAST, RULE_CUSTOMS, RULE_GRAMMAR
from hermes_sessions.facts.wording.rule_scopes import REPORTED, SCOPES, is_this_once
from hermes_sessions.facts.wording.rule_shapes import (
    HELP,
    NO_RULE,
    NOTICE_HEAD,
    OBJECTLESS,
    PROSE,
    REFERS,
    STRONG,
    TOOL_STRONG,
    WEAK,
)
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.facts.wording.standing_rules import OPENING, OWN_WORK, STANDING, TOLD
from hermes_sessions.facts.wording.words import DECISION, MARKER
from hermes_sessions.late_patterns import late_pattern

_OBJECT = late_pattern(r"[`\"/]|\d")
_OWN_OBJECT = late_pattern(
    r"\b(?:the|a|an|any|our|your|my|all|die|der|das|den|dem|eine?n?|le|la|les|un|une|el|los|las|il|lo)\s\w|\b(?:edit|touch|change|delete|use) \w{5,}|[,،、，]",
    re.I,
)
_MANUAL_LINE = late_pattern(
    r"[ ]{0,3}(?:```|~~~)|#{1,4} (?:install\w*|usage|quick ?start|getting started|configuration|options|parameters|arguments|api|reference|examples?|requirements|prerequisites)\b"
    r"|(?:usage|options|arguments|synopsis)\b ?:?$|(?:npm|pnpm|yarn|pip) (?:warn|err|notice)|usage: |[A-Z][A-Z0-9_.-]{1,30}\(\d\)|[ \t]{2,12}--?\w[\w-]{0,40}[ ,=]|\S{1,200}:\d{1,6}[:-]", re.I
)  # fmt: skip
"""How a line of documentation, or of a program's output, begins."""
_MANUAL_WORDS = late_pattern(
    r"\b(?:parameters?|arguments?|returns|class|method) `|`\w+\(\)`|\(default:? ", re.I
)
_CAP: Final = sieve(
    r"\b(?:never|must|untouched|forbidden|not allowed|niemals|nie|darf|jamais|interdit|nunca|prohibido|никогда|нельзя|mai|asla)\b|禁止|不得|不要|必须|必ず|ないで|ممنوع|금지|मत ",
    re.I,
)
_TURNED = sieve(r"[,;] (?:so |but |and ){0,2}(?:please )?(?:never|do not|don't|don’t|must not)\b", re.I)
_COMPARED = sieve(r"\bthan (?:it|they|he|she|we|you|this|that) (?:ha[sd]|have|needs?|needed) to\b", re.I)
_MARKED = late_pattern(r"\s*(?:>|//|/\*|\*/|--(?=\s)|\"\"\"|'''|<!--|#!|%)")
_QUOTATION = late_pattern(r"^[\"“„«「『](?!.*[\"”“»」』].*[\"“„«「『])[^\n]*[\"”“»」』]\W*$")
_POLISH = late_pattern(
    r"[ąćęłńśźż]|\b(?:się|jest|jeszcze|czy|nic|do|na|nam|mi)\b.*\bnie\b|\bnie (?:ma|do|jest)\b", re.I
)
_POLISH_NOT = late_pattern(r"\bnie\b", re.I)
_LED_UP = late_pattern(r"[^,:;\n]{1,60}[:：]")
_MAX_ACKNOWLEDGED: Final = 40
_TROUBLE = sieve(r"\b(?:error|exception|failed|warn(?:ing)?)\b", re.I)


def rule_marks(page: TextPage) -> Iterator[Mark]:
    """Yield rules: the sentence, with the one before it where its object stands there."""
    if page.form == "argument" or page.looks not in ("", "mail", "fields"):
        return
    spoken = page.is_speech
    shapes = _PageShapes(page)
    if not spoken and (
        page.speaker != "tool"
        or not (shapes.strong or shapes.put_up is not None)
        or not _may_hold_notices(page)
    ):
        return  # what is fenced in talk is shown, not said
    promised = present(PROMISED, page.opened) if spoken and page.speaker == "assistant" else ()
    code: tuple[int, int] | None = None
    before: Sentence | None = None
    for one in sentences(page):
        if one.box != "done" and (
            (_is_rule(page, one, shapes, before) if spoken else _is_notice(page, one, shapes))
            or (promised and _is_promise(page, one, promised))
        ):
            code = find_code(page.text) if code is None else code
            if code[0] <= one.start < code[1]:
                continue
            start = _with_object(page.text, before, one)
            yield Mark("constraint", start, without_end(page.text, start, one.end))
        before = one


class _PageShapes:
    """The patterns that a page can hold, looked for once."""

    def __init__(self, page: TextPage) -> None:
        self._page = page
        self.is_told = page.is_speech and page.speaker in ("user", "system")

    def _present(self, *given: GatedShapes) -> Shapes:
        return tuple(shape for one in given for shape in present(one, self._page.opened))

    @cached_property
    def strong(self) -> Shapes:
        """What is a rule whoever says it."""
        return self._present(STRONG if self._page.is_speech else TOOL_STRONG, SIGNED, BARRED)

    @cached_property
    def told(self) -> Shapes:
        """What a rule looks like where the user or the system says it, besides its grammar."""
        return self._present(STRONG, WEAK, STANDING, SCOPES, ASKED)

    @cached_property
    def grammar(self) -> Shapes:
        """How a standing instruction is built."""
        return self._present(RULE_GRAMMAR, RULE_CUSTOMS, IDIOMS)

    @cached_property
    def behind_openings(self) -> Shapes:
        """What is a rule behind an opening."""
        return self._present(STRONG, STANDING, SCOPES)

    @cached_property
    def put_up(self) -> SaidAs | None:
        """How a tool's result speaks to whoever reads it; None where it is no notice."""
        page = self._page
        if page.is_speech or page.speaker != "tool":
            return None
        if page.looks == "mail" or is_headed(page.text, page.opened):
            return SaidAs.DECREED
        return SaidAs.SHOWN if is_plain_word(page.text) else None

    @cached_property
    def said(self) -> Shapes:
        """What is looked for in each sentence."""
        if self.put_up is SaidAs.DECREED:
            return (*self.told, *self.grammar, *self.strong)
        return (*self.told, *self.strong) if self.is_told else self.strong


def _is_rule(page: TextPage, one: Sentence, shapes: _PageShapes, before: Sentence | None) -> bool:
    said = page.text[one.start : one.end]
    if len(said) < 4 or said[-1:] in "?？؟":
        return False
    if one.item and one.heading and heading_kind(one.heading) == "constraint":
        return True
    text = without_quoted_errors(said)
    lowered = text.lower()
    if not (_stands(page, text, lowered, shapes, before) or _is_worded(page, text, lowered, shapes)):
        return False
    if _is_quoted(page, one, said) or TALE.search(said):
        return False
    return shapes.is_told or not WORKINGS.search(said)


def _is_worded(page: TextPage, text: str, lowered: str, shapes: _PageShapes) -> bool:
    """Return whether a sentence has a wording that rules have."""
    if not (_says(shapes.said, text, lowered) or _says_behind_its_opening(text, lowered, shapes)):
        return False
    if _POLISH.search(text):  # whose *not* is *never* in German
        bare = _POLISH_NOT.sub("", text)
        if not _says(shapes.said, bare, bare.lower()):
            return False
    if _COMPARED.search(text) and not holds(present(STRONG, page.opened), text, lowered):
        return False
    if page.speaker == "assistant" and (OWN_WORK.search(text) or DOCUMENTED.search(text)):
        return False
    told = shapes.is_told or _CAP.search(text) is not None
    return told or not DECISION.search(text)  # what we agreed to do is a decision


def _stands(page: TextPage, text: str, lowered: str, shapes: _PageShapes, before: Sentence | None) -> bool:
    """Return whether a sentence is built like a standing instruction; an agent's only where it takes one up."""
    standing = SaidAs.DECREED if page.speaker == "system" else SaidAs.TOLD
    if not shapes.is_told:
        taken_up = ACKNOWLEDGED.match(text)
        if taken_up is None and not _follows_acknowledgement(page, before):
            return False
        standing = SaidAs.TAKEN_UP
        start = taken_up.end() if taken_up is not None else 0
        text, lowered = text[start:], lowered[start:]
        if _says(shapes.told, text, lowered):
            return True
    if not _is_built_so(page, text, lowered, shapes.grammar, standing):
        return False
    if standing is SaidAs.TAKEN_UP and WORKINGS.search(text):
        return False
    return not (is_this_once(text) or PAST.search(text) or REPORTED.search(text) or tells_of_lifting(text))


def _is_built_so(page: TextPage, text: str, lowered: str, grammar: Shapes, standing: SaidAs) -> bool:
    if holds(grammar, text, lowered):
        return True
    opening = OPENING.match(text)
    if opening is not None and holds(grammar, text[opening.end() :], lowered[opening.end() :]):
        return True
    if not lays_down(text, lowered, page.opened, standing):
        return False
    if opening is None and _LED_UP.match(text):
        return False  # somebody else is quoted
    return not any(shape.search(text) for shape in (TOLD, OBSERVED, CIRCUMSTANCE, NO_RULE))


def _follows_acknowledgement(page: TextPage, before: Sentence | None) -> bool:
    """Return whether the sentence before says *Understood.* and no more, at the beginning of what is said."""
    if before is None or before.end - before.start > _MAX_ACKNOWLEDGED:
        return False
    return (
        not page.text[: before.start].strip()
        and ONLY_ACKNOWLEDGED.match(page.text[before.start : before.end]) is not None
    )


def _is_promise(page: TextPage, one: Sentence, shapes: Shapes) -> bool:
    """Return whether an agent binds itself for all that follows; a guess and a question bind nobody."""
    text = page.text[one.start : one.end]
    if text[-1:] in "?？؟" or _is_quoted(page, one, text) or is_this_once(text):
        return False
    return holds(shapes, text, page.lower[one.start : one.end]) and not CIRCUMSTANCE.search(text)


def _says(shapes: Shapes, text: str, lowered: str) -> bool:
    if not holds(shapes, text, lowered) or TOLD.search(text) or OBSERVED.search(text):
        return False
    if is_this_once(text) or REPORTED.search(text) or CIRCUMSTANCE.search(text):
        return False
    return not NO_RULE.search(text) or _TURNED.search(text) is not None


def _says_behind_its_opening(text: str, lowered: str, shapes: _PageShapes) -> bool:
    """Return whether what follows "by the way," or "whatever happens," is a rule as it stands there."""
    opening = OPENING.match(text) if shapes.is_told else None
    if opening is None or not _says(shapes.behind_openings, text[opening.end() :], lowered[opening.end() :]):
        return False
    return not TOLD.search(text)


def _is_quoted(page: TextPage, one: Sentence, text: str) -> bool:
    """Return whether somebody else's words stand there: a quoted line, a comment, a sentence in quotation marks."""
    line = page.text[page.text.rfind("\n", 0, one.start) + 1 : one.start + 4]
    return _MARKED.match(line) is not None or _QUOTATION.match(text) is not None


def _may_hold_notices(page: TextPage) -> bool:
    """A notice or a mail is short; of a long page only one that says it holds rules; documentation holds none."""
    if page.looks == "mail":
        return True
    text = page.text
    if len(text) >= 2_500 and (len(text) >= 40_000 or NOTICE_HEAD.search(text[:400]) is None):
        return False
    headed = NOTICE_HEAD.search(text.lstrip().partition("\n")[0][:80]) is not None
    return headed or not _is_manual(text[:20_000])


def _is_manual(text: str) -> bool:
    if any(map(_MANUAL_LINE.match, text.split("\n"))):
        return True
    return ("`" in text or "(default" in text.lower()) and _MANUAL_WORDS.search(text) is not None


def _is_notice(page: TextPage, one: Sentence, shapes: _PageShapes) -> bool:
    text = page.text[one.start : one.end]
    lowered = page.lower[one.start : one.end]
    put_up = shapes.put_up
    if not holds(shapes.said, text, lowered) and (
        put_up is None or not _is_put_up(page, text, lowered, put_up)
    ):
        return False
    if not PROSE.match(text) or HELP.search(text) or text[-1:] in "?？؟":
        return False
    if NO_RULE.search(text) or CIRCUMSTANCE.search(text):
        return False
    if DOCUMENTED.search(text) or OBSERVED.search(text) or FORMAL.search(text) or TALE.search(text):
        return False
    if text.isascii() and (len(text.split()) < 4 or not text[0].isalpha()):
        return False
    named = bool(one.heading) and NOTICE_HEAD.search(one.heading) is not None
    return named or _TROUBLE.search(text) is None


def _is_put_up(page: TextPage, text: str, lowered: str, put_up: SaidAs) -> bool:
    """Return whether a notice lays something down with a sentence; what happened and how a thing works does not."""
    if not lays_down(text, lowered, page.opened, put_up) or tells_of_lifting(text):
        return False
    return not (is_this_once(text) or PAST.search(text) or REPORTED.search(text) or WORKINGS.search(text))


def _with_object(text: str, before: Sentence | None, one: Sentence) -> int:
    """Begin at the sentence before where the rule only points at its object."""
    rule = text[one.start : one.end]
    body = rule[MARKER.match(rule).end() :] if MARKER.match(rule) else rule  # type: ignore[union-attr]
    start = one.start + len(rule) - len(body)
    if (
        before is None
        or one.end - before.start > MAX_FACT_CHARS
        or one.item != before.item
        or one.start - before.end > 4
    ):
        return start
    first = body[:120]
    if OBJECTLESS.match(without_point(body)) or (
        _points_back(first) and len(body) < 90 and not _OBJECT.search(first)
    ):
        return before.start
    return start


def _points_back(first: str) -> bool:
    """A pronoun points to the sentence before only where no noun of its own comes first."""
    found = REFERS.search(first)
    return found is not None and not _OWN_OBJECT.search(first, 0, found.start())


def without_point(text: str) -> str:
    """Return *text* without its last point."""
    return text.rstrip(" .!。")
