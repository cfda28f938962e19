"""What was forbidden, in a handoff that lets it be done, and what was asked for, in one that forbids it; in any language read."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.denied import denied_list, is_denied
from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, contradiction
from hermes_sessions.audit.words.concepts import DEEDS, SentenceTerms, read_terms
from hermes_sessions.audit.words.keeping import BANS_FIRST
from hermes_sessions.audit.words.modality import LEAVE, Modality, may_ban, read_modality
from hermes_sessions.audit.words.wording import FORBIDS, RESTRICTS, is_open
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.facts.wording.sieves import sieve
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_CLAUSE = late_pattern(
    r"[,;:(，、；：—]\s?|\s[-–]\s|\s(?:and|but|und|aber|et|mais|y|pero|e|mas|ma|и|а|но|because|weil|since)\s"
)
PROHIBITS = sieve(
    r"\b(?:never|must not|mustn[’']t|may not|do not|don[’']t|should not|shall not|is not to|are not to|not allowed|forbidden|nie|niemals|darf nicht|dürfen nicht|verboten|ne (?:pas|jamais|doit|doivent|faut)|interdit\w*|nunca|jamás|prohibid\w+|no (?:se )?(?:debe|puede)\w*|não (?:deve|pode)\w*|proibid\w+|vietat\w+|non (?:deve|devono|si deve)|никогда|нельзя|запрещ\w+)\b|不要|不得|禁止|不能|严禁|ないで|てはいけ|てはなら|지 마|금지|لا ت|ممنوع",
    re.I,
)
"""Words by which something is forbidden, and not only denied."""
_STATES: Final = late_pattern(
    r"\b(?:I|we|you|they|it|he|she|that|this|which|who|\w+s) (?:do not|don['’]t|should not)\b", re.I
)
"""Who does not do something, said of how things are."""
LEAVE_IT: Final = late_pattern(
    r"\bне \w+(?:ть|ться|ти|чь|йте|ите|[аяу]й(?:ся)?)\b|\bne pas (?:l[ea]s? )?\w+(?:er|ir|re)\b|\bnicht \w+en\b(?=\W*$|,)"
    r"|\bno (?:lo |la )?\w{2,}(?:ar|er|ir)\b|\bnon \w+(?:are|ere|ire)\b|\bnão \w+(?:ar|er|ir)\b|ないこと(?=[。」!！\s]*$)",
    re.I,
)
"""Not, and what is not to be done, in the form that demands: an infinitive, an imperative, 書かないこと."""
_LEFT_OUT = late_pattern(r"\b(?:without|ohne|sans|sin|sem|senza|без)\s+[^,;.]*", re.I)
_SHORT_NOT = late_pattern(r"n[’']t\b", re.I)
_GRAVE: Final = frozenset(
    ["push", "merge", "deploy", "delete", "restart", "send", "pay", "migrate", "publish", "disclose"]
)
"""Deeds that a ban may name alone: `don't push`."""
_REPORT = late_pattern(r"^\W*(?:I|we|ich|wir|je|nous|yo|eu|io|я|мы)\b|私は", re.I)
_MIN_SHARED: Final = 2
_ENOUGH: Final = 0.6
_SURE: Final = 0.75


class SaidPart(NamedTuple):
    """A clause with what it speaks of.

    Attributes:
        is_denied: whether it or the words around it deny or limit; of what `read_clauses` returns this is not asked.
    """

    said: Statement
    text: str
    terms: SentenceTerms
    is_denied: bool = False


def freed_bans(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield what somebody forbade and the handoff has as allowed, asked for or planned."""
    parts = [part for claim in claims for part in read_parts(claim)]
    words = frozenset[str]().union(*(part.terms.all for part in parts if not part.is_denied))
    by_deed: dict[str, set[int]] = {}
    for at, part in enumerate(parts):
        for deed in part.terms.deeds:
            by_deed.setdefault(deed, set()).add(at)
    about = [said for said in told.sharing(by_deed) if not words.isdisjoint(said.about)]
    spoken: Sequence[SaidPart] | None = None
    seen: set[str] = set()
    for ban in (part for said in about if may_ban(said.text) for part in read_clauses(said) if is_ban(part)):
        places = sorted(set[int]().union(*(by_deed.get(deed, ()) for deed in ban.terms.deeds)))
        near = [parts[at] for at in places if is_about(ban.terms, parts[at].terms, _ENOUGH)]
        if not near:
            continue
        if any(part.is_denied for part in parts if touches(ban.terms, part.terms)):
            continue
        if spoken is None:
            spoken = [part for said in told.sharing(words) for part in read_clauses(said)]
        if any(frees(part, ban) for part in spoken):
            continue
        freed = (part for part in near if is_about(part.terms, ban.terms, _ENOUGH))
        free = next((part for part in freed if not gives_reason(part, ban)), None)
        if free is not None and free.said.text not in seen:
            seen.add(free.said.text)
            yield contradiction(
                free.said, ban.said, "ban-dropped", "negation", grave=ban.said.speaker != Role.ASSISTANT
            )


