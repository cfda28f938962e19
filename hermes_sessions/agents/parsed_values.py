"""Values of somebody else's JSON: text, times, objects, or nothing. Names no agent."""

from datetime import datetime
from typing import Any


def text_of(value: Any) -> str | None:
    """Return *value* if it is text that is not empty."""
    return value if isinstance(value, str) and value else None


def epoch_of(value: Any) -> float | None:
    """Return the epoch seconds of a time in ISO 8601; None where it is none."""
    try:
        return datetime.fromisoformat(value).timestamp() if isinstance(value, str) else None
    except (ValueError, OverflowError):
        return None


def dict_of(value: Any) -> dict[str, Any]:
    """Return *value* if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}
