"""Throwing away: prune, trash, restore, forget, remember."""

import re
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli.organise import print_organised
from hermes_sessions.cli.terminal.options import json_option, open_store, store_option
from hermes_sessions.cli.terminal.output import clean, complain, print_json, print_table, progress_bar, say
from hermes_sessions.cli.terminal.questions import require_yes

if TYPE_CHECKING:
    from hermes_sessions.operations.organising.forget import Forgetting
    from hermes_sessions.operations.organising.prune import PrunableFamily

_STEPS = {"prune": "Moving to the trash", "erase": "Erasing", "scrub": "Scrubbing the file"}
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
_BYTES = {"": 1, "B": 1, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000}
_COLUMNS = ("id", "last active", "source", "conversations", "sessions", "messages", "bytes", "title")


@click.command("prune")
@click.option(
    "--older-than", metavar="AGE", help="Only those not active for this long: 90d, 12w, 6m (30 days), 2y."
)
@click.option("--source", help="Only those from this source, such as cron.")
@click.option(
    "--larger-than", metavar="SIZE", help="Only those with at least this much text: 500KB, 5MB, 1GB."
)
@click.option("--origin", metavar="LABEL", help="Only those from the origin with this label.")
@click.option("--dry-run", is_flag=True, help="List only; the default without --yes.")
@click.option("--yes", is_flag=True, help="Move them to the trash.")
@store_option
@json_option
def prune_command(url: str, as_json: bool, dry_run: bool, yes: bool, **given: str | None) -> None:
    """List old, large or scheduled conversations, and move them to the trash with --yes.

    Only whole families move: a root with its continuations, branches and delegates. All
    of them must meet the age, and none may be pinned. Conversations in the trash are
    shown nowhere else; `restore` brings them back until `trash empty`.
    """
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.organising import FamilyJson, PrunedJson, PruneJson
    from hermes_sessions.operations.organising.prune import PruneQuery, find_prunable, prune

    if yes and dry_run:
        raise click.UsageError("give --dry-run or --yes, one of them")
    age, size = given["older_than"], given["larger_than"]
    query = PruneQuery(
        inactive_since=None if age is None else time.time() - read_age(age),
        source=given["source"],
        min_bytes=None if size is None else read_size(size),
        origin=given["origin"],
    )
    with open_store(url) as database:
        families = find_prunable(database, query)
        pruned = None
        if yes:
            with progress_bar(_STEPS) as progress:
                pruned = prune(database, families, progress=progress)
    if as_json:
        done = None if pruned is None else shaped(pruned, PrunedJson)
        print_json(PruneJson(families=[shaped(one, FamilyJson) for one in families], pruned=done))
        return
    _print_families(families)
    if pruned is not None:
        say(f"{pruned.conversations} conversations are in the trash now")
        say("`hermes-sessions restore ID` brings a family back, `trash empty` erases all of it")
    elif families:
        say("Nothing was changed; --yes moves them to the trash.")


@click.group("trash")
def trash() -> None:
    """List and empty the trash."""


@trash.command("list")
@store_option
@json_option
def list_(url: str, as_json: bool) -> None:
    """List the families in the trash."""
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.organising import FamilyJson, TrashJson
    from hermes_sessions.operations.organising.prune import list_trash

    with open_store(url) as database:
        families = list_trash(database)
    if as_json:
        print_json(TrashJson(families=[shaped(one, FamilyJson) for one in families]))
    else:
        _print_families(families)


@trash.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
@json_option
def empty(url: str, as_json: bool, yes: bool) -> int:
    """Erase everything in the trash for good; later syncs do not bring it back."""
    from hermes_sessions.operations.organising.prune import empty_trash, list_trash

    with open_store(url) as database:
        if not yes:
            many = len(list_trash(database))
            require_yes(f"Erase {many} families for good?")
        with progress_bar(_STEPS) as progress:
            done = empty_trash(database, progress=progress)
        backups = find_backups(database.path)
    return _conclude(done, backups, as_json)


@click.command("restore")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@store_option
@json_option
def restore(ids: tuple[str, ...], url: str, as_json: bool) -> None:
    """Bring families back from the trash."""
    from hermes_sessions.operations.organising.organise import Action, organise

    with open_store(url) as database:
        done = organise(database, ids, Action.RESTORE, now=time.time())
    print_organised(done, as_json=as_json)


