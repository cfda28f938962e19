"""The journal beside other processes, and after a write that was cut short."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_sessions.integrations.hermes.plugin import journal as module
from hermes_sessions.integrations.hermes.plugin.journal import append_line, journal_path, recent_lines

WRITER = """
import sys
from pathlib import Path
from hermes_sessions.integrations.hermes.plugin import journal

journal._MAX_BYTES = 4_000
for number in range(60):
    journal.append_line(Path(sys.argv[1]), {"by": sys.argv[2], "number": number})
"""


def test_a_line_after_a_cut_one_is_whole(tmp_path: Path) -> None:
    append_line(tmp_path, {"number": 1})
    with journal_path(tmp_path).open("a") as stream:
        stream.write('{"number": 2, "cut')
    append_line(tmp_path, {"number": 3})
    assert [one["number"] for one in recent_lines(tmp_path)] == [1, 3]


def test_several_processes_lose_no_line_when_the_journal_is_full(tmp_path: Path) -> None:
    """All lines fit into the two files, so that a second rename would lose some."""
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name]) for name in ("a", "b", "c")
    ]
    assert [one.wait(timeout=60) for one in running] == [0, 0, 0]
    files = [journal_path(tmp_path), journal_path(tmp_path).with_name("compactions.jsonl.1")]
    lines = [json.loads(line) for path in files for line in path.read_text().splitlines()]
    assert len({(one["by"], one["number"]) for one in lines}) == 180


def test_who_cannot_have_the_lock_writes_and_renames_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    append_line(tmp_path, {"number": 1})
    monkeypatch.setattr(module, "_MAX_BYTES", 1)
    monkeypatch.setattr(module, "_LOCK_SECONDS", 0.0)
    with module._alone(journal_path(tmp_path).parent) as alone:
        assert alone
        append_line(tmp_path, {"number": 2})
    assert fcntl is not None
    assert [one["number"] for one in recent_lines(tmp_path)] == [1, 2]
