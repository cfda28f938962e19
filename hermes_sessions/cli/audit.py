"""What compactions kept, lost and invented, and what the model saw: audit, seen."""

import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli.terminal.options import OutputPath, json_option, keep_store, open_store, store_option
from hermes_sessions.cli.terminal.output import (
    clean,
    complain,
    counted,
    print_json,
    print_table,
    progress_bar,
    say,
    say_block,
    say_call,
    terminal_width,
    write_out,
)
from hermes_sessions.messages import Severity

if TYPE_CHECKING:
    from sqlalchemy.orm import Session as DbSession

    from hermes_sessions.operations.documents.audit import AuditJson, LedgerRuleJson, MeasuredJson
    from hermes_sessions.operations.documents.findings import FindingJson
    from hermes_sessions.store.opening.database import Database
    from hermes_sessions.store.queries.stored_audits import FindingListing

_REPORTS = ("html", "markdown")
_FILE = OutputPath()
_LEVELS = tuple(str(one) for one in Severity)
_FINDING_COLUMNS = ("severity", "rule", "conversation", "compaction", "messages", "evidence")
_COUNTS = (
    "facts", "in tail", "only in handoff", "perhaps", "lost", "kept", "invented", "needed later",
)  # fmt: skip
"""The first is the sum of the next four."""
_MAX_PLACES = 8
"""So many places of a finding are printed without `--all`."""
_WIDE = 150
_TITLE_CHARS = 32
_SHORT_TITLE_CHARS = 24
"""So much of a title stands beside the id of its conversation; in its place where a terminal is not wide."""
_RULE_COLUMNS = ("rule", "set by", "message", "conversation", "now")
_COMPACTION_COLUMNS = ("compaction", "conversation", *_COUNTS)


@click.command("audit")
@click.argument("id", required=False)
@click.option("--origin", metavar="LABEL", help="Only conversations from the origin with this label.")
@click.option("--since", metavar="DATE", help="Only conversations active on or after this day (2026-03-12).")
@click.option("--rule", metavar="CODE", help="Only findings with this code, such as reply-swallowed.")
@click.option(
    "--fail-on", type=click.Choice(_LEVELS), help="Exit with code 1 when a finding is at least this severe."
)
@click.option(
    "--html", "html", type=_FILE, help="Write the report of one compaction as an HTML file; - prints it."
)
@click.option(
    "--markdown", "markdown", type=_FILE, help="Write the report of one compaction as Markdown; - prints it."
)
@click.option("--no-mask", is_flag=True, help="Do not mask secrets in the report.")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help=f"Print every place that a finding found, not the first {_MAX_PLACES}.",
)
@store_option
@json_option
def audit_command(
    url: str, as_json: bool, id: str | None, fail_on: str | None, no_mask: bool, every: bool, **given: Any
) -> int:
    """Report what compactions kept, lost and invented. No model is used.

    ID is the id of a conversation (or of any of its sessions, or a unique beginning of
    one), or the number of a compaction. Without it the whole store is audited; only what
    changed since the last time is audited again. Facts are compared, not meaning: what a
    summary says in quite other words counts as lost, and lost means out of the model's
    sight. The originals stay here. Results are stored, unless the store is read-only.
    --html and --markdown write the report of one compaction.
    """
    from hermes_sessions.operations.auditing.audit_conversations import find_listing

    since = _midnight(given["since"])
    printed = Path("-") in (given[name] for name in _REPORTS)
    if printed and (as_json or given["html"] == given["markdown"]):
        raise click.UsageError("only one thing can be printed: --json, --html - or --markdown -")
    if no_mask and not (given["html"] or given["markdown"]):
        raise click.UsageError("--no-mask is for a report: name one with --html or --markdown")
    if given["html"] and given["markdown"] and _is_same_file(given["html"], given["markdown"]):
        raise click.UsageError(f"{given['markdown']}: --html and --markdown name the same file")
    with open_store(url) as database:
        for path in filter(None, (given[name] for name in _REPORTS)):
            keep_store(database, path)
        with database.read() as db:
            listing = find_listing(db, id, origin=given["origin"], since=since, rule=given["rule"])
        document, conversations = _audit(database, listing)
        with database.read() as db:
            _write_reports(db, listing, {name: given[name] for name in _REPORTS}, mask=not no_mask)
            read = document if as_json or printed else _as_read(db, document)
            titles = _titles(db, document) if id is None and not (as_json or printed) else {}
    if as_json:
        print_json(document)
    elif not printed:
        if id is not None and given["rule"] is None:
            _print_verdicts(read)
        named = _Named(titles)
        most = sys.maxsize if every else _MAX_PLACES
        _print_findings(read.findings, one=id is not None, most=most, named=named)
        _print_audit(read, conversations, measured=given["rule"] is None, rules=id is not None, named=named)
    return int(fail_on is not None and _reaches(document, fail_on))


