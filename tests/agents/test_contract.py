"""What every importer promises (`agents/contract.py`), tried with files of its agent."""

import hashlib
import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select

from hermes_sessions.agents.contract import Importer, OpenOptions
from hermes_sessions.agents.registry import discover, importer_for, importer_of, importers
from hermes_sessions.errors import SourceError
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Message, Origin, Session
from tests.agents.installing import JOTTER
from tests.agents.workshop import TOLD, WORKSHOPS, Workshop
from tests.operations.dump import dump

NOW = 1_790_000_000.0


class Bench:
    """One agent's files, its importer, and the store they go into."""

    def __init__(self, workshop: Workshop, importer: Importer, home: Path, database: Database) -> None:
        self.workshop = workshop
        self.importer = importer
        self.home = home
        self.database = database
        self.path = workshop.make(home)

    def bring(self, path: Path | None = None, **options):
        """Import; afterwards the store agrees with itself."""
        report = import_path(self.database, path or self.path, ImportOptions(lambda: NOW, **options))
        with self.database.read() as db:
            assert check_store(db) == []
        return report

    def token(self) -> str:
        return self.importer.token(self.path)

    def live(self) -> dict[str, list[str]]:
        """Return what the store holds as still being at the origin, by session."""
        stmt = (
            select(Session.foreign_id, Message.text)
            .join(Message, Message.session_id == Session.id)
            .where(Session.gone_at.is_(None), Message.origin_row_id.is_not(None))
            .order_by(Session.id, Message.position)
        )
        found: dict[str, list[str]] = {}
        with self.database.read() as db:
            for one, text in db.execute(stmt):
                found.setdefault(one, []).append(str(text))
        return found

    def everything(self) -> dict[str, tuple[str, int]]:
        """Return a digest and the time of every file below the home, by name."""
        return {
            str(path.relative_to(self.home)): (
                hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns,
            )
            for path in sorted(self.home.rglob("*"))
            if path.is_file()
        }  # fmt: skip


@pytest.fixture(params=WORKSHOPS, ids=lambda one: one.kind)
def workshop(request, registered):
    registered("jotter", JOTTER)
    return request.param


@pytest.fixture
def bench(workshop, tmp_path, database):
    importer = importer_of(workshop.kind)
    assert importer is not None
    return Bench(workshop, importer, tmp_path / "users home", database)


def test_every_importer_is_tried_here(registered):
    registered("jotter", JOTTER)
    assert {one.kind for one in importers()} == {one.kind for one in WORKSHOPS}


# -- finding ---------------------------------------------------------------------------------------


@pytest.mark.sqlite_only
def test_what_is_in_the_usual_place_is_found(bench):
    [found] = bench.importer.discover(bench.home, {})
    assert (found.path, found.label) == (bench.path, bench.workshop.kind)
    assert found in discover(bench.home, {})
    [moved] = bench.importer.discover(bench.home / "nobody", bench.workshop.env(bench.path))
    assert moved.path == bench.path


@pytest.mark.sqlite_only
def test_discovery_looks_at_names_alone(bench):
    before = list(bench.importer.discover(bench.home, {}))
    for file in bench.everything():
        (bench.home / file).write_bytes(b"\x00 nothing that anybody wrote \xff")
    assert list(bench.importer.discover(bench.home, {})) == before


@pytest.mark.sqlite_only
def test_further_ones_would_appear_in_the_folders(bench):
    folders = {Path(folder) for folder in bench.importer.folders(bench.home, {})}
    assert folders & {bench.path, *bench.path.parents}
    elsewhere = bench.importer.folders(bench.home / "nobody", bench.workshop.env(bench.path))
    assert {Path(folder) for folder in elsewhere} & {bench.path, *bench.path.parents}


@pytest.mark.sqlite_only
def test_a_path_is_known_by_content_not_by_name(bench, tmp_path):
    assert importer_for(bench.path) == (bench.importer, bench.path)
    other = bench.path.rename(bench.path.with_name("other name"))
    assert importer_for(other) == (bench.importer, other)
    (tmp_path / "notes.txt").write_text("what somebody wrote")
    (tmp_path / "empty").mkdir()
    for stranger in ("notes.txt", "empty", "missing"):
        assert bench.importer.locate(tmp_path / stranger) is None


# -- reading ---------------------------------------------------------------------------------------


def test_what_the_files_say_is_in_the_store(bench):
    report = bench.bring()
    assert bench.live() == bench.workshop.texts(bench.path) == TOLD
    assert (report.sessions, report.messages, report.rejected) == (3, 8, ())
    with bench.database.read() as db:
        links = db.execute(select(Session.foreign_id, Session.parent_session_id)).all()
    hangs = "a" if getattr(bench.workshop, "tells_parents", True) else None
    assert {one.foreign_id: one.parent_session_id for one in links} == {"a": None, "b": None, "c": hangs}


@pytest.mark.parametrize("options", [{}, {"full": True}], ids=["again", "in full"])
def test_a_second_import_changes_nothing(bench, options):
    first = bench.bring()
    before = dump(bench.database)
    second = bench.bring(**options)
    assert second.unchanged or options  # in full, everything counts as looked at
    assert (second.sessions, second.messages) == (first.sessions, first.messages)
    assert dump(bench.database) == before


