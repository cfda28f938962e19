"""`hermes`: our engine as Hermes' context engine: put it there, look, take it away."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from hermes_sessions.cli.terminal.output import clean_block, say
from hermes_sessions.integrations.hermes.config_file import (
    BUILT_IN,
    LINES,
    AgentConfigError,
    check_selectable,
    config_path,
    deselect_engine,
    read_config,
    select_engine,
)
from hermes_sessions.integrations.hermes.plugin.host import NAME
from hermes_sessions.integrations.hermes.plugin_folder import install, plugin_path, uninstall
from hermes_sessions.integrations.hermes.status import EngineStatus, chosen_engine, engine_status
from hermes_sessions.settings import Settings

_home_option = click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    help="The agent's home folder; by default $HERMES_HOME, else ~/.hermes.",
)


@click.group("hermes")
def host_command() -> None:
    """Let Hermes compact with our engine: a plugin in its home folder.

    The plugin needs nothing but Python's standard library, so that an update of the agent
    does not remove it. Its compactions are recorded in a journal, which the next import reads.
    """


@host_command.command("install")
@_home_option
@click.option(
    "--set-config", is_flag=True, help="Enable the plugin and its engine in config.yaml; a copy is kept."
)
def install_command(home: Path | None, set_config: bool) -> None:
    """Put the plugin into the agent's home, in place of an older one."""
    folder = _home(home)
    if set_config and folder.is_dir():
        check_selectable(folder)  # before anything is made
    state = install(folder)
    say(f"{state.path}: hermes-sessions {state.version} is installed")
    if set_config:
        before = _named_engine(folder)
        _said_of_config(folder, select_engine(folder))
        if before not in (NAME, BUILT_IN):
            say(f"the engine was {before}; `uninstall --set-config` names it again")
    try:
        _print_reasons(_status(folder))
    except AgentConfigError as error:
        say(f"{error}")
        click.echo(clean_block(f"config.yaml needs to hold:\n\n{LINES}"))


@host_command.command("status")
@_home_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status_command(home: Path | None, as_json: bool) -> int:
    """Say which context engine the next session will use, and why not ours."""
    status = _status(_home(home))
    if as_json:
        click.echo(json.dumps(asdict(status), default=str, indent=2))
    else:
        _print_reasons(status)
        for note in status.notes:
            say(f"note: {note}")
        if status.journal is not None:
            say(f"journal: {status.journal}")
    return 0 if status.ours else 1


@host_command.command("uninstall")
@_home_option
@click.option("--set-config", is_flag=True, help="Take the plugin out of config.yaml too; a copy is kept.")
def uninstall_command(home: Path | None, set_config: bool) -> None:
    """Remove the plugin from the agent's home; the journal stays."""
    folder = _home(home)
    there = uninstall(folder)
    say(f"{plugin_path(folder)}: {'removed' if there else 'was not there'}")
    if set_config:
        _said_of_config(folder, deselect_engine(folder))
    elif _named_engine(folder) == NAME:
        say(
            f"{folder / 'config.yaml'}: still names our engine; without the plugin the agent uses its own,"
            " with a line in its log; `uninstall --set-config` takes the name out"
        )


def _named_engine(home: Path) -> str:
    try:
        return chosen_engine(read_config(home))
    except AgentConfigError:
        return BUILT_IN


def _status(home: Path) -> EngineStatus:
    return engine_status(home, Settings.from_environ().variables)


def _home(given: Path | None) -> Path:
    if given is not None:
        return given.absolute()
    settings = Settings.from_environ()
    named = settings.variables.get("HERMES_HOME")
    return Path(named).expanduser().absolute() if named else settings.home / ".hermes"


def _said_of_config(home: Path, copy: Path | None) -> None:
    if copy is None:
        say(f"{home / 'config.yaml'}: nothing to change")
    elif copy.exists():
        done = "changed" if config_path(home).exists() else "taken away, it was made for our engine"
        say(f"{home / 'config.yaml'}: {done}; as it was: {copy}")
    else:
        say(f"{home / 'config.yaml'}: made")


def _print_reasons(status: EngineStatus) -> None:
    say(f"The next session in {status.home} uses the engine: {status.engine}")
    for reason in status.reasons:
        say(f"- {reason}")
