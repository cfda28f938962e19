"""Values of a handoff that were replaced before the compaction, where the handoff lacks what replaced them."""

import re
from collections.abc import Sequence
from functools import lru_cache

from hermes_sessions.audit.sources.source_index import SourceIndex
from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.facts.equivalence import equal_by
from hermes_sessions.facts.slots import same_subject
from hermes_sessions.facts.values import Fact
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

PROPOSAL = late_pattern(
    r"\b(?:would|could|should|suggest\w*|propos\w*|recommend\w*|shall|may I|let's|würde|könnte|schlage|vorschlag|je propose|propongo|sugi[ei]r\w*|предлагаю)\b|\bI'd\b|建议|提议|提案|[?？]",
    re.I,
)


def find_newer(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> Told | None:
    """Return what replaced the value in the source, None where nothing did or the handoff says that, too."""
    if fact.kind == "config" and fact.key:
        return _newer_setting(fact, source, handoff)
    return None


def _newer_setting(fact: Fact, source: SourceIndex, handoff: SourceIndex) -> Told | None:
    """A setting that the user gave anew, or that an edit, which shows both values, changed."""
    known = [one for one in source.by_kind.get("config", ()) if same_subject(fact.key, one.fact.key)]
    last = _last_equal(fact, known)
    is_only_proposed = all(proposes(one) for one in known if equal_by("config", fact.value, one.fact.value))
    for before, told in zip(known[last:], known[last + 1 :], strict=False) if last >= 0 else ():
        is_edit = before.message == told.message and before.fact.value != told.fact.value
        is_sure = told.fact.speaker == Role.USER or is_edit or (is_only_proposed and not proposes(told))
        if is_sure and not handoff.holds_whole(told.fact.value):
            return told
    return None


def proposes(told: Told) -> bool:
    """Return whether a value is only proposed where it stands, or asked about."""
    return _proposes(told.fact.text)


@lru_cache(maxsize=8_192)
def _proposes(text: str) -> bool:
    return PROPOSAL.search(text) is not None


def _last_equal(fact: Fact, known: Sequence[Told]) -> int:
    places = range(len(known) - 1, -1, -1)
    return next((at for at in places if equal_by(fact.kind, fact.value, known[at].fact.value)), -1)
