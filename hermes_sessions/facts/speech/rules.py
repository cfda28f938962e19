"""Rules of a conversation: what must, must not, may only be done, whoever says so."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.gates import Opened, Shapes, holds, present
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
from hermes_sessions.facts.wording.rule_grammar import ACKNOWLEDGED, PAST, RULE_CUSTOMS, RULE_GRAMMAR
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

_OBJECT = re.compile(r"[`\"/]|\d")
_OWN_OBJECT = re.compile(
    r"\b(?:the|a|an|any|our|your|my|all|die|der|das|den|dem|eine?n?|le|la|les|un|une|el|los|las|il|lo)\s\w|\b(?:edit|touch|change|delete|use) \w{5,}|[,،、，]",
    re.I,
)
_MANUAL_LINE = re.compile(
    r"[ ]{0,3}(?:```|~~~)|#{1,4} (?:install\w*|usage|quick ?start|getting started|configuration|options|parameters|arguments|api|reference|examples?|requirements|prerequisites)\b"
    r"|(?:usage|options|arguments|synopsis)\b ?:?$|(?:npm|pnpm|yarn|pip) (?:warn|err|notice)|usage: |[A-Z][A-Z0-9_.-]{1,30}\(\d\)|[ \t]{2,12}--?\w[\w-]{0,40}[ ,=]|\S{1,200}:\d{1,6}[:-]", re.I
)  # fmt: skip
"""How a line of documentation, or of a program's output, begins."""
_MANUAL_WORDS = re.compile(
    r"\b(?:parameters?|arguments?|returns|class|method) `|`\w+\(\)`|\(default:? ", re.I
)
_CAP: Final = sieve(
    r"\b(?:never|must|untouched|forbidden|not allowed|niemals|nie|darf|jamais|interdit|nunca|prohibido|никогда|нельзя|mai|asla)\b|禁止|不得|不要|必须|必ず|ないで|ممنوع|금지|मत ",
    re.I,
)
_TURNED = sieve(r"[,;] (?:so |but |and ){0,2}(?:please )?(?:never|do not|don't|don’t|must not)\b", re.I)
_COMPARED = sieve(r"\bthan (?:it|they|he|she|we|you|this|that) (?:ha[sd]|have|needs?|needed) to\b", re.I)
_MARKED = re.compile(r"\s*(?:>|//|/\*|\*/|--(?=\s)|\"\"\"|'''|<!--|#!|%)")
_QUOTATION = re.compile(r"^[\"“„«「『](?!.*[\"”“»」』].*[\"“„«「『])[^\n]*[\"”“»」』]\W*$")
_TROUBLE = sieve(r"\b(?:error|exception|failed|warn(?:ing)?)\b", re.I)


def rule_marks(page: TextPage) -> Iterator[Mark]:
    """Yield rules: the sentence, with the one before it where its object stands there."""
    if page.form == "argument" or page.looks not in ("", "mail", "fields"):
        return
    spoken = page.is_speech
    shapes = tuple(
        shape
        for given in (STRONG if spoken else TOOL_STRONG, SIGNED, BARRED)
        for shape in present(given, page.opened)
    )
    if not spoken and (page.speaker != "tool" or not shapes or not _may_hold_notices(page)):
        return  # what is fenced in talk is shown, not said
    if spoken and page.speaker in ("user", "system"):
        shapes = (*_told_shapes(page.opened), *shapes)
    promised = present(PROMISED, page.opened) if spoken and page.speaker == "assistant" else ()
    code: tuple[int, int] | None = None
    before: Sentence | None = None
    for one in sentences(page):
        if one.box != "done" and (
            (_is_rule if spoken else _is_notice)(page, one, shapes)
            or (promised and _is_promise(page, one, promised))
        ):
            code = find_code(page.text) if code is None else code
            if code[0] <= one.start < code[1]:
                continue
            start = _with_object(page.text, before, one)
            yield Mark("constraint", start, without_end(page.text, start, one.end))
        before = one


def _is_rule(page: TextPage, one: Sentence, shapes: Shapes) -> bool:
    text = page.text[one.start : one.end]
    if len(text) < 4 or text[-1:] in "?？؟":
        return False
    if one.item and one.heading and heading_kind(one.heading) == "constraint":
        return True
    if _is_quoted(page, one, text):
        return False
    told = page.speaker in ("user", "system")
    if TALE.search(text) or (not told and WORKINGS.search(text)):
        return False
    text = without_quoted_errors(text)
    lowered = text.lower()
    if _stands(page, text, lowered):
        return True
    if not (_says(shapes, text, lowered) or (told and _says_behind_its_opening(page, text, lowered))):
        return False
    if _COMPARED.search(text) and not holds(present(STRONG, page.opened), text, lowered):
        return False
    if page.speaker == "assistant" and (OWN_WORK.search(text) or DOCUMENTED.search(text)):
        return False
    told = told or _CAP.search(text) is not None
    return told or not DECISION.search(text)  # what we agreed to do is a decision


def _stands(page: TextPage, text: str, lowered: str) -> bool:
    """Return whether a sentence is built like a standing instruction; an agent's only where it takes one up."""
    if page.speaker not in ("user", "system"):
        taken_up = ACKNOWLEDGED.match(text)
        if taken_up is None:
            return False
        text, lowered = text[taken_up.end() :], lowered[taken_up.end() :]
        if _says(_told_shapes(page.opened), text, lowered):
            return True
    if is_this_once(text) or PAST.search(text) or REPORTED.search(text) or tells_of_lifting(text):
        return False
    shapes = tuple(
        shape for given in (RULE_GRAMMAR, RULE_CUSTOMS, IDIOMS) for shape in present(given, page.opened)
    )
    if holds(shapes, text, lowered):
        return True
    opening = OPENING.match(text)
    return opening is not None and holds(shapes, text[opening.end() :], lowered[opening.end() :])


def _told_shapes(opened: Opened) -> Shapes:
    """Return what a rule looks like where the user or the system says it, besides its grammar."""
    return tuple(
        shape for given in (STRONG, WEAK, STANDING, SCOPES, ASKED) for shape in present(given, opened)
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


def _says_behind_its_opening(page: TextPage, text: str, lowered: str) -> bool:
    """Return whether what follows "by the way," or "whatever happens," is a rule as it stands there."""
    opening = OPENING.match(text)
    if opening is None or TOLD.search(text):
        return False
    shapes = (*present(STRONG, page.opened), *present(STANDING, page.opened), *present(SCOPES, page.opened))
    return _says(shapes, text[opening.end() :], lowered[opening.end() :])


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


def _is_notice(page: TextPage, one: Sentence, shapes: Shapes) -> bool:
    text = page.text[one.start : one.end]
    lowered = page.lower[one.start : one.end]
    if not holds(shapes, text, lowered):
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
