"""The words by which Hermes says how sessions hang together, as evidence of `lineage`. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hermes_sessions.json_text import parsed_json
from hermes_sessions.lineage import Ending, Relation, SessionEvidence, classify
from hermes_sessions.titles import split_title

COMPACTED: Final = "compression"
"""`end_reason` of a session that a compaction ended."""
_ENDINGS: Final[Mapping[str, Ending]] = {
    COMPACTED: Ending.COMPACTED,
    "branched": Ending.BRANCHED,
    **dict.fromkeys(
        (
            "session_reset",
            "new_session",
            "session_switch",
            "resumed_other",
            "idle",
            "daily",
            "suspended",
            "resume_pending_expired",
        ),
        Ending.RESET,
    ),
}
_MARKERS: Final[Mapping[str, Relation]] = {
    "_branched_from": Relation.BRANCH,
    "_reset_from": Relation.RESET,
    "_delegate_from": Relation.DELEGATE,
}
"""Keys of `model_config` that name a parent; continuations inherit them."""
_SPAWNED: Final = frozenset({"tool", "subagent"})
"""`source` of sessions that an agent started."""


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What a session's row says of its lineage, and what its messages show.

    Attributes:
        model_config: the JSON object (or its text) that holds lineage markers; broken text means none.
        has_carrier: a handoff is where a compaction would have put it.
        copied_rows: how many first rows repeat the parent's.
        first_role: role of the first row that is neither copied nor a handoff.
        message_count: stored rows.
    """

    id: str
    source: str | None = None
    started_at: float | None = None
    ended_at: float | None = None
    end_reason: str | None = None
    title: str | None = None
    session_key: str | None = None
    model_config: Mapping[str, Any] | str | None = None
    has_carrier: bool = False
    copied_rows: int = 0
    first_role: str | None = None
    message_count: int = 0


def classify_child(child: SessionFacts, parent: SessionFacts | None, *, rivals: bool = False) -> Relation:
    """Say what *child* is to *parent*, as `lineage.classify` does by their evidence."""
    return classify(evidence_of(child), None if parent is None else evidence_of(parent), rivals=rivals)


def evidence_of(facts: SessionFacts) -> SessionEvidence:
    """Return what the words of a session say, in nobody's words."""
    title, number = split_title(facts.title) if facts.title else (None, None)
    return SessionEvidence(
        id=facts.id,
        started_at=facts.started_at,
        ended_at=facts.ended_at,
        ending=_ENDINGS.get(facts.end_reason or ""),
        named=_named_parents(facts.model_config),
        spawned=facts.source in _SPAWNED,
        place=facts.session_key,
        title=title,
        number=number,
        has_carrier=facts.has_carrier,
        copied_rows=facts.copied_rows,
        first_role=facts.first_role,
        message_count=facts.message_count,
    )


def _named_parents(model_config: Mapping[str, Any] | str | None) -> Mapping[Relation, str]:
    if isinstance(model_config, str):
        model_config = parsed_json(model_config)
    if not isinstance(model_config, Mapping):
        return {}
    found = ((relation, model_config.get(marker)) for marker, relation in _MARKERS.items())
    return {relation: named for relation, named in found if isinstance(named, str)}