def gained_bans(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield what the handoff forbids and the user asked for, where nobody denies or limits it."""
    for claim in claims:
        for part in read_parts(claim) if PROHIBITS.search(claim.text) and not claim.is_question else ():
            if not PROHIBITS.search(part.text) or not part.terms.deeds:
                continue
            near = told.sharing(part.terms.all)
            if any(_denies_it(said, part) for said in near):
                continue
            asked = [
                one
                for said in near
                for one in read_clauses(said)
                if one.said.speaker == Role.USER
                and not one.said.is_question
                and not _REPORT.search(one.text)
                and is_about(part.terms, one.terms, _SURE)
            ]
            if asked:
                yield contradiction(claim, asked[-1].said, "ban-gained", "negation", grave=True)
                break


def _denies_it(said: Statement, ban: SaidPart) -> bool:
    """Whether a clause of a sentence denies or limits what a handoff forbids."""
    if not any(touches(ban.terms, one.terms) for one in read_clauses(said)):
        return False
    return any(one.is_denied for one in read_parts(said) if touches(ban.terms, one.terms))


@lru_cache(maxsize=4_096)
def read_clauses(said: Statement) -> Sequence[SaidPart]:
    """Return the clauses of a sentence; whether they deny is not asked."""
    texts = (text for text in _CLAUSE.split(said.text) if text.strip())
    return [SaidPart(said, text, read_terms(_SHORT_NOT.sub(" not", text))) for text in texts]


@lru_cache(maxsize=4_096)
def read_parts(said: Statement) -> Sequence[SaidPart]:
    """Return the clauses of a sentence, each with whether it, or what is around it, denies or limits."""
    around = FORBIDS.search(said.text) is not None or is_open(said.text) or _denies(said.heading)
    listed = denied_list(said.text)
    found = [
        part._replace(is_denied=around or part.text.strip() in listed or _denies(part.text))
        for part in read_clauses(said)
    ]
    if len(found) > 1 and any(part.is_denied and not part.terms.all for part in found):
        return [part._replace(is_denied=True) for part in found]  # `Off limits: the gateway`
    return [
        one._replace(is_denied=one.is_denied or _is_denied_by(one, at, found)) for at, one in enumerate(found)
    ]


def _is_denied_by(part: SaidPart, at: int, parts: Sequence[SaidPart]) -> bool:
    """Return whether what a part explains is denied, or what is said of it behind a colon or a dash."""
    whole, place = part.said.text, part.said.text.find(part.text)
    before, behind = whole[:place].rstrip(), whole[place + len(part.text) :].lstrip()
    if at and before.endswith(("(", "（")):
        return parts[at - 1].is_denied
    return behind.startswith((":", "：", "—", "– ", "- ")) and at + 1 < len(parts) and parts[at + 1].is_denied


def _denies(text: str) -> bool:
    if is_denied(text) or FORBIDS.search(text) or RESTRICTS.search(text):
        return True
    return bool(read_modality(text) & (Modality.BAN | Modality.LIMIT))


def is_ban(part: SaidPart) -> bool:
    """Return whether a clause forbids a deed."""
    if part.said.is_question or not part.terms.deeds or _REPORT.search(part.text) or is_open(part.said.text):
        return False
    demanded = _LEFT_OUT.sub(" ", part.text)  # `book it without breakfast` bans no booking
    return bool(read_modality(demanded) & Modality.BAN) and bool(
        PROHIBITS.search(part.text) or part.said.speaker != Role.ASSISTANT
    )


def forbids(one: Deviation, told: ToldSentences) -> bool:
    """Return whether the source forbids something, and does not only say how things stand: *they don't today*.

    `And no key` of an agent is such a state; of a user it is a demand.
    """
    bare = _STATES.sub(" ", one.source_line)
    if any(shape.search(bare) for shape in (PROHIBITS, LEAVE_IT)):
        return True
    is_own = any(said.message == one.message and said.speaker == Role.ASSISTANT for said in told)
    return not is_own and BANS_FIRST.match(one.source_line) is not None


def is_about(one: SentenceTerms, other: SentenceTerms, enough: float) -> bool:
    """Whether *other* speaks of the deed of *one* and of most else that it names."""
    if not one.deeds & other.deeds or not one.anchors <= (other.anchors | other.spelled):
        return False
    if one.all <= DEEDS:
        return bool(one.deeds & _GRAVE & other.deeds)
    shared = one.all & (other.all | other.spelled)
    return bool(shared - one.deeds) and len(shared) >= max(_MIN_SHARED, len(one.all) * enough)


def touches(one: SentenceTerms, other: SentenceTerms) -> bool:
    """Whether *other* may speak of the same: its deed with one of its things, or two of its words."""
    numbered, others = _numbered(one), _numbered(other)
    if numbered and others and not numbered & (others | other.spelled):
        return False
    shared = one.all & other.all
    is_bare = one.all <= DEEDS or other.all <= DEEDS
    return len(shared) >= _MIN_SHARED or (bool(one.deeds & other.deeds) and is_bare)


def _numbered(terms: SentenceTerms) -> frozenset[str]:
    return frozenset(one for one in terms.anchors if any(map(str.isdigit, one)))


def frees(part: SaidPart, ban: SaidPart) -> bool:
    """Whether *part* lets be done what *ban* forbids, asks for it, or tells that it was done."""
    if part.terms.deeds.isdisjoint(ban.terms.deeds) or part.said.is_question:
        return False
    if is_negated(part.text) or FORBIDS.search(part.text) or read_modality(part.text) & Modality.BAN:
        return False
    shared = (part.terms.all & ban.terms.all) - ban.terms.deeds
    is_bare = ban.terms.all <= DEEDS
    points = part.terms.all <= DEEDS or _POINTS.search(part.text) or LEAVE.search(part.text)
    return bool(shared or is_bare or (points and part.said.message > ban.said.message))


def gives_reason(part: SaidPart, ban: SaidPart) -> bool:
    """Whether *part* tells why something must not be used: `port 8081 is used by the proxy`."""
    if ban.terms.deeds - {"use"}:
        return False
    before, _, behind = ban.said.text.partition(ban.text)
    reason = read_terms(behind).all - read_terms(before).all - ban.terms.all
    return not reason.isdisjoint(part.terms.all)


_POINTS = late_pattern(
    r"\b(?:it|this|that|them|es|das|dies|ça|cela|l[ea]|lo|eso|isso|это|его|её)\b|它|それ|これ", re.I
)
