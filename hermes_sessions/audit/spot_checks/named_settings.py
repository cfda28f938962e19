"""A number, or a yes and no, right behind the name of a setting that has others behind it wherever it stands."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.alignment.items import plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern

_NAME: Final = r"(?<![\w./-])(?P<name>[A-Za-z]\w*_\w*|[a-z]{2,}[A-Z]\w+)(?![\w./-]*[\w/])"
_GAP: Final = r"[`'\"*]{0,3}(?:[ \t]*[=:→>]+|[ \t]|[^\W\d_]{1,12}[ \t]){1,6}[`'\"*]{0,3}"
_VALUE: Final = r"(?P<value>\d[\d.,]*(?<![.,])|[Tt]rue|[Ff]alse|on|off)(?![\w/-]|[.,:]\d)(?! ?(?:\w{1,8} )?(?:to|auf|à|a|al|para|до|на|do|naar|->|→|改) ?\d)"
_BEHIND: Final = late_pattern(rf"{_NAME}{_GAP}{_VALUE}")
_NEAR: Final = 60
_TOLD: Final = late_pattern(
    r"(?<![\w.,:/-])(?:\d[\d.,]*(?<![.,])|[Tt]rue|[Ff]alse|on|off)(?![\w/-]|[.,:]\d)?"
)
_SWITCH: Final = frozenset({"true", "false", "on", "off"})


def named_settings(claims: Sequence[Statement], texts: Sequence[tuple[int, str]]) -> Iterator[Deviation]:
    """Yield values of settings that never stand near the name of their setting, where others of the sort do."""
    for claim in claims:
        if claim.mode is Mode.PLANNED or is_heading(claim.text):
            continue
        for match in _BEHIND.finditer(claim.text):
            value = _plain(match["value"])
            known = _near(match["name"], value in _SWITCH, texts)
            if known and value not in known:
                other, (message, line) = next(reversed(known.items()))
                kind = "value" if value in _SWITCH else "number"
                yield Deviation(
                    Grade.NOT_VERBATIM, kind, match["value"], claim.text, "other-setting", other, line, message or None,
                    key=match["name"],
                )  # fmt: skip


def _near(name: str, is_switch: bool, texts: Sequence[tuple[int, str]]) -> dict[str, tuple[int, str]]:
    """Return the values of a sort near to a name on its lines, each where it stands last."""
    found: dict[str, tuple[int, str]] = {}
    shape = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for message, text in texts:
        for match in shape.finditer(text) if name in text else ():
            start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
            line = text[start : end if end >= 0 else None]
            near = text[max(start, match.start() - _NEAR) : match.end() + 2 * _NEAR]
            for one in map(_plain, _TOLD.findall(near)):
                if (one in _SWITCH) is is_switch:
                    found.pop(one, None)
                    found[one] = (message, line.strip()[:400])
    return found


def _plain(value: str) -> str:
    return value.casefold() if value[0].isalpha() else plain_number(value)
