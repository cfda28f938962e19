"""A play that several workers of pytest look at: the first to come plays it, the others wait and read it."""

import fcntl
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integrations.hermes.playing import Home
from tests.integrations.hermes.scripted_model import Conversation, Played, scripted_model

Play = Callable[[Path, Played], Home]
"""Plays in a new folder against a running model."""


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the folder that all workers of this run have."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def shared_play(folder: Path, play: Play, conversation: Conversation) -> tuple[Home, Played]:
    """Return what came of the play that is kept in *folder*; it is played where nobody has yet.

    One that fails is kept by nobody: whoever comes next plays it again, in a folder of its own.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "played.json"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            with scripted_model(conversation) as played:
                home = play(Path(tempfile.mkdtemp(dir=folder)) / "home", played)
            told = {"requests": played.requests, "turns": played.turns, "summaries": played.summaries}
            written = folder / "written.json"
            written.write_text(
                json.dumps({"home": str(home.path), "said": home.said, "played": told}), "utf-8"
            )
            written.rename(kept)
    found = json.loads(kept.read_text("utf-8"))
    return Home(Path(found["home"]), found["said"]), Played(conversation, **found["played"])
