"""The rules as a Markdown table, so that the documentation says what the code does."""

from collections.abc import Iterator
from typing import Final

from hermes_sessions.audit.rules import RULES, RULES_VERSION

BEGIN: Final = "<!-- rules: made by `python -m bench.audit_rules`, do not edit -->"
END: Final = "<!-- end of rules -->"


def rules_table() -> str:
    """Return every rule with its severity, meaning and advice."""
    return "\n".join(_lines())


def with_rules(document: str) -> str:
    """Return *document* with the table between its two markers made anew.

    Raises:
        ValueError: the markers are not there.
    """
    before, found, rest = document.partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise ValueError("the document has no place for the rules")
    return f"{before}{BEGIN}\n{rules_table()}\n{END}{after}"


def _lines() -> Iterator[str]:
    yield f"Rules version {RULES_VERSION}."
    yield ""
    yield "| code | severity | asks | what it means | what to do |"
    yield "|---|---|---|---|---|"
    for rule in RULES.values():
        asks = "compaction" if rule.compaction else "conversation"
        yield f"| `{rule.code}` | {rule.severity} | {asks} | {rule.about} | {rule.advice} |"
