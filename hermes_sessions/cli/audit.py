"""What compactions kept, lost and invented, and what the model saw: audit, seen."""

import json
import time
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli._options import json_option, open_store, store_option
from hermes_sessions.cli._output import (
    clean,
    complain,
    counted,
    print_json,
    print_table,
    progress_bar,
    say,
    say_block,
)

if TYPE_CHECKING:
    from sqlalchemy.orm import Session as DbSession

    from hermes_sessions.store.db import Database
    from hermes_sessions.store.queries.audits import FindingListing

_REPORTS = ("html", "markdown")
_FILE = click.Path(dir_okay=False, writable=True, allow_dash=True, path_type=Path)
_LEVELS = ("info", "warning", "error")
_FINDING_COLUMNS = ("severity", "rule", "conversation", "compaction", "messages", "evidence")
_COUNTS = ("facts", "in tail", "in handoff", "lost", "kept", "invented")
_COMPACTION_COLUMNS = ("compaction", "conversation", *_COUNTS)


@click.command("audit")
@click.argument("id", required=False)
@click.option("--origin", metavar="LABEL", help="Only conversations from the origin with this label.")
@click.option("--since", metavar="DATE", help="Only conversations active on or after this day (2026-03-12).")
@click.option("--rule", metavar="CODE", help="Only findings with this code, such as reply-swallowed.")
@click.option(
    "--fail-on", type=click.Choice(_LEVELS), help="Exit with 1 when there is a finding this bad, or worse."
)
@click.option(
    "--html", "html", type=_FILE, help="Write the report of one compaction as an HTML file; - prints it."
)
@click.option(
    "--markdown", "markdown", type=_FILE, help="Write the report of one compaction as Markdown; - prints it."
)
@click.option("--no-mask", is_flag=True, help="Leave secrets in the report as they are.")
@store_option
@json_option
def audit_command(
    url: str, as_json: bool, id: str | None, fail_on: str | None, no_mask: bool, **given: Any
) -> int:
    """Say what compactions kept, lost and invented. No model is asked.

    ID is the id of a conversation (or of any of its sessions, or a unique beginning of
    one), or the number of a compaction. Without it the whole store is audited; only what
    changed since the last time is looked at again. Exact strings are compared: a summary
    that says the same in other words counts as lost, and lost means out of the model's
    sight. The originals stay here. Results are kept, unless the store is read-only. --html
    and --markdown write the report of one compaction.
    """
    from hermes_sessions.operations.audit import find_listing

    since = _midnight(given["since"])
    printed = Path("-") in (given[name] for name in _REPORTS)
    if printed and (as_json or given["html"] == given["markdown"]):
        raise click.UsageError("only one thing can be printed: --json, --html - or --markdown -")
    with open_store(url) as database:
        with database.read() as db:
            listing = find_listing(db, id, origin=given["origin"], since=since, rule=given["rule"])
        document, conversations = _audit(database, listing)
        with database.read() as db:
            _write_reports(db, listing, {name: given[name] for name in _REPORTS}, mask=not no_mask)
    if as_json:
        print_json(document)
    elif not printed:
        _print_audit(document, conversations, measured=given["rule"] is None)
    return int(fail_on is not None and _reaches(document, fail_on))


def _audit(database: "Database", listing: "FindingListing") -> tuple[dict[str, Any], int]:
    """Return the results, brought up to date, and how many conversations they are of."""
    from hermes_sessions.operations.audit import audit_document, run_audit
    from hermes_sessions.operations.audit_unsaved import audit_unsaved
    from hermes_sessions.store.queries.audits import iter_conversations

    with progress_bar({"audit": "conversations"}) as progress:
        if database.read_only:
            complain("the store is read-only: results are shown, none are kept")
            with database.read() as db:
                count = sum(1 for _ in iter_conversations(db, listing))
                return audit_unsaved(db, listing, progress), count
        run = run_audit(database, listing, clock=time.time, progress=progress)
    with database.read() as db:
        return audit_document(db, listing), run.conversations


