"""Grammars by the name stored with a handoff: modules here with a `GRAMMAR`, and entry points. Pure."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any, Final

from hermes_sessions.handoff import grammars
from hermes_sessions.handoff.grammars.grammar import HandoffGrammar
from hermes_sessions.handoff.grammars.plain import WholeGrammar

GROUP: Final = "hermes_sessions.grammars"
"""Entry points of this group name an object that is a `HandoffGrammar`."""
_AGENTS: Final = "hermes_sessions.agents"
"""Those of this one name an importer, which has the grammar of its agent."""


def grammar_named(name: str | None) -> HandoffGrammar:
    """Return the grammar of a stored handoff; for a name that nobody knows one that shows it whole."""
    wanted = name or ""
    return _own().get(wanted) or _installed().get(wanted) or WholeGrammar(wanted)


def forget_grammars() -> None:
    """Look for grammars again when one is asked for: a package was installed."""
    _own.cache_clear()
    _installed.cache_clear()


@cache
def _own() -> Mapping[str, HandoffGrammar]:
    names = sorted(module.name for module in iter_modules(grammars.__path__) if module.name != "registry")
    modules = (import_module(f"{grammars.__name__}.{name}") for name in names)
    found: list[HandoffGrammar] = [module.GRAMMAR for module in modules if hasattr(module, "GRAMMAR")]
    return {one.name: one for one in found}


@cache
def _installed() -> Mapping[str, HandoffGrammar]:
    entries = [*entry_points(group=GROUP), *entry_points(group=_AGENTS)]
    found: dict[str, HandoffGrammar] = {}
    for entry in sorted(entries, key=lambda entry: (entry.group, entry.name)):
        try:
            loaded: Any = entry.load()
            grammar = getattr(loaded, "grammar", loaded)
            if isinstance(grammar.name, str) and callable(grammar.split):
                found.setdefault(grammar.name, grammar)
        except Exception:
            continue
    return found