def test_rows_in_are_rows_stored_and_rows_named(bench):
    spoiled = bench.workshop.spoil(bench.path)
    report = bench.bring()
    assert (report.messages, len(report.rejected)) == (8, spoiled)
    assert all(one["id"] and one["reason"] for one in report.rejected)


KILLED = """
import os, sys
from pathlib import Path
from hermes_sessions.operations.imports import import_origin as imports, import_run
from hermes_sessions.store.opening.database import Database
def progress(step, done, total):
    if done:
        os.kill(os.getpid(), 9)
import_run.BATCH_ROWS = 1
options = imports.ImportOptions(lambda: 1.79e9, progress=progress)
imports.import_path(Database.open(sys.argv[1]), Path(sys.argv[2]), options)
"""


@pytest.mark.slow
def test_a_killed_import_is_resumed(bench, store_url, tmp_path, site):
    done = subprocess.run([sys.executable, "-c", KILLED, store_url, str(bench.path)], env=site, check=False)
    assert done.returncode == -signal.SIGKILL
    with bench.database.read() as db:
        begun = len(db.scalars(select(Message.id)).all())
    assert 0 < begun < 8
    bench.bring()
    with Database.open(str(tmp_path / "at once.db")) as other:
        import_path(other, bench.path, ImportOptions(lambda: NOW))
        assert dump(bench.database)["messages"] == dump(other)["messages"]


@pytest.mark.sqlite_only
def test_foreign_files_and_names_are_left_as_they_are(bench):
    before = bench.everything()
    bench.bring()
    bench.bring(full=True)
    assert bench.everything() == before


@pytest.mark.sqlite_only
def test_what_the_agent_has_open_is_read_and_left(bench):
    with bench.workshop.holding(bench.path):
        before = bench.everything()
        bench.bring()
        after = bench.everything()
    shared = {name for name in before if name.endswith("-shm")}  # its locks are SQLite's way to share
    assert {name: after[name] for name in after.keys() - shared} == {
        name: before[name] for name in before.keys() - shared
    }
    assert after.keys() == before.keys()
    assert bench.live()["b"][-1] == "late"


@pytest.mark.sqlite_only
def test_a_path_that_is_gone_is_an_error_that_names_it(bench):
    bench.workshop.move(bench.path, bench.home / "away")
    with pytest.raises(SourceError, match=str(bench.path)):
        bench.token()
    with pytest.raises(SourceError, match=str(bench.path)):
        bench.bring()


# -- change ----------------------------------------------------------------------------------------

CHANGES = {
    "append": lambda shop, path: shop.append(path, "b", "one more", "and more"),
    "rewrite": lambda shop, path: shop.rewrite(path, "b", 1, "said otherwise"),
    "truncate": lambda shop, path: shop.truncate(path, "a"),
    "delete": lambda shop, path: shop.delete(path, "b"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_at_the_origin_arrives(bench, change):
    bench.bring()
    CHANGES[change](bench.workshop, bench.path)
    report = bench.bring()
    assert not report.unchanged
    assert bench.live() == bench.workshop.texts(bench.path)
    assert bench.bring().unchanged


def test_what_the_agent_deleted_stays_here(bench):
    bench.bring()
    bench.workshop.delete(bench.path, "b")
    bench.bring()
    with bench.database.read() as db:
        gone = db.scalars(select(Session).where(Session.gone_at.is_not(None))).one()
        texts = db.scalars(select(Message.text).where(Message.session_id == gone.id)).all()
    assert (gone.foreign_id, sorted(texts)) == ("b", ["hello", "hi"])


def test_moved_it_is_the_same_origin(bench):
    bench.bring()
    before = dump(bench.database)
    moved = bench.workshop.move(bench.path, bench.home / "elsewhere")
    bench.bring(moved)
    assert dump(bench.database) == before
    with bench.database.read() as db:
        assert [one.location for one in db.scalars(select(Origin))] == [str(moved)]


@pytest.mark.sqlite_only
@pytest.mark.parametrize("change", CHANGES)
def test_the_token_changes_with_anything_below(bench, change):
    before = bench.token()
    assert bench.token() == before
    CHANGES[change](bench.workshop, bench.path)
    assert bench.token() != before


@pytest.mark.sqlite_only
def test_a_source_says_where_the_next_run_goes_on_in_json(bench):
    options = OpenOptions(now=NOW)
    with bench.importer.open(bench.path, None, options) as source:
        marks = {one: entry.mark for one, entry in source.entries.items()}
        cursor = source.cursor()
    assert json.loads(json.dumps(cursor)) == cursor
    with bench.importer.open(bench.path, cursor, options) as source:
        assert {one: entry.mark for one, entry in source.entries.items()} == marks
        assert sorted(one for ids in source.families() for one in ids) == sorted(source.entries)


@pytest.mark.sqlite_only
def test_a_session_continues_in_its_agent_by_a_command_of_the_shell(bench):
    for one in ("a", "it's; rm -rf ~", "-x", "$(id)"):
        command = bench.importer.resume_command(one)
        assert command is None or one in shlex.split(command)
