"""The verdict on a compaction, and what its findings found, as lines for the terminal."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes_sessions.operations.documents.audit import MeasuredJson, VerdictLineJson
    from hermes_sessions.operations.documents.findings import FindingJson


def verdict_lines(row: "MeasuredJson") -> Iterator[str]:
    """Yield the verdict: the sentence, then a short list, then what to tell the agent."""
    from hermes_sessions.audit.verdict.nouns import noun

    verdict = row.verdict
    yield f"Compaction {_named(row)}: {verdict.sentence}"
    seen = [line for line in verdict.standing if line.state]
    yield from _list(
        "Last request and last answer", [f"{line.kind}, {line.state}{_quoted(line)}" for line in seen]
    )
    asked = {line.message for line in seen if line.kind == "request" and line.state == "gone"}
    lost = [
        f"{noun(line.kind)}{_quoted(line)}"
        for line in verdict.lost
        if not (line.kind == "request" and line.message in asked)
    ]
    if verdict.left_out:
        lost.append(f"and {verdict.left_out} more")
    yield from _list("Gone", lost)
    where = next((line.message for line in verdict.lost if line.message is not None), None)
    if where is not None and row.conversation:
        yield f"    The originals: hermes-sessions show {row.conversation} --at {where}"
    doubtful = [f"{noun(line.kind)}{_quoted(line)}" for line in verdict.maybe_lost]
    yield from _list("Perhaps in other words", doubtful)
    yield from _list("Said otherwise", [f"{noun(line.kind)}: {line.text}" for line in verdict.contradicted])
    yield from _list("What followed", list(map(_followed, verdict.consequences)))
    safe = [
        f"{line.text}; a report (--html, --markdown) lists them"
        for line in verdict.standing
        if not line.state
    ]
    yield from _list("Safe to ignore", safe)
    if verdict.tell:
        yield "  Tell the agent this:"
        yield from (f"    {line}".rstrip() for line in verdict.tell.splitlines())


def finding_lines(row: "FindingJson", most: int) -> Iterator[str]:
    """Yield the places that a finding found, the first *most*: handoff and source, a sentence each."""
    from hermes_sessions.audit.verdict.differences import read_places

    found = read_places(row.rule, row.evidence)
    if not found.places:
        return
    of = "" if row.compaction is None else f" in compaction {row.compaction}"
    yield f"{row.severity}: {row.rule}{of}"
    for place in found.places[:most]:
        yield f"  - {place.head}"
        if place.line:
            yield f"      handoff: “{place.line}”"
        if place.source_line:
            yield f"      {place.place}: “{place.source_line}”"
    if hidden := len(found.places[most:]):
        yield f"  and {hidden} more: --all prints them"
    if found.more:
        yield f"  and {found.more} more that are not kept"
    yield ""


def _named(row: "MeasuredJson") -> str:
    """Return the number that `audit` takes, and which of its conversation it is where that is another."""
    from hermes_sessions.audit.ledger.numbered import numbered

    if not (isinstance(row.id, int) and isinstance(row.ordinal, int)):
        return str(row.id)
    told = numbered(row.id, row.ordinal)
    return told if told == str(row.id) else f"{told} of its conversation"


def _list(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"  {title}:"
        yield from (f"    - {line}" for line in lines)


def _quoted(line: "VerdictLineJson") -> str:
    place = f" (message {line.message})" if line.message is not None else ""
    return f": “{line.text}”{place}"


def _followed(line: "VerdictLineJson") -> str:
    place = f" (message {line.message})" if line.message is not None else ""
    about = f", which was lost: “{line.source}”" if line.source else ""
    advice = f" {line.advice}" if line.advice else ""
    return f"{line.text}{about}{place}.{advice}"
