"""A little nonsense each time; `python -m bench.fuzz` makes thousands.

HERMES_SESSIONS_FUZZ=FILES:REQUESTS:SEED tries more, or others.
"""

import os
import subprocess
import sys

import pytest

from hermes_sessions import split_handoff
from hermes_sessions.errors import TranscriptError


@pytest.mark.slow
def test_nonsense_is_read_or_refused(pytestconfig: pytest.Config) -> None:
    files, requests, seed = os.environ.get("HERMES_SESSIONS_FUZZ", "8:150:0").split(":")
    told = subprocess.run(
        [sys.executable, "-m", "bench.fuzz", "--files", files, "--requests", requests, "--seed", seed],
        cwd=pytestconfig.rootpath, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout + told.stderr
    assert "files: " in told.stdout


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (5, "not int"),
        ({"type": "text"}, "not dict"),
        (b"x", "not bytes"),
        ([{"type": "text", "text": "a"}, None], "block 1 is NoneType"),
        ([5], "block 0 is int"),
    ],
)
def test_content_that_is_none_is_named(content: object, says: str) -> None:
    with pytest.raises(TranscriptError, match=says):
        split_handoff(content)  # type: ignore[arg-type]
