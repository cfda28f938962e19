"""A file that cannot be read says nothing of the others: what is gone from those is gone in the store too."""

import os
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.registry import importer_of
from hermes_sessions.messages import MessageState
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.schema.models import Message, Session
from tests.agents.changed_home import NOW, bring
from tests.agents.workshop import WORKSHOPS

FILED: list[Any] = [one for one in WORKSHOPS if one.kind in ("claude-code", "codex", "pi", "gemini", "roo")]


def live(database):
    """Return the texts that are still there, by session."""
    with database.read() as db:
        names = {row.id: row.foreign_id for row in db.scalars(select(Session))}
        found: dict[str, list[str]] = {}
        for row in db.scalars(select(Message).order_by(Message.session_id, Message.position)):
            if row.origin_key is not None:
                found.setdefault(names[row.session_id], []).append(row.text)
        return found


class Locked:
    """Files that cannot be opened; their times are others, so that somebody wants to."""

    def __init__(self, monkeypatch):
        self.paths: set[Path] = set()
        opened = Path.open

        def refusing(path, *args, **options):
            if path in self.paths:
                raise PermissionError(13, "Permission denied")
            return opened(path, *args, **options)

        monkeypatch.setattr(Path, "open", refusing)

    def lock(self, path):
        os.utime(path, ns=(1, 1))
        self.paths.add(path)


@pytest.fixture
def locked(monkeypatch):
    return Locked(monkeypatch)


@pytest.fixture(params=FILED, ids=lambda one: one.kind)
def workshop(request):
    return request.param


def test_what_is_gone_from_a_file_is_gone_while_another_cannot_be_read(workshop, database, tmp_path, locked):
    path = workshop.make(tmp_path)
    bring(database, path)
    before = live(database)
    locked.lock(workshop.file(path, "b"))
    workshop.truncate(path, "a")
    report = bring(database, path)
    assert len(report.damage) == 1
    assert live(database) == {**before, "a": before["a"][:-1]}


def test_nothing_is_gone_from_a_file_in_which_something_is_refused(workshop, database, tmp_path, locked):
    path = workshop.make(tmp_path)
    bring(database, path)
    before = live(database)
    locked.lock(workshop.file(path, "b"))
    workshop.truncate(path, "a")
    workshop.spoil(path)
    bring(database, path)
    assert live(database)["a"][: len(before["a"])] == before["a"]


def test_without_a_cursor_one_file_that_cannot_be_read_keeps_all_rows(workshop, database, tmp_path, locked):
    path = workshop.make(tmp_path)
    bring(database, path)
    before = live(database)
    locked.lock(workshop.file(path, "b"))
    workshop.truncate(path, "a")
    import_path(database, path, ImportOptions(lambda: NOW, full=True))
    assert live(database) == before


def test_a_session_in_two_files_loses_nothing_while_one_of_them_cannot_be_read(home_of_two, database, locked):
    path, first, second = home_of_two
    bring(database, path)
    before = live(database)
    locked.lock(second)
    first.write_bytes(first.read_bytes().rpartition(b"\n{")[0] + b"\n")
    for _ in range(2):  # the second time the cursor was made without that file
        bring(database, path)
        os.utime(first, ns=(7, 7))
    assert {text for texts in live(database).values() for text in texts} >= {
        text for texts in before.values() for text in texts
    }


def test_a_full_run_without_one_file_of_a_session_loses_nothing_later(home_of_two, database, locked):
    path, first, second = home_of_two
    os.utime(second, (1_700_000_100, 1_700_000_100))
    bring(database, path)
    before = rows_of_a(database)
    times = second.stat()
    locked.lock(second)
    import_path(database, path, ImportOptions(lambda: NOW, full=True))
    os.utime(first, ns=(7, 7))
    bring(database, path)
    assert before <= rows_of_a(database)
    locked.paths.clear()
    os.utime(second, ns=(times.st_atime_ns, times.st_mtime_ns))
    bring(database, path)
    assert rows_of_a(database) == before


def rows_of_a(database):
    """Return the numbers of the rows of session `a` that were not taken back."""
    told = select(Message.id).join(Session, Session.id == Message.session_id)
    with database.read() as db:
        return set(db.scalars(told.where(Session.foreign_id == "a", Message.state == MessageState.LIVE)))


def test_a_full_run_keeps_what_was_known_of_a_file_that_cannot_be_read(workshop, tmp_path, locked):
    path = workshop.make(tmp_path)
    importer = importer_of(workshop.kind)
    assert importer is not None
    with importer.open(path, None, OpenOptions(now=NOW)) as source:
        before = source.cursor()
    locked.lock(workshop.file(path, "b"))
    with importer.open(path, before, OpenOptions(now=NOW, full=True)) as source:
        after = source.cursor()
    [name] = [one for one in before if (path / one) in locked.paths]
    assert after[name] == before[name]


@pytest.fixture
def home_of_two(tmp_path):
    """A home of Claude Code with two files of one name, in two projects."""
    [workshop] = [one for one in FILED if one.kind == "claude-code"]
    path = workshop.make(tmp_path)
    first = workshop.file(path, "a")
    second = first.parent.with_name("-home-u-other") / first.name
    second.parent.mkdir()
    written = (
        first.read_bytes()
        .replace(b'"uuid": "', b'"uuid": "o')
        .replace(b'"parentUuid": "', b'"parentUuid": "o')
    )
    second.write_bytes(written)
    os.utime(first, (1_700_000_000, 1_700_000_000))
    return path, first, second
