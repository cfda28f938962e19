"""What an agent says beside a call about that call: the call tells it already. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hermes_sessions.compaction.economy.fact_lines import STATEMENT, shown
from hermes_sessions.compaction.economy.told_effects import tells_an_effect
from hermes_sessions.compaction.economy.wording.binding_words import FOUND, may_bind, sound_of
from hermes_sessions.facts.values import Fact, FactKind
from hermes_sessions.late_patterns import late_pattern

_TALK: Final = frozenset(
    {
        STATEMENT,
        FactKind.IDENTIFIER,
        FactKind.NAME,
        FactKind.PATH,
        FactKind.FILE_READ,
        FactKind.NEXT_STEP,
        FactKind.COMMAND,
    }
)
_NAME: Final = late_pattern(r"[\w.-]*\w[/_.-]\w[\w./-]*")
_COUNT: Final = late_pattern(r"(?<![\w./-])\d")
_WHOLE_CHARS: Final = 40
_LEAST_CHARS: Final = 3
_MOST_CHARS: Final = 160
_DEEP: Final = 4


def without_narration(facts: Iterable[Fact], calls: Sequence[Mapping[str, Any]]) -> tuple[Fact, ...]:
    """Return *facts*, those of one message, without what only says which of its *calls* comes next.

    A sentence stays that binds, says why or what was found, tells an effect or counts something.
    """
    named = frozenset(name for call in calls for name in _names(call["function"]["arguments"]))
    if not named:
        return tuple(facts)
    return tuple(fact for fact in facts if fact.kind not in _TALK or not _narrates(shown(fact), named))


def _narrates(text: str, named: frozenset[str]) -> bool:
    if " " not in text or len(text) > _MOST_CHARS or not any(name in text for name in named):
        return False
    if _COUNT.search(text) or may_bind(text) or sound_of(text) & FOUND:
        return False
    return not tells_an_effect(text)


def _names(arguments: str) -> Iterator[str]:
    """Yield the names of files and things in what a call was given, and short values as a whole."""
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return
    for value in _strings(given, _DEEP):
        if _LEAST_CHARS <= len(value) <= _WHOLE_CHARS and " " not in value:
            yield value
        for name in _NAME.findall(value[: 4 * _MOST_CHARS]):
            yield name
            if len(last := name.rpartition("/")[2]) >= _LEAST_CHARS:
                yield last


def _strings(given: object, deep: int) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, (dict, list)) and deep:
        for one in given.values() if isinstance(given, dict) else given:
            yield from _strings(one, deep - 1)
