"""What is to be left alone, in a handoff that has it changed; and bans of scripts without blanks that lost their negation."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.relations.statements import Statement, contradiction
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.modality import Modality, read_modality
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

CHANGES: Final = frozenset(
    ["change", "fix", "delete", "refactor", "rename", "migrate", "write", "upgrade", "merge", "cut"]
)
"""Deeds that leave nothing as it was."""
LEFT_ALONE: Final = late_pattern(
    r"\b(?:leave|keep)\b[^,;]{1,40}\b(?:alone|as (?:it|they) (?:is|are)|untouched)|\bin Ruhe|\blass\w*\b[^,.;]{1,40}\bso\b|\blaiss\w+\b[^,.;]{1,40}\btel|\bdej\w+\b[^,.;]{1,40}\b(?:como está|en paz)|\bdeix\w+\b[^,.;]{1,40}\bcomo está|не трогай|не трогать|не трогайте|оставь\w* как",
    re.I,
)
_NEEDED: Final = late_pattern(
    r"\b(?:must|has to|have to|needs?(?: to)?|should|to be|muss|müssen|soll\w*|doit|doivent|il faut|à (?:corriger|supprimer|modifier|réécrire)|debe\w*|hay que|tienen? que|deve\w*|é preciso|нужно|надо|следует|долж\w+)\b|需要|必须|要(?!求)|应该|べき|必要|なければ|해야",
    re.I,
)
_CLAUSE: Final = late_pattern(
    r"[,;:(](?!\d)\s?|[，、；：—。]\s?|\s(?:and|but|und|aber|et|mais|y|pero|e|mas|ma|и|а|но)\s"
)


class _TouchedPart(NamedTuple):
    said: Statement
    text: str
    deeds: frozenset[str]
    names: frozenset[str]


def changed_untouchables(claims: Sequence[Statement], told: Sequence[Statement]) -> Iterator[Deviation]:
    """Yield what somebody said to leave alone, where a handoff says that it must be changed."""
    asked = [
        part
        for claim in claims
        if _NEEDED.search(claim.text) and not claim.is_question
        for part in _parts(claim)
        if part.names and part.deeds & CHANGES and _NEEDED.search(part.text) and not _leaves(part.text)
    ]
    if not asked:
        return
    known = [part for said in told for part in _parts(said) if part.names and not said.is_question]
    bans = [
        part
        for part in known
        if _leaves(part.text) and ("change" in part.deeds or LEFT_ALONE.search(part.text))
    ]
    for part in asked:
        about = [ban for ban in bans if ban.names & part.names]
        if about and not any(_lets(one, part, about[-1]) for one in known):
            grave = about[-1].said.speaker != Role.ASSISTANT
            yield contradiction(part.said, about[-1].said, "ban-dropped", "negation", grave=grave)


def _lets(one: _TouchedPart, part: _TouchedPart, ban: _TouchedPart) -> bool:
    """Whether somebody asks for such a change of it, or reports it."""
    is_about = one.names & part.names and one.deeds & part.deeds and not _leaves(one.text)
    return bool(is_about) and one.said is not ban.said


def _leaves(text: str) -> bool:
    return is_negated(text) or LEFT_ALONE.search(text) is not None or bool(read_modality(text) & Modality.BAN)


@lru_cache(maxsize=8_192)
def _parts(said: Statement) -> Sequence[_TouchedPart]:
    """Return the clauses of a sentence; one that names nothing speaks of what was named before it."""
    found: list[_TouchedPart] = []
    names = frozenset[str]()
    for text in _CLAUSE.split(said.text):
        terms = read_terms(text)
        own = frozenset(one for one in terms.anchors if not one.isdecimal())
        names = own or names
        found.append(_TouchedPart(said, text, terms.deeds, names))
    return found


_HAN_CUT: Final = late_pattern(r"[,;:!?。，；：！？、\n()（）]|->|→")
_INSIDE: Final = late_pattern(r"[(（][^()（）\n]{1,80}[)）]")
"""What is in brackets explains what is before them: `不许清空队列(purge)` asks for no purge."""
_HAN_BAN: Final = late_pattern(
    r"(?:暂时|暂|请|千万)?(?:不要再|不要|不得|不能|不可以|不可|不准|不许|禁止|切勿|勿|别)"
)
_HAN_LEAD: Final = late_pattern(
    r"^\W*(?:(?:用户|客户|他|她|对方)(?:还|又|也|已|已经|明确)?(?:要求|说|希望|表示|让|想|指示|同意)?(?:我们|我)?|(?:约束|规则|要求|注意))"
)
_HAN_ADVERB: Final = late_pattern(r"(?:马上|立即|立刻|现在|尽快|直接|可以|先|应该|需要|必须|就|要)")
_KANA_BAN: Final = late_pattern(r"(.{2,40}?)[\u3041-\u309f]?ない(?:で|よう)|(.{2,40}?)지 ?(?:마|말)")
_SIGNS: Final = late_pattern(r"[\u3040-\ud7af]")
_LEAST_HAN: Final = 2
_LEAST_KANA: Final = 4


def dropped_negations(claims: Sequence[Statement], told: Sequence[Statement]) -> Iterator[Deviation]:
    """Yield clauses that are a ban without its negation, word for word: 先部署 for 先不要部署."""
    spoken = [claim for claim in claims if not claim.text.isascii()]
    asked = [(claim, part) for claim in spoken for part in _HAN_CUT.split(_INSIDE.sub(" ", claim.text))]
    bans = [ban for said in told if asked and not said.text.isascii() for ban in _bans_of(said)]
    if not bans:
        return
    kept = [core for claim in spoken for part in _HAN_CUT.split(claim.text) if (core := _banned(part))]
    for said, core in bans:
        if said.is_question or core in kept:
            continue
        claim = next((claim for claim, one in asked if _asks(one, core)), None)
        if claim is not None and not _is_asked_since(core, said, told):
            yield contradiction(claim, said, "ban-dropped", "negation", grave=said.speaker != Role.ASSISTANT)


def _is_asked_since(core: str, ban: Statement, told: Sequence[Statement]) -> bool:
    """Whether somebody says just what was forbidden after it was, or the user names it."""
    for said in told:
        if said.message > ban.message and not said.text.isascii():
            for part in map(str.strip, _HAN_CUT.split(said.text)):
                is_named = _bare(part) == core or (said.speaker == Role.USER and core in part)
                if is_named and not is_negated(part):
                    return True
    return False


def _bans_of(said: Statement) -> Iterator[tuple[Statement, str]]:
    """Yield what the clauses of a sentence forbid; a ban is of signs."""
    if _SIGNS.search(said.text):
        yield from ((said, core) for part in _HAN_CUT.split(said.text) if (core := _banned(part.strip())))


def _banned(part: str) -> str:
    """Return what a clause forbids, without the ban; '' where it forbids nothing."""
    if match := _HAN_BAN.search(part):
        core = _bare(part[: match.start()] + part[match.end() :])
        return core if len(core) >= _LEAST_HAN else ""
    if match := _KANA_BAN.match(part.strip()):
        core = (match[1] or match[2] or "").strip()
        return core if len(core) >= _LEAST_KANA else ""
    return ""


def _asks(part: str, core: str) -> bool:
    if is_negated(part):
        return False
    return _bare(part) == core or (
        len(core) >= _LEAST_KANA and part.strip().startswith(core) and not _HAN_BAN.search(part)
    )


def _bare(text: str) -> str:
    return _HAN_ADVERB.sub("", _HAN_LEAD.sub("", text.strip(" *-•\t"))).strip()
