"""Small conversations as the audit sees them: say what stood before, what was kept, what came then.

    told = compacted([user("Fix a.py"), assistant("Done.")], keep=[1], body="Fixed a.py.")
    codes(told) == []

Rows get ids in order from 1; those of the new session follow the old ones.
"""

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hermes_sessions.audit.measure import MeasuredCompaction, measure_compaction
from hermes_sessions.audit.rules import check_compaction, check_conversation
from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import (
    AuditedSession,
    AuditMessage,
    CompactionFacts,
    ConversationCase,
    FindingValue,
)
from hermes_sessions.handoff import render_handoff
from hermes_sessions.handoff.grammars.grammar import OWN
from hermes_sessions.messages import ToolCall

NOON = 1_767_268_800.0


def user(text: str, **columns: Any) -> AuditMessage:
    return _said("user", text, **columns)


def assistant(text: str = "", *calls: ToolCall, **columns: Any) -> AuditMessage:
    return _said("assistant", text, calls=calls, **columns)


def tool(answers: str, text: str = "ok", **columns: Any) -> AuditMessage:
    return _said("tool", text, result_ids=(answers,), **columns)


def call(name: str, key: str = "c1", **arguments: Any) -> ToolCall:
    return ToolCall((key,), name, json.dumps(arguments))


def _said(role: str, text: str, **columns: Any) -> AuditMessage:
    return AuditMessage(**{"id": 0, "position": 0, "original": 0, "role": role, "text": text, **columns})


@dataclass
class Compacted:
    """How one compaction went: indices of *before*, and the rows around the handoff.

    `keep` are indices of the tail, `head` of what stands ahead of the handoff. `raw` is
    the handoff as it stands, by default *body* in the current format; None for no handoff.
    `grammar` names who framed it.
    """

    before: Sequence[AuditMessage]
    keep: Sequence[int] = ()
    head: Sequence[int] = ()
    body: str = "What was done before."
    raw: str | None = "(current)"
    role: str = "user"
    grammar: str = OWN
    merged: int | None = None
    pruned: dict[int, str] = field(default_factory=dict)
    following: Sequence[AuditMessage] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    in_place: bool = False

    def conversation(self) -> ConversationCase:
        """Return it as a conversation of one or two sessions."""
        numbers = itertools.count(1)
        taken = {*self.keep, *self.head} | ({self.merged} if self.merged is not None else set())
        old = []
        for index, row in enumerate(self.before):
            key = next(numbers)
            gone = None if index in taken or self.facts.get("fork") else 1
            old.append(replace(row, id=key, original=row.original or key, archived_by=gone))
        new = [self._copy(old, index, next(numbers)) for index in self.head]
        handoff = None
        if self.raw is not None:
            handoff = next(numbers)
            new.append(self._handoff(old, handoff))
        new += [self._copy(old, index, next(numbers)) for index in self.keep]
        for row in self.following:
            key = next(numbers)
            new.append(replace(row, id=key, original=row.original or key))
        facts = CompactionFacts(
            **{
                "id": 1,
                "ordinal": 1,
                "realisation": "in_place" if self.in_place else "rotation",
                "status": "committed",
                "session": 1 if self.in_place else 2,
                "parent": 1,
                "child": 1 if self.in_place else 2,
                "method": "model",
                "head": len(self.head),
                "handoff": handoff,
                "summary": None if self.raw is None else self.body,
                **self.facts,
            }
        )
        if self.in_place:
            return cut_conversation([_session(1, [*old, *new])], [facts])
        child = _session(2, new, parent=1, parent_id="session-1", relation="compaction")
        return cut_conversation([_session(1, old), child], [facts])

    def measured(self) -> MeasuredCompaction:
        """Return the compaction with everything measured on it."""
        return measure_compaction(self.conversation().compactions[0])

    def _copy(self, old: Sequence[AuditMessage], index: int, key: int) -> AuditMessage:
        row = old[index]
        return replace(row, id=key, archived_by=None, text=self.pruned.get(index, row.text))

    def _handoff(self, old: Sequence[AuditMessage], key: int) -> AuditMessage:
        raw = render_handoff(self.body) if self.raw == "(current)" else self.raw or ""
        if self.merged is None:
            return AuditMessage(
                id=key,
                position=0,
                original=key,
                role=self.role,
                kind="handoff",
                handoff=raw,
                grammar=self.grammar,
            )
        return replace(
            old[self.merged], id=key, kind="merged", handoff=raw, grammar=self.grammar, archived_by=None
        )


def _session(key: int, rows: Sequence[AuditMessage], **columns: Any) -> AuditedSession:
    placed = [replace(row, position=at) for at, row in enumerate(rows)]
    return AuditedSession(key=key, foreign_id=f"session-{key}", rows=placed, **columns)


def compacted(before: Sequence[AuditMessage], **how: Any) -> Compacted:
    return Compacted(before, **how)


def findings(told: Compacted | ConversationCase) -> list[FindingValue]:
    """Return everything the rules find."""
    case = told.conversation() if isinstance(told, Compacted) else told
    found = [one for each in case.compactions for one in check_compaction(measure_compaction(each))]
    return [*found, *check_conversation(case)]


def hits(told: Compacted | ConversationCase, rule: str) -> list[FindingValue]:
    return [one for one in findings(told) if one.rule == rule]
