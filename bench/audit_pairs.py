"""Faithful summaries that nobody may accuse, and the same with one fact altered, which the audit must find.

    python -m bench.audit_pairs [--failures] [--only NAME] [--half open]

`tests/pairs/README.md` says what a case is, and what the halves are: of a sealed
one no failure is named. Beside the audit stands what a plain search does:
every word of a summary with a digit, an @ or a slash in it that is not in the transcript as it
stands is an accusation.
"""

import argparse
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hermes_sessions.audit.measure import measure_compaction
from hermes_sessions.audit.rules import check_compaction
from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import AuditedSession, AuditMessage, CompactionCase, CompactionFacts
from hermes_sessions.handoff import render_handoff
from hermes_sessions.messages import Severity, ToolCall

FOLDER: Final = Path(__file__).parent.parent / "tests" / "pairs"
RULES: Final = frozenset({"contradicts", "invented"})
NOTES: Final = RULES | {"not-verbatim"}
_SEALED: Final = "sealed"
_WORDS: Final = re.compile(r"[\w@]+(?:\.\w+)*")
_HARD_WORD: Final = re.compile(r"[^\s\"'`*()\[\]{},;|<>]*[\d@/][^\s\"'`*()\[\]{},;|<>]*")


class PairsError(Exception):
    """A case cannot be read; the text names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Change:
    """One fact of a summary, altered."""

    kind: str
    before: str
    after: str

    def apply(self, text: str) -> str:
        """Return *text* with the fact altered where it first stands."""
        return text.replace(self.before, self.after, 1)

    @property
    def altered(self) -> tuple[str, ...]:
        """The words that are new; where some were only taken out, what is left."""
        old, new = _WORDS.findall(self.before), _WORDS.findall(self.after)
        return tuple(word for word in new if word not in old) or tuple(new)


@dataclass(frozen=True, slots=True)
class FaithfulSummary:
    """A summary that says nothing wrong, and what can be altered in it."""

    style: str
    language: str
    text: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class PairCase:
    """A transcript with faithful summaries of it."""

    name: str
    rows: tuple[AuditMessage, ...]
    summaries: tuple[FaithfulSummary, ...]
    half: str = ""


@dataclass(frozen=True, slots=True)
class Accusation:
    """What the audit says is wrong in a summary: the rule, its severity, and everything it names."""

    rule: str
    severity: str
    words: str


def load_pairs(folder: Path = FOLDER) -> tuple[PairCase, ...]:
    """Return the cases of a folder by name, or raise PairsError."""
    return tuple(_load_case(path) for path in sorted(folder.glob("*.toml")))


def accuse(case: PairCase, text: str) -> tuple[Accusation, ...]:
    """Return what the audit accuses *text*, as a summary of the case's transcript, of."""
    return accusations_of(notice(case, text))


def notice(case: PairCase, text: str) -> tuple[Accusation, ...]:
    """Return everything that the audit says of what *text* says, notes included."""
    measured = measure_compaction(build_case(case.rows, text))
    return tuple(
        Accusation(one.rule, one.severity.value, json.dumps(one.evidence, ensure_ascii=False))
        for one in check_compaction(measured)
        if one.rule in NOTES
    )


def accusations_of(noticed: Sequence[Accusation]) -> tuple[Accusation, ...]:
    """Return what of it is more than a note."""
    return tuple(one for one in noticed if one.severity != Severity.INFO and one.rule in RULES)


def is_found(change: Change, twin: Sequence[Accusation], altered: Sequence[Accusation]) -> bool:
    """Return whether an accusation that the faithful twin did not meet names what was altered."""
    known = {one.words for one in twin}
    return any(
        any(word.strip(".,;:*") in one.words for word in change.altered)
        for one in altered
        if one.words not in known
    )


def plainly_unknown(case: PairCase, text: str) -> set[str]:
    """Return the telling words of *text* that a plain search does not find in the transcript."""
    told = "\n".join(" ".join([row.text, *(call.arguments for call in row.calls)]) for row in case.rows)
    return {word for one in _HARD_WORD.findall(text) if (word := one.strip(".,;:!?")) and word not in told}


