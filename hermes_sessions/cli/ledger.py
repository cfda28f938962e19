"""The ledger of compactions on a terminal: sorted, filtered, a page at a time."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from hermes_sessions.cli.terminal.options import json_option, open_store
from hermes_sessions.cli.terminal.output import Estimate, print_json, print_table, say, say_more, time_words
from hermes_sessions.cli.terminal.several_stores import is_several, open_fleet, stores_option

if TYPE_CHECKING:
    from hermes_sessions.operations.documents.compactions import CompactionJson, CompactionPageJson
    from hermes_sessions.operations.fleet.merged_documents import MergedLedgerJson
    from hermes_sessions.store.queries.ledger import CompactionListing

_COLUMNS = (
    "id", "conversation", "no.", "when", "how", "status", "summary", "messages", "before", "after", "saved",
    "kept", "worst",
)  # fmt: skip
_ORDERS = (
    "newest", "oldest", "worst", "mildest", "least-kept", "most-kept", "most-saved", "least-saved",
)  # fmt: skip


@click.command("compactions")
@click.argument("id", required=False)
@click.option("--sort", metavar="ORDER", help=f"Sort order: {', '.join(_ORDERS)}.")
@click.option(
    "--severity", metavar="LEVEL", help="Only those with a finding at least this severe: warning, error."
)
@click.option(
    "--rule", metavar="CODE", help="Only those with a finding of this code, such as reply-swallowed."
)
@click.option(
    "--below",
    metavar="PERCENT",
    help="Only those with less than this share of the facts that matter in sight.",
)
@click.option("--realisation", metavar="HOW", help="Only rotation, in_place or native ones.")
@click.option("--status", metavar="STATUS", help="Only committed, interrupted, aborted or undone ones.")
@click.option(
    "--method", metavar="METHOD", help="Only summaries by model, extractive, fallback, marker, prune, none."
)
@click.option("--origin", metavar="LABEL", help="Only from the origin with this label.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of compactions per page.  [default: all of them]",
)
@click.option("--before", metavar="CURSOR", help="Continue after an earlier list's `next` cursor.")
@stores_option
@json_option
def compactions_command(
    urls: Sequence[str],
    patterns: Sequence[str],
    as_json: bool,
    id: str | None,
    limit: int | None,
    **given: str | None,
) -> None:
    """List the compactions of a conversation in order, or of the whole store, newest first.

    The options below narrow the list; --limit gives one page at a time. Facts, saved
    tokens and findings are what the last `audit` stored. Tokens before and after are the
    agent's own counts; saved ones with a ~ are an estimate, where it left none.
    """
    from dataclasses import replace

    from hermes_sessions.operations.documents.compactions import compactions_document
    from hermes_sessions.operations.writing.origins import get_origin
    from hermes_sessions.store.queries.ledger import CompactionListing
    from hermes_sessions.store.queries.paging import ENOUGH

    asked = {name: value for name, value in given.items() if value}
    several = is_several(urls, patterns)
    if several and id is not None:
        raise click.UsageError("an id is of one store; name that store alone")
    before = asked.pop("before", None) if several else None
    whole = id is not None and not asked and limit is None
    listing = CompactionListing.from_args(asked if id is None else {**asked, "conversation": id})
    listing = replace(listing, limit=min(limit or ENOUGH, ENOUGH))
    document: CompactionPageJson | MergedLedgerJson
    if several:
        document = _merged_ledger(urls, patterns, listing, before)
    else:
        with open_store(urls[0]) as database, database.read() as db:
            if listing.origin is not None:
                get_origin(db, listing.origin)
            document = compactions_document(db, id if whole else None, listing)
    if as_json:
        print_json(document)
        return
    if not document.compactions:
        say("No compactions.")
        return
    rows: Sequence[CompactionJson] = document.compactions
    if several:
        table = [(getattr(row, "store", ""), *_compaction_row(row)) for row in rows]
        print_table(("store", *_COLUMNS), table)
    else:
        print_table(_COLUMNS, [_compaction_row(row) for row in rows])
    if document.next:
        say_more("--before", document.next)


def _merged_ledger(
    urls: Sequence[str], patterns: Sequence[str], listing: "CompactionListing", before: str | None
) -> "MergedLedgerJson":
    from hermes_sessions.audit.rules import get_rule
    from hermes_sessions.operations.fleet.merged_documents import merged_ledger_document
    from hermes_sessions.store.fleet.merged_lists import list_merged_compactions
    from hermes_sessions.store.fleet.merging import FleetCursor

    if listing.rule is not None:
        get_rule(listing.rule)
    cursor = None if before is None else FleetCursor.parse(before)
    with open_fleet(urls, patterns) as fleet:
        found = list_merged_compactions(fleet, listing, stores=fleet.names, before=cursor)
        return merged_ledger_document(found)


def _saved(row: "CompactionJson") -> int | None:
    """Tokens less than before; an estimate of ours where the agent did not count both sides."""
    counted = row.tokens_before and row.tokens_after is not None
    return row.saved_tokens if counted or row.saved_tokens is None else Estimate(row.saved_tokens)


def _compaction_row(row: "CompactionJson") -> tuple[object, ...]:
    return (
        row.id,
        row.conversation,
        f"prune {row.ordinal}" if row.method == "prune" else row.ordinal,
        time_words(row.created_at),
        str(row.realisation).replace("_", " "),
        row.status,
        ", ".join(filter(None, (row.method, "encrypted" if row.encrypted else None, row.engine))),
        row.span.messages,
        row.tokens_before,
        row.tokens_after,
        _saved(row),
        "" if row.retained is None else f"{row.retained:.0%}",
        row.worst_finding,
    )
