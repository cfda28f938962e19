"""`demo`: generated conversations in a temporary place, imported and served like anybody's."""

import tempfile
import time
from pathlib import Path
from typing import Any

import click

from hermes_sessions.cli._options import open_store
from hermes_sessions.cli._output import progress_bar, say
from hermes_sessions.cli.serve import follow, run_server


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port.  [default: 8765 or the next free]")
@click.option("--open", "open_browser", is_flag=True, help="Open the address in a browser.")
@click.option("--seed", type=int, default=7, show_default=True, help="Another number, other conversations.")
def demo(seed: int, **options: Any) -> None:
    """Look around in generated sample conversations.

    Writes an agent's database with about 40 conversations to a temporary folder,
    imports it into a store beside it and serves that. Nothing of yours is read, and
    everything is gone after Ctrl-C.
    """
    from hermes_sessions.demo import write_demo_home
    from hermes_sessions.importers.discover import discover_databases
    from hermes_sessions.operations.import_ import ImportOptions
    from hermes_sessions.operations.sync import sync_paths
    from hermes_sessions.web.progress import SyncStatus

    with tempfile.TemporaryDirectory(prefix="hermes-sessions-demo-") as name:
        folder = Path(name)
        home = write_demo_home(folder / "hermes", seed=seed, now=time.time())
        paths = [found.path for found in discover_databases(folder, home)]
        with open_store(str(folder / "store.db"), create=True) as database:
            with progress_bar({"messages": "Importing messages"}) as tell:
                outcomes = sync_paths(database, paths, ImportOptions(clock=time.time, progress=tell))
            reports = [outcome.report for outcome in outcomes if outcome.report is not None]
            conversations = sum(report.conversations for report in reports)
            messages = sum(report.messages for report in reports)
            say(f"{conversations} sample conversations with {messages} messages")
            status = SyncStatus()
            with follow(database, paths, status):
                run_server(database, status, **options)