@click.command("seen")
@click.argument("id")
@click.option("--at", "message", type=int, required=True, metavar="MESSAGE", help="The message's id.")
@store_option
@json_option
def seen_command(url: str, as_json: bool, id: str, message: int) -> None:
    """Print the context that the model had in front of it at a message.

    ID is the id of a conversation or of any of its sessions; MESSAGE is an id as `show
    --json` gives it. For a message of the assistant it is what stood before it. --json
    gives OpenAI-style messages and their tokens.
    """
    from hermes_sessions.operations.seen import load_seen, seen_document

    with open_store(url) as database, database.read() as db:
        seen = load_seen(db, id, message)
    if as_json:
        print_json(seen_document(seen))
        return
    for one in seen.messages:
        click.secho(clean(_speaker(one)), bold=True)
        say_block(_text(one["content"]))
        for call in one.get("tool_calls") or ():
            click.secho(clean(f"  -> {json.dumps(call, ensure_ascii=False)}")[:200], dim=True)
        say()
    kind = "tokens" if seen.tokens.exact else "tokens, estimated"
    say(f"{len(seen.messages)} messages, {seen.tokens.tokens} {kind} ({seen.tokens.method})")


def _write_reports(
    db: "DbSession", listing: "FindingListing", files: Mapping[str, Path | None], *, mask: bool
) -> None:
    from hermes_sessions.audit.report_html import render_html
    from hermes_sessions.audit.report_markdown import render_markdown
    from hermes_sessions.operations.audit_report import load_report, only_compaction

    if not any(files.values()):
        return
    report = load_report(db, only_compaction(db, listing), mask=mask)
    renderers = {"html": render_html, "markdown": render_markdown}
    for name, path in files.items():
        if path is not None:
            with click.open_file(str(path), "w", "utf-8", errors="replace") as file:
                file.write(renderers[name](report))


# -- printing --------------------------------------------------------------------------------------


def _print_audit(document: Mapping[str, Any], conversations: int, *, measured: bool) -> None:
    findings, compactions = document["findings"], document["compactions"]
    if findings:
        print_table(_FINDING_COLUMNS, [_finding_row(row) for row in findings])
    if compactions and measured:
        say()
        print_table(_COMPACTION_COLUMNS, [_compaction_row(row) for row in compactions])
    counts = {level: sum(row["severity"] == level for row in findings) for level in _LEVELS}
    say()
    say(
        f"{counted(conversations, 'conversation')}, {counted(len(compactions), 'compaction')}:"
        f" {counted(counts['error'], 'error')}, {counted(counts['warning'], 'warning')},"
        f" {counted(counts['info'], 'note')}."
    )


def _finding_row(row: Mapping[str, Any]) -> tuple[object, ...]:
    places = ", ".join(str(one) for one in row["messages"][:3])
    more = "..." if len(row["messages"]) > 3 else ""
    return (
        row["severity"],
        row["rule"],
        row["session"] if row["compaction"] is None and row["session"] else row["conversation"],
        row["compaction"],
        places + more,
        _evidence(row["evidence"]),
    )


def _evidence(evidence: Mapping[str, Any]) -> str:
    pairs = (
        f"{name.replace('_', ' ')} {_plain(value)}"
        for name, value in evidence.items()
        if value not in (None, "")
    )
    return ", ".join(pairs)[:160]


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(str(one.get("value", one)) if isinstance(one, dict) else str(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    return str(value)


def _compaction_row(row: Mapping[str, Any]) -> tuple[object, ...]:
    total = row["total"]
    kept = "" if not total["total"] else f"{(total['total'] - total['lost']) / total['total']:.0%}"
    counts = (total["total"], total["tail"], total["handoff"], total["lost"])
    return (row["id"], row["conversation"], *counts, kept, len(row["invented"]))


def _speaker(message: Mapping[str, Any]) -> str:
    return f"{message['role']} {message.get('name') or ''}".strip()


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(
            str(block.get("text") or f"[{block.get('type', 'block')}]") if isinstance(block, dict) else block
            for block in content
        )
    return content or ""


def _reaches(document: Mapping[str, Any], level: str) -> bool:
    return any(_LEVELS.index(row["severity"]) >= _LEVELS.index(level) for row in document["findings"])


def _midnight(day: str | None) -> float | None:
    if day is None:
        return None
    try:
        return datetime.combine(date.fromisoformat(day), datetime.min.time()).timestamp()
    except (ValueError, OverflowError, OSError):
        raise click.BadParameter("a day such as 2026-03-12", param_hint="--since") from None
