"""Which facts of a span are still in front of the model, and which are not.

Facts are compared, not meaning: what a summary says in quite other words counts as lost
here, and lost means out of the model's sight, not out of the store.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import Final

from hermes_sessions.audit.checking.handoff_index import SENTENCES, HandoffIndex
from hermes_sessions.audit.fact_notes import FactNotes
from hermes_sessions.audit.handed_on.bound_values import without_bound
from hermes_sessions.audit.handed_on.duties import read_duties
from hermes_sessions.audit.handed_on.error_names import error_names
from hermes_sessions.audit.handed_on.handed_on import HandedOn
from hermes_sessions.audit.handed_on.kept_facts import MATTERS, KeptFact
from hermes_sessions.audit.handed_on.told_matters import Telling
from hermes_sessions.audit.ledger.certainty import may_be_report
from hermes_sessions.audit.ledger.sameness import is_same_rule
from hermes_sessions.audit.ledger.sightings import RuleSightings
from hermes_sessions.audit.ledger.values import Sight
from hermes_sessions.audit.sources.source_index import TextReader
from hermes_sessions.audit.spent_facts import find_spent
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.facts.collector import without_collector
from hermes_sessions.facts.extract import extract_text_facts
from hermes_sessions.facts.values import Fact, FactKind
from hermes_sessions.handoff import is_synthetic
from hermes_sessions.messages import Role

MAX_CURVE: Final = 50
"""How many compactions long a survival curve is at most: a chain of a thousand has a million points."""

_MAX_RULES: Final = 300
"""So many rules of a span are held against each other."""

FactReader = Callable[[AuditMessage], Sequence[Fact]]
"""Returns the facts of a message; one that remembers them makes long chains fast."""

HandoffReader = Callable[[CompactionCase], HandoffIndex]
"""Returns the handoffs that a compaction left in the context, ready to be asked."""


@dataclass(frozen=True, slots=True)
class Share:
    """Counts of facts: all, in kept messages, in the handoff, in both, perhaps there in other words, gone.

    `total = tail + handoff - both + maybe + lost`; `weight` is what all weigh.
    """

    total: int = 0
    tail: int = 0
    handoff: int = 0
    both: int = 0
    maybe: int = 0
    lost: int = 0
    weight: float = 0.0

    @property
    def counts(self) -> tuple[int, ...]:
        """All, in kept messages, in the handoff, in both, perhaps in other words, gone."""
        return self.total, self.tail, self.handoff, self.both, self.maybe, self.lost

    @property
    def kept(self) -> float | None:
        """The share that is still in sight, None where there was nothing to lose."""
        return None if not self.total else (self.total - self.lost) / self.total

    @property
    def in_words(self) -> str:
        """The one figure of a compaction: `of 13 facts that matter 2 survive`; '' where there was none."""
        if not self.total:
            return ""
        noun = "1 fact" if self.total == 1 else f"{self.total} facts"
        left = self.total - self.lost
        verb = "matters" if self.total == 1 else "matter"
        told = "none survives" if not left else f"{left} survives" if left == 1 else f"{left} survive"
        doubt = f", {self.maybe} of them perhaps in other words" if self.maybe else ""
        doubt = ", perhaps in other words" if self.maybe == left == 1 else doubt
        return f"of {noun} that {verb} {told}{doubt}"


@dataclass(frozen=True)
class Retention:
    """The facts of one span, in the order they first stand there; replaced and used-up ones are left out."""

    facts: tuple[KeptFact, ...]

    @cached_property
    def shares(self) -> Mapping[str, Share]:
        """Counts by kind of fact; kinds that do not occur are left out."""
        kinds = dict.fromkeys(fact.kind for fact in self.facts)
        return {kind: _share(fact for fact in self.facts if fact.kind == kind) for kind in kinds}

    @cached_property
    def total(self) -> Share:
        """Counts over all kinds."""
        return _share(self.facts)

    @cached_property
    def matter(self) -> Share:
        """Counts over the facts that matter."""
        return _share(fact for fact in self.facts if fact.matters)

    @property
    def kept(self) -> float | None:
        """The share of what matters that is in sight, as every output has it; None where nothing matters."""
        return self.matter.kept


def read_facts(message: AuditMessage) -> tuple[Fact, ...]:
    """Return the facts of one message; a note in the user's name asks for nothing."""
    return read_message(message)[0]


def read_message(
    message: AuditMessage, notes: FactNotes | None = None
) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """Return the facts of one message and the rules it sets; a note in the user's name asks for nothing."""
    found, rules = (notes or FactNotes()).read(message)
    if not is_synthetic(message.text):
        return found, rules
    if message.role == Role.USER:
        found = tuple(fact for fact in found if fact.kind not in ("request", "question"))
    return found, ()


