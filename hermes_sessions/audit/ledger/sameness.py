"""Whether a handoff, or another sentence, says a rule: word for word, in other words, in another language."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from hermes_sessions.audit.handed_on.matter import matter_of
from hermes_sessions.audit.ledger.figures import demanded_by, say_plainly
from hermes_sessions.audit.words.concepts import SentenceTerms, read_terms
from hermes_sessions.audit.words.keeping import NOT_YET
from hermes_sessions.audit.words.modality import LEAVE, RULES_HEADING, Modality, is_same_demand, read_modality
from hermes_sessions.audit.words.sentence_ends import MAX_READ_CHARS, SENTENCE_ENDS
from hermes_sessions.audit.words.small_words import SMALL_WORDS
from hermes_sessions.facts.compare import Heard, Likeness, compare, hear
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_LEAD = late_pattern(r"^[\s>*•#_–—-]*(?:\d{1,3}[.)]\s+)?(?:\[#?\d+\]\s*)?")
_MAX_STATEMENT: Final = 1_000
_MAX_STATEMENTS: Final = 4_000
_ENOUGH: Final = 0.6
_ENOUGH_WORDS: Final = 0.4
_ENOUGH_SIGNS: Final = 0.6
_ALL_BUT: Final = 0.8


class _Statement(NamedTuple):
    """A sentence of a handoff; under a heading that says so it is a rule without a modal word."""

    text: str
    terms: SentenceTerms
    demands: Modality
    numbers: frozenset[str]


class ToldText(NamedTuple):
    """A text that many rules are compared with, read once."""

    heard: Heard
    statements: tuple[_Statement, ...]


@lru_cache(maxsize=32)  # the ledger and the retained facts ask the same handoffs
def read_told(text: str) -> ToldText:
    """Return *text* ready for many comparisons."""
    lines = [
        Fact("line", "", line, line, "assistant", 0.0, (0, 0)) for line in text.splitlines() if line.strip()
    ]
    return ToldText(hear(lines), tuple(_statements(text)))


def tells_rule(rule: Fact, told: ToldText) -> bool:
    """Return whether *told* says *rule*.

    As `compare` finds it, or as a sentence that names the same things and demands the same.
    """
    found = compare(rule, told.heard).likeness
    if found in (Likeness.VERBATIM, Likeness.EQUIVALENT):
        return True
    pieces = dict.fromkeys(one for piece in _demanding(rule.value) for one in (piece, say_plainly(piece)))
    return any(_is_said(piece, told) for piece in pieces)


def _is_said(rule: str, told: ToldText) -> bool:
    terms, demands = read_terms(rule), demanded_by(rule)
    signs = _signs(rule)
    return any(_says(terms, demands, one) for one in _near(terms, told.statements)) or (
        len(signs) >= _FEW_SIGNS and any(_has_signs(signs, demands, one) for one in told.statements)
    )


def _near(rule: SentenceTerms, told: Sequence[_Statement]) -> Iterator[_Statement]:
    """Yield the sentences with something in them that a rule names."""
    for one in told:
        if not (rule.all.isdisjoint(one.terms.all) and rule.anchors.isdisjoint(one.terms.spelled)):
            yield one


def _demanding(rule: str) -> Sequence[str]:
    """Return a rule whole, and that of its sentences which demands: the other only leads to it."""
    parts = [one for one in SENTENCE_ENDS.split(rule) if one.strip()]
    if len(parts) < 2:
        return [rule]
    return [rule, *(one for one in parts if read_modality(one) and len(read_terms(one).all) >= _MIN_TERMS)]


def _signs(rule: str) -> frozenset[str]:
    """Return the characters of a script without blanks in the clauses of *rule* that demand."""
    clauses = [one for one in _SIGN_CLAUSE.split(rule) if read_modality(one)]
    return frozenset(_HAN.findall(_SIGN_WORDS.sub("", "".join(clauses))))


def _has_signs(signs: frozenset[str], demands: Modality, said: _Statement) -> bool:
    if not is_same_demand(demands or Modality.BAN, said.demands):
        return False
    return len(signs & set(said.text)) >= len(signs) * _ENOUGH_SIGNS


_MIN_TERMS: Final = 3
_FEW_SIGNS: Final = 4
_HAN = late_pattern(r"[\u3400-\u9fff\u30a0-\u30ff]")
_SIGN_CLAUSE = late_pattern(r"[，,。；;、]")
_SIGN_WORDS = late_pattern(
    r"不要|不得|禁止|必须|必ず|只能|不能|不许|绝对|绝不|请勿|严禁|绝|不|让|的|了|在|请|把|去|会|要"
)


def is_same_rule(one: Fact, other: Fact) -> bool:
    """Return whether two rules are one, said again."""
    if one.value == other.value:
        return True
    terms, others = read_terms(one.value), read_terms(other.value)
    if other.speaker == Role.ASSISTANT and _echoes(one.value, others):
        return True
    if terms.anchors != others.anchors or not terms.all or not others.all:
        return False
    shared = len(terms.all & others.all)
    near = min(shared / len(terms.all), shared / len(others.all))
    return near >= _ALL_BUT and is_same_demand(read_modality(one.value), read_modality(other.value))


def _echoes(rule: str, said: SentenceTerms) -> bool:
    """`Noted: masks on, feeding only after dark` says a rule of the user's again."""
    demanding = " ".join(one for one in _CLAUSES.split(rule) if read_modality(one))
    terms = read_terms(demanding)
    return len(terms.all) >= _MIN_ECHO and terms.all <= said.all


