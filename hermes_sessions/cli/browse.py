"""Reading the store on a terminal: list, show, lineage."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NoReturn

import click

from hermes_sessions.cli.terminal.options import json_option, open_store, store_option
from hermes_sessions.cli.terminal.output import (
    clean,
    print_json,
    print_table,
    say,
    say_block,
    say_call,
    say_more,
    time_words,
)
from hermes_sessions.cli.terminal.several_stores import is_several, open_fleet, stores_option

if TYPE_CHECKING:
    from sqlalchemy.orm import Session as DbSession

    from hermes_sessions.exporters.readable_entries import CompactionLine
    from hermes_sessions.operations.documents.conversations import ConversationJson, ConversationPageJson
    from hermes_sessions.operations.documents.lineage import SessionJson
    from hermes_sessions.operations.documents.messages import MessageJson
    from hermes_sessions.operations.fleet.merged_documents import MergedListJson
    from hermes_sessions.store.queries.conversations import ConversationListing

KINDS = ("chat", "delegate", "scheduled", "all", "trash")


_BEFORE: Final = 3
_BEHIND: Final = 12
"""So many messages are printed before and behind one that is asked for."""

_NO_CONVERSATIONS = "No conversations. `hermes-sessions import PATH` brings some in."


@click.command("list")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="Maximum number of conversations.",
)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="chat",
    show_default=True,
    help="`all` includes archived and empty conversations.",
)
@click.option("--source", help="Only those from this source, such as cli or telegram.")
@click.option("--model", help="Only those whose latest model is this one.")
@click.option("--origin", help="Only those from the origin with this label.")
@click.option("--tag", help="Only those with this tag.")
@click.option("--pinned", type=click.Choice(("yes", "no")), help="Only those pinned, or not.")
@click.option("--archived", type=click.Choice(("yes", "no")), help="Only those archived, or not.")
@click.option("--since", metavar="DATE", help="Only those active on or after this day (2026-03-12).")
@click.option("--until", metavar="DATE", help="Only those last active on or before this day.")
@click.option("--before", metavar="CURSOR", help="Continue after an earlier list's `next` cursor.")
@stores_option
@json_option
def list_command(
    urls: Sequence[str], patterns: Sequence[str], as_json: bool, limit: int, **filters: str | None
) -> None:
    """List conversations, newest activity first; of several stores as one list."""
    from dataclasses import replace

    from hermes_sessions.operations.documents.conversations import list_document
    from hermes_sessions.operations.writing.origins import get_origin
    from hermes_sessions.store.queries.conversations import ConversationListing
    from hermes_sessions.store.queries.paging import ENOUGH

    given = {name: value for name, value in filters.items() if value}
    several = is_several(urls, patterns)
    before = given.pop("before", None) if several else None
    others: Sequence[ConversationJson] = ()
    listing = replace(ConversationListing.from_args(given), limit=min(limit, ENOUGH))
    document: ConversationPageJson | MergedListJson
    if several:
        document = _merged_list(urls, patterns, listing, before)
    else:
        with open_store(urls[0]) as database, database.read() as db:
            if listing.origin is not None:
                get_origin(db, listing.origin)
            document = list_document(db, listing)
            if not document.conversations:
                others = list_document(db, ConversationListing(kind="all", limit=1)).conversations
    if as_json:
        print_json(document)
        return
    rows: Sequence[ConversationJson] = document.conversations
    if not rows:
        more = "`--kind all` lists those that are empty, archived or an agent's own."
        say(f"No such conversations. {more}" if others else _NO_CONVERSATIONS)
        return
    columns = ("id", "last active", "messages", "compactions", "prunes", "source", "tags", "title")
    names = [getattr(row, "store", "") for row in rows]
    if several:
        table = [(name, *_list_row(row)) for name, row in zip(names, rows, strict=True)]
        print_table(("store", *columns), table)
    else:
        print_table(columns, [_list_row(row) for row in rows])
    if document.next:
        say_more("--before", document.next)


def _merged_list(
    urls: Sequence[str], patterns: Sequence[str], listing: "ConversationListing", before: str | None
) -> "MergedListJson":
    from hermes_sessions.operations.fleet.merged_documents import merged_list_document
    from hermes_sessions.store.fleet.merged_lists import list_merged
    from hermes_sessions.store.fleet.merging import FleetCursor

    cursor = None if before is None else FleetCursor.parse(before)
    with open_fleet(urls, patterns) as fleet:
        return merged_list_document(list_merged(fleet, listing, stores=fleet.names, before=cursor))


@click.command("show")
@click.argument("id")
@click.option(
    "--all", "every", is_flag=True, help="Print every stored row of every session, including copies."
)
@click.option(
    "--at",
    "message",
    type=int,
    metavar="MESSAGE",
    help="Only the message of this number, and those around it.",
)
@store_option
@json_option
def show_command(url: str, as_json: bool, id: str, every: bool, message: int | None) -> None:
    """Print a conversation from its first message to its last, across all compactions.

    ID is the id of any of its sessions, or a unique beginning of one. Messages are
    printed with their numbers, which `audit` names.
    """
    from msgspec.structs import replace

    from hermes_sessions.operations.documents.messages import show_document
    from hermes_sessions.operations.exports.rowless_compactions import rowless_compactions

    asked = message
    with open_store(url) as database, database.read() as db:
        document = show_document(db, id, every=every)
        if message is not None and not any(one.id == message for one in document.messages):
            every_row = show_document(db, id, every=True).messages
            asked, message = message, _shown_as(message, every_row) or _refuse(db, id, message)
        lines = {} if as_json else rowless_compactions(db, document.conversation.id, document.messages)
    shown = range(len(document.messages)) if message is None else _around(message, document.messages, id)
    if as_json:
        print_json(replace(document, messages=[document.messages[at] for at in shown]))
        return
    say(_title(document.conversation))
    if asked != message:
        say(f"Message {asked} is the same as message {message}, which is printed here.")
    for at in shown:
        _print_message(document.messages[at])
        for line in lines.get(at, ()):
            say()
            click.secho(clean(f"{_named(line)}  {', '.join((time_words(line.at), *line.facts))}"), dim=True)


@click.command("lineage")
@click.argument("id")
@store_option
@json_option
def lineage_command(url: str, as_json: bool, id: str) -> None:
    """Print the family of a conversation: continuations, forks, branches, delegates."""
    from hermes_sessions.operations.documents.lineage import lineage_document

    with open_store(url) as database, database.read() as db:
        document = lineage_document(db, id)
    if as_json:
        print_json(document)
        return
    columns = ("session", "relation", "parent", "started", "rows", "conversation")
    print_table(columns, [_lineage_row(row) for row in document.sessions])
    for finding in document.findings:
        say(f"{finding.severity}: {finding.rule} ({finding.conversation})")


def _named(line: "CompactionLine") -> str:
    """Return the head of a compaction's line, with the number that `audit` takes."""
    from hermes_sessions.audit.ledger.numbered import numbered
    from hermes_sessions.exporters.compaction_words import compaction_noun

    if line.number is None:
        return line.headline
    number = numbered(line.number, line.ordinal, line.total)
    return line.headline_of(f"{compaction_noun(line.method)} {number}")