def measure_retention(
    case: CompactionCase, read: FactReader = read_facts, handoff: HandoffIndex | None = None
) -> Retention:
    """Return every fact of the span that is still of use, and where it still stands."""
    found = _found_once(case, read)
    asked = (fact for fact, _ in found if fact.kind != FactKind.CONSTRAINT)
    sight = _Sight(case, read, asked, handoff)
    kept = [_kept(fact, messages, sight) for fact, messages in _causes_once(found)]
    kept += _duties(case, [fact for fact, _ in found], sight)
    return Retention(without_bound(kept, case.before))


def _found_once(case: CompactionCase, read: FactReader) -> Collection[tuple[Fact, list[int]]]:
    """Return the facts of the span that are still of use, each with the messages that hold it.

    One value counts once, as the kind that weighs most: a port is a setting and a number too.
    """
    corrections = find_spent(case, read)
    spent: dict[int, set[int]] = {}
    for key, place in corrections.spent:
        spent.setdefault(key, set()).add(place)
    found: dict[str | tuple[str, str], tuple[Fact, list[int]]] = {}
    rules = _RulesOnce()
    for message in case.span:
        key, used = message.id, spent.get(message.id, ())
        for place, fact in enumerate(corrections.read(message, read)):
            if used and place in used:
                continue
            kind, _, value, _, _, weight, _ = fact
            slot: str | tuple[str, str] = value
            if kind in SENTENCES:
                slot = kind, rules.first(fact) if kind == FactKind.CONSTRAINT else value
            known = found.get(slot)
            if known is None:
                found[slot] = fact, [key]
                continue
            known[1].append(key)
            if weight > known[0].weight:
                found[slot] = fact, known[1]
    return found.values()


def _duties(case: CompactionCase, found: Sequence[Fact], sight: "_Sight") -> Iterator[KeptFact]:
    """Yield who does what, the last word on each piece of work; what another fact says is left out."""
    told: dict[str, tuple[Fact, int]] = {}
    for row in case.span:
        if row.is_request and not is_synthetic(row.text):
            for duty in read_duties(row.text):
                work = duty.value.replace(duty.key, "", 1)
                told[work] = (duty, row.id)
    said = [fact.value for fact in found if fact.kind in SENTENCES and fact.weight >= MATTERS]
    for duty, message in told.values():
        if any(duty.value in one for one in said):
            continue
        in_tail = sight.shows(duty.value)
        telling = Telling.NOT if in_tail else sight.handed_on.of_duty(duty, [message])
        yield KeptFact(
            duty.kind,
            duty.value,
            (message,),
            in_tail,
            telling is Telling.YES,
            duty.key,
            duty.text,
            duty.speaker,
            duty.weight,
            telling is Telling.PERHAPS,
        )


def _causes_once(
    found: Iterable[tuple[Fact, list[int]]],
) -> Iterator[tuple[Fact, Sequence[int]]]:
    """Yield facts; errors that share a name or a code are of one cause and count once, as the first."""
    held: list[tuple[Fact, list[int]]] = []
    causes: dict[str, list[int]] = {}
    for one in found:
        fact, messages = one
        if fact.kind != FactKind.ERROR:
            held.append(one)
            continue
        names = error_names(f"{fact.value}\n{fact.text}")
        known = next((causes[name] for name in names if name in causes), None)
        if known is not None:
            known += messages
        else:
            held.append(one)
        causes |= dict.fromkeys(names, messages if known is None else known)
    return iter(held)


class _RulesOnce:
    """The rules of a span: one that is said again, or repeated by the agent, counts once."""

    def __init__(self) -> None:
        self._met: list[Fact] = []
        self._known: dict[str, str] = {}

    def first(self, rule: Fact) -> str:
        """Return the words in which *rule* was said first."""
        if rule.value not in self._known:
            met = next((one for one in self._met if is_same_rule(one, rule)), None)
            if met is None and len(self._met) < _MAX_RULES:
                self._met.append(rule)
            self._known[rule.value] = rule.value if met is None else met.value
        return self._known[rule.value]


def _kept(fact: Fact, messages: Sequence[int], sight: "_Sight") -> KeptFact:
    kind, key, value, text, speaker, weight, _ = fact
    messages = (messages[0],) if len(messages) == 1 else tuple(dict.fromkeys(messages))
    in_doubt = False
    if kind == FactKind.CONSTRAINT:
        in_tail, in_handoff, in_doubt = sight.of_rule(fact, messages)
    else:
        in_tail, in_handoff = (kind, value) in sight.kept, (kind, value) in sight.told
        if weight >= MATTERS and not (in_tail or in_handoff):
            telling = sight.handed_on.of(fact, messages)
            in_handoff, in_doubt = telling is Telling.YES, telling is Telling.PERHAPS
    return _as_kept((kind, value, messages, in_tail, in_handoff, key, text, speaker, weight, in_doubt))


