"""The agent's configuration: read, and the two keys of an engine set or taken back.

Comments, order, quotes, the indentation of the first section and the ends of lines stay
(ruamel.yaml, the extra `hermes`). The file as it was is kept beside it, and what is written is
read back first.
"""

import io
import re
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from hermes_sessions.errors import HermesSessionsError
from hermes_sessions.integrations.hermes.plugin.host import NAME
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.output import whole_file

FILE_NAME: Final = "config.yaml"
BUILT_IN: Final = "compressor"
LINES: Final = f"plugins:\n  enabled: [{NAME}]\ncontext:\n  engine: {NAME}\n"
"""What `config.yaml` needs to hold."""
_COPY: Final = f"{FILE_NAME}.before-{NAME}-"
_NESTED: Final = late_pattern(r"^[\w-]+:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*( +)[\w\"']", re.MULTILINE)
"""A section and the indentation of its first key."""
_LISTED: Final = late_pattern(r"^( *)[\w-]+:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*( *)- ", re.MULTILINE)
"""A key with a list, and the indentation of the list."""
_WINDOWS: Final = "\r\n"
_SOURCE: Final = ' in "<unicode string>"'
"""What the parser calls a text that is in no file."""
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


def check_selectable(home: Path) -> None:
    """Do nothing where `select_engine` can do its work.

    Raises:
        AgentConfigError: the file cannot be read, or has something else where the keys belong.
    """
    path = config_path(home)
    _changed(_text(path), path, _selected)


def select_engine(home: Path) -> Path | None:
    """Enable the plugin and name its engine; return the copy of the file as it was, None: nothing to change.

    Raises:
        AgentConfigError: the file cannot be read, or has something else where the keys belong.
        OSError: it cannot be written.
    """
    return _change(home, _selected)


def deselect_engine(home: Path) -> Path | None:
    """Take both keys back; return the copy of the file as it was, None: nothing to change.

    A file that nobody changed since `select_engine` becomes what it was before, to the byte; else the
    engine that was named before is named again.

    Raises:
        AgentConfigError: the file cannot be read.
        OSError: it cannot be written.
    """
    path = config_path(home)
    if not path.exists():
        return None
    text, before = _text(path), _before_ours(home)
    if text == _changed(before or "", path, _selected):
        copy = _kept_copy(path, text)
        if before is None:
            path.unlink()  # it was made for the two keys
        else:
            _write(path, before)
        return copy
    context = _parsed(before or "", path).get("context")
    engine = context.get("engine") if isinstance(context, dict) else None
    return _change(home, partial(_deselected, engine=engine or BUILT_IN))


def _before_ours(home: Path) -> str | None:
    """Return the newest kept copy that does not name our engine."""
    for copy in sorted(home.glob(f"{_COPY}*"), key=_made_at, reverse=True):
        try:
            text = _text(copy)
            context = _parsed(text, copy).get("context")
        except AgentConfigError:
            continue
        if not isinstance(context, dict) or context.get("engine") != NAME:
            return text
    return None


def _made_at(copy: Path) -> tuple[str, int]:
    """Return a key by which later copies come later, those of one second included."""
    time_of, _, number = copy.name.removeprefix(_COPY).partition("-")
    return time_of, int(number) if number.isdecimal() else 1


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


def _deselected(config: Any, engine: str) -> None:
    plugins, context = config.get("plugins"), config.get("context")
    if isinstance(plugins, dict):
        _without(plugins.get("enabled"))
    if isinstance(context, dict) and context.get("engine") == NAME:
        context["engine"] = engine


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
    written = _changed(text, path, change)
    if written is None:
        return None
    copy = _kept_copy(path, text)
    _write(path, written)
    return copy


def _changed(text: str, path: Path, change: Callable[[Any], None]) -> str | None:
    """Return *text* with *change* made to what it says; None where that changes nothing."""
    config, before = _round_trip(text, path), _parsed(text, path)
    change(config)
    stream = io.StringIO()
    _yaml(text).dump(config, stream)
    written = stream.getvalue()
    wanted = dict(_plain(config))
    if wanted == before:
        return None
    if _parsed(written, path) != wanted:
        raise AgentConfigError(f"{path}: cannot be changed without changing more; add by hand:\n{LINES}")
    return written.replace("\n", _WINDOWS) if _WINDOWS in text else written


def _kept_copy(path: Path, text: str) -> Path:
    """Keep what the file says beside it, under a name that is free; return the name."""
    name = f"{_COPY}{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}"
    copy, number = path.with_name(name), 1
    while copy.exists():
        number += 1
        copy = path.with_name(f"{name}-{number}")
    if path.exists():
        _write(copy, text)
    return copy


def _write(path: Path, text: str) -> None:
    with whole_file(path, force=True, refusal=AgentConfigError) as part:
        part.write_text(text, "utf-8", newline="")


def _text(path: Path) -> str:
    """Return what the file says, the ends of lines as they are; '' where there is none."""
    try:
        return path.read_bytes().decode()
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
    yaml = _yaml(text)
    try:
        found = yaml.load(text.replace(_WINDOWS, "\n"))
    # The parser has a family of errors, and raises others on nonsense; all mean the same.
    except Exception as error:
        line = " ".join(str(error).replace(_SOURCE, "").split())[:200]
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


def _yaml(text: str) -> Any:
    try:
        from ruamel.yaml import YAML
    except ImportError:
        raise AgentConfigError(f"{FILE_NAME}: {_NEEDS}") from None
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1_000_000
    plain = text.replace(_WINDOWS, "\n")
    section, items = _NESTED.search(plain), _LISTED.search(plain)
    offset = len(items[2]) - len(items[1]) if items else 0
    yaml.indent(mapping=len(section[1]) if section else 2, sequence=offset + 2, offset=max(0, offset))
    return yaml
