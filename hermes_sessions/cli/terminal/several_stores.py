"""Commands that read one store or several at once: their options, and the stores they name."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hermes_sessions.cli.terminal.options import default_url
from hermes_sessions.cli.terminal.output import complain

if TYPE_CHECKING:
    from hermes_sessions.store.fleet.members import Fleet

Command = TypeVar("Command", bound=Callable[..., Any])


def stores_option(command: Command) -> Command:
    """Add `--db URL` and `--schemas PATTERN`, both repeatable; the command gets `urls` and `patterns`."""
    for option in (
        click.option(
            "--schemas",
            "patterns",
            multiple=True,
            metavar="PATTERN",
            help="All stores of the database whose names are like this, such as team_%; repeatable.",
        ),
        click.option(
            "--db",
            "urls",
            multiple=True,
            metavar="URL",
            callback=_urls_or_default,
            help="The store: a path or postgresql://USER@HOST/DATABASE; several are read as one."
            "  [default: $HERMES_SESSIONS_DB, else your data folder]",
        ),
    ):
        command = option(command)
    return command


def is_several(urls: Sequence[str], patterns: Sequence[str]) -> bool:
    """Return whether a command was given several stores, or a pattern for them."""
    return len(urls) > 1 or bool(patterns)


@contextmanager
def open_fleet(urls: Sequence[str], patterns: Sequence[str]) -> Iterator["Fleet"]:
    """Open several stores; those that cannot be read are named and left out, then and while they are read.

    Raises:
        StoreError: a name or a pattern is no use, or none of the stores can be read.
    """
    from hermes_sessions.store.fleet.members import Fleet, expand_urls

    fleet = Fleet.open(expand_urls(urls, patterns))
    try:
        yield fleet
        for one in fleet.states():
            if one.problem is not None:
                complain(f"{one.name} is left out: {one.problem}")
    finally:
        fleet.close()


def _urls_or_default(
    context: click.Context, parameter: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(filter(None, value)) or (default_url(),)
