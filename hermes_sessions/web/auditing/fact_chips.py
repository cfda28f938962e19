"""The exact facts of a span as chips and as a table: what became of each. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from hermes_sessions.audit.handed_on.kept_facts import KeptFact
from hermes_sessions.audit.measure import MeasuredSpan
from hermes_sessions.audit.retention import Share
from hermes_sessions.facts.values import FactKind
from hermes_sessions.operations.documents.audit import InventionJson
from hermes_sessions.web.auditing.audit_values import Chip, ChipGroup, KindShare
from hermes_sessions.web.auditing.audit_words import FACT_KINDS
from hermes_sessions.web.text.filters import share_words

MAX_CHIPS = 200
OPEN_CHIPS = 30
"""So many chips are shown at once, the others on demand."""
_RANK = {kind.value: place for place, kind in enumerate(FactKind)}


def chip_groups(
    measured: MeasuredSpan, inventions: Iterable[InventionJson], shown: Iterable[int]
) -> tuple[ChipGroup, ...]:
    """Return the exact facts by what became of them: lost, in the handoff, kept, invented."""
    anchors = set(shown)
    facts = sorted(measured.retention.facts, key=lambda fact: _RANK.get(fact.kind, len(_RANK)))
    told = [fact for fact in facts if fact.in_handoff and not fact.in_tail]
    invented = [
        Chip(kind=FACT_KINDS.get(one.kind, one.kind), value=one.value[:300], message=None, anchor=None)
        for one in inventions
    ]
    return (
        _group("lost", "Lost", "nowhere in what the model sees", _chips(_lost(facts), anchors)),
        _group("told", "In the handoff", "the summary says it", _chips(told, anchors)),
        _group(
            "kept",
            "Kept",
            "in a message that stayed",
            _chips([fact for fact in facts if fact.in_tail], anchors),
        ),
        _group("invented", "Invented", "in the handoff, and in nothing before it", invented),
    )


def kind_shares(shares: Mapping[str, Share]) -> tuple[KindShare, ...]:
    """Return the table of facts by kind."""
    return tuple(_kind_share(FACT_KINDS.get(kind, kind), share) for kind, share in shares.items())


# -- inside ----------------------------------------------------------------------------------------


def _lost(facts: Iterable[KeptFact]) -> list[KeptFact]:
    return [fact for fact in facts if fact.is_lost]


def _chips(facts: Iterable[KeptFact], anchors: set[int]) -> list[Chip]:
    return list(_chip(fact, anchors) for fact in facts)


def _chip(fact: KeptFact, anchors: set[int]) -> Chip:
    first = next((one for one in fact.messages if one in anchors), None)
    return Chip(
        kind=FACT_KINDS.get(fact.kind, fact.kind),
        value=fact.value[:300],
        message=fact.messages[0] if fact.messages else None,
        anchor=None if first is None else f"b-{first}",
    )


def _group(name: str, label: str, about: str, chips: Sequence[Chip]) -> ChipGroup:
    return ChipGroup(
        name=name,
        label=label,
        about=about,
        chips=tuple(chips[:OPEN_CHIPS]),
        more=tuple(chips[OPEN_CHIPS:MAX_CHIPS]),
        total=len(chips),
    )


def _kind_share(label: str, share: Share) -> KindShare:
    handoff_only = share.total - share.lost - share.tail
    return KindShare(
        kind=label,
        total=share.total,
        tail=share.tail,
        handoff=share.handoff - share.both,
        perhaps=share.maybe,
        lost=share.lost,
        share=share_words(share.kept),
        kept_width=round(100 * share.tail / share.total, 1) if share.total else 0.0,
        handoff_width=round(100 * handoff_only / share.total, 1) if share.total else 0.0,
    )
