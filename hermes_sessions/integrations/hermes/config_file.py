"""The agent's configuration: read, and the two keys of an engine set or taken back.

Comments, order and quotes stay (ruamel.yaml, the extra `hermes`). The file as it was is kept
beside it, and what is written is read back first.
"""

import io
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.integrations.hermes.plugin.host import NAME
from hermes_sessions.output import whole_file

FILE_NAME: Final = "config.yaml"
BUILT_IN: Final = "compressor"
LINES: Final = f"plugins:\n  enabled: [{NAME}]\ncontext:\n  engine: {NAME}\n"
"""What `config.yaml` needs to hold."""
_NEEDS: Final = "needs ruamel.yaml: pip install 'hermes-sessions[hermes]'"


class AgentConfigError(HermesSessionsError):
    """The agent's configuration cannot be read or changed."""


def config_path(home: Path) -> Path:
    """Return where the configuration of the agent in *home* is."""
    return home / FILE_NAME


def read_config(home: Path) -> Mapping[str, Any]:
    """Return the configuration; empty where there is no file.

    Raises:
        AgentConfigError: it cannot be read.
    """
    return _parsed(_text(config_path(home)), config_path(home))


def select_engine(home: Path) -> Path | None:
    """Enable the plugin and name its engine; return the copy of the file as it was, None: nothing to change.

    Raises:
        AgentConfigError: the file cannot be read, or has something else where the keys belong.
        OSError: it cannot be written.
    """
    return _change(home, _selected)


def deselect_engine(home: Path) -> Path | None:
    """Take both keys back; return the copy of the file as it was, None: nothing to change.

    Raises:
        AgentConfigError: the file cannot be read.
        OSError: it cannot be written.
    """
    return _change(home, _deselected) if config_path(home).exists() else None


def _selected(config: Any) -> None:
    plugins = _section(config, "plugins")
    enabled = plugins.get("enabled")
    if enabled is None:
        plugins["enabled"] = [NAME]
    elif not isinstance(enabled, list):
        raise AgentConfigError("plugins.enabled: is not a list; nothing was changed")
    elif NAME not in enabled:
        enabled.append(NAME)
    _without(plugins.get("disabled"))
    context = _section(config, "context")
    if context.get("engine") != NAME:
        context["engine"] = NAME


def _deselected(config: Any) -> None:
    plugins, context = config.get("plugins"), config.get("context")
    if isinstance(plugins, dict):
        _without(plugins.get("enabled"))
    if isinstance(context, dict) and context.get("engine") == NAME:
        context["engine"] = BUILT_IN


def _without(names: Any) -> None:
    while isinstance(names, list) and NAME in names:
        names.remove(NAME)


def _section(config: Any, key: str) -> Any:
    if config.get(key) is None:
        config[key] = {}
    if not isinstance(config[key], dict):
        raise AgentConfigError(f"{key}: is not a section; nothing was changed")
    return config[key]


def _change(home: Path, change: Callable[[Any], None]) -> Path | None:
    path = config_path(home)
    text = _text(path)
    config, before = _round_trip(text, path), _parsed(text, path)
    change(config)
    written = io.StringIO()
    _yaml().dump(config, written)
    wanted = dict(_plain(config))
    if wanted == before:
        return None
    if _parsed(written.getvalue(), path) != wanted:
        raise AgentConfigError(f"{path}: cannot be changed without changing more; add by hand:\n{LINES}")
    copy = path.with_name(f"{FILE_NAME}.before-{NAME}-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
    if path.exists():
        _write(copy, text)
    _write(path, written.getvalue())
    return copy


def _write(path: Path, text: str) -> None:
    with whole_file(path, force=True, refusal=AgentConfigError) as part:
        part.write_text(text, "utf-8")


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeError) as error:
        raise AgentConfigError(f"{path}: cannot be read: {error}") from None


def _parsed(text: str, path: Path) -> Mapping[str, Any]:
    try:
        return dict(_plain(_round_trip(text, path)))
    except RecursionError:
        raise AgentConfigError(f"{path}: holds itself, or is nested too deeply") from None


def _round_trip(text: str, path: Path) -> Any:
    yaml = _yaml()
    try:
        found = yaml.load(text)
    # The parser has a family of errors, and raises others on nonsense; all mean the same.
    except Exception as error:
        line = " ".join(str(error).split())[:200]
        raise AgentConfigError(f"{path}: is not YAML: {line}") from None
    if found is None:
        return yaml.map()
    if not isinstance(found, dict):
        raise AgentConfigError(f"{path}: holds no settings")
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _yaml() -> Any:
    try:
        from ruamel.yaml import YAML
    except ImportError:
        raise AgentConfigError(f"{FILE_NAME}: {_NEEDS}") from None
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1_000_000
    return yaml
