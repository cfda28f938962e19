"""Files that are read on later: what processes found of them is in the cursor, as if one had read all."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Origin
from tests.agents.claude_code.transcript_builder import Transcript
from tests.agents.codex.rollout_builder import Rollout, encrypted, user_item
from tests.operations.dump import dump

SESSIONS = 5
ROUNDS = 260


def claude_code(home: Path) -> Path:
    """Write sessions that were compacted, and a file that says what they are called."""
    folder = home / "projects/-w"
    titles = []
    for number in range(SESSIONS):
        talk = Transcript(folder / f"s{number}.jsonl")
        for turn in range(ROUNDS):
            talk.ask(f"s{number} asks {turn}")
            talk.reply(f"s{number} says {turn}")
            if turn == ROUNDS // 2:
                talk.compact("what was said")
        talk.write()
        titles.append({"type": "summary", "summary": f"Talk {number}", "leafUuid": talk.records[-1]["uuid"]})
    talk = Transcript(folder / "titles.jsonl")
    talk.ask("hello")
    written = talk.write().read_text()
    talk.path.write_text("".join(json.dumps(one) + "\n" for one in titles) + written)
    return home


def codex(home: Path) -> Path:
    """Write threads that were compacted."""
    for number in range(SESSIONS):
        thread = f"00000000-0000-7000-8000-00000000000{number}"
        path = home / f"sessions/2026/05/28/rollout-2026-05-28T20-26-40-{thread}.jsonl"
        talk = Rollout(path, thread, began=1_780_000_000.0 + number).begin()
        for turn in range(ROUNDS):
            talk.ask(f"t{number} asks {turn}")
            talk.reply(f"t{number} says {turn}")
            if turn == ROUNDS // 2:
                talk.compact(replacement_history=[user_item("kept"), encrypted()])
        talk.write()
    return home


def cursor(database: Database) -> dict[str, Any]:
    with database.read() as db:
        return dict(db.scalars(select(Origin.cursor)).one() or {})


@pytest.mark.sqlite_only
@pytest.mark.parametrize("write", [claude_code, codex])
def test_titles_and_places_are_those_of_one_process(write, tmp_path):
    home = write(tmp_path / "home")
    found = []
    for jobs in (1, 2):
        with Database.open(str(tmp_path / f"{jobs}.db")) as database:
            import_path(database, home, ImportOptions(lambda: 1.79e9, jobs=jobs, least_rows=0))
            found.append((dump(database), cursor(database)))
    assert found[0] == found[1]
    assert json.dumps(found[1][1]).count('"restart": {') == SESSIONS
