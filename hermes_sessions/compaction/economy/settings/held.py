"""Settings that an earlier handoff holds: read back as what they were when they were found. Pure.

A handoff has a line and its kind, no more. That a value stood out in its file cannot be seen from the line
next to others of its like, so it is told again from the value itself, from who set it, and from what the
talk in the same handoff names.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from hermes_sessions.compaction.economy.fact_lines import PATH_KINDS, WHOLE_KINDS, FactLine, slots_of
from hermes_sessions.compaction.economy.settings.reading import COLUMN, MARKED, tells
from hermes_sessions.compaction.economy.settings.spoken import SpokenOf, spoken_of
from hermes_sessions.facts.values import Fact, FactKind, weigh
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

_KEYED: Final = late_pattern(
    r"(?P<key>[^\s=:(){}\[\]]{1,160}(?: [^\s=:(){}\[\]]{1,40}){0,3}) = (?P<value>[^\n]{1,240})"
)
_OTHERS: Final = WHOLE_KINDS | PATH_KINDS | {FactKind.NUMBER, FactKind.TEST_RESULT}


def read_back(former: Sequence[FactLine]) -> list[FactLine]:
    """Return the lines of earlier handoffs with the facts in them, settings marked as they were."""
    found = [(line, line.slots or slots_of(line)) for line in former]
    spoken = spoken_of((line.at, line.speaker, line.text) for line in former if line.speaker != Role.TOOL)
    keys = [_KEYED.fullmatch(line.text) if _may_be_set(line) else None for line in former]
    values = Counter(match["key"] for match in keys if match)
    return [
        line._replace(slots=_marked(line, slots, match, spoken))
        if match and values[match["key"]] < COLUMN
        else line._replace(slots=slots)
        for (line, slots), match in zip(found, keys, strict=True)
    ]


def _may_be_set(line: FactLine) -> bool:
    return line.speaker in (Role.TOOL, Role.ASSISTANT) and line.kind not in _OTHERS


def _marked(
    line: FactLine, slots: tuple[Fact, ...], match: re.Match[str], spoken: SpokenOf
) -> tuple[Fact, ...]:
    """Return *slots* with the setting in front that the line is, where it stands out."""
    key, value = match["key"], match["value"]
    if line.speaker == Role.TOOL and not tells(value) and not spoken.includes(key):
        return slots
    weight = weigh(FactKind.CONFIG, line.speaker)
    setting = Fact(FactKind.CONFIG, key, value, line.text, line.speaker, weight, MARKED)
    return (setting, *(slot for slot in slots if slot.kind != FactKind.CONFIG))