@click.command("forget")
@click.argument("id")
@click.option(
    "--family", is_flag=True, help="Include its branches, its delegates and the conversation it left."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
@json_option
def forget_command(url: str, as_json: bool, id: str, family: bool, yes: bool) -> int:
    """Erase a conversation for real: rows, index, findings, and their bytes in the store's file.

    It stays forgotten: later syncs bring back neither it nor what its agent adds to it.
    There is no undo; `remember` lets the next sync import it again. The agent's own
    database, backups and exports keep it. Exit code 1 when another process is reading the
    store, so that old pages stay until the next run.
    """
    from hermes_sessions.operations.organising.forget import forget

    with open_store(url) as database:
        if not yes:
            whole = " with its whole family" if family else ""
            require_yes(f"Erase {clean(id)}{whole} for good?")
        with progress_bar(_STEPS) as progress:
            done = forget(database, id, family=family, progress=progress)
        backups = find_backups(database.path)
    return _conclude(done, backups, as_json)


@click.command("remember")
@click.argument("id", required=False)
@click.option("--all", "every", is_flag=True, help="Everything that was forgotten.")
@store_option
@json_option
def remember_command(url: str, as_json: bool, id: str | None, every: bool) -> None:
    """Let the next sync import again what was forgotten together with session ID.

    Without ID, print how many sessions are forgotten; their ids are not kept.
    """
    from hermes_sessions.operations.documents.organising import RememberedJson
    from hermes_sessions.operations.organising.forget import count_forgotten, remember

    if every and id is not None:
        raise click.UsageError("give ID or --all, one of them")
    with open_store(url) as database:
        lifted = remember(database, id) if every or id is not None else 0
        with database.read() as db:
            left = count_forgotten(db)
    if as_json:
        print_json(RememberedJson(remembered=lifted, forgotten=left))
        return
    if every or id is not None:
        say(f"{lifted} sessions may come back with the next sync")
    say(f"{left} sessions are forgotten")


def read_age(text: str) -> float:
    """Return an age such as 90d, 12w, 6m or 2y in seconds."""
    found = re.fullmatch(r"(\d{1,5})([dwmy])", text.strip().lower())
    if found is None or not int(found[1]):
        raise click.UsageError("--older-than is a number with d, w, m or y, such as 90d")
    return int(found[1]) * _DAYS[found[2]] * 86_400.0


def read_size(text: str) -> int:
    """Return a size such as 500KB or 5MB in bytes."""
    found = re.fullmatch(r"(\d{1,12}(?:\.\d{1,6})?)\s?([KMG]?B|)", text.strip().upper())
    if found is None:
        raise click.UsageError("--larger-than is a number with B, KB, MB or GB, such as 5MB")
    return int(float(found[1]) * _BYTES[found[2]])


def find_backups(store: Any) -> list[str]:
    """Return the backups that lie beside a store's file: they still hold what was in it."""
    if store is None:
        return []
    return sorted(str(one) for one in store.parent.glob(f"{store.name}.*.backup"))


def say_backups(backups: Sequence[str]) -> None:
    """Name the backups that hold what was erased."""
    for one in backups:
        say(f"still in the backup {one}")


def _conclude(done: "Forgetting", backups: Sequence[str], as_json: bool) -> int:
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.organising import ForgottenJson

    if as_json:
        print_json(shaped({**asdict(done), "backups": backups}, ForgottenJson))
    else:
        say(f"erased: {done.conversations} conversations, {done.sessions} sessions, {done.messages} messages")
        if done.relatives:
            say(f"{done.relatives} branches and delegates stay and may repeat it; --family takes them too")
        say_backups(backups)
    if not done.clean:
        complain(f"{done.reason}; it stays in the file until `trash empty` is run again")
    return int(not done.clean)


def _print_families(families: "Sequence[PrunableFamily]") -> None:
    if not families:
        say("Nothing.")
        return
    rows = [_row(one) for one in families]
    print_table(_COLUMNS, rows)
    total = sum(one.bytes for one in families)
    many = sum(one.conversations for one in families)
    say(f"{len(families)} families, {many} conversations, {total} bytes of text")


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d") if at else ""


def _row(one: "PrunableFamily") -> tuple[object, ...]:
    size = (one.conversations, one.sessions, one.messages, one.bytes)
    return one.id, _day(one.last_active_at), one.source, *size, (one.title or "")[:60]
