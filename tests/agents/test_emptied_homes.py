"""Homes in which nothing is left, that are gone, or that lie side by side in one folder."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions.agents.registry import discover, importer_for
from hermes_sessions.errors import SourceError
from hermes_sessions.operations.imports.import_origin import ImportOptions
from hermes_sessions.operations.imports.sync import sync_origins
from hermes_sessions.store.schema.models import Message, Origin, Session
from tests.agents.changed_home import NOW, bring
from tests.agents.goose.session_builder import GooseInDatabase, GooseTalk
from tests.agents.workshop import TOLD, WORKSHOPS

FILED: list[Any] = [one for one in WORKSHOPS if one.kind in ("claude-code", "codex", "pi", "gemini", "roo")]


def sync(database):
    return sync_origins(database, ImportOptions(lambda: NOW))


def gone(database) -> dict[str, bool]:
    with database.read() as db:
        return {row.foreign_id: row.gone_at is not None for row in db.scalars(select(Session))}


@pytest.mark.parametrize("workshop", FILED, ids=lambda one: one.kind)
def test_of_a_home_that_was_emptied_all_is_marked_and_kept(workshop, database, tmp_path):
    path = workshop.make(tmp_path)
    bring(database, path)
    kept = shutil.copytree(path, tmp_path / "kept")
    with database.read() as db:
        before = len(db.scalars(select(Message)).all())
    for file in [one for one in Path(path).rglob("*") if one.is_file()]:
        file.unlink()
    [outcome] = sync(database)
    assert outcome.error is None
    assert gone(database) == dict.fromkeys(TOLD, True)
    with database.read() as db:
        assert len(db.scalars(select(Message)).all()) == before
    shutil.copytree(kept, path, dirs_exist_ok=True)
    [outcome] = sync(database)
    assert outcome.error is None
    assert gone(database) == dict.fromkeys(TOLD, False)


def test_an_empty_folder_that_never_was_a_home_is_refused(database, tmp_path):
    with pytest.raises(SourceError, match="nothing of a known agent"):
        bring(database, tmp_path)


@pytest.mark.parametrize(
    "place", [".claude/projects", ".codex/sessions", ".pi/agent/sessions", ".gemini/tmp/app/chats"]
)
def test_an_agents_own_folder_without_a_session_is_imported_and_says_so(database, tmp_path, place):
    (tmp_path / place).mkdir(parents=True)
    report = bring(database, tmp_path / place.split("/")[0])
    assert [one["reason"] for one in report.warnings] == ["there is none in this place yet"]


def test_what_is_found_and_was_never_used_is_no_origin(database, tmp_path):
    for place in (".claude/projects", ".codex/sessions", ".pi/agent/sessions"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / ".codex" / "config.toml").write_text("x")
    (tmp_path / ".local" / "share" / "goose" / "sessions").mkdir(parents=True)
    (tmp_path / ".local" / "share" / "goose" / "sessions" / "sessions.db").touch()
    found = discover(tmp_path, {})
    assert sync_origins(database, ImportOptions(lambda: NOW), found) == []
    (tmp_path / ".claude" / "projects" / "-w").mkdir()
    (tmp_path / ".claude" / "projects" / "-w" / "a.jsonl").write_text("{broken\n")
    [outcome] = sync_origins(database, ImportOptions(lambda: NOW), discover(tmp_path, {}))
    assert outcome.path == tmp_path / ".claude"


def test_a_folder_into_which_nobody_may_look_is_called_so(tmp_path, monkeypatch):
    closed = tmp_path / "home" / "closed"
    closed.mkdir(parents=True)
    opened = os.scandir

    def refusing(path):
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path)

    monkeypatch.setattr("os.scandir", refusing)
    with pytest.raises(SourceError, match="closed: no permission to read it"):
        importer_for(closed)
    with pytest.raises(SourceError, match=r"home: no permission to read .*/closed"):
        importer_for(closed.parent)


@pytest.mark.parametrize("workshop", FILED[:1], ids=lambda one: one.kind)
def test_a_home_that_vanished_is_an_error_that_is_noted(workshop, database, tmp_path):
    path = Path(workshop.make(tmp_path))
    bring(database, path)
    path.rename(tmp_path / "elsewhere")
    [outcome] = sync(database)
    with database.read() as db:
        [noted] = db.scalars(select(Origin.last_error))
    assert outcome.error == noted == f"{path}: no such file"
    assert gone(database) == dict.fromkeys(TOLD, False)
    (tmp_path / "elsewhere").rename(path)
    assert sync(database)[0].error is None


def test_a_folder_that_holds_homes_is_refused_by_their_names(tmp_path):
    made = [one.make(tmp_path) for one in FILED if one.kind in ("claude-code", "codex")]
    with pytest.raises(SourceError, match="holds the folders of agents; name one") as refused:
        importer_for(tmp_path)
    assert all(str(path) in str(refused.value) for path in made)
    assert [importer_for(path)[1] for path in made] == [Path(one).resolve() for one in made]


def test_the_root_of_the_file_system_is_refused_at_once():
    with pytest.raises(SourceError, match="root of the file system"):
        importer_for(Path("/"))


def test_a_message_of_goose_that_was_changed_in_its_place_is_read_again(database, tmp_path):
    shelf = GooseInDatabase(tmp_path / "sessions/sessions.db")
    talk = GooseTalk(shelf, "a")
    talk.ask("which port?")
    talk.reply("8080")
    talk.write()
    bring(database, tmp_path / "sessions")
    [(row, content), *_] = shelf.run("SELECT id, content_json FROM messages ORDER BY id LIMIT 1")
    changed = json.loads(content)
    changed[0]["text"] = "which host?"
    shelf.run("UPDATE messages SET content_json = ? WHERE id = ?", json.dumps(changed), row)
    shelf.run("UPDATE sessions SET updated_at = '2030-01-01 00:00:00'")
    bring(database, tmp_path / "sessions")
    with database.read() as db:
        assert db.scalars(select(Message.text).order_by(Message.position)).first() == "which host?"
