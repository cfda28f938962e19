"""Mask a secret that leaked into the store: redact."""

import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_sessions.cli.prune import find_backups, say_backups
from hermes_sessions.cli.terminal.options import json_option, open_store, store_option
from hermes_sessions.cli.terminal.output import clean, complain, print_json, print_table, progress_bar, say
from hermes_sessions.cli.terminal.questions import ask_secret, require_yes

if TYPE_CHECKING:
    from hermes_sessions.operations.organising.redact_store import Redaction
    from hermes_sessions.store.opening.database import Database

_STEPS = {"redact": "Masking messages", "scrub": "Scrubbing the file"}


@click.command("redact")
@click.option("--file", "file", type=click.Path(path_type=Path), help="Read the secret from a file.")
@click.option("--stdin", is_flag=True, help="Read the secret from standard input.")
@click.option(
    "--pattern",
    multiple=True,
    metavar="KIND",
    help="Mask every secret of a known kind; `all` for every kind.",
)
@click.option(
    "--resume", is_flag=True, help="Finish what an earlier run left; can be combined with a secret."
)
@click.option(
    "--undo", is_flag=True, help="Undo the last --pattern; possible until the next import or scrub."
)
@click.option("--dry-run", is_flag=True, help="Count only; the default for a secret without --yes.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
@json_option
def redact_command(
    url: str, as_json: bool, file: Path | None, stdin: bool, pattern: tuple[str, ...], resume: bool,
    undo: bool, dry_run: bool, yes: bool,
) -> int:  # fmt: skip
    """Mask a secret everywhere in the store, and in every later import.

    The program asks for the secret, or reads it from a file or standard input: others can
    see a command line. It is masked in messages, tool calls, prompts, titles, summaries,
    findings, notes and the search index; the agent's own database keeps it. There is no
    undo, except for --pattern: it shows examples, asks, and can be undone by --undo until
    the next import or scrub. Exit code 1 when the store's file still holds it.
    """
    if yes and dry_run:
        raise click.UsageError("give --dry-run or --yes, one of them")
    given = file is not None or stdin
    if sum((file is not None, stdin, bool(pattern), undo)) > 1 or (resume and (pattern or undo)):
        raise click.UsageError("give one of --file, --stdin, --pattern, --resume and --undo")
    if undo:
        return _undo(url, as_json, yes=yes)
    secret = _read_secret(file, stdin=stdin) if given or not (pattern or resume) else None
    asked = _Asked(secret, pattern, resume)
    with open_store(url) as database:
        if not pattern or as_json or dry_run or yes:
            done = _redact(database, asked, dry_run=not yes)
        else:
            done = _redact(database, asked, dry_run=True)
            _print_preview(done)
            if not done.rows:
                return 0
            require_yes(f"Mask {sum(done.places.values())} places in {sum(done.rows.values())} rows?")
            done = _redact(database, asked, dry_run=False)
        backups = find_backups(database.path)
    if as_json:
        from hermes_sessions.operations.documents.document import shaped
        from hermes_sessions.operations.documents.organising import RedactedJson

        print_json(shaped({**asdict(done), "backups": backups}, RedactedJson))
    else:
        _print(done, backups)
    return _conclude(done)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be masked, as it was asked for."""

    secret: str | None
    pattern: tuple[str, ...]
    resume: bool


def _redact(database: "Database", asked: _Asked, *, dry_run: bool) -> "Redaction":
    from hermes_sessions.operations.organising.redact_store import redact_store

    with progress_bar(_STEPS) as progress:
        return redact_store(
            database, secret=asked.secret, kinds=asked.pattern, resume=asked.resume, dry_run=dry_run,
            progress=progress,
        )  # fmt: skip


def _undo(url: str, as_json: bool, *, yes: bool) -> int:
    from hermes_sessions.operations.documents.document import shaped
    from hermes_sessions.operations.documents.organising import UndoneJson
    from hermes_sessions.operations.organising.redact_undo import undo_redaction

    with open_store(url) as database:
        if not yes:
            require_yes("Put back what the last masking replaced?")
        undone = undo_redaction(database, now=time.time())
    if as_json:
        print_json(shaped(undone, UndoneJson))
    else:
        later = f"; {undone.skipped} were changed again since and stay" if undone.skipped else ""
        say(f"{undone.restored} rows are again what they were{later}")
    return int(bool(undone.skipped))


def _conclude(done: "Redaction") -> int:
    if done.reason is not None:
        complain(f"the store's file still holds it: {done.reason}; run `redact --resume --yes` then")
    elif done.kept:
        where = ", ".join(f"{place} ({many})" for place, many in done.kept.items())
        complain(f"it stays in ids and names, which are never masked: {where}")
    elif not done.clean:
        complain("the store's file still holds the same bytes, by chance or in part of a word")
    return int(not done.clean)


def _read_secret(file: Path | None, *, stdin: bool) -> str:
    """Read the secret; one line end behind it does not belong to it."""
    if file is not None:
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            raise click.UsageError(f"{file}: is not text") from None
    elif stdin:
        text = sys.stdin.read()
    else:
        text = ask_secret("Secret", "--file or --stdin")
    return text.removesuffix("\n").removesuffix("\r")


def _print(done: "Redaction", backups: Sequence[str]) -> None:
    if done.dry_run:
        _print_preview(done)
        if done.unfinished:
            say("An earlier run is not finished; `hermes-sessions redact --resume --yes` finishes it.")
        say("Nothing was changed; --yes masks it, and keeps it masked in later imports.")
        return
    _print_counts(done)
    say("It is masked in later imports as well.")
    if done.undoable:
        say("`hermes-sessions redact --undo` takes it back until the next import or scrub; till then")
        say("the store's file keeps what was replaced.")
    say_backups(backups)


def _print_preview(done: "Redaction") -> None:
    _print_counts(done)
    for one in done.examples:
        secret = f"[{one.begins}... {one.chars} characters]"
        say(clean(f"{one.kind}, {one.table} {one.row}: {one.before}{secret}{one.after}"))


def _print_counts(done: "Redaction") -> None:
    if not done.rows:
        say("Nothing of it is stored.")
        return
    rows = [(table, done.rows[table], places) for table, places in sorted(done.places.items())]
    print_table(("table", "rows", "places"), rows)
    if done.kinds and set(done.kinds) != {"secret"}:
        print_table(("kind", "places"), sorted(done.kinds.items()))