_MIN_ECHO: Final = 2
_CLAUSES = late_pattern(r"[,;:，；：]\s?")


def replaces_rule(new: Fact, old: Fact) -> bool:
    """Return whether *new* is *old* with another number: the cap was moved."""
    mine, theirs = read_terms(new.value), read_terms(old.value)
    added, removed = _numbers(mine) - _numbers(theirs), _numbers(theirs) - _numbers(mine)
    rest, others = mine.all - _numbers(mine), theirs.all - _numbers(theirs)
    if not (added and removed and rest and others):
        return False
    shared = len(rest & others)
    return (
        min(shared / len(rest), shared / len(others)) >= _ENOUGH
        and is_same_demand(read_modality(new.value), read_modality(old.value))
        and (mine.anchors - _numbers(mine)) == (theirs.anchors - _numbers(theirs))
    )


def gives_leave(text: str, rule: Fact) -> bool:
    """Return whether a sentence of *text* takes *rule* back: it gives leave and names its subject."""
    terms = read_terms(rule.value)
    if any(_names(terms, leave) for leave in _leaves(text[:MAX_READ_CHARS])):
        return True
    return NOT_YET.search(rule.value) is not None and any(
        _is_time_for(rule.value, one) for one in _leaving(text[:MAX_READ_CHARS])
    )


def _is_time_for(rule: str, leave: str) -> bool:
    """`Don't attach anything yet` ends with `You may attach the group now`: what was to wait is named."""
    wanted = {one for one in matter_of(rule) if one not in _ANYTHING}
    told, deeds = matter_of(leave), read_terms(leave).deeds
    shared = [one for one in wanted if one in told or (deeds & read_terms(one).deeds)]
    same = read_terms(rule).deeds & deeds
    return bool(shared or same) and len(shared) >= (len(wanted) - len(same)) * _ENOUGH


_ANY_TEXT: Final = """
anyth noth somet don doesn yet etwas nicht nichts noch erst rien encor pour insta momen nada algo aun aún
todav por ahora agora ainda niente nulla ancor niets nog iets nic niczeg jeszc ничег пока ещё еще чего
任何 什么 先不 不要 まだ 아직 아무
"""
_ANYTHING: Final = frozenset(_ANY_TEXT.split())


@lru_cache(maxsize=32)  # a text is held against every rule that stands
def _leaves(text: str) -> Sequence[SentenceTerms]:
    """Return what the sentences of *text* name that give leave."""
    return [read_terms(one) for one in _leaving(text)]


@lru_cache(maxsize=32)
def _leaving(text: str) -> Sequence[str]:
    """Return the sentences of *text* that give leave."""
    return [one for one in SENTENCE_ENDS.split(text) if _gives_any(one)]


