"""Follow the rules of a conversation through its compactions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.ledger.breaking import breaks_rule
from hermes_sessions.audit.ledger.certainty import is_standing, may_be_report
from hermes_sessions.audit.ledger.sameness import gives_leave, is_same_rule, replaces_rule
from hermes_sessions.audit.ledger.sightings import RuleSightings
from hermes_sessions.audit.ledger.values import LedgerRule, RuleSight, RulesLedger, Sight
from hermes_sessions.audit.values import AuditMessage, CompactionCase, ConversationCase
from hermes_sessions.audit.words.modality import LEAVE
from hermes_sessions.facts.constraints import extract_rules
from hermes_sessions.facts.values import Fact
from hermes_sessions.handoff import is_synthetic
from hermes_sessions.messages import Role

RuleReader = Callable[[AuditMessage], Sequence[Fact]]

MAX_RULES: Final = 500
"""So many rules of a conversation are followed, those set first."""

_RANKS: Final = {"tool": 0, "assistant": 1, "system": 2, "user": 2}
_MAX_BREACHES: Final = 20
_MAX_PROMPT: Final = 4_000


@dataclass(slots=True)
class _Entry:
    fact: Fact
    speaker: str
    rows: list[int]
    sights: list[RuleSight] = field(default_factory=list)
    lifted_by: int | None = None
    replaced: bool = False
    broken: list[tuple[int, int]] = field(default_factory=list)
    in_prompt: bool = False
    """It stands in the instructions that are sent with every request."""
    lost_by: int | None = None
    """The compaction that lost it, while it is out of sight."""


def read_rules(row: AuditMessage) -> Sequence[Fact]:
    """Return the rules that a row sets; what an agent wrote in the user's name sets none."""
    if not row.text.strip() or is_synthetic(row.text):
        return ()
    return extract_rules({"role": row.role, "content": row.text})


def build_ledger(
    case: ConversationCase,
    read: RuleReader = read_rules,
    deviations: Mapping[int, Sequence[Deviation]] = MappingProxyType({}),
) -> RulesLedger:
    """Return every rule of a conversation with its fate, those that were never compacted included.

    Args:
        read: finds the rules of a message.
        deviations: by compaction, where its handoff departs from its source: a rule of which it says the
            opposite is out of sight.
    """
    walk = _Walk(read, {session.key: session.prompt for session in case.sessions}, deviations)
    for one in case.compactions:
        if one.facts.is_committed and not one.facts.fork:
            walk.compact(one)
    return tuple(_rule(entry) for entry in walk.entries)


def _rule(entry: _Entry) -> LedgerRule:
    return LedgerRule(
        text=entry.fact.value,
        speaker=entry.speaker,
        message=entry.rows[0],
        said=len(entry.rows),
        sights=tuple(entry.sights),
        lifted_by=entry.lifted_by,
        replaced=entry.replaced,
        is_standing=is_standing(entry.fact, entry.speaker),
        broken_by=tuple(row for row, _ in entry.broken),
        broken_after=tuple(compaction for _, compaction in entry.broken),
    )


