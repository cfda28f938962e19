"""Searching on a terminal."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from hermes_sessions.cli.terminal.options import json_option, open_store
from hermes_sessions.cli.terminal.output import clean, print_json, say, say_more
from hermes_sessions.cli.terminal.several_stores import is_several, open_fleet, stores_option

if TYPE_CHECKING:
    from hermes_sessions.operations.documents.search_results import HitJson, SearchPageJson, SnippetPieceJson

MOST = 500


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(1, MOST),
    default=20,
    show_default=True,
    help="Maximum number of messages; with in:title, of conversations.",
)
@click.option(
    "--order",
    type=click.Choice(["newest", "relevance"]),
    default="newest",
    show_default=True,
    help="Relevance ranks the newest 5,000 matches.",
)
@click.option("--after", "cursor", metavar="CURSOR", help="Continue after an earlier answer's `next` cursor.")
@stores_option
@json_option
def search_command(
    urls: Sequence[str],
    patterns: Sequence[str],
    as_json: bool,
    query: tuple[str, ...],
    limit: int,
    **page: str | None,
) -> None:
    """Find messages and conversations.

    All words of QUERY must occur. A query may also hold "a phrase", begin*, this OR that, NOT this, and
    filters: role: tool: source: model: origin: conv: before: after: in: has: kind:
    Write `--` before a query that begins with a dash.
    """
    from hermes_sessions.operations.search import run_search, search_document
    from hermes_sessions.store.searching.message_hits import Order, Search

    now = datetime.now().astimezone()
    search = Search.of(
        " ".join(query), now, order=Order(page["order"] or "newest"), limit=limit, cursor=page["cursor"]
    )
    document: SearchPageJson
    if is_several(urls, patterns):
        from hermes_sessions.operations.fleet.merged_results import merged_search_document, run_merged_search

        with open_fleet(urls, patterns) as fleet:
            document = merged_search_document(run_merged_search(fleet, search, stores=fleet.names))
    else:
        with open_store(urls[0]) as database, database.read() as db:
            document = search_document(run_search(db, search))
    if as_json:
        print_json(document)
        return
    _print(document)


def _print(document: "SearchPageJson") -> None:
    from hermes_sessions.store.searching.title_hits import COUNTED

    for note in document.notes:
        say(f"Note: {note}")
    for one in document.conversations:
        name = one.title or one.preview or one.id
        click.echo(f"{_bold(clean(str(name))[:120])}  {_store(one)}{clean(one.id)}  (by its {one.where})")
    if query := document.conversations_query:
        total = document.conversations_total or 0
        more = f"{total - len(document.conversations):,}" if total else "more"
        many = " or more" if total >= COUNTED else ""
        say(f"{more}{many} others by title, folder or id: search {shlex.quote(clean(query))}")
    before = None
    for hit in document.hits:
        place = (_store(hit), hit.conversation)
        if place != before:
            before = place
            title = _bold(clean(str(hit.title or hit.conversation))[:120])
            click.echo(f"\n{title}  {place[0]}{clean(hit.conversation)}")
        click.echo(f"  {_line(hit)}")
    if not document.hits and not document.conversations:
        say("Nothing found." if document.complete else "Nothing found so far.")
    if not document.complete:
        say(f"Looked at {document.looked_at:,} possible messages, newest first.")
    if document.next:
        say_more("--after", document.next)


def _store(one: object) -> str:
    """Return the store of a row of several stores, with a space behind it."""
    name = getattr(one, "store", None)
    return "" if name is None else f"{clean(str(name))}: "


def _line(hit: "HitJson") -> str:
    """Return one hit: when, who, what it is, and the place with the words marked."""
    from hermes_sessions.messages import MessageKind

    who = hit.tool_name or (hit.role if hit.kind in set(MessageKind) else hit.kind)
    labels = "".join(f" [{label}]" for label in hit.labels)
    where = "" if hit.where == "text" else f" ({hit.where})"
    head = clean(f"{_time(hit.created_at)}  {who}{labels}{where}  #{hit.id}")
    return f"{head}\n    {_marked(hit.snippet)}"


def _marked(snippet: "Iterable[SnippetPieceJson]") -> str:
    """Return a snippet on one line, what matched in bold, or between brackets where there is no colour."""
    plain = not sys.stdout.isatty()
    found = []
    for piece in snippet:
        # White space at the ends of a piece parts it from its neighbours.
        text = clean(f"|{piece.text}|")[1:-1]
        mark = f"[{text}]" if plain else click.style(text, bold=True, fg="yellow")
        found.append(mark if piece.marked else text)
    return "".join(found)


def _bold(text: str) -> str:
    return click.style(text, bold=True)


def _time(at: float | None) -> str:
    try:
        return "" if at is None else datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return ""
