"""The command line: finds the command, loads only its module, turns errors into lines and exit codes.

Exit codes: 0 done; 1 done, with something to look at; 2 nothing done; 130 interrupted.
"""

import errno
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from pkgutil import iter_modules
from typing import Any

import click

from hermes_sessions import __version__
from hermes_sessions.cli.terminal.options import one_url
from hermes_sessions.cli.terminal.output import complain, drop_unwritten, name_output
from hermes_sessions.errors import HermesSessionsError

COMMANDS: dict[str, tuple[str, str]] = {
    "import": ("import_:import_", "Import agents' databases."),
    "sync": ("import_:sync", "Bring all origins up to date."),
    "origins": ("import_:origins", "List, rename, move, pause and remove origins."),
    "serve": ("serve:serve_command", "Show conversations in a browser and follow their databases."),
    "demo": ("demo:demo", "Look around in generated sample conversations."),
    "list": ("browse:list_command", "List conversations, newest activity first."),
    "show": ("browse:show_command", "Print a conversation across all its compactions."),
    "search": ("search:search_command", "Find messages and conversations."),
    "lineage": ("browse:lineage_command", "Print the family of a conversation."),
    "compactions": ("ledger:compactions_command", "List compactions of a conversation or of the store."),
    "export": (
        "export:export_command",
        "Write a conversation as a document, or an origin as a file of its agent.",
    ),
    "audit": ("audit:audit_command", "Report what compactions kept, lost and invented."),
    "seen": ("audit:seen_command", "Print the context that the model saw at a message."),
    "compact": ("compact:compact", "Compact a conversation, preview a compaction, or undo one."),
    "pin": ("organise:pin", "Pin conversations: they come first in the list."),
    "archive": ("organise:archive", "Archive conversations: they leave the list."),
    "tag": ("organise:tag", "Tag conversations."),
    "note": ("organise:note", "Write a note on a conversation."),
    "saved": ("organise:saved", "Save searches of the viewer under a name."),
    "undo": ("organise:undo", "Undo a change."),
    "prune": ("prune:prune_command", "Move old, large or scheduled conversations to the trash."),
    "trash": ("prune:trash", "List and empty the trash."),
    "restore": ("prune:restore", "Bring conversations back from the trash."),
    "forget": ("prune:forget_command", "Erase a conversation for good, and keep it forgotten."),
    "redact": ("redact:redact_command", "Mask a secret everywhere, and in later imports."),
    "remember": ("prune:remember_command", "Let syncs import forgotten conversations again."),
    "mcp": ("recall:mcp_command", "Let agents look up what their compactions lost."),
    "db": ("db:db", "Upgrade, check and back up the store."),
}
"""Name -> (module below this package : attribute, what `--help` says), in the order of `--help`."""
COMMANDS |= {
    module.name: (
        f"hosts.{module.name}:host_command",
        f"Let {module.name.title()} compact with our engine.",
    )
    for module in iter_modules([f"{one}/hosts" for one in __path__])
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or None when there is no such name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table: asking each for its help would import all of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and leave the process with the exit code of what happened."""

        def run() -> Any:
            return click.Group.main(self, args, prog_name, complete_var, False, **extra)

        if not standalone_mode:
            return run()
        name_output()
        code = _exit_code(run)
        drop_unwritten()
        return sys.exit(code)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that left early, as `head` does, is no error."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            return 0


def _exit_code(run: Callable[[], Any]) -> int:
    try:
        result = run()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "hermes-sessions"
        complain(f"{error.format_message().rstrip('.')} (see `{command} --help`)")
    except (click.ClickException, HermesSessionsError) as error:
        complain(error.format_message() if isinstance(error, click.ClickException) else str(error))
    except click.Abort:
        complain("interrupted")
        return 130
    except OSError as error:
        complain(_described(error))
    except UnicodeEncodeError as error:
        # How Python reads an argument that is not UTF-8: fine as a path, but no text that can be stored.
        if all(_is_text(word) for word in sys.argv):
            raise
        complain(f"{error.object}: an argument is not UTF-8, and can only be the name of a file")
    else:
        return result if isinstance(result, int) else 0
    return 2


def _is_text(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _described(error: OSError) -> str:
    """Return an error of the system as one line that names its file."""
    reason = error.strerror or errno.errorcode.get(error.errno or 0, "") or str(error)
    if error.filename is None:
        return reason or "input or output failed"
    name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
    return f"{name}: {reason}"


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Completion for bash (zsh, fish alike): eval"
    ' "$(_HERMES_SESSIONS_COMPLETE=bash_source hermes-sessions)"',
)
@click.version_option(__version__, prog_name="hermes-sessions", message="%(prog)s %(version)s")
@click.option(
    "--db",
    "url",
    multiple=True,
    metavar="URL",
    callback=one_url,
    help="The store, for the command that follows.",
)
def main(url: str | None) -> None:
    """Read whole conversations of long-running agents, across every compaction.

    Conversations are kept in a store of their own; an agent's files are only read.
    The store is $HERMES_SESSIONS_DB, else a file in your data folder; --db names another.
    """