def _audit(database: "Database", listing: "FindingListing") -> "tuple[AuditJson, int]":
    """Return the results, brought up to date, and how many conversations they are of."""
    from hermes_sessions.operations.auditing.audit_conversations import run_audit
    from hermes_sessions.operations.auditing.unsaved_audit import audit_unsaved
    from hermes_sessions.operations.documents.audit import audit_document
    from hermes_sessions.store.queries.stored_audits import iter_conversations

    with progress_bar({"audit": "conversations"}) as progress:
        if database.read_only:
            complain("the store is read-only: results are shown, none are kept")
            with database.read() as db:
                count = sum(1 for _ in iter_conversations(db, listing))
                return audit_unsaved(db, listing, progress), count
        run = run_audit(database, listing, clock=time.time, progress=progress)
    with database.read() as db:
        return audit_document(db, listing), run.conversations


def _as_read(db: "DbSession", document: "AuditJson") -> "AuditJson":
    """Return the results with the numbers of messages that `show` prints."""
    from msgspec import structs

    from hermes_sessions.operations.auditing.named_for_readers import with_originals

    return structs.replace(document, findings=list(with_originals(db, document.findings)))


def _titles(db: "DbSession", document: "AuditJson") -> Mapping[str, str]:
    from hermes_sessions.operations.auditing.named_for_readers import titles_of

    return titles_of(db, document)


@click.command("seen")
@click.argument("id")
@click.option("--at", "message", type=int, required=True, metavar="MESSAGE", help="The message's id.")
@store_option
@json_option
def seen_command(url: str, as_json: bool, id: str, message: int) -> None:
    """Print the context that the model saw at a message.

    ID is the id of a conversation or of any of its sessions; MESSAGE is an id as `show
    --json` gives it. For an assistant message, this is the context before it. --json
    gives OpenAI-style messages and their tokens.
    """
    from hermes_sessions.operations.auditing.context_seen import load_seen, seen_document

    with open_store(url) as database, database.read() as db:
        seen = load_seen(db, id, message)
    if as_json:
        print_json(seen_document(seen))
        return
    first = len(seen.messages) - len(seen.ids)
    for at, one in enumerate(seen.messages):
        own = " (the agent's own line)" if at >= first and seen.ids[at - first] in seen.added else ""
        click.secho(clean(_speaker(one) + own), bold=True)
        say_block(_text(one["content"]))
        for call in one.get("tool_calls") or ():
            say_call(call)
        say()
    for note in seen.notes:
        say(f"Sent too: {note}.")
    kind = "tokens" if seen.tokens.exact else "tokens, estimated"
    say(f"{counted(len(seen.messages), 'message')}, {seen.tokens.tokens} {kind} ({seen.tokens.method})")


