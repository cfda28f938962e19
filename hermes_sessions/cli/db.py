"""`db`: the store's own file: schema, consistency, backup."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_sessions.cli._options import json_option, open_store, store_option
from hermes_sessions.cli._output import print_json, print_table, progress_bar, say

if TYPE_CHECKING:
    from hermes_sessions.store.check import Disagreement

_STEPS = {
    "backup": "Backing up",
    "upgrade": "Upgrading",
    "check": "Checking",
    "index": "Indexing",
    "move": "Copying",
    "compare": "Comparing",
}


@click.group()
def db() -> None:
    """Upgrade, check and back up the store."""


@db.command()
@store_option
@json_option
def upgrade(url: str, as_json: bool) -> None:
    """Bring the store to this version's schema, after a backup beside it.

    A missing store is created. Interrupted at any moment, the store has its old
    schema or the new one.
    """
    from hermes_sessions.store import migrate

    with progress_bar(_STEPS) as progress:
        done = migrate.upgrade(url, progress=progress)
    before = done.before
    if as_json:
        shown = {"path": before.name, "before": before.revision, "revision": before.head}
        print_json({**shown, "applied": list(before.pending), "backup": _path_text(done.backup)})
        return
    if not before.pending and not before.old_index:
        say(f"{before.name}: at revision {before.head} already, nothing to do")
        return
    if done.backup:
        say(f"backup: {done.backup}")
    if before.pending:
        say(f"{before.name}: {before.revision or 'no schema'} -> {before.head}")
    if before.old_index:
        say(f"{before.name}: the search index was made anew")


@db.command()
@store_option
@json_option
def current(url: str, as_json: bool) -> None:
    """Show the schema's revision, and what an upgrade would do."""
    from hermes_sessions.store import migrate

    state = migrate.current(url)
    if as_json:
        shown = {"path": state.name, "revision": state.revision, "head": state.head}
        print_json({**shown, "pending": list(state.pending)})
        return
    wanted = f", `hermes-sessions db upgrade` brings it to {state.head}" if state.pending else ""
    say(f"{state.name}: revision {state.revision or 'none'}{wanted}")


@db.command()
@click.option("--repair", is_flag=True, help="Mend what disagrees, after a backup.")
@store_option
@json_option
def check(url: str, repair: bool, as_json: bool) -> None:
    """Derive every kept value again and list what disagrees.

    Exit code 1 when something is left that disagrees.
    """
    from hermes_sessions.store.check import check_store
    from hermes_sessions.store.repair import repair_store

    with open_store(url) as database, progress_bar(_STEPS) as progress:
        if repair:
            mended = repair_store(database, progress=progress)
            found, left, backup = mended.found, mended.left, mended.backup
        else:
            with database.read() as session:
                found = left = check_store(session, progress)
            backup = None
    if as_json:
        shown = {"disagreements": [_as_json(one) for one in found], "left": [_as_json(one) for one in left]}
        print_json({**shown, "backup": _path_text(backup)})
    else:
        _print_check(found, left, backup)
    if left:
        raise click.exceptions.Exit(1)


@db.command()
@click.argument("target", required=False, type=click.Path(path_type=Path))
@store_option
@json_option
def backup(url: str, target: Path | None, as_json: bool) -> None:
    """Copy the store to TARGET, a new file, while it is in use.

    Without TARGET the copy is made beside the store, named for the time.
    """
    from hermes_sessions.store.backup import back_up, dated_name
    from hermes_sessions.store.places import require_file

    location = require_file(url, "a backup by copying", "make it with pg_dump, see docs/team.md")
    with open_store(url), progress_bar(_STEPS) as progress:
        made = back_up(location, (target or dated_name(location.path)).absolute(), progress)
    if as_json:
        print_json({"path": str(location.path), "backup": str(made)})
        return
    say(f"backup: {made}")


@db.command()
@click.option("--to", "target", metavar="URL", required=True, help="An empty place: a path or a URL.")
@store_option
@json_option
def move(url: str, target: str, as_json: bool) -> None:
    """Copy the store to another engine or place, compare, and leave the source as it is.

    A move that was interrupted goes on where it stopped; until it is whole nobody can
    open the copy.
    """
    from hermes_sessions.operations.move import move_store

    with progress_bar(_STEPS) as progress:
        done = move_store(url, target, progress=progress)
    if as_json:
        print_json({"source": done.source, "target": done.target, "rows": done.rows, "resumed": done.resumed})
        return
    kept = f"{done.rows['sessions']:,} sessions, {done.rows['messages']:,} messages"
    again = ", going on with an earlier move" if done.resumed else ""
    say(f"{done.source} -> {done.target}: {kept}, the same on both sides{again}")
    say("use it with --db or HERMES_SESSIONS_DB; the source is as it was")


def _path_text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _as_json(one: "Disagreement") -> dict[str, object]:
    return {
        "table": one.table,
        "id": one.id,
        "column": one.column,
        "stored": one.stored,
        "derived": one.derived,
    }


def _print_check(found: "list[Disagreement]", left: "list[Disagreement]", backup_path: Path | None) -> None:
    if not found:
        say("everything agrees")
        return
    if backup_path:
        say(f"backup: {backup_path}")
    rows = [(one.table, one.id, one.column, repr(one.stored), repr(one.derived)) for one in (left or found)]
    print_table(("table", "id", "column", "stored", "derived"), rows)
    if left:
        say(f"{len(left)} values disagree; `hermes-sessions db check --repair` mends what can be derived")
    else:
        say(f"{len(found)} values disagreed and were mended")