_as_kept: Final[Callable[[tuple[object, ...]], KeptFact]] = partial(tuple.__new__, KeptFact)


@without_collector
def measure_survival(
    cases: Sequence[CompactionCase],
    read: FactReader = read_facts,
    index: HandoffReader | None = None,
) -> tuple[tuple[float, ...], ...]:
    """Return, for each compaction, the share of its span's facts in sight after it and each later one.

    The first curve has a value per compaction (at most `MAX_CURVE`), the last one has one.
    A span without facts gives an empty curve. What went out of sight counts as out of sight
    from then on.
    """
    curves: list[list[float]] = [[] for _ in cases]
    left: list[list[Fact]] = []
    sizes: list[int] = []
    for place, case in enumerate(cases):
        facts = list({(fact.kind, fact.value): fact for row in case.span for fact in read(row)}.values())
        left.append(facts)
        sizes.append(len(facts))
        first = max(place + 1 - MAX_CURVE, 0)
        asked = chain.from_iterable(left[first:])
        sight = _Sight(case, read, asked, index(case) if index else None)
        for earlier in range(first, place + 1):
            left[earlier] = [fact for fact in left[earlier] if sight.holds(fact)]
            if sizes[earlier]:
                curves[earlier].append(len(left[earlier]) / sizes[earlier])
    return tuple(map(tuple, curves))


class _Sight:
    """What a compaction left in front of the model: kept messages and handoffs, older ones among them.

    Attributes:
        kept: kind and value of each fact that stands in a kept message.
        told: of each fact asked about that the summary says, or an older one that was carried along.
    """

    def __init__(
        self,
        case: CompactionCase,
        read: FactReader,
        asked: Iterable[Fact],
        handoff: HandoffIndex | None = None,
    ) -> None:
        self.kept = {(fact.kind, fact.value) for row in case.after for fact in read(row)}
        self.told = (handoff or index_handoff(case)).told_of(asked)
        self._case = case

    @cached_property
    def _rules(self) -> RuleSightings:
        return RuleSightings(self._case, self._case.prompt)

    @cached_property
    def handed_on(self) -> HandedOn:
        """The handoffs, asked for facts in other words."""
        older = [
            row.handoff for row in self._case.after if row.handoff and row.id != self._case.facts.handoff
        ]
        return HandedOn([self._case.body, *older], self._case.before)

    def of_rule(self, rule: Fact, messages: Sequence[int]) -> tuple[bool, bool, bool]:
        """Return whether a kept message has a rule, whether the summary says it, and whether it may.

        It is the ledger's answer.
        """
        rows = [*messages, *self._originals(messages)]
        place = self._rules.of(rule, rows)
        doubt = place is Sight.LOST and (self._rules.may_tell(rule, rows) or may_be_report(rule))
        return place in (Sight.TAIL, Sight.PROMPT, Sight.UNKNOWN), place is Sight.HANDOFF, doubt

    def _originals(self, messages: Sequence[int]) -> Sequence[int]:
        found = sorted(at for one in messages if (at := self._places.get(one)) is not None)
        return [self._case.before[at].original for at in found]

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {row.id: at for at, row in enumerate(self._case.before)}

    def holds(self, fact: Fact) -> bool:
        """Return whether a fact asked about is in sight."""
        key = (fact.kind, fact.value)
        return key in self.kept or key in self.told

    def shows(self, text: str) -> bool:
        """Return whether a kept message has *text*."""
        return any(text in row.text for row in self._case.after)


def index_handoff(case: CompactionCase, tell: TextReader = extract_text_facts) -> HandoffIndex:
    """Return all handoffs that a compaction left in the context, ready to be asked."""
    older = [row.handoff for row in case.after if row.handoff and row.id != case.facts.handoff]
    return HandoffIndex([case.body, *older], tell)


def _share(facts: Iterable[KeptFact]) -> Share:
    counts: Counter[str] = Counter()
    weight = 0.0
    for fact in facts:
        counts["total"] += 1
        counts["tail"] += fact.in_tail
        counts["handoff"] += fact.in_handoff
        counts["both"] += fact.in_tail and fact.in_handoff
        counts["maybe"] += fact.in_doubt
        counts["lost"] += fact.is_lost
        weight += fact.weight
    return Share(**counts, weight=weight)
