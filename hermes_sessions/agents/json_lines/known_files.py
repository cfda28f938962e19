"""What the run before knew of files: whose they were, also of those that cannot be read today."""

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any


def only_files(named: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """Return session -> the one file that it was in; None where it was in several.

    Args:
        named: the session and the name of each file.
    """
    found: dict[str, str | None] = {}
    for session, name in named:
        found[session] = name if found.get(session, name) == name else None
    return found


def left_unread(told: Mapping[str, Any], place: Path, read: Collection[str]) -> dict[str, Any]:
    """Return what a cursor knew of files that are still there and were not read today.

    Their sessions may be in other files too: whoever forgets them takes these for all there is.

    Args:
        told: the cursor of the run before, by the names of files below *place*.
        read: names of the files that were read.
    """
    return {name: one for name, one in told.items() if name not in read and os.path.lexists(place / name)}
