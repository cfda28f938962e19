"""Which context engine the agent's next session will use, and why not ours."""

import configparser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hermes_sessions import __version__
from hermes_sessions.integrations.hermes.config_file import BUILT_IN, config_path, read_config
from hermes_sessions.integrations.hermes.plugin.host import NAME
from hermes_sessions.integrations.hermes.plugin.journal import journal_path
from hermes_sessions.integrations.hermes.plugin.settings import EngineSettings
from hermes_sessions.integrations.hermes.plugin_folder import FolderState, look_at

LEAST_WINDOW: Final = 64_000
"""A model with a smaller context is refused by the agent."""
_GROUP: Final = "hermes_agent.plugins"
_ENVIRONMENTS: Final = ("hermes-agent/venv", "hermes-agent/.venv", "venv", ".venv")
_ENTRY_POINTS: Final = "lib/python3*/site-packages/*.dist-info/entry_points.txt"
_SAFE_MODE: Final = "HERMES_SAFE_MODE"
_TRUE: Final = ("1", "true", "yes", "on")
_MOST_SOURCE: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStatus:
    """What the next session of the agent in `home` will use.

    Attributes:
        engine: the name of the engine: ours, the built-in one, or another that was chosen.
        ours: it is ours.
        reasons: why it is not ours, or what stands in its way, a line each.
        notes: what is worth knowing though it stands in nobody's way.
        journal: the journal's path, where there is one.
    """

    home: Path
    engine: str
    ours: bool
    folder: FolderState
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    journal: Path | None


def chosen_engine(config: Mapping[str, Any]) -> str:
    """Return which engine the configuration names; the built-in one where it names none."""
    return str(_at(config, "context", "engine") or BUILT_IN)


def engine_status(home: Path, variables: Mapping[str, str]) -> EngineStatus:
    """Look at the plugin's folder and the configuration; nothing is run or written.

    Args:
        home: the agent's.
        variables: of the environment that the agent is started from.

    Raises:
        AgentConfigError: the configuration cannot be read.
    """
    config = read_config(home)
    folder = look_at(home)
    chosen = chosen_engine(config)
    reasons = [] if home.is_dir() else [f"{home}: is not a folder; --home names the agent's"]
    reasons += [*_folder_reasons(folder), *_config_reasons(config, home, chosen), *_rivals(config, home)]
    if variables.get(_SAFE_MODE, "").strip().lower() in _TRUE:
        reasons.append(f"{_SAFE_MODE} is set: the agent loads no plugins")
    journal = journal_path(home)
    return EngineStatus(
        home=home,
        engine=NAME if not reasons else BUILT_IN if chosen == NAME else chosen,
        ours=not reasons,
        folder=folder,
        reasons=tuple(reasons),
        notes=tuple(_notes(config, folder)),
        journal=journal if journal.is_file() else None,
    )


def _folder_reasons(folder: FolderState) -> Iterator[str]:
    if not folder.there:
        yield f"{folder.path}: there is no plugin; `hermes-sessions hermes install` makes it"
    elif not folder.ours:
        yield f"{folder.path}: was not made by hermes-sessions"
    elif not folder.complete:
        yield f"{folder.path}: files are missing or changed; install it again"


def _config_reasons(config: Mapping[str, Any], home: Path, chosen: str) -> Iterator[str]:
    path = config_path(home)
    enabled, disabled = _at(config, "plugins", "enabled"), _at(config, "plugins", "disabled")
    if not isinstance(enabled, list) or NAME not in enabled:
        yield f"{path}: plugins.enabled does not name {NAME}; `install --set-config` does that"
    if isinstance(disabled, list) and NAME in disabled:
        yield f"{path}: plugins.disabled names {NAME}"
    if chosen != NAME:
        yield f"{path}: context.engine is {chosen}, not {NAME}; `install --set-config` changes that"
    if _at(config, "compression", "enabled") is False:
        yield f"{path}: compression.enabled is false, so the agent compacts nothing"
    window = _at(config, "model", "context_length")
    if isinstance(window, int) and 0 < window < LEAST_WINDOW:
        yield f"{path}: model.context_length is {window}; the agent refuses models below {LEAST_WINDOW}"


def _rivals(config: Mapping[str, Any], home: Path) -> Iterator[str]:
    for place in _pip_plugins(home):
        yield f"{place}: a plugin installed by pip has the name {NAME} and hides the folder"
    enabled = _at(config, "plugins", "enabled")
    for name in sorted(str(one) for one in enabled) if isinstance(enabled, list) else ():
        source = home / "plugins" / name / "__init__.py"
        if name < NAME and _mentions(source, "register_context_engine"):
            yield f"{source.parent}: is enabled, comes first and offers an engine too; the agent takes one"


def _notes(config: Mapping[str, Any], folder: FolderState) -> Iterator[str]:
    if folder.ours and not folder.current:
        made = folder.version or "an unknown release"
        yield f"the plugin was made by {made}; this is {__version__}: install it again"
    for problem in EngineSettings.from_config(config, NAME).problems:
        yield f"plugins.entries.{NAME}.settings: {problem}"


def _pip_plugins(home: Path) -> Iterator[Path]:
    """Yield the entry points that bring a plugin of our name, in the agent's usual environments."""
    for environment in _ENVIRONMENTS:
        for path in sorted((home / environment).glob(_ENTRY_POINTS)):
            parser = configparser.ConfigParser(delimiters=("=",), strict=False, interpolation=None)
            try:
                parser.read_string(path.read_text("utf-8"))
            except (OSError, UnicodeError, configparser.Error):
                continue
            if parser.has_section(_GROUP) and parser.has_option(_GROUP, NAME):
                yield path


def _mentions(source: Path, word: str) -> bool:
    try:
        if not source.is_file():
            return False
        with source.open(encoding="utf-8", errors="replace") as stream:
            return word in stream.read(_MOST_SOURCE)
    # A name from the configuration may hold what no path can.
    except (OSError, ValueError):
        return False


def _at(config: Mapping[str, Any], *path: str) -> Any:
    found: Any = config
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found
