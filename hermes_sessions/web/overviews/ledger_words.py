"""What a ledger can be filtered and sorted by, in the words of its page. Pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from hermes_sessions.audit.rules import RULES
from hermes_sessions.exporters.compaction_words import realisation_words
from hermes_sessions.messages import CompactionMethod, CompactionStatus, Realisation, Severity
from hermes_sessions.store.queries.ledger import LedgerOrder
from hermes_sessions.web.overviews.ledger_values import SortHeading

ORDERS: Final[Mapping[LedgerOrder, str]] = {
    LedgerOrder.NEWEST: "newest first",
    LedgerOrder.OLDEST: "oldest first",
    LedgerOrder.WORST: "worst finding first",
    LedgerOrder.MILDEST: "mildest finding first",
    LedgerOrder.LEAST_KEPT: "fewest facts kept first",
    LedgerOrder.MOST_KEPT: "most facts kept first",
    LedgerOrder.MOST_SAVED: "most tokens saved first",
    LedgerOrder.LEAST_SAVED: "fewest tokens saved first",
}
FILTER_LABELS: Final[Mapping[str, str]] = {
    "severity": "Worst finding",
    "rule": "Rule",
    "below": "Facts kept below",
    "realisation": "How",
    "status": "Status",
    "method": "Summary by",
    "origin": "Origin",
    "conversation": "Conversation",
}
FILTER_WORDS: Final = {
    ("severity", one.value): one.value if one is Severity.ERROR else f"{one} or worse" for one in Severity
} | {("realisation", one.value): realisation_words(one.value) for one in Realisation}
_HEADINGS: Final = {
    "time": (LedgerOrder.NEWEST, LedgerOrder.OLDEST),
    "retention": (LedgerOrder.LEAST_KEPT, LedgerOrder.MOST_KEPT),
    "saved": (LedgerOrder.MOST_SAVED, LedgerOrder.LEAST_SAVED),
    "worst": (LedgerOrder.WORST, LedgerOrder.MILDEST),
}
"""Column -> the order its heading leads to first, and the other one."""


def choices(origins: Iterable[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return (value, words) of everything that can be chosen, by the name of the choice."""
    plain = {
        "status": CompactionStatus,
        "method": CompactionMethod,
    }
    found = {
        name: tuple((one.value, one.value.replace("_", " ")) for one in allowed)
        for name, allowed in plain.items()
    }
    return found | {
        "origin": tuple((label, label) for label in origins),
        "severity": tuple((one.value, FILTER_WORDS["severity", one.value]) for one in reversed(Severity)),
        "realisation": tuple((one.value, FILTER_WORDS["realisation", one.value]) for one in Realisation),
        "rule": tuple((code, code) for code in sorted(RULES)),
        "sort": tuple((order.value, words) for order, words in ORDERS.items()),
    }


def headings(current: LedgerOrder, link: Callable[[LedgerOrder], str]) -> dict[str, SortHeading]:
    """Return how each column's heading sorts.

    Args:
        link: returns the address of the same ledger in another order.
    """
    found = {}
    for column, (first, second) in _HEADINGS.items():
        target = second if current is first else first
        sorted_by = current in (first, second)
        words = ("descending" if current.falls else "ascending") if sorted_by else ""
        found[column] = SortHeading(link(target), words, f"sort, {ORDERS[target]}")
    return found
