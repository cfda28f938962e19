"""What the user decides about conversations: pin, archive, tag, note, saved searches, undo."""

import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli.terminal.options import json_option, open_store, store_option
from hermes_sessions.cli.terminal.output import print_json, print_table, say

if TYPE_CHECKING:
    from hermes_sessions.operations.organising.organise import Organised

_IDS = click.argument("ids", nargs=-1, required=True, metavar="ID...")
_DONE = {
    "pin": "pinned",
    "unpin": "unpinned",
    "archive": "archived",
    "unarchive": "unarchived",
    "tag": "tagged",
    "untag": "untagged",
    "set_tags": "tagged",
    "note": "noted",
    "trash": "moved to the trash",
    "restore": "restored",
}


@click.command("pin")
@_IDS
@click.option("--off", is_flag=True, help="Unpin instead.")
@store_option
@json_option
def pin(ids: tuple[str, ...], off: bool, url: str, as_json: bool) -> None:
    """Pin conversations: they come first in the list.

    ID is the id of a conversation, of any of its sessions, or a unique beginning of one.
    """
    _organise(url, ids, "unpin" if off else "pin", as_json=as_json)


@click.command("archive")
@_IDS
@click.option("--off", is_flag=True, help="Unarchive instead.")
@store_option
@json_option
def archive(ids: tuple[str, ...], off: bool, url: str, as_json: bool) -> None:
    """Archive conversations: they leave the list and can still be found."""
    _organise(url, ids, "unarchive" if off else "archive", as_json=as_json)


@click.command("tag")
@_IDS
@click.option("--add", multiple=True, metavar="TAG", help="Add a tag; repeatable.")
@click.option("--remove", multiple=True, metavar="TAG", help="Remove a tag.")
@store_option
@json_option
def tag(ids: tuple[str, ...], add: tuple[str, ...], remove: tuple[str, ...], url: str, as_json: bool) -> None:
    """Add tags to conversations or remove them; `list --tag TAG` lists by tag."""
    if bool(add) == bool(remove):
        raise click.UsageError("give --add or --remove, one of them")
    _organise(url, ids, "tag" if add else "untag", " ".join(add or remove), as_json=as_json)


@click.command("note")
@click.argument("id")
@click.argument("text", required=False)
@click.option("--clear", is_flag=True, help="Remove the note.")
@store_option
@json_option
def note(id: str, text: str | None, clear: bool, url: str, as_json: bool) -> None:
    """Write a note on a conversation, replacing the one it has; `-` reads it from standard input.

    Without TEXT the note is printed.
    """
    if clear and text is not None:
        raise click.UsageError("give TEXT or --clear, one of them")
    if text is None and not clear:
        _print_note(url, id, as_json)
        return
    written = sys.stdin.read() if text == "-" else text or ""
    _organise(url, (id,), "note", written, as_json=as_json)


@click.command("undo")
@click.argument("change", required=False, type=click.IntRange(min=1))
@click.option("--list", "listing", is_flag=True, help="List what was changed, the newest first.")
@store_option
@json_option
def undo(change: int | None, listing: bool, url: str, as_json: bool) -> int:
    """Undo the newest change, or the change with the number CHANGE.

    Values that were changed again since then stay. Exit code 1 when nothing could be undone.
    """
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.organising import UndoneJson
    from hermes_sessions.operations.organising.journal import undo_change

    with open_store(url) as database:
        if listing:
            _print_changes(database, as_json)
            return 0
        undone = undo_change(database, change, now=time.time())
    if as_json:
        print_json(shaped(undone, UndoneJson))
    else:
        later = f"; {undone.skipped} were changed again since and stay" if undone.skipped else ""
        say(f"change {undone.change} ({undone.action}) undone: {undone.restored} values{later}")
    return int(not undone.restored)


@click.group("saved")
def saved() -> None:
    """List, save and remove searches."""


@saved.command("list")
@store_option
@json_option
def list_(url: str, as_json: bool) -> None:
    """List saved searches."""
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.organising import SavedListJson, SavedSearchJson
    from hermes_sessions.operations.organising.saved_searches import list_searches

    with open_store(url) as database, database.read() as db:
        found = list_searches(db)
    if as_json:
        print_json(SavedListJson(saved=[shaped(one, SavedSearchJson) for one in found]))
    elif found:
        print_table(("name", "page"), [(one.name, one.target) for one in found])
    else:
        say("No search is saved.")


@saved.command()
@click.argument("name")
@click.argument("page")
@store_option
@json_option
def add(name: str, page: str, url: str, as_json: bool) -> None:
    """Save PAGE, such as `/?tag=work&compacted=yes`, as NAME."""
    from hermes_sessions.operations.documents.organising import SavedNameJson
    from hermes_sessions.operations.organising.saved_searches import save_search

    with open_store(url) as database:
        change = save_search(database, name, page, now=time.time())
    if as_json:
        print_json(SavedNameJson(name=name, change=change))
        return
    say(f"saved as {name}")


@saved.command()
@click.argument("name")
@store_option
@json_option
def remove(name: str, url: str, as_json: bool) -> None:
    """Remove the saved search NAME."""
    from hermes_sessions.operations.documents.organising import SavedNameJson
    from hermes_sessions.operations.organising.saved_searches import forget_search

    with open_store(url) as database:
        change = forget_search(database, name, now=time.time())
    if as_json:
        print_json(SavedNameJson(name=name, change=change))
        return
    say(f"removed {name}")


def _organise(url: str, ids: tuple[str, ...], action: str, text: str = "", *, as_json: bool) -> None:
    from hermes_sessions.operations.organising.organise import Action, organise

    with open_store(url) as database:
        done = organise(database, ids, Action(action), text, now=time.time())
    print_organised(done, as_json=as_json)


def print_organised(done: "Organised", *, as_json: bool) -> None:
    """Say what a change did, and how to take it back."""
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.organising import OrganisedJson

    if as_json:
        print_json(shaped(done, OrganisedJson))
        return
    say(f"{_DONE[done.action]}: {done.conversations}")
    if done.unchanged:
        say(f"so already: {done.unchanged}")
    if done.held:
        say(f"still archived, by their agent: {done.held}")
    if done.change is not None:
        say(f"`hermes-sessions undo {done.change}` takes it back")


def _print_note(url: str, public_id: str, as_json: bool) -> None:
    from hermes_sessions.operations.documents.organising import NoteJson
    from hermes_sessions.store.queries.conversations import get_conversation

    with open_store(url) as database, database.read() as db:
        row = get_conversation(db, public_id)
    if as_json:
        print_json(NoteJson(id=row.public_id, note=row.note))
    else:
        for line in (row.note or "There is no note.").splitlines():
            say(line)


def _print_changes(database: Any, as_json: bool) -> None:
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.organising import ChangeJson, ChangeListJson
    from hermes_sessions.operations.organising.journal import list_changes

    with database.read() as db:
        found = list_changes(db)
    if as_json:
        print_json(ChangeListJson(changes=[shaped(one, ChangeJson) for one in found]))
        return
    columns = ("change", "when", "what", "conversations", "undone")
    rows = [
        (one.id, _when(one.created_at), one.action, one.conversations, "undone" if one.undone_at else "")
        for one in found
    ]
    print_table(columns, rows)


def _when(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")
