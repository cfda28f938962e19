"""The verdict on a compaction as lines for the terminal."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hermes_sessions.operations.documents.audit import MeasuredJson, VerdictLineJson


def verdict_lines(row: "MeasuredJson") -> Iterator[str]:
    """Yield the verdict: the sentence, then a short list, then what to tell the agent."""
    from hermes_sessions.audit.verdict.nouns import noun

    verdict = row.verdict
    yield f"Compaction {row.id}: {verdict.sentence}"
    seen = [line for line in verdict.standing if line.state]
    yield from _list(
        "Last request and last answer", [f"{line.kind}, {line.state}{_quoted(line)}" for line in seen]
    )
    lost = [f"{noun(line.kind)}{_quoted(line)}" for line in verdict.lost]
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
    yield from _list("Safe to ignore", [line.text for line in verdict.standing if not line.state])
    if verdict.tell:
        yield "  Tell the agent this:"
        yield from (f"    {line}".rstrip() for line in verdict.tell.splitlines())


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
