"""What the plugin asks of the agent it runs in; where the agent has no answer there is a plain one."""

import logging
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

NAME: Final = "hermes-sessions"
"""Of the plugin, and of its engine: what `plugins.enabled` and `context.engine` name."""
LOG: Final = logging.getLogger(f"hermes_plugins.{NAME}")
_HOME: Final = "~/.hermes"


def ask(module: str, name: str) -> Any:
    """Return an attribute of one of the agent's modules, or None where this version has none."""
    try:
        return getattr(import_module(module), name, None)
    # Importing the agent's modules runs its code; what that raises is not ours to judge.
    except Exception:
        return None


def base_engine() -> type:
    """Return the class that the agent wants engines to be of; `object` outside an agent."""
    found = ask("agent.context_engine", "ContextEngine")
    return found if isinstance(found, type) else object


def summary_prefix() -> str:
    """Return the opening words by which this version of the agent knows a summary; '' for none."""
    found = ask("agent.context_compressor", "SUMMARY_PREFIX")
    return found if isinstance(found, str) else ""


def home_folder() -> Path:
    """Return the agent's home folder."""
    asked = ask("hermes_constants", "get_hermes_home")
    try:
        return Path(asked()) if callable(asked) else Path(_HOME).expanduser()
    except Exception:  # see `ask`
        return Path(_HOME).expanduser()


def load_config() -> Mapping[str, Any]:
    """Return the agent's configuration; empty where it cannot be read."""
    asked = ask("hermes_cli.config", "load_config")
    try:
        found = asked() if callable(asked) else {}
    except Exception:  # see `ask`
        return {}
    return found if isinstance(found, Mapping) else {}


def model_call() -> Callable[..., Any] | None:
    """Return the agent's function that asks an auxiliary model."""
    found = ask("agent.auxiliary_client", "call_llm")
    return found if callable(found) else None


def protected_call() -> Any:
    """Return a context in which a new message does not interrupt the model; None in older versions."""
    found = ask("agent.auxiliary_client", "aux_interrupt_protection")
    return found() if callable(found) else None


def knows_hook(name: str) -> bool:
    """Return whether this version calls a hook of that name; it warns about others."""
    hooks = ask("hermes_cli.plugins", "VALID_HOOKS")
    return hooks is None or name in hooks
