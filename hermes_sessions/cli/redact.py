"""Mask a secret that leaked into the store: redact."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_sessions.cli._options import json_option, open_store, store_option
from hermes_sessions.cli._output import complain, print_json, print_table, progress_bar, say
from hermes_sessions.cli._questions import ask_secret
from hermes_sessions.cli.prune import find_backups, say_backups

if TYPE_CHECKING:
    from hermes_sessions.operations.redact_store import Redaction

_STEPS = {"redact": "Masking messages", "scrub": "Scrubbing the file"}


@click.command("redact")
@click.option("--file", "file", type=click.Path(path_type=Path), help="Read the secret from a file.")
@click.option("--stdin", is_flag=True, help="Read the secret from standard input.")
@click.option("--pattern", multiple=True, metavar="KIND", help="Every secret of a known kind; `all` of them.")
@click.option("--resume", is_flag=True, help="Finish what a run that was killed left.")
@click.option("--dry-run", is_flag=True, help="Only count; so it is without --yes.")
@click.option("--yes", is_flag=True, help="Mask it.")
@store_option
@json_option
def redact_command(
    url: str, as_json: bool, file: Path | None, stdin: bool, pattern: tuple[str, ...], resume: bool,
    dry_run: bool, yes: bool,
) -> int:  # fmt: skip
    """Mask a secret everywhere in the store, and in every later import.

    The secret is asked for, or read from a file or standard input: a command line can be
    seen by others. It is masked in messages, tool calls, prompts, titles, summaries,
    findings, notes and the search index; the agent's own database keeps it. There is no
    undo. Exit code 1 when the store's file still holds it somewhere.
    """
    from hermes_sessions.operations.redact_store import redact_store

    if yes and dry_run:
        raise click.UsageError("give --dry-run or --yes, one of them")
    if sum((file is not None, stdin, bool(pattern), resume)) > 1:
        raise click.UsageError("give one of --file, --stdin, --pattern and --resume")
    secret = None if pattern or resume else _read_secret(file, stdin=stdin)
    with open_store(url) as database:
        with progress_bar(_STEPS) as progress:
            done = redact_store(database, secret=secret, kinds=pattern, dry_run=not yes, progress=progress)
        backups = find_backups(database.path)
    if as_json:
        print_json({**asdict(done), "backups": backups})
    else:
        _print(done, backups)
    if not done.clean:
        complain("the store's file still holds it; run this again with --resume when nobody reads the store")
    return int(not done.clean)


def _read_secret(file: Path | None, *, stdin: bool) -> str:
    """Read the secret; one line end behind it does not belong to it."""
    if file is not None:
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            raise click.UsageError(f"{file}: is no text") from None
    elif stdin:
        text = sys.stdin.read()
    else:
        text = ask_secret("Secret", "--file or --stdin")
    return text.removesuffix("\n").removesuffix("\r")


def _print(done: "Redaction", backups: Sequence[str]) -> None:
    if not done.rows:
        say("Nothing of it is stored.")
    else:
        rows = [(table, done.rows[table], places) for table, places in sorted(done.places.items())]
        print_table(("table", "rows", "places"), rows)
    if done.dry_run:
        say("Nothing was changed; --yes masks it, and keeps it masked in later imports.")
        return
    say("It is masked in later imports as well.")
    say_backups(backups)
