"""`mcp`: the server through which agents recall, and how to tell an agent of it."""

import signal
from pathlib import Path

import click

from hermes_sessions.cli.terminal.options import store_option
from hermes_sessions.cli.terminal.output import write_out
from hermes_sessions.integrations.recall.program_texts import list_programs, read_skill, render_config
from hermes_sessions.settings import default_store

_PROGRAM = "hermes-sessions"


@click.command("mcp")
@click.option("--sync", is_flag=True, help="Import what changed before an answer, at most every 10 s.")
@click.option(
    "--only",
    multiple=True,
    metavar="ID",
    help="Let nothing be read but the conversation of this session; may be repeated.",
)
@click.option("--origin", metavar="LABEL", help="Let nothing be read but this origin's conversations.")
@click.option(
    "--print-config",
    "program",
    type=click.Choice(list_programs()),
    help="Print what to add to a program's configuration, with the options given here.",
)
@click.option("--print-skill", "skill", is_flag=True, help="Print a skill that says when to recall.")
@store_option
def mcp_command(
    url: str, sync: bool, only: tuple[str, ...], origin: str | None, program: str | None, skill: bool
) -> None:
    """Let agents look up what their compactions lost: a server of the Model Context Protocol.

    An agent starts it and talks to it over standard input and output. Its tools search
    and quote stored messages, and say what a compaction lost. They only read; secrets
    are masked. Needs the extra `mcp`: pip install 'hermes-sessions[mcp]'
    """
    if skill:
        write_out((read_skill(),))
    elif program is not None:
        write_out((render_config(program, _command(url, sync, only, origin)),))
    else:
        _serve(url, sync, only, origin)


def _serve(url: str, sync: bool, only: tuple[str, ...], origin: str | None) -> None:
    from hermes_sessions.integrations.recall.reach import Reach
    from hermes_sessions.integrations.recall.service import RecallService

    try:
        from hermes_sessions.integrations.recall.server import run_server
    except ImportError as error:
        raise click.ClickException(
            f"mcp: needs the SDK of the protocol, mcp 2 ({error}); pip install 'hermes-sessions[mcp]'"
        ) from None
    # An interrupt ends it at once: it only reads, and the SDK would wait for one more line first.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    run_server(RecallService(url, Reach(only=only, origin=origin), sync=sync))


def _command(url: str, sync: bool, only: tuple[str, ...], origin: str | None) -> list[str]:
    """Return the command that starts this server; agents pass on few variables, so the store is named."""
    words = [_PROGRAM, "mcp"]
    if url != str(default_store()):
        words += ["--db", url if "://" in url else str(Path(url).absolute())]
    words += ["--sync"] if sync else []
    for one in only:
        words += ["--only", one]
    return words + (["--origin", origin] if origin is not None else [])
