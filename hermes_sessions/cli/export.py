"""`export`: one conversation as a document or as lines, or an origin as a Hermes database."""

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli._options import json_option, open_store, store_option
from hermes_sessions.cli._output import complain, print_json, say

if TYPE_CHECKING:
    from sqlalchemy.orm import Session as DbSession

    from hermes_sessions.exporters.masking import Masker
    from hermes_sessions.store.queries.conversations import ConversationRow

FORMATS = ("html", "markdown", "jsonl", "hermes")
SUFFIXES = {".html": "html", ".htm": "html", ".md": "markdown", ".jsonl": "jsonl", ".db": "hermes"}


@click.command(
    "export",
    epilog="Examples:  hermes-sessions export 20260312_1402 -o talk.html  ·  "
    "hermes-sessions export 20260312_1402 --format markdown -o -  ·  "
    "hermes-sessions export --format hermes --origin work copy.db",
)
@click.argument("target", metavar="ID|OUT.db", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="What to write; by default what the name given with -o says, else html.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, allow_dash=True),
    help="The file; - is standard output.  [default: the id with the format's ending, here]",
)
@click.option(
    "--mask/--no-mask", default=None, help="Mask secrets.  [default: in html and markdown, not in jsonl]"
)
@click.option("--conversation", metavar="ID", help="With hermes: this conversation alone.")
@click.option("--origin", metavar="LABEL", help="With hermes: what came from the origin with this label.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@store_option
@json_option
def export_command(url: str, as_json: bool, target: str | None, form: str | None, **given: Any) -> None:
    """Write a conversation as a document, or everything as a Hermes state.db.

    ID is the id of any of its sessions, or a unique beginning of one. html is one file
    that reads like the viewer, without script and without a server; markdown is text;
    both mask secrets (best effort) and say how many. jsonl is lossless, secrets
    included, and `hermes-sessions import` takes it back.

    hermes writes a database for the agent: all that was imported from one origin, or
    with --conversation one conversation. Files are written whole or not at all, for
    your eyes only, and never over another without --force.
    """
    form = form or SUFFIXES.get((given["output"] or Path()).suffix.lower(), "html")
    if form == "hermes":
        done = _export_database(url, target, given)
    else:
        done = _export_conversation(url, target, form, given)
    if as_json and done["path"] is not None:
        print_json(done)
    else:
        _tell(done, quiet=as_json)


def _export_conversation(url: str, target: str | None, form: str, given: dict[str, Any]) -> dict[str, Any]:
    from hermes_sessions.exporters.masking import Masker
    from hermes_sessions.store.queries.conversations import get_conversation

    if target is None:
        raise click.UsageError("name the conversation: hermes-sessions export ID")
    if given["conversation"] or given["origin"]:
        raise click.UsageError("--conversation and --origin go with --format hermes")
    masker = Masker(active=form != "jsonl" if given["mask"] is None else given["mask"])
    with open_store(url) as database, database.read() as db:
        conversation = get_conversation(db, target)
        output = given["output"] or default_name(conversation.public_id, form)
        pieces = conversation_pieces(db, conversation, form, masker)
        if str(output) == "-":
            written = _write_out(pieces)
        else:
            written = _write_file(output, pieces, force=given["force"])
        return {
            "path": None if str(output) == "-" else str(output),
            "format": form,
            "conversation": conversation.public_id,
            "messages": _count(db, conversation, form),
            "masked": masker.total if masker.active else None,
            "bytes": written,
        }


def conversation_pieces(
    db: "DbSession", conversation: "ConversationRow", form: str, masker: "Masker"
) -> Iterable[str]:
    """Return the pieces of a conversation in one of the forms that are text."""
    if form == "jsonl":
        from hermes_sessions.operations.export_jsonl import iter_lines

        return iter_lines(db, conversation, masker)
    from hermes_sessions.web.export_page import document_pieces

    return document_pieces(db, conversation, form, masker, now=time.time())


def default_name(public_id: str, form: str) -> Path:
    """Return a file name that any id makes, in the folder of the caller."""
    from hermes_sessions.exporters.files import file_name

    return Path(file_name(public_id, form))


def _count(db: "DbSession", conversation: "ConversationRow", form: str) -> int:
    from hermes_sessions.operations.export_jsonl import count_rows

    return count_rows(db, conversation) if form == "jsonl" else conversation.message_count


def _write_file(output: Path, pieces: Iterable[str], *, force: bool) -> int:
    from hermes_sessions.exporters.files import whole_file, write_text

    with whole_file(output, force=force) as part:
        return write_text(part, pieces)


def _write_out(pieces: Iterable[str]) -> int:
    stream = sys.stdout.buffer
    written = 0
    for piece in pieces:
        packed = piece.encode("utf-8", "replace")
        stream.write(packed)
        written += len(packed)
    stream.flush()
    return written


def _export_database(url: str, target: str | None, given: dict[str, Any]) -> dict[str, Any]:
    from hermes_sessions.operations.export_hermes import HermesOrder, export_hermes

    output = given["output"] or (Path(target) if target is not None else None)
    if output is None or (given["output"] and target is not None):
        raise click.UsageError("name one file: hermes-sessions export --format hermes OUT.db")
    if str(output) == "-":
        raise click.UsageError("a database cannot be written to standard output; name a file")
    if given["mask"]:
        raise click.UsageError("a state.db is written as it was imported; --mask is for documents")
    order = HermesOrder(conversation=given["conversation"], origin=given["origin"], force=given["force"])
    with open_store(url) as database:
        done = export_hermes(database, output, order)
    return {
        "path": str(output),
        "format": "hermes",
        "origin": done.origin,
        "schema_version": done.schema_version,
        "conversations": done.conversations,
        "sessions": done.sessions,
        "messages": done.messages,
        "masked": None,
        "bytes": output.stat().st_size,
        "notes": list(done.notes),
    }


def _tell(done: dict[str, Any], *, quiet: bool) -> None:
    """Say what was written; beside a document on standard output, on standard error."""
    for note in done.get("notes", ()):
        complain(note)
    secrets = "" if done["masked"] is None else f", {done['masked']} secrets masked"
    line = f"{done['messages']} messages, {done['bytes']} bytes{secrets}"
    if done["path"] is None:
        complain(line)
    elif not quiet:
        say(f"{done['path']}: {line}")
        if done["masked"]:
            complain(f"{done['masked']} secrets were masked (best effort); --no-mask leaves them in")
        if done["format"] in ("jsonl", "hermes") and done["masked"] is None:
            complain("secrets are in it as they were")
