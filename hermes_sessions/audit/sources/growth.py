"""Counts that grew since an older handoff gave them: the work went on. What is left gets less."""

import re
from typing import Final

from hermes_sessions.late_patterns import late_pattern

_LEFT: Final = late_pattern(
    r"\b(?:left|remain\w*|to go|übrig|offen|verbleib\w*|rest\w*|quedan?|faltan?|faltam|riman\w+|mancan\w*|остал\w+)\b|剩|残り|남",
    re.I,
)


def has_grown(number: float, former: float, text: str) -> bool:
    """Return whether *number* is more than an older handoff's, or says what is left in *text*."""
    return number > former or not number or _LEFT.search(text) is not None


def is_grown_count(value: str, former: str, text: str) -> bool:
    """Return whether *text* counts something with a number that an older handoff gave lower: `66 commits`.

    Args:
        value: the number as figures have it, `#132`.
        former: the older handoff's, of the same form.
        text: the sentence that has the number.
    """
    if not (value.startswith("#") and former.startswith("#")):
        return False
    try:
        number, before = float(value[1:]), float(former[1:])
    except ValueError:
        return False
    return number.is_integer() and has_grown(number, before, text) and _is_count(int(number), text)


def _is_count(number: int, text: str) -> bool:
    """Return whether a thing stands behind a number, or the number ends a row that begins with one."""
    written = (
        re.escape(str(number)) if number < _THOUSAND else re.escape(f"{number:,}").replace(",", "[,. ]?")
    )
    behind = rf"(?<![\w.,:/-]){written}\s{{1,2}}[^\W\d_]{{3,}}"
    row = rf"\b[01]\s?(?:to|through|bis|à|a|al|até|до|tot|do|[-–—~〜到至])\s?{written}(?![\w.,:-]*\w)"
    return re.search(f"{behind}|{row}", text, re.I) is not None


_THOUSAND: Final = 1_000
