"""Where a rule is after a compaction: the one answer of the ledger, the retained facts and the verdict."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.handoff_index import HandoffIndex
from hermes_sessions.audit.fates import is_tail_stored
from hermes_sessions.audit.handed_on.handed_on import HandedOn
from hermes_sessions.audit.handed_on.told_matters import Telling
from hermes_sessions.audit.handed_on.turned_facts import turns_sentence
from hermes_sessions.audit.ledger.broken_rules import BrokenRules
from hermes_sessions.audit.ledger.certainty import RuleTraces
from hermes_sessions.audit.ledger.own_words import OwnWords
from hermes_sessions.audit.ledger.sameness import ToldText, is_code, read_told, tells_rule
from hermes_sessions.audit.ledger.values import Sight
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.modality import Modality, read_modality
from hermes_sessions.facts.constraints import binding_part
from hermes_sessions.facts.values import Fact
from hermes_sessions.messages import CompactionMethod

_LAST_ROWS: Final = 20
"""Where no tail is stored, so many rows at the end may have been kept."""


class RuleSightings:
    """What is in the transcript that one compaction left."""

    def __init__(self, case: CompactionCase, prompt: str, deviations: Sequence[Deviation] = ()) -> None:
        """Take a compaction, the instructions after it, and where its handoff departs from its source."""
        self._deviations = deviations
        self._rows = {row.original: row for row in case.after if row.text.strip()}
        self._kept = "\n".join(_folded(row.text) for row in self._rows.values())
        self._prompt = _folded(prompt)
        carried = (row.handoff for row in case.after if row.handoff and row.id != case.facts.handoff)
        handoffs = [case.body, *carried]
        self._handoffs = handoffs
        self._body = "\n".join(handoffs)
        self._told: ToldText | None = read_told(self._body) if any(handoffs) else None
        self._traces = RuleTraces(case, handoffs)
        self._own_words = OwnWords(case, handoffs)
        self._broken = BrokenRules(case, handoffs)
        self._handed_on = HandedOn(handoffs, case.before)
        self._unread = case.facts.method == CompactionMethod.MODEL and case.facts.summary is None
        self._may_be_kept = {key for row in _unknown_tail(case) for key in (row.id, row.original)}

    def of(self, rule: Fact, rows: Sequence[int]) -> Sight:
        """Return where *rule*, said in these rows, stands."""
        value = _folded(rule.value)
        if value in self._kept:
            return Sight.TAIL
        told = None if self._is_broken(rule, rows) else self._told
        if told is not None and (self._tells(rule, told) or self._tells_part(rule, told)):
            return Sight.HANDOFF
        if value and value in self._prompt:
            return Sight.PROMPT
        if self._unread or not self._may_be_kept.isdisjoint(rows):
            return Sight.UNKNOWN
        return Sight.LOST

    def _is_broken(self, rule: Fact, rows: Sequence[int]) -> bool:
        """Return whether a handoff has the opposite of *rule*: then it does not say it, in whatever words."""
        turned = any(turns_sentence(one, rule.value, rows, self._body) for one in self._deviations)
        return turned or self._broken.breaks(rule, rows)

    def _tells(self, rule: Fact, told: ToldText) -> bool:
        return tells_rule(rule, told) or self._tells_duty(rule) or self._tells_matter(rule)

    def _tells_part(self, rule: Fact, told: ToldText) -> bool:
        """What of it binds is told: the request before it may be over, its reason may be left out."""
        part = binding_part(rule.value)
        return part != rule.value and self._tells(rule._replace(value=part), told)

    def _tells_matter(self, rule: Fact) -> bool:
        """What a rule is about, and its bar or its value, are in one line, whatever mood its verb has."""
        return self._handed_on.of_rule(rule) is Telling.YES

    def _tells_duty(self, rule: Fact) -> bool:
        """What has to be so is told by a sentence that it is so; a ban or a limit is not."""
        demands = read_modality(rule.value)
        return not demands & (Modality.BAN | Modality.LIMIT) and self._sentences.tells(rule)

    @cached_property
    def _sentences(self) -> HandoffIndex:
        return HandoffIndex(self._handoffs, _no_facts)

    def may_tell(self, rule: Fact, rows: Sequence[int]) -> bool:
        """Return whether a handoff may say *rule* in words that cannot be compared."""
        return not self._is_broken(rule, rows) and (
            self._handed_on.of_rule(rule) is not Telling.NOT
            or self._is_foreign(rule.value, rows)
            or self._traces.may_tell(rule, rows)
            or self._own_words.come_from(rule.value, rows)
        )

    def has_unexplained(self, rule: Fact, rows: Sequence[int]) -> bool:
        """Return whether a handoff says what nothing explains: *rule*, if in quite other words."""
        return not self._is_broken(rule, rows) and self._traces.has_unexplained(rule, rows)

    def _is_foreign(self, text: str, rows: Sequence[int]) -> bool:
        """Whether no line is in its language; a path or a code that stands nowhere is told in none."""
        codes = [one for one in read_terms(text).anchors if is_code(one)]
        told = not codes or any(one in handoff.casefold() for one in codes for handoff in self._handoffs)
        return told and self._handed_on.is_foreign(text, rows)


def _no_facts(text: str) -> Sequence[Fact]:
    return ()


def _unknown_tail(case: CompactionCase) -> Sequence[AuditMessage]:
    """Where a rotation's tail is not stored: the turn that it may have kept."""
    if not case.facts.is_rotation or is_tail_stored(case):
        return ()
    last = case.before[-_LAST_ROWS:]
    start = next((at for at in range(len(last) - 1, -1, -1) if last[at].is_request), len(last))
    return last[start:]


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
