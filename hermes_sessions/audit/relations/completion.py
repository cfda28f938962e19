"""Deeds that a handoff reports as done and everybody leaves open, and deeds that it leaves open and that are done."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, contradiction
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.wording import AGREES, DONE, FORBIDS, MODAL, RESTRICTS, is_open
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

LASTING: Final = frozenset(
    [
        "push",
        "merge",
        "deploy",
        "delete",
        "restart",
        "send",
        "install",
        "commit",
        "pay",
        "migrate",
        "book",
        "upgrade",
        "order",
        "rename",
        "answer",
        "disclose",
        "decide",
        "fix",
        "verify",
        "test",
        "translate",
        "export",
    ]
)
"""Deeds with an end that somebody reports or a call shows: what is nowhere was not done."""
_WILL: Final = late_pattern(
    r"\b(?:will|would|shall|should|going to|want\w*|plan\w*|propos\w*|suggest\w*|if|when|once|until|before|ready to|to be|need\w*|werde\w*|würde\w*|soll\w*|will|wenn|sobald|bis|falls|vais|va|vai|voy|vamos|si|quand|cuando|quando|se|hasta|até|буд\w+|если|когда|хоч\w+)\b|[’']ll\b|吗|要|将|会|如果|等|つもり|ます予定|予定|たら|하겠|예정|سوف|إذا",
    re.I,
)
"""Words of what is still to come."""
_ALREADY = late_pattern(
    r"\b(?:already|bereits|schon|déjà|ya|já|già|уже)\b|すでに|既に|已经?(?![知有])|이미", re.I
)
_NOT_SO = late_pattern(r'"[^"\n]{1,60}"\s?:\s?(?:false|null|0|"no"|"none"|"pending")(?![\w.])', re.I)
"""What a result says is not so."""
_NONE: Final = late_pattern("[无無没沒未]")
"""`30 分钟无重启`: nothing of the kind."""
_CLAUSES = late_pattern("[,;，；]")
_MAX_READ: Final = 600


def undone_deeds(
    claims: Sequence[Statement], told: ToldSentences, rows: Sequence[AuditMessage]
) -> Iterator[Deviation]:
    """Yield deeds reported as done that somebody held back, and that no later sentence, call or result shows."""
    asked = [(claim, deeds) for claim in claims if (deeds := _reported(claim))]
    if not asked:
        return
    for claim, deeds in asked:
        for deed in sorted(deeds):
            said = _held_back(claim, deed, told)
            if said is not None and not _is_shown(deed, [row for row in rows if row.id > said.message]):
                yield contradiction(claim, said, "held-back", "done")
                break


def _reported(claim: Statement) -> frozenset[str]:
    """Return the lasting deeds that a sentence of a handoff says are done."""
    if (
        claim.mode is not Mode.STATED
        or claim.is_question
        or not (DONE.search(claim.text) or _ALREADY.search(claim.text))
    ):
        return frozenset()
    if any(shape.search(claim.text) for shape in (FORBIDS, MODAL, RESTRICTS, _WILL)):
        return frozenset()
    if is_negated(claim.text) or is_open(claim.text) or _NONE.search(claim.text):
        return frozenset()
    return read_terms(claim.text).deeds & LASTING


def _is_shown(deed: str, rows: Sequence[AuditMessage]) -> bool:
    """Return whether a call or a result of *rows* names a deed."""
    for row in rows:
        texts = [f"{call.name} {call.arguments[:_MAX_READ]}".replace("_", " ") for call in row.calls]
        if row.role == Role.TOOL:
            texts.append(_NOT_SO.sub(" ", row.text[:_MAX_READ]))
        if any(deed in read_terms(one.replace('"', " ")).deeds for one in texts):
            return True
    return False


def _held_back(claim: Statement, deed: str, told: ToldSentences) -> Statement | None:
    """Return the last sentence that leaves *deed* open, where none after it lets it happen and none reports it."""
    held: Statement | None = None
    done: list[Statement] = []
    for said in told.doing(deed):
        part = _part_about(deed, said.text)
        is_held = said.is_question or is_negated(part) or is_open(part) or bool(FORBIDS.search(part))
        if is_held:
            held = said
        elif said.speaker == Role.ASSISTANT and not _WILL.search(said.text):
            held = None
            done.append(said)
        elif said.speaker == Role.USER:
            held = None
    if held is None:
        return None
    things = claim.about - {deed}
    alike = len(things & held.about)
    if (held.about - {deed} and not alike) or any(len(things & one.about) >= max(alike, 1) for one in done):
        return None
    agreed = any(
        one.speaker == Role.USER and one.message > held.message and AGREES.search(one.text) for one in told
    )
    return None if agreed else held


def _part_about(deed: str, text: str) -> str:
    """Return the clauses of *text* that name a deed: in `all pass, not pushed` nobody denies that they pass."""
    parts = [part for part in _CLAUSES.split(text) if deed in read_terms(part).deeds]
    return ", ".join(parts) or text


def done_deeds(claims: Sequence[Statement], told: ToldSentences) -> Iterator[Deviation]:
    """Yield deeds left open, `not sent yet`, that the agent reported and nobody left open."""
    for claim in claims:
        deeds = read_terms(claim.text).deeds & LASTING if is_open(claim.text) else frozenset[str]()
        if claim.is_question or FORBIDS.search(claim.text) or len(deeds) != 1:
            continue
        deed = next(iter(deeds))
        things = claim.about - deeds
        doing = told.doing(deed)
        near = [said for said in doing if things & said.about]
        if not near or any(map(_leaves_open, doing)):
            continue
        last = near[-1]
        if (
            last.speaker == Role.ASSISTANT
            and DONE.search(last.text)
            and len(things & last.about) >= min(2, len(things))
        ):
            yield contradiction(claim, last, "done")


def _leaves_open(said: Statement) -> bool:
    return said.is_question or is_negated(said.text) or is_open(said.text) or bool(_WILL.search(said.text))
