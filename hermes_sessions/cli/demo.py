"""`demo`: generated conversations in a temporary place, imported and served like anybody's."""

import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from hermes_sessions.cli.serve import follow, run_server
from hermes_sessions.cli.terminal.options import new_store_option, open_store
from hermes_sessions.cli.terminal.output import complain, progress_bar, say
from hermes_sessions.errors import HermesSessionsError

if TYPE_CHECKING:
    from hermes_sessions.store.opening.database import Database
    from hermes_sessions.web.serving.config import TourStop


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port.  [default: 8765 or the next free]")
@click.option("--open", "open_browser", is_flag=True, help="Open the address in a browser.")
@click.option("--seed", type=int, default=7, show_default=True, help="Seed of the generated conversations.")
@new_store_option
def demo(seed: int, url: str | None, **options: Any) -> None:
    """Look around in generated sample conversations.

    Writes an agent's database with about 40 conversations to a temporary folder,
    imports it into a store beside it and serves that. Nothing of yours is read, and
    everything is gone after Ctrl-C, unless --db names a new place for the store: that stays.
    """
    samples = _load_samples()
    from hermes_sessions.operations.imports.import_origin import ImportOptions
    from hermes_sessions.operations.imports.sync import sync_paths
    from hermes_sessions.operations.writing.origins import pause_origin, remove_origin
    from hermes_sessions.web.site.sync_status import SyncStatus

    with tempfile.TemporaryDirectory(prefix="hermes-sessions-demo-") as name:
        folder = Path(name)
        with open_store(url or str(folder / "store.db"), create=True) as database:
            _require_empty(database)
            say("Making, importing and auditing samples: this takes a few seconds")
            paths = samples.demo_databases(
                samples.write_demo_home(folder / samples.HOME_NAME, seed=seed, now=time.time())
            )
            with progress_bar({"messages": "Importing messages"}) as tell:
                outcomes = sync_paths(database, paths, ImportOptions(clock=time.time, progress=tell))
            reports = [outcome.report for outcome in outcomes if outcome.report is not None]
            conversations = sum(report.conversations for report in reports)
            messages = sum(report.messages for report in reports)
            say(f"{conversations} sample conversations with {messages} messages")
            status = SyncStatus(on_failure=complain)
            try:
                tour = _prepare_tour(database)
                with follow(database, paths, status):
                    run_server(database, status, tour=tour, **options)
            except HermesSessionsError:  # nobody saw it: the named place is free for another try
                _each_origin(database, remove_origin)
                raise
            # What is gone after this stays out of the syncs of a store that is kept.
            _each_origin(database, partial(pause_origin, paused=True))


def _prepare_tour(database: "Database") -> "Sequence[TourStop]":
    """Audit the samples, pin the one that the tour is about, and return its stops."""
    from hermes_sessions.operations.auditing.audit_conversations import run_audit
    from hermes_sessions.operations.organising.organise import Action, organise
    from hermes_sessions.store.queries.stored_audits import FindingListing
    from hermes_sessions.web.site.tour import plan_tour

    with progress_bar({"audit": "Auditing conversations"}) as tell:
        run_audit(database, FindingListing(), clock=time.time, progress=tell)
    with database.read() as db:
        conversation, stops = plan_tour(db)
    if conversation is not None:
        organise(database, [conversation], Action.PIN, now=time.time())
    return stops


def _load_samples() -> ModuleType:
    """Return the package of samples; they are one agent's files, so they need its folder."""
    try:
        return import_module("hermes_sessions.demo")
    except ModuleNotFoundError as error:
        raise click.ClickException(f"the samples cannot be made: {error.name} is not installed") from error


def _require_empty(database: "Database") -> None:
    """Refuse a store that holds something: samples would stand among it for good."""
    from hermes_sessions.operations.writing.origins import list_origins

    if list_origins(database):
        raise click.ClickException(f"{database.name} holds something already; name a new place with --db")


def _each_origin(database: "Database", change: Callable[["Database", str], object]) -> None:
    from hermes_sessions.operations.writing.origins import list_origins

    for origin in list_origins(database):
        change(database, origin.label)
