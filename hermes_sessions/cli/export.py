"""`export`: one conversation as a document or as lines, or an origin as a file of its agent."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.agents.registry import writers
from hermes_sessions.cli.terminal.options import OutputPath, json_option, keep_store, open_store, store_option
from hermes_sessions.cli.terminal.output import complain, print_json, say, write_out

if TYPE_CHECKING:
    from sqlalchemy.orm import Session as DbSession

    from hermes_sessions.exporters.masking import ExportMasker
    from hermes_sessions.store.queries.conversations import ConversationRow

WRITERS = {writer.kind: writer for writer in writers()}
DOCUMENTS = ("html", "markdown", "jsonl")
FORMATS = tuple(dict.fromkeys((*DOCUMENTS, *WRITERS)))
SUFFIXES = {writer.suffix: kind for kind, writer in WRITERS.items()} | {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".jsonl": "jsonl",
}
_AGENTS = ", ".join(sorted(WRITERS)) or "AGENT"
_FILES = "; ".join(f"{kind} writes {WRITERS[kind].file_type}" for kind in sorted(WRITERS))


HELP = f"""Write a conversation as a document, or an origin as a file of its agent.

    ID is the id of any of its sessions, or a unique beginning of one. html is one file
    that reads like the viewer, without script and without a server; markdown is text;
    both mask secrets (best effort) and say how many. jsonl is lossless, secrets
    included, and `hermes-sessions import` takes it back.

    An agent's name writes a file for that agent ({_FILES or "none is known"}): all that was
    imported from one origin, or with --conversation one conversation. Files are written
    completely or not at all, can be read by you alone, and never replace another file
    without --force. A device or FIFO is written into.
    """
EXAMPLES = (
    "hermes-sessions export 20260312_1402 -o talk.html",
    "hermes-sessions export 20260312_1402 --format markdown -o -",
    *(f"hermes-sessions export --format {kind} --origin work copy{WRITERS[kind].suffix}" for kind in WRITERS),
)


@click.command("export", help=HELP, epilog="Examples:  " + "  ·  ".join(EXAMPLES))
@click.argument("target", metavar="ID|OUT", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Format; by default that of the -o file name, else html.",
)
@click.option(
    "-o",
    "--output",
    type=OutputPath(),
    help="The file; - is standard output.  [default: the id with the format's ending, here]",
)
@click.option(
    "--mask/--no-mask", default=None, help="Mask secrets.  [default: in html and markdown, not in jsonl]"
)
@click.option("--conversation", metavar="ID", help=f"With --format {_AGENTS}: only this conversation.")
@click.option("--origin", metavar="LABEL", help=f"With --format {_AGENTS}: only the origin with this label.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@store_option
@json_option
def export_command(url: str, as_json: bool, target: str | None, form: str | None, **given: Any) -> None:
    """Write what is named; `HELP` is the help."""
    form = form or _format_of(given["output"])
    if form not in DOCUMENTS:
        done = _export_origin(url, target, form, given)
    else:
        done = _export_conversation(url, target, form, given)
    if as_json and done["path"] is not None:
        from hermes_sessions.operations.documents.exports import exported_document

        print_json(exported_document(done))
    else:
        _tell(done, quiet=as_json)


def _format_of(output: Path | None) -> str:
    """Return the format that a file's ending names; HTML where there is no file, or no ending."""
    ending = "" if output is None else output.suffix.lower()
    if ending and ending not in SUFFIXES:
        raise click.UsageError(f"{ending} names no format: add --format, one of {', '.join(FORMATS)}")
    return SUFFIXES.get(ending, "html")


def _export_conversation(url: str, target: str | None, form: str, given: dict[str, Any]) -> dict[str, Any]:
    from hermes_sessions.exporters.masking import ExportMasker
    from hermes_sessions.store.queries.conversations import get_conversation

    if target is None:
        raise click.UsageError("name the conversation: hermes-sessions export ID")
    if given["conversation"] or given["origin"]:
        raise click.UsageError(f"--conversation and --origin go with --format {_AGENTS}")
    masker = ExportMasker(active=form != "jsonl" if given["mask"] is None else given["mask"])
    with open_store(url) as database, database.read() as db:
        conversation = get_conversation(db, target)
        output = given["output"] or default_name(conversation.public_id, form)
        pieces = conversation_pieces(db, conversation, form, masker)
        if str(output) == "-":
            written = write_out(pieces)
        else:
            keep_store(database, output)
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
    db: "DbSession", conversation: "ConversationRow", form: str, masker: "ExportMasker"
) -> Iterable[str]:
    """Return the pieces of a conversation in one of the forms that are text."""
    if form == "jsonl":
        from hermes_sessions.operations.exports.export_jsonl import iter_lines

        return iter_lines(db, conversation, masker)
    from hermes_sessions.web.export_page import document_pieces

    return document_pieces(db, conversation, form, masker, now=time.time())


def default_name(public_id: str, form: str) -> Path:
    """Return a file name that any id makes, in the folder of the caller."""
    from hermes_sessions.exporters.files import file_name

    return Path(file_name(public_id, form))


def _count(db: "DbSession", conversation: "ConversationRow", form: str) -> int:
    from hermes_sessions.operations.exports.export_jsonl import count_rows

    return count_rows(db, conversation) if form == "jsonl" else conversation.message_count


def _write_file(output: Path, pieces: Iterable[str], *, force: bool) -> int:
    from hermes_sessions.exporters.files import write_text
    from hermes_sessions.output import whole_file

    with whole_file(output, force=force) as part:
        return write_text(part, pieces)


def _export_origin(url: str, target: str | None, form: str, given: dict[str, Any]) -> dict[str, Any]:
    from hermes_sessions.operations.exports.export_origin import OriginOrder, export_origin

    writer = WRITERS[form]
    output = given["output"] or (Path(target) if target is not None else None)
    if output is None or (given["output"] and target is not None):
        raise click.UsageError(f"name one file: hermes-sessions export --format {form} OUT{writer.suffix}")
    if str(output) == "-":
        raise click.UsageError(f"{writer.file_type} cannot be written to standard output; name a file")
    if given["mask"]:
        raise click.UsageError(f"{writer.file_type} is written as it was imported; --mask is for documents")
    order = OriginOrder(
        format=form, conversation=given["conversation"], origin=given["origin"], force=given["force"]
    )
    with open_store(url) as database:
        keep_store(database, output)
        done = export_origin(database, output, order)
    return {
        "path": str(output),
        "format": form,
        "origin": done.origin,
        "schema_version": done.schema_version,
        "conversations": done.conversations,
        "sessions": done.sessions,
        "messages": done.messages,
        "masked": None,
        "bytes": done.bytes,
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
        if done["format"] not in ("html", "markdown") and done["masked"] is None:
            complain("secrets are in it as they were")
