"""Write a report as Markdown. Stored text can neither break a table nor become markup."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import astuple

from hermes_sessions.audit.report import (
    FINDING_COLUMNS,
    HONESTY,
    PLACE_COLUMNS,
    RULE_COLUMNS,
    Report,
    verdict_tables,
)
from hermes_sessions.late_patterns import late_pattern

_SPECIAL = late_pattern(r"([\\`*_{}\[\]<>()#+!|~&-])")
_CONTROL = late_pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def render_markdown(report: Report) -> str:
    """Return *report* as one Markdown document."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"# {_plain(report.heading)}"
    yield ""
    yield _plain(report.verdict.sentence)
    for title, columns, rows in verdict_tables(report.verdict):
        yield from _section(title)
        yield from _table(columns, rows)
    if report.verdict.tell:
        yield from _section("Tell the agent this")
        yield from _fenced(report.verdict.tell)
    yield from _section("Numbers")
    yield from _table(("", ""), report.numbers)
    yield from _section("Findings")
    yield from _table(FINDING_COLUMNS, [astuple(one) for one in report.findings])
    yield from _section("Handoff and source side by side")
    yield from _table(PLACE_COLUMNS, report.places)
    yield from _section("Facts of the span")
    counts = [(kind, *(str(one) for one in share.counts)) for kind, share in report.retention]
    yield from _table(
        (
            "kind",
            "all",
            "in kept messages",
            "in the handoff",
            "in both",
            "perhaps in other words",
            "in neither",
        ),
        counts,
    )
    yield from _section("Lost from sight")
    yield from _table(("kind", "fact", "messages"), report.lost)
    yield from _section("Invented")
    yield from _table(("kind", "what the handoff says"), report.invented)
    yield from _section("Rules of the conversation")
    yield from _table(RULE_COLUMNS, report.rules)
    yield from _section("The handoff")
    yield from _fenced(report.handoff)
    yield from _section("Where its claims came from")
    claims = [(one.section, one.text, one.sources) for one in report.claims]
    yield from _table(("section", "claim", "likely sources"), claims)
    yield from _section("Before it")
    messages = [(str(one.id), one.role, one.fate, one.text) for one in report.messages]
    yield from _table(("message", "role", "fate", "text"), messages)
    yield ""
    yield f"{report.omitted} {HONESTY} Secrets masked: {report.masked}.".strip()


def _section(title: str) -> tuple[str, ...]:
    return "", f"## {title}", ""


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        yield "None."
        return
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(_plain(cell) for cell in row)} |"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(_CONTROL.sub(" ", text).split()))


def _fenced(text: str) -> Iterator[str]:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}text"
    yield _CONTROL.sub("", text) or "(no text)"
    yield fence
