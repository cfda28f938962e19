"""Results of tools that were too long for the transcript: a file each, beside the session's."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

KEPT_BYTES: Final = 262_144
"""How much of one is kept; its size says how much there is."""


def spilled_files(transcript: Path) -> Mapping[str, Path]:
    """Return the files of a session's long results, by the name of the call; empty where there are none."""
    try:
        folder = transcript.with_suffix("") / "tool-results"
        return {one.stem: one for one in folder.iterdir() if one.suffix == ".txt" and one.is_file()}
    except OSError:
        return {}


def read_spilled(path: Path) -> dict[str, Any] | None:
    """Return what is kept of one: its name, size and beginning; None where it cannot be read."""
    try:
        with path.open("rb") as file:
            text = file.read(KEPT_BYTES).decode("utf-8", "replace")
        return {"file": path.name, "bytes": path.stat().st_size, "text": text}
    except OSError:
        return None
