"""The names and codes of an error: by them a handoff tells it, and several errors are of one cause. Pure."""

import re
from typing import Final

_NAMES: Final = (
    re.compile(r"\bE[A-Z]{3,15}\b"),
    re.compile(r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception|Warning|Timeout|Failure)\b"),
    re.compile(r"\b(?:TS|E|ORA-|CVE-|SQLSTATE |0x)[0-9A-Fa-f-]{3,10}\b"),
    re.compile(r"(?<![\d.:/-])[45]\d\d(?![\d.:/-]|ms| ?(?:ms|MB|GB|s)\b)"),
    re.compile(r"\b(?:[\w/]+\.\w{1,4}::)?test_\w{3,60}"),
    re.compile(r"\bSIG[A-Z]{3,6}\b|\bOOM\w{0,6}\b"),
)


def error_names(text: str) -> tuple[str, ...]:
    """Return the names and codes in the words of an error, those first that tell most."""
    return tuple(dict.fromkeys(found for shape in _NAMES for found in shape.findall(text)))