class _Walk:
    """The rules met so far, from the first row on."""

    def __init__(
        self, read: RuleReader, prompts: Mapping[int, str], deviations: Mapping[int, Sequence[Deviation]]
    ) -> None:
        self.entries: list[_Entry] = []
        self._read = read
        self._prompts = prompts
        self._deviations = deviations
        self._met: set[int] = set()
        self._instructed: set[str] = {""}
        self._asked: list[str] = []

    def compact(self, case: CompactionCase) -> None:
        """Read what stood before, look what of it is in sight after, and read on."""
        if case.before:
            self._instruct(case)
        self._meet(case.before[_end_of_prompt(case.before) :])
        if case.after or case.body.strip():
            self._look(case)
            self._meet((*case.after, *case.following))

    def _instruct(self, case: CompactionCase) -> None:
        """Add the rules of the instructions; those of a long prompt are the agent's own manual."""
        first = case.before[0].id
        texts = [(case.prompt, first)]
        texts += [(row.text, row.id) for row in case.before[: _end_of_prompt(case.before)]]
        for text, message in texts:
            if text in self._instructed or len(text) > _MAX_PROMPT:
                continue
            self._instructed.add(text)
            for fact in extract_rules({"role": Role.SYSTEM, "content": text}):
                if not any(is_same_rule(entry.fact, fact) for entry in self.entries):
                    self.entries.append(_Entry(fact, Role.SYSTEM, [message], in_prompt=True))

    def _meet(self, rows: Iterable[AuditMessage]) -> None:
        for row in rows:
            if row.original not in self._met:
                self._met.add(row.original)
                self._hear(row)

    def _hear(self, row: AuditMessage) -> None:
        if row.role == Role.USER and row.is_request:
            self._asked.append(row.text)
        if row.calls or row.is_reply:
            self._note_breaches(row)
        if not row.text.strip() or row.kind == "handoff":
            return
        found = self._read(row)
        if row.role != Role.TOOL:
            self._lift(row, found)
        for fact in found:
            self._add(fact, row)

    def _lift(self, row: AuditMessage, found: Sequence[Fact]) -> None:
        rank = _RANKS.get(row.role, 1)
        standing = [
            entry
            for entry in self.entries
            if entry.lifted_by is None and rank >= _RANKS.get(entry.speaker, 1) and row.id not in entry.rows
        ]
        if not standing or is_synthetic(row.text) or LEAVE.search(row.text) is None:
            return
        text = row.text
        for fact in found:  # a new rule takes no other back by its own words
            text = text.replace(fact.value, " ")
        for entry in standing:
            if gives_leave(text, entry.fact):
                entry.lifted_by = row.id

    def _add(self, fact: Fact, row: AuditMessage) -> None:
        for entry in self.entries:
            if entry.lifted_by is not None:
                continue
            if is_same_rule(entry.fact, fact):
                entry.rows.append(row.id)
                entry.lost_by = None
                if _RANKS.get(fact.speaker, 1) > _RANKS.get(entry.speaker, 1):
                    entry.speaker = fact.speaker
                return
            if _RANKS.get(fact.speaker, 1) >= _RANKS.get(entry.speaker, 1) and replaces_rule(
                fact, entry.fact
            ):
                entry.lifted_by, entry.replaced = row.id, True
        if len(self.entries) < MAX_RULES:
            self.entries.append(_Entry(fact, fact.speaker, [row.id]))

    def _look(self, case: CompactionCase) -> None:
        prompt = self._prompts.get(case.facts.child or case.facts.session, "")
        sight = RuleSightings(case, prompt, self._deviations.get(case.facts.id, ()))
        for entry in self.entries:
            lifted = entry.lifted_by is not None
            known = Sight.PROMPT if entry.in_prompt else sight.of(entry.fact, entry.rows)
            found = Sight.LIFTED if lifted else known
            is_lost = found is Sight.LOST
            told = is_lost and sight.may_tell(entry.fact, entry.rows)
            doubtful = told or (is_lost and sight.has_unexplained(entry.fact, entry.rows))
            perhaps = told or (is_lost and may_be_report(entry.fact))
            entry.sights.append(RuleSight(case.facts.id, case.facts.ordinal, found, doubtful, perhaps))
            if found is Sight.LOST:
                entry.lost_by = entry.lost_by or case.facts.id
            elif found is not Sight.UNKNOWN:
                entry.lost_by = None
        self._asked.clear()

    def _note_breaches(self, row: AuditMessage) -> None:
        for entry in self.entries:
            watched = entry.lifted_by is None and len(entry.broken) < _MAX_BREACHES
            if watched and entry.lost_by is not None and breaks_rule(row, entry.fact, self._asked):
                entry.broken.append((row.id, entry.lost_by))


def _end_of_prompt(rows: Sequence[AuditMessage]) -> int:
    """Return where the first instructions end: they are sent with every request and cannot be lost."""
    return next((at for at, row in enumerate(rows) if row.role != Role.SYSTEM), len(rows))


def lost_rules(ledger: RulesLedger) -> Mapping[int, Sequence[LedgerRule]]:
    """Return, for each compaction that lost rules, which."""
    found: dict[int, list[LedgerRule]] = {}
    for rule in ledger:
        for loss in rule.losses:
            found.setdefault(loss.compaction, []).append(rule)
    return found
