"""What the command line prints: lines, tables, JSON, progress. Nothing stored steers the terminal."""

import io
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import click

from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.settings import Settings

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

_CELL_CHARS = 200

# C0 and C1 controls, and the marks that turn the direction of what follows.
_CONTROL = late_pattern("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_CONTROL_IN_BLOCK = late_pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_SURROGATE = late_pattern("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Return stored text as one line that cannot steer a terminal."""
    return " ".join(_SURROGATE.sub("�", _CONTROL.sub(" ", text)).split())


def clean_block(text: str) -> str:
    """Return stored text with its lines and tabs, without anything that steers a terminal."""
    return _SURROGATE.sub("�", _CONTROL_IN_BLOCK.sub("", text.replace("\r\n", "\n")))


def counted(count: int, one: str) -> str:
    """Return a count with its noun: "1 message", "12 messages"."""
    return f"{count} {one if count == 1 else one + 's'}"


def say(text: str = "") -> None:
    """Print one line, cleaned."""
    click.echo(clean(text))


def say_more(option: str, cursor: str) -> None:
    """Print which option leads to the following page, as it can be copied to a shell."""
    say(f"More: {option} {shlex.quote(cursor)}")


def say_block(text: str) -> None:
    """Print lines, cleaned."""
    click.echo(clean_block(text))


def say_call(call: Any) -> None:
    """Print a tool call on one line: what is called, and with what."""
    inner = call.get("function", call) if isinstance(call, dict) else None
    told = str(call)
    if isinstance(inner, dict):
        told = f"{inner.get('name', 'tool')} {inner.get('arguments', '')}"
    click.secho(clean(f"  -> {told}")[:_CELL_CHARS], dim=True)


def complain(text: str) -> None:
    """Print one line on standard error, named for the program; where nobody can be told, nobody is."""
    with suppress(OSError):
        click.echo(f"hermes-sessions: {clean(text)}", err=True)


def write_out(pieces: Iterable[str]) -> int:
    """Write a document to standard output as it is; return its bytes."""
    stream = sys.stdout.buffer
    written = 0
    for piece in pieces:
        packed = piece.encode("utf-8", "replace")
        stream.write(packed)
        written += len(packed)
    stream.flush()
    return written


class _NamedFile(io.FileIO):
    """A stream without a file name, whose errors name it all the same."""

    def __init__(self, number: int, title: str) -> None:
        super().__init__(number, "w", closefd=False)
        self._title = title

    def write(self, content: "Buffer", /) -> int:
        try:
            return super().write(content)
        except OSError as error:
            error.filename = self._title
            raise


def name_output() -> None:
    """Let errors of standard output say what failed; where it is closed, give something to write to."""
    old = sys.stdout
    is_ours = old is sys.__stdout__  # not something that a caller put in its place
    if old is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process lives
    elif is_ours:
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(_NamedFile(old.fileno(), "standard output")),
            encoding=old.encoding,
            errors=old.errors,
            line_buffering=old.isatty(),
        )


def drop_unwritten() -> None:
    """Give up what standard output or error could not take.

    Python keeps what failed and tries once more at its very end, with a complaint and an
    exit code of its own.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def print_json(value: Any) -> None:
    """Print a document, or plain values, as JSON; what could steer a terminal is escaped."""
    from hermes_sessions.operations.documents.encoding import indented

    text = indented(value)
    for pattern in (_CONTROL_IN_BLOCK, _SURROGATE):
        text = pattern.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
    click.echo(text)


class Estimate(int):
    """A number that nobody counted: a table shows it with a `~`."""

    def __str__(self) -> str:
        return f"~{int(self)}"


def terminal_width() -> int | None:
    """Return how many columns a table may take; None where it goes into a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[object]], *, whole: Collection[str] = ()
) -> None:
    """Print rows under headings: fitted to a terminal, or aligned and uncut into a pipe.

    Numbers stand at the right. None is shown as nothing.

    Args:
        whole: columns that are never broken into lines, as those of numbers are not.
    """
    cells = [["" if cell is None else _cut(clean(str(cell))) for cell in row] for row in rows]
    numeric = [
        any(isinstance(row[at], int | float) for row in rows)
        and all(row[at] is None or isinstance(row[at], int | float) for row in rows)
        for at in range(len(columns))
    ]
    if sys.stdout.isatty():
        _print_fitted(columns, cells, numeric, whole)
        return
    lines = [list(columns), *cells]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    for line in lines:
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        )
        click.echo("  ".join(padded).rstrip())


def _cut(cell: str) -> str:
    """A cell of a foreign store may be of any length; --json has all of it."""
    return cell if len(cell) <= _CELL_CHARS else f"{cell[:_CELL_CHARS]}…"


def _print_fitted(
    columns: Sequence[str], cells: Sequence[Sequence[str]], numeric: Sequence[bool], whole: Collection[str]
) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name, right in zip(columns, numeric, strict=True):
        justify: Literal["left", "right"] = "right" if right else "left"
        table.add_column(name, justify=justify, overflow="ellipsis", no_wrap=right or name in whole)
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    Console(no_color=Settings.from_environ().plain, highlight=False).print(table)


@contextmanager
def progress_bar(names: Mapping[str, str] | None = None) -> Iterator[Callable[[str, int, int], None]]:
    """Give a function `(step, done, total)` that draws one bar per step on standard error.

    Without a terminal there it draws nothing. A total of 0 means that it is unknown.

    Args:
        names: what to call a step; by default what it is called itself.
    """
    if not sys.stderr.isatty():
        yield lambda step, done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "")

    console = Console(stderr=True, no_color=Settings.from_environ().plain)
    columns = (BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(TextColumn("{task.description}"), *columns, console=console, transient=True) as bar:
        tasks: dict[str, Any] = {}

        def tell(step: str, done: int, total: int) -> None:
            if step not in tasks:
                label = clean((names or {}).get(step, step))
                tasks[step] = bar.add_task(label.replace("[", "("), total=total or None)
            bar.update(tasks[step], completed=done, total=total or None)

        yield tell


def time_words(at: float | None) -> str:
    """Return a time as the user's clock shows it, to the minute; nothing where it is not known."""
    if at is None:
        return ""
    try:
        return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return ""