# -- rows ------------------------------------------------------------------------------------------


def _list_row(row: "ConversationJson") -> tuple[object, ...]:
    return (
        row.id,
        time_words(row.last_active_at),
        row.messages,
        row.compactions,
        row.prunes or None,
        row.source,
        f"{'* ' if row.pinned else ''}{' '.join(row.tags)}",
        _title(row)[:80],
    )


def _lineage_row(row: "SessionJson") -> tuple[object, ...]:
    relation = f"{row.relation}{', fork' if row.fork else ''}{', tip' if row.tip else ''}"
    return (
        row.id,
        relation,
        row.parent,
        time_words(row.started_at),
        row.messages,
        row.conversation,
    )


def _shown_as(wanted: int, rows: "Sequence[MessageJson]") -> int | None:
    """Return the number under which the one scroll shows a stored row: its own, or that of what it repeats.

    A message of another conversation is shown as its copy. None where it is not among *rows*,
    which are all of a conversation.
    """
    found = next((one for one in rows if one.id == wanted), None)
    if found is not None:
        return found.copy_of or found.id
    return next((one.id for one in rows if one.copy_of == wanted), None)


def _refuse(db: "DbSession", id: str, wanted: int) -> NoReturn:
    """Say which messages a conversation has instead.

    Raises:
        NotFoundError: always.
    """
    from hermes_sessions.operations.documents.messages import message_missing
    from hermes_sessions.store.queries.conversations import get_conversation

    raise message_missing(db, get_conversation(db, id), wanted)


def _around(wanted: int, messages: "Sequence[MessageJson]", id: str) -> range:
    """Return the places of a message and of those around it.

    Raises:
        NotFoundError: it is not among *messages*.
    """
    from hermes_sessions.errors import NotFoundError

    place = next((at for at, one in enumerate(messages) if one.id == wanted), None)
    if place is None:
        raise NotFoundError(
            f"{id}: message {wanted} was taken back; `show {id} --all --at {wanted}` prints it"
        )
    return range(max(0, place - _BEFORE), min(len(messages), place + _BEHIND + 1))


def _print_message(message: "MessageJson") -> None:
    """Print the parts of a message, handoffs marked as such, then its tool calls in a line each."""
    for part in message.parts:
        handoff = part.kind == "handoff"
        speaker = "Context handoff" if handoff else _speaker(message)
        say()
        click.secho(clean(f"{speaker}  {_marks(message)}"), bold=not handoff, dim=handoff)
        say_block(part.text)
    calls = message.tool_calls
    for call in calls if isinstance(calls, list) else [calls] if calls else []:
        say_call(call)


def _speaker(message: "MessageJson") -> str:
    """Return the role, or who else wrote in its place."""
    return message.kind if message.kind in ("note", "client", "command") else message.role


def _marks(message: "MessageJson") -> str:
    marks: list[str] = [time_words(message.created_at), f"message {message.id}"]
    marks += [message.state] if message.state != "live" else []
    marks += [f"copy of {message.copy_of}"] if message.copy_of else []
    marks += ["inherited"] if message.inherited is True else []
    marks += [str(message.tool_name)] if message.tool_name else []
    return ", ".join(mark for mark in marks if mark)


def _title(row: "ConversationJson") -> str:
    return str(row.title or row.preview or row.id)
