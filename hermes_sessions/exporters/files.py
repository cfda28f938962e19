"""What exports to a file share: names, and text written as it comes."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hermes_sessions.late_patterns import late_pattern

ENDINGS: Final = {"html": "html", "markdown": "md", "jsonl": "jsonl"}
_UNSAFE = late_pattern(r"[^A-Za-z0-9._-]+")


def write_text(target: Path, pieces: Iterable[str]) -> int:
    """Write *pieces* as UTF-8, each as it comes; return the bytes written."""
    with target.open("wb") as file:
        return sum(file.write(piece.encode("utf-8", "replace")) for piece in pieces)


def file_name(public_id: str, form: str) -> str:
    """Return a harmless file name for a conversation: its id where that is one, else what is left of it."""
    stem = _UNSAFE.sub("_", public_id).strip("._")[:100] or "conversation"
    return f"{stem}.{ENDINGS[form]}"
