"""What commands ask before they go on. Questions stand on standard error: the other one is for answers."""

import sys
import warnings
from getpass import GetPassWarning

import click


def require_yes(question: str) -> None:
    """Ask, and go on after a yes alone. Without a terminal the answer is read, the question not shown.

    For commands with an option `--yes`, which skips this.

    Raises:
        click.ClickException: the answer is another one, or there is none.
    """
    asked = sys.stdin is not None and sys.stdin.isatty()
    if asked:
        click.echo(f"{question} [y/N]: ", nl=False, err=True)
    answer = _read_line()
    if asked and not answer:
        click.echo(err=True)  # the line stands open behind the question
    if answer.strip().lower() not in ("y", "yes"):
        raise click.ClickException("nothing was done: the answer was not yes; --yes skips the question")


def ask_secret(name: str, instead: str) -> str:
    """Ask for a secret without showing it.

    Args:
        name: what is asked for.
        instead: which options give it where there is no terminal.

    Raises:
        click.ClickException: there is no terminal that can hide it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", GetPassWarning)
        try:
            secret: str = click.prompt(name, hide_input=True, err=True)
        except GetPassWarning:
            raise click.ClickException(
                f"nothing was done: there is no terminal to ask at; give {instead}"
            ) from None
    return secret


def _read_line() -> str:
    try:
        return sys.stdin.readline() if sys.stdin is not None else ""
    except (OSError, ValueError):  # closed, or no text
        return ""
