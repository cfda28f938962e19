"""What a correction says instead of a value that nothing has: never what the source only rules out. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.newer_values import proposes
from hermes_sessions.audit.relations.statements import Statement, ToldSentences, split_sentences
from hermes_sessions.audit.sources.source_index import PATHS, QUANTITIES, SourceIndex
from hermes_sessions.audit.sources.written_text import Told
from hermes_sessions.audit.support.newer_demands import find_newer_demand
from hermes_sessions.audit.support.ruled_out import clause_of, denies_itself, is_denied_by, is_ruled_out
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.audit.words.modality import RULES_HEADING
from hermes_sessions.facts.equivalence import equal_by
from hermes_sessions.facts.quantities.amounts import same_unit
from hermes_sessions.facts.slots import same_subject
from hermes_sessions.facts.values import Fact
from hermes_sessions.messages import Role

_ONE_SORT: Final = (PATHS, frozenset({"port", "config"}), frozenset({"id", "hash"}))
_HELD: Final = frozenset({
    *("misspelt", "only-value", "swapped", "same-key", "same-line", "same-noun", "same-slot", "same-folder"),
    *("same-name", "same-sentence", "name-changed"),
})  # fmt: skip
"""How a value is found in whose place the handoff has another; other findings are about two that hold."""
_OFTEN: Final = 60
_SPOKEN: Final = frozenset({"user", "assistant", "system"})


class Demands:
    """The values that hold in a source, for those of its findings that name one which does not."""

    def __init__(
        self, told: ToldSentences, source: SourceIndex, handoff: SourceIndex, claims: Sequence[Statement]
    ) -> None:
        """Take what was said and found, and the sentences of the handoff with what they stand under."""
        self._told = told
        self._asked = [said for said in told if said.speaker == Role.USER]
        self._out: dict[tuple[str, str, str], bool] = {}
        self._source = source
        self._handoff = handoff
        self._claims = claims

    def corrected(self, one: Deviation) -> Deviation:
        """Return *one* with a value of the source that holds; with none where it has one that does not."""
        is_value = one.source and one.source != one.source_line and one.value != one.line
        if not is_value or one.rule not in _HELD or self._forbids(one):
            return one
        found = find_newer_demand(one, self._asked, self._source)
        if found is not None and self._handoff.says_strictly(one.kind, found.fact.value):
            return one
        if found is None and not self._is_out(one.source, one):
            return one
        found = found or self._instead(one)
        if found is None:
            return one._replace(source="", source_line="", message=None, key="")
        return one._replace(source=found.fact.value, source_line=found.fact.text, message=found.message)

    def _is_out(self, value: str, one: Deviation) -> bool:
        """Whether the source names *value* only to rule it out; what it names very often it does not."""
        asked = (value, one.kind, one.line)
        if asked not in self._out:
            self._out[asked] = self._find_out(value, one)
        return self._out[asked]

    def _find_out(self, value: str, one: Deviation) -> bool:
        said = self._told.holding(value)
        if len(said) > _OFTEN:
            return False
        if is_ruled_out(value, one.kind, one.line, said):
            return True
        return bool(said) and all(
            (each.is_question and is_denied_by(self._told, each))
            or is_ruled_out(value, one.kind, one.line, [each])
            for each in said
        )

    def _forbids(self, one: Deviation) -> bool:
        """Whether the handoff, too, names its value to rule it out."""
        headings = (claim.heading for claim in self._claims if one.value in claim.text)
        return denies_itself(one.value, one.line) or any(map(RULES_HEADING.search, headings))

    def _instead(self, one: Deviation) -> Told | None:
        """Return the one value of the sort that holds and that the handoff lacks: said nearest."""
        known = list({told.fact.value: told for told in self._holding(one)}.values())
        here = [told for told in known if told.message == one.message]
        beside = [told for told in here if one.source in _sentence(told)]
        only = next((found[0] for found in (beside, here, known) if len(found) == 1), None)
        return only or _likest(one, known)

    def _holding(self, one: Deviation) -> Iterator[Told]:
        """Yield the values of the sort that somebody said, and that may stand for the handoff's."""
        for kind in _kinds_like(one.kind):
            for told in self._source.by_kind.get(kind, ()):
                fact = told.fact
                is_other = not any(equal_by(one.kind, value, fact.value) for value in (one.value, one.source))
                if fact.speaker not in _SPOKEN or not is_other or not _is_of_unit(one, fact):
                    continue
                if proposes(told) or self._handoff.says_strictly(fact.kind, fact.value):
                    continue
                if not self._is_out(fact.value, one):
                    yield told


def _is_of_unit(one: Deviation, fact: Fact) -> bool:
    """Return whether a value may stand for the one of a finding: of one unit, or of one setting."""
    if one.kind == "config" and one.key and fact.key:
        return same_subject(one.key, fact.key)
    return one.kind not in QUANTITIES or one.kind == "port" or same_unit(one.value, fact.value)


def _kinds_like(kind: str) -> frozenset[str]:
    return next((sort for sort in _ONE_SORT if kind in sort), frozenset({kind}))


def _likest(one: Deviation, known: Sequence[Told]) -> Told | None:
    """Return the value whose clause has most in common with the handoff's; None where two are alike."""
    about = read_terms(one.line.replace(one.value, " ")).all
    scores = [len(about & _about(told)) for told in known]
    best = max(scores, default=0)
    return known[scores.index(best)] if best and scores.count(best) == 1 else None


def _about(told: Told) -> frozenset[str]:
    """Return what the clause of a value is about."""
    value = told.fact.value
    return read_terms(clause_of(value, _sentence(told)).replace(value, " ")).all


def _sentence(told: Told) -> str:
    return next((one for one in split_sentences(told.fact.text) if told.fact.value in one), "")
