"""`db`: the store's own file: schema, consistency, backup."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_sessions.cli.db_stores import stores
from hermes_sessions.cli.terminal.options import OutputPath, json_option, open_store, store_option
from hermes_sessions.cli.terminal.output import print_json, print_table, progress_bar, say

if TYPE_CHECKING:
    from hermes_sessions.store.keeping.check import Disagreement

_STEPS = {
    "backup": "Backing up",
    "fill": "Filling",
    "upgrade": "Upgrading",
    "check": "Checking",
    "index": "Indexing",
    "move": "Copying",
    "compare": "Comparing",
}


@click.group()
def db() -> None:
    """Upgrade, check and back up the store."""


db.add_command(stores)


@db.command()
@store_option
@json_option
def upgrade(url: str, as_json: bool) -> None:
    """Upgrade the store to this version's schema, after making a backup next to it.

    A missing store is created. If the upgrade is interrupted, the store keeps its old
    schema; run the command again to continue.
    """
    from hermes_sessions.operations.documents.database import UpgradedJson
    from hermes_sessions.store.opening import migrate

    with progress_bar(_STEPS) as progress:
        done = migrate.upgrade(url, progress=progress)
    before = done.before
    if as_json:
        print_json(
            UpgradedJson(
                path=before.name,
                before=before.revision,
                revision=before.head,
                applied=list(before.pending),
                backup=_path_text(done.backup),
            )
        )
        return
    if not before.pending and not before.old_index:
        say(f"{before.name}: at revision {before.head} already, nothing to do")
        return
    if done.backup:
        say(f"backup: {done.backup}")
    if before.pending:
        say(f"{before.name}: {before.revision or 'no schema'} -> {before.head}")
    if before.old_index:
        say(f"{before.name}: the search index was rebuilt")


@db.command()
@store_option
@json_option
def current(url: str, as_json: bool) -> None:
    """Show the schema's revision, and what an upgrade would do."""
    from hermes_sessions.operations.documents.database import SchemaStateJson
    from hermes_sessions.store.opening import migrate

    state = migrate.current(url)
    if as_json:
        print_json(
            SchemaStateJson(
                path=state.name, revision=state.revision, head=state.head, pending=list(state.pending)
            )
        )
        return
    wanted = f", `hermes-sessions db upgrade` brings it to {state.head}" if state.pending else ""
    say(f"{state.name}: revision {state.revision or 'none'}{wanted}")


@db.command()
@click.option("--repair", is_flag=True, help="Repair what disagrees, after making a backup.")
@store_option
@json_option
def check(url: str, repair: bool, as_json: bool) -> None:
    """Recompute every derived value and list what disagrees.

    Exit code 1 when something still disagrees.
    """
    from hermes_sessions.operations.documents.database import CheckedJson, DisagreementJson
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.store.keeping.check import check_store
    from hermes_sessions.store.keeping.repair import repair_store

    with open_store(url) as database, progress_bar(_STEPS) as progress:
        if repair:
            mended = repair_store(database, progress=progress)
            found, left, backup = mended.found, mended.left, mended.backup
        else:
            with database.read() as session:
                found = left = check_store(session, progress)
            backup = None
    if as_json:
        print_json(
            CheckedJson(
                disagreements=[shaped(one, DisagreementJson) for one in found],
                left=[shaped(one, DisagreementJson) for one in left],
                backup=_path_text(backup),
            )
        )
    else:
        _print_check(found, left, backup)
    if left:
        raise click.exceptions.Exit(1)


@db.command()
@click.argument("target", required=False, type=OutputPath(allow_dash=False))
@store_option
@json_option
def backup(url: str, target: Path | None, as_json: bool) -> None:
    """Copy the store to TARGET, a new file, while it is in use.

    Without TARGET the copy is made next to the store and named after the time.
    """
    from hermes_sessions.operations.documents.database import BackedUpJson
    from hermes_sessions.store.engines.backup import back_up, dated_name
    from hermes_sessions.store.engines.store_place import require_file

    location = require_file(url, "a backup by copying", "make it with pg_dump, see docs/team.md")
    with open_store(url), progress_bar(_STEPS) as progress:
        made = back_up(location, (target or dated_name(location.path)).absolute(), progress)
    if as_json:
        print_json(BackedUpJson(path=str(location.path), backup=str(made)))
        return
    say(f"backup: {made}")


@db.command()
@click.option("--to", "target", metavar="URL", required=True, help="An empty place: a path or a URL.")
@store_option
@json_option
def move(url: str, target: str, as_json: bool) -> None:
    """Copy the store to another engine or place and compare the two; the source stays unchanged.

    An interrupted move continues where it stopped; until it is complete, the copy cannot
    be opened.
    """
    from hermes_sessions.operations.documents.database import MovedJson
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.move import move_store

    with progress_bar(_STEPS) as progress:
        done = move_store(url, target, progress=progress)
    if as_json:
        print_json(shaped(done, MovedJson))
        return
    kept = f"{done.rows['sessions']:,} sessions, {done.rows['messages']:,} messages"
    again = ", continuing an earlier move" if done.resumed else ""
    say(f"{done.source} -> {done.target}: {kept}, the same on both sides{again}")
    say("use it with --db or HERMES_SESSIONS_DB; the source is unchanged")


def _path_text(path: Path | None) -> str | None:
    return None if path is None else str(path)


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
