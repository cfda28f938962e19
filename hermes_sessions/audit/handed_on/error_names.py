"""The names and codes of an error: by them a handoff tells it, and several errors are of one cause. Pure."""

from typing import Final

from hermes_sessions.late_patterns import late_pattern

_NAMES: Final = (
    late_pattern(r"\bE[A-Z]{3,15}\b"),
    late_pattern(r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception|Warning|Timeout|Failure)\b"),
    late_pattern(r"\b(?:TS|E|ORA-|CVE-|SQLSTATE |0x)[0-9A-Fa-f-]{3,10}\b"),
    late_pattern(r"(?<![\d.:/-])[45]\d\d(?![\d.:/-]|ms| ?(?:ms|MB|GB|s)\b)"),
    late_pattern(r"\b(?:[\w/]+\.\w{1,4}::)?test_\w{3,60}"),
    late_pattern(r"\bSIG[A-Z]{3,6}\b|\bOOM\w{0,6}\b"),
)


def error_names(text: str) -> tuple[str, ...]:
    """Return the names and codes in the words of an error, those first that tell most."""
    return tuple(dict.fromkeys(found for shape in _NAMES for found in shape.findall(text)))