def build_case(rows: Sequence[AuditMessage], body: str) -> CompactionCase:
    """Return a compaction that summarised all of *rows* as *body*."""
    handoff = AuditMessage(
        id=len(rows) + 1,
        original=len(rows) + 1,
        position=0,
        role="user",
        kind="handoff",
        handoff=render_handoff(body),
    )
    facts = CompactionFacts(
        id=1,
        ordinal=1,
        realisation="rotation",
        status="committed",
        session=2,
        parent=1,
        child=2,
        method="model",
        handoff=handoff.id,
        summary=body,
    )
    parent = AuditedSession(key=1, foreign_id="a", rows=rows)
    child = AuditedSession(key=2, foreign_id="b", parent=1, rows=[handoff])
    return cut_conversation([parent, child], [facts]).compactions[0]


def _load_case(path: Path) -> PairCase:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
        rows = tuple(_rows(found["messages"]))
        summaries = tuple(_summary(one) for one in found["summaries"])
        return PairCase(path.stem, rows, summaries, found.get("half", ""))
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise PairsError(f"{path.name}: {problem!r}") from problem


def _rows(messages: Sequence[Mapping[str, Any]]) -> Iterator[AuditMessage]:
    waiting: list[str] = []
    for number, message in enumerate(messages, 1):
        calls = tuple(
            ToolCall((f"c{number}-{place}",), one["name"], json.dumps(one["arguments"], ensure_ascii=False))
            for place, one in enumerate(message.get("calls", ()))
        )
        waiting += [call.ids[0] for call in calls]
        answered = (waiting.pop(0),) if message["role"] == "tool" and waiting else ()
        yield AuditMessage(
            id=number,
            original=number,
            position=number - 1,
            role=message["role"],
            text=message["content"],
            calls=calls,
            result_ids=answered,
            archived_by=1,
        )


def _summary(found: Mapping[str, Any]) -> FaithfulSummary:
    text = found["text"]
    changes = tuple(Change(one["kind"], one["from"], one["to"]) for one in found.get("changes", ()))
    for one in changes:
        if one.before not in text:
            raise ValueError(f"the summary does not hold {one.before!r}")
    return FaithfulSummary(found["style"], found["language"], text, changes)


def main() -> None:
    """Print how many faithful summaries were accused and how many altered facts found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--failures", action="store_true", help="name every summary accused and fact missed")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--half", default=None, help="open, sealed, or '' for what was written before them")
    given = parser.parse_args()
    cases = [case for case in load_pairs() if given.only in case.name]
    for half in sorted({case.half for case in cases}) if given.half is None else [given.half]:
        print(f"{half or 'the sets before'}:")
        _report([case for case in cases if case.half == half], named=given.failures and half != _SEALED)


def _report(cases: Sequence[PairCase], *, named: bool) -> None:
    counts: Counter[str] = Counter()
    kinds: dict[str, Counter[str]] = {}
    for case in cases:
        for line in _judge(case, counts, kinds):
            if named:
                print(line)
    for name, label in (("audit", "the audit"), ("plain", "a plain search")):
        accused, found = counts[f"{name} accused"], counts[f"{name} found"]
        print(
            f"{label:16}accuses {accused:>3} of {counts['summaries']} faithful summaries, "
            f"finds {found:>3} of {counts['changes']} altered facts"
        )
    print(f"{'':16}with notes it notices {counts['audit noticed']} of {counts['changes']}")
    for kind, tally in sorted(kinds.items()):
        print(f"  {kind:14}{tally['found']:>3} of {tally['changes']:>3}, plain {tally['plain']:>3}")


def _judge(case: PairCase, counts: Counter[str], kinds: dict[str, Counter[str]]) -> Iterator[str]:
    for summary in case.summaries:
        where = f"{case.name} ({summary.style})"
        noted, unknown = notice(case, summary.text), plainly_unknown(case, summary.text)
        twin = accusations_of(noted)
        counts.update({"summaries": 1, "audit accused": bool(twin), "plain accused": bool(unknown)})
        yield from (f"accused {where}: {one.rule} {one.words}" for one in twin)
        for change in summary.changes:
            text = change.apply(summary.text)
            altered = notice(case, text)
            found = is_found(change, twin, accusations_of(altered))
            counts["audit noticed"] += found or is_found(change, noted, altered)
            plain = bool(plainly_unknown(case, text) - unknown)
            counts.update({"changes": 1, "audit found": found, "plain found": plain})
            kinds.setdefault(change.kind, Counter()).update({"changes": 1, "found": found, "plain": plain})
            if not found:
                yield f"missed  {where}: {change.kind} {change.before!r} -> {change.after!r}"


if __name__ == "__main__":
    main()
