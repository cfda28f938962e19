"""Write a report as one HTML file: no script, nothing loaded from anywhere, everything stored escaped."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from html import escape
from typing import Final

from hermes_sessions.audit.report import (
    FINDING_COLUMNS,
    HONESTY,
    PLACE_COLUMNS,
    RULE_COLUMNS,
    Report,
    verdict_tables,
)
from hermes_sessions.late_patterns import late_pattern

_CONTROL: Final = late_pattern("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --quiet: light-dark(#565656, #a8a8a8); }
html { background: light-dark(#fff, #141414); color: light-dark(#1c1c1c, #ececec); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; min-width: 6.5rem; }
th { white-space: nowrap; overflow-wrap: normal; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: .25rem solid var(--line);
  padding-left: 1rem; font-style: italic; color: var(--quiet); }
td[class] { white-space: nowrap; overflow-wrap: normal; }
.error { font-weight: bold; color: light-dark(#a30000, #ff9c9c); }
.warning { font-weight: bold; color: light-dark(#704a00, #f0c060); }
.gone, .summarised { color: var(--quiet); }
footer { margin: 2rem 0; color: var(--quiet); font-size: .9rem; }
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody, tr, td { display: block; min-width: 0; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding: .1rem 0; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--quiet); font-weight: normal; }
}
@media print { body { margin: 0; max-width: none; } }
"""
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def render_html(report: Report) -> str:
    """Return *report* as one self-contained HTML document."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    heading = escape(report.heading)
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{heading}</title><style>{_STYLE}</style></head><body><main>"
    yield f"<h1>{heading}</h1>"
    yield f"<p><strong>{_text(report.verdict.sentence)}</strong></p>"
    for title, columns, rows in verdict_tables(report.verdict):
        yield from _table(title, columns, rows)
    if report.verdict.tell:
        yield f"<h2>Tell the agent this</h2><pre>{_text(report.verdict.tell)}</pre>"
    yield from _table("Numbers", ("", ""), report.numbers)
    findings = [astuple(one) for one in report.findings]
    yield from _table("Findings", FINDING_COLUMNS, findings, marked=0)
    yield from _table("Handoff and source side by side", PLACE_COLUMNS, report.places)
    yield from _retention(report)
    yield from _table("Lost from sight", ("kind", "fact", "messages"), report.lost)
    yield from _table("Invented", ("kind", "what the handoff says"), report.invented)
    yield from _table("Rules of the conversation", RULE_COLUMNS, report.rules)
    yield f"<h2>The handoff</h2><pre>{_text(report.handoff) or '(no text)'}</pre>"
    claims = [(one.section, one.text, one.sources) for one in report.claims]
    yield from _table("Where its claims came from", ("section", "claim", "likely sources"), claims)
    messages = [(str(one.id), one.role, one.fate, one.text) for one in report.messages]
    yield from _table("Before it", ("message", "role", "fate", "text"), messages, marked=2)
    yield f"</main><footer>{_text(report.omitted)} {_text(HONESTY)} Secrets masked: {report.masked}.</footer>"
    yield "</body></html>"


def _retention(report: Report) -> Iterator[str]:
    columns = (
        "kind",
        "all",
        "in kept messages",
        "in the handoff",
        "in both",
        "perhaps in other words",
        "in neither",
    )
    rows = [(kind, *(str(one) for one in share.counts)) for kind, share in report.retention]
    yield from _table("Facts of the span", columns, rows)


def _table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, marked: int | None = None
) -> Iterator[str]:
    """A heading and a table; the cell at *marked* gives its row's words their colour."""
    yield f"<h2>{title}</h2>"
    if not rows:
        yield "<p>None.</p>"
        return
    heads = "".join(f'<th scope="col">{name}</th>' for name in columns) if any(columns) else ""
    # What scrolls sideways on a phone must be reachable by the keyboard.
    yield f'<div tabindex="0" role="region" aria-label="{title}"><table>'
    yield f"<thead><tr>{heads}</tr></thead><tbody>" if heads else "<tbody>"
    for row in rows:
        cells = (
            _cell(name, cell, marked=at == marked)
            for at, (name, cell) in enumerate(zip(columns, row, strict=True))
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


def _cell(name: str, text: str, *, marked: bool) -> str:
    """Return a cell that says its column, for a phone shows each row as a list."""
    label = f' data-label="{name}"' if name else ""
    word = f' class="{_text(text)}"' if marked else ""
    return f"<td{word}{label}>{_text(text)}</td>"


def _text(text: str) -> str:
    """Return stored text for HTML; a NUL is shown as such, other control signs are left out."""
    return escape(_CONTROL.sub("", text.replace("\0", "\ufffd")))