def _gives_any(sentence: str) -> bool:
    """Return whether leave is given there: what is *not yet released* gives none."""
    return any(not _DENIED.search(sentence[: one.start()]) for one in LEAVE.finditer(sentence))


_DENIED: Final = late_pattern(
    r"(?:\b(?:not|never|nicht|nie|pas|no|não|non|niet|nie|не)|n['’]t)"
    r"(?: (?:yet|been|be|encore|todavía|aún|ainda|ancora|nog|jeszcze|ещё|еще|été|sido|stat[oa]))*\s$"
    r"|(?:还没有?|尚未|没有?|未|还不)$",
    re.I,
)


def _names(rule: SentenceTerms, said: SentenceTerms) -> bool:
    if rule.anchors and rule.anchors & said.anchors:
        return bool((rule.deeds & said.deeds) or not said.deeds or (rule.all & said.all) - rule.anchors)
    shared = frozenset(one for one in rule.all & said.all if len(one) > 1) - SMALL_WORDS
    objects = rule.all - rule.deeds
    if not objects:
        return bool(shared)
    return bool(shared & objects) and (len(shared) >= 2 or len(shared) / len(rule.all) >= 0.3)


def _statements(text: str) -> Iterator[_Statement]:
    count, ruling = 0, False
    for line in text.splitlines():
        bare = _LEAD.sub("", line).strip(" *_`")
        if not bare:
            continue
        if _is_heading(line, bare):
            ruling = RULES_HEADING.search(bare) is not None
            continue
        for piece in _pieces(bare):
            count += 1
            if count > _MAX_STATEMENTS:
                return
            demands = demanded_by(piece)
            ruled = Modality.BAN | Modality.LIMIT | Modality.DUTY if ruling else Modality.NONE
            terms = read_terms(piece)
            yield _Statement(piece, terms, demands or ruled, _numbers(terms))


def _is_heading(line: str, bare: str) -> bool:
    return line.lstrip().startswith("#") or (
        len(bare) < 60 and bare.endswith((":", "：")) and not line.lstrip().startswith(("-", "*  "))
    )


def _pieces(line: str) -> Sequence[str]:
    """A line and its sentences: a rule may be said in two, where the second only points back."""
    whole = line[:_MAX_STATEMENT]
    parts = [one for one in SENTENCE_ENDS.split(whole) if one.strip()]
    if len(parts) < 2:
        return [whole]
    return [*parts, *(f"{first} {second}" for first, second in pairwise(parts) if _points_back(second))]


def _points_back(sentence: str) -> bool:
    terms = read_terms(sentence)
    return not (terms.things | terms.anchors | terms.words)


def _says(rule: SentenceTerms, demands: Modality, said: _Statement) -> bool:
    terms = said.terms
    asks = "approval" in rule.things & terms.things and bool(said.demands)
    if not (asks or is_same_demand(demands or Modality.BAN, said.demands)):
        return False
    if said.numbers - rule.anchors and _numbers(rule) - terms.spelled:
        return False
    if rule.deeds and terms.deeds and not _same_deed(rule, terms):
        return False
    known = rule.concepts | rule.anchors
    anchors = rule.anchors & (terms.anchors | terms.spelled)
    shared = len(rule.concepts & terms.concepts) + len(anchors)
    if anchors and anchors == rule.anchors and any(map(is_code, anchors)):
        return True  # the same object, and the same demand
    if anchors:
        return shared / len(known) >= (0.5 if len(anchors) > 1 else _ENOUGH)
    words = len(rule.all & terms.all)
    if words >= 2 and words / len(rule.all) >= _ENOUGH_WORDS and not rule.anchors:
        return True
    return not rule.anchors and len(known) >= 2 and shared >= 2 and shared / len(known) >= _ENOUGH


def is_code(anchor: str) -> bool:
    """Return whether an anchor names one thing alone: a path, a code, a name made of parts."""
    return len(anchor) >= 5 and (any(sign in anchor for sign in "_/.-") or not anchor.isalpha())


def _same_deed(rule: SentenceTerms, said: SentenceTerms) -> bool:
    return bool(rule.deeds & said.deeds)


def _numbers(terms: SentenceTerms) -> frozenset[str]:
    return frozenset(one for one in terms.anchors if one[:1].isdigit())