def _is_same_file(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _write_reports(
    db: "DbSession", listing: "FindingListing", files: Mapping[str, Path | None], *, mask: bool
) -> None:
    from hermes_sessions.audit.report_html import render_html
    from hermes_sessions.audit.report_markdown import render_markdown
    from hermes_sessions.operations.auditing.compaction_report import load_report, only_compaction

    if not any(files.values()):
        return
    report = load_report(db, only_compaction(db, listing), mask=mask)
    renderers = {"html": render_html, "markdown": render_markdown}
    for name, path in files.items():
        if path is not None:
            _write_report(path, renderers[name](report))


def _write_report(path: Path, text: str) -> None:
    """Write a report to a file, whatever it held, or print it."""
    from hermes_sessions.exporters.files import write_text
    from hermes_sessions.output import whole_file

    if str(path) == "-":
        write_out((text,))
        return
    with whole_file(path, force=True) as part:
        write_text(part, (text,))


# -- printing --------------------------------------------------------------------------------------


class _Named:
    """Tables of a whole store say what each conversation is called; those of one do not."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self._titles = titles
        self._width = terminal_width()

    def table(self, columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> None:
        """Print a table with titles beside the ids.

        A narrow terminal has room for one of both: the title, where a compaction's number looks the row up.
        """
        if not self._titles:
            print_table(columns, rows)
        elif self._width is None or self._width >= _WIDE:
            at = columns.index("conversation") + 1
            titled = [(*row[:at], self._title(row[at - 1], _TITLE_CHARS), *row[at:]) for row in rows]
            print_table((*columns[:at], "title", *columns[at:]), titled)
        else:
            print_table(columns, [self._renamed(columns, row) for row in rows], whole=("conversation",))

    def _renamed(self, columns: Sequence[str], row: tuple[object, ...]) -> tuple[object, ...]:
        at = columns.index("conversation")
        short = row[columns.index("compaction")] is not None and self._title(row[at], _SHORT_TITLE_CHARS)
        return (*row[:at], short or row[at], *row[at + 1 :])

    def _title(self, public_id: object, chars: int) -> str:
        from hermes_sessions.facts import shorten_line

        return shorten_line(self._titles.get(str(public_id), ""), chars)


def _print_audit(
    document: "AuditJson", conversations: int, *, measured: bool, rules: bool, named: _Named
) -> None:
    findings, compactions = document.findings, document.compactions
    if compactions and measured:
        say()
        named.table(_COMPACTION_COLUMNS, [_compaction_row(row) for row in compactions])
    if rules and measured and document.rules:
        say()
        print_table(_RULE_COLUMNS, _rule_rows(document.rules))
    counts = {level: sum(row.severity == level for row in findings) for level in _LEVELS}
    say()
    say(
        f"{counted(conversations, 'conversation')}, {counted(len(compactions), 'compaction')}:"
        f" {counted(counts['error'], 'error')}, {counted(counts['warning'], 'warning')},"
        f" {counted(counts['info'], 'note')}."
    )


def _print_findings(findings: "Sequence[FindingJson]", *, one: bool, most: int, named: _Named) -> None:
    """Print findings; of *one* conversation with their first *most* places and what to do."""
    from hermes_sessions.cli.verdicts import finding_lines

    if not findings:
        return
    named.table(_FINDING_COLUMNS, [_finding_row(row) for row in findings])
    told = [line for row in findings for line in finding_lines(row, most)]
    if told:
        say()
    if told and one:
        say_block("\n".join(told[:-1]))
    if one:
        _print_advice(dict.fromkeys(row.rule for row in findings))
    elif told:
        say("Handoff and source side by side: hermes-sessions audit ID, of a conversation or a compaction.")


def _print_advice(codes: Iterable[str]) -> None:
    """Say of each rule that struck what it means and what can be done."""
    from hermes_sessions.audit.rules import RULES

    known = [RULES[code] for code in codes if code in RULES]
    say()
    say_block("\n".join(f"{one.code}: {one.about} {one.advice}" for one in known))


def _rule_rows(rows: "Sequence[LedgerRuleJson]") -> list[tuple[object, ...]]:
    from hermes_sessions.audit.ledger.values import state_words
    from hermes_sessions.operations.documents.audit import read_ledger

    return [
        (rule.text[:160], rule.speaker, rule.message, row.conversation, state_words(rule))
        for row, rule in zip(rows, read_ledger(rows), strict=True)
    ]


def _print_verdicts(document: "AuditJson") -> None:
    from hermes_sessions.cli.verdicts import verdict_lines

    for row in document.compactions:
        say_block("\n".join(verdict_lines(row)))
        say()


def _finding_row(row: "FindingJson") -> tuple[object, ...]:
    from hermes_sessions.audit.verdict.differences import evidence_line
    from hermes_sessions.facts import shorten_line

    places = ", ".join(str(one) for one in row.messages[:3])
    more = "..." if len(row.messages) > 3 else ""
    return (
        row.severity,
        row.rule,
        row.session if row.compaction is None and row.session else row.conversation,
        row.compaction,
        places + more,
        shorten_line(evidence_line(row.rule, row.evidence), 160),
    )


def _compaction_row(row: "MeasuredJson") -> tuple[object, ...]:
    total = row.matter
    kept = "" if not total.total else f"{(total.total - total.lost) / total.total:.0%}"
    counts = (total.total, total.tail, total.handoff - total.both, total.maybe, total.lost)
    return (row.id, row.conversation, *counts, kept, len(row.invented), _needed(row))


def _needed(row: "MeasuredJson") -> str:
    """How many of the lost tool results were used in the calls after."""
    needed = row.needed_later
    return f"{needed.used} of {needed.results}" if needed and needed.calls else ""


def _speaker(message: Mapping[str, Any]) -> str:
    return f"{message['role']} {message.get('name') or ''}".strip()


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(
            str(block.get("text") or f"[{block.get('type', 'block')}]") if isinstance(block, dict) else block
            for block in content
        )
    return content or ""


def _reaches(document: "AuditJson", level: str) -> bool:
    return any(_LEVELS.index(row.severity) >= _LEVELS.index(level) for row in document.findings)


def _midnight(day: str | None) -> float | None:
    if day is None:
        return None
    try:
        asked = date.fromisoformat(day)
    except ValueError:
        raise click.BadParameter("a day such as 2026-03-12", param_hint="--since") from None
    try:
        return datetime.combine(asked, datetime.min.time()).timestamp()
    except (ValueError, OverflowError, OSError):  # no local time is known of the first and last days
        return (asked - date(1970, 1, 1)).total_seconds()
