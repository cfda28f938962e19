"""Options that many commands share, and the store that one of them names."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hermes_sessions.cli.terminal.output import complain
from hermes_sessions.settings import Settings

if TYPE_CHECKING:
    from hermes_sessions.store.opening.database import Database

Command = TypeVar("Command", bound=Callable[..., Any])


def store_option(command: Command) -> Command:
    """Add `--db URL`; the command gets `url`, by default the user's store."""
    return click.option(
        "--db",
        "url",
        multiple=True,
        metavar="URL",
        callback=lambda ctx, param, value: one_url(ctx, param, value) or default_url(),
        help="The store: a path or postgresql://USER@HOST/DATABASE."
        "  [default: $HERMES_SESSIONS_DB, else your data folder]",
    )(command)


def new_store_option(command: Command) -> Command:
    """Add `--db URL` for a store that must be named; the command gets `url`, None where it is not."""
    return click.option(
        "--db",
        "url",
        multiple=True,
        metavar="URL",
        callback=_named_url,
        help="Keep the store here: a path or postgresql://USER@HOST/DATABASE, without a conversation yet.",
    )(command)


def json_option(command: Command) -> Command:
    """Add `--json`; the command gets `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(command)


MOST_JOBS = 64
_USUAL_JOBS = 4
"""More processes than this do not help: one alone writes."""


def jobs_option(command: Command) -> Command:
    """Add `--jobs N`; the command gets `jobs`, by default what the settings or the machine say."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, MOST_JOBS),
        metavar="N",
        callback=lambda ctx, param, value: chosen_jobs() if value is None else value,
        help="Read large origins with N processes."
        "  [default: $HERMES_SESSIONS_JOBS, else one per core, up to 4]",
    )(command)


def chosen_jobs() -> int:
    """Return how many processes an import may use where no option says so.

    Raises:
        UsageError: the variable holds something else than a number of processes.
    """
    told = Settings.from_environ().jobs
    if told is None:
        return min(_USUAL_JOBS, _cores())
    if not told.isdecimal() or not 1 <= int(told) <= MOST_JOBS:
        raise click.UsageError(f"HERMES_SESSIONS_JOBS: {told!r} is not a number from 1 to {MOST_JOBS}")
    return int(told)


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def open_store(url: str, *, create: bool = False) -> "Database":
    """Open the store at *url*, passing on what the user should know about its place."""
    from hermes_sessions.store.opening.database import Database

    database = Database.open(url, create=create)
    if database.notice:
        complain(database.notice)
    return database


class OutputPath(click.Path):
    """A file to write, as a `Path`; `-` is standard output. A name that ends in a slash is a folder's."""

    def __init__(self, *, allow_dash: bool = True) -> None:
        super().__init__(allow_dash=allow_dash, path_type=Path)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the path.

        Raises:
            BadParameter: it names a folder.
        """
        if os.fsdecode(value).endswith(os.sep):
            self.fail(f"{value}: names a folder; name a file in it", param, ctx)
        return super().convert(value, param, ctx)


def keep_store(database: "Database", output: Path) -> None:
    """Refuse to write what was asked for in the place of the store itself.

    Raises:
        UsageError: *output* leads to the store's file, or to one that belongs to it.
    """
    if database.path is None:
        return
    held = os.path.realpath(database.path)
    if os.path.realpath(output) in {held, *(f"{held}-{name}" for name in ("wal", "shm", "journal", "turn"))}:
        raise click.UsageError(f"{output}: is the store itself; name another file")


def default_url() -> str:
    """Return the URL of the store where a command's own options name none."""
    named: str | None = click.get_current_context().find_root().params.get("url")
    return named or Settings.from_environ().database


def one_url(context: click.Context, parameter: click.Parameter, value: Sequence[str]) -> str | None:
    """Return the one store that `--db` names; None where it is not given.

    Raises:
        UsageError: it is given more than once, and all but one store would be left out in silence.
    """
    if len(value) > 1:
        raise click.UsageError(f"--db is given {len(value)} times, and this is about one store", context)
    return value[0] if value else None


def _named_url(context: click.Context, parameter: click.Parameter, value: Sequence[str]) -> str | None:
    named: str | None = context.find_root().params.get("url")
    return one_url(context, parameter, value) or named
