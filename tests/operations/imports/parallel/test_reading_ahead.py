"""Families that other processes read: the same rows and the same notes, and no process is left."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.demo import write_demo_home
from hermes_sessions.errors import SourceError
from hermes_sessions.operations.imports import import_origin, import_run, merge_family
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.operations.imports.import_report import ImportReport
from hermes_sessions.operations.imports.parallel import pace, reading_ahead, reading_pool
from hermes_sessions.operations.imports.parallel.family_frames import SentFamily
from hermes_sessions.operations.imports.parallel.reading_pool import ReadingPool
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.searching.full_text import search
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.agents.workshop import WORKSHOPS
from tests.operations.dump import dump
from tests.waiting import until

NOW = 1_790_000_000.0


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[ReadingPool]:
    """The pools that imports start, as they are started."""
    started: list[ReadingPool] = []

    class Noted(ReadingPool):
        def __enter__(self) -> ReadingPool:
            started.append(self)
            return super().__enter__()

    monkeypatch.setattr(reading_ahead, "ReadingPool", Noted)
    return started


@pytest.fixture
def alone(tmp_path: Path):
    """A store into which one process imports."""
    with Database.open(str(tmp_path / "alone.db")) as database:
        yield database


def bring(database: Database, path: Path, jobs: int = 3, **options) -> ImportReport:
    with_processes = {"jobs": jobs, "least_rows": 0} if jobs > 1 else {}
    report = import_path(database, path, ImportOptions(lambda: NOW, **{**with_processes, **options}))
    with database.read() as db:
        assert check_store(db) == []
    return report


def told(report: ImportReport) -> tuple[Any, ...]:
    return (
        report.messages,
        report.copies,
        sorted(map(repr, report.rejected)),
        sorted(map(repr, report.warnings)),
    )


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_the_demo_home_gives_the_same_rows(database, alone, tmp_path, pools):
    home = write_demo_home(tmp_path / ".hermes", now=NOW)
    with_processes = bring(database, home / "state.db")
    assert told(with_processes) == told(bring(alone, home / "state.db", jobs=1))
    assert dump(database) == dump(alone)
    assert [len(pool.processes) for pool in pools] == [2]


@pytest.mark.parametrize("workshop", WORKSHOPS, ids=lambda one: one.kind)
def test_every_agents_files_give_the_same_rows_and_notes(workshop, database, alone, tmp_path, registered):
    from tests.agents.installing import JOTTER

    registered("jotter", JOTTER)
    path = workshop.make(tmp_path / "home")
    workshop.spoil(path)
    assert told(bring(database, path)) == told(bring(alone, path, jobs=1))
    workshop.append(path, "b", "more", "and more")
    assert told(bring(database, path)) == told(bring(alone, path, jobs=1))
    assert dump(database) == dump(alone)


@pytest.mark.sqlite_only
def test_a_live_database_is_read_by_processes_too(database, alone, tmp_path, pools):
    workshop = next(one for one in WORKSHOPS if one.kind == "hermes")
    path = workshop.make(tmp_path / "home")
    with workshop.holding(path):
        bring(database, path)
        bring(alone, path, jobs=1)
    assert dump(database) == dump(alone)
    assert pools


def many(path: Path, sessions: int, rows: int) -> Path:
    """Write a database whose sessions have *rows* rows each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = [f"s{number}" for number in range(sessions)]
    return state_db(
        path,
        sessions=[session(one, started_at=NOW + at) for at, one in enumerate(names)],
        messages=[
            row(one, "assistant" if at % 2 else "user", f"{one} says word{at}")
            for one in names
            for at in range(rows)
        ],
    )


def test_a_family_that_comes_in_pieces_is_the_same(database, alone, tmp_path):
    path = many(tmp_path / "agent/state.db", sessions=3, rows=4_500)
    bring(database, path, kept_rows=3_000)
    bring(alone, path, jobs=1, kept_rows=3_000)
    assert dump(database) == dump(alone)


def test_what_processes_prepare_is_found_by_search(database, tmp_path):
    bring(database, many(tmp_path / "agent/state.db", sessions=4, rows=600))
    with database.read() as db:
        assert len(search(db, "word17")) == 4
        assert len(search(db, "word17 role:assistant s2")) == 1


@pytest.mark.sqlite_only
def test_what_a_killed_process_had_to_read_is_read_here(database, alone, tmp_path, monkeypatch, caplog):
    path = many(tmp_path / "agent/state.db", sessions=9, rows=400)

    def started_and_killed(*args) -> ReadingPool:
        pool = ReadingPool(*args)
        os.kill(pool.processes[0].pid, signal.SIGKILL)
        return pool

    monkeypatch.setattr(reading_ahead, "ReadingPool", started_and_killed)
    bring(database, path)
    bring(alone, path, jobs=1)
    assert dump(database) == dump(alone)
    assert "going on without it" in caplog.text


@pytest.mark.sqlite_only
def test_a_family_whose_process_is_killed_is_finished(database, alone, tmp_path, pools, monkeypatch, caplog):
    path = many(tmp_path / "agent/state.db", sessions=4, rows=4_500)
    monkeypatch.setattr(reading_pool, "_WAITING_BYTES", 1)

    merge = merge_family.merge_family
    merged: list[str] = []

    def merge_after_a_kill(*args, **options) -> None:
        if merged and len(pools) == 1 and is_running(pools[0].processes[0].pid):
            os.kill(pools[0].processes[0].pid, signal.SIGKILL)  # it has begun with the second family
        merged.append("a family")
        merge(*args, **options)

    monkeypatch.setattr(import_run, "merge_family", merge_after_a_kill)
    bring(database, path, jobs=2, kept_rows=3_000)
    bring(alone, path, jobs=1)
    assert dump(database) == dump(alone)
    assert len(pools) == 2
    assert "going on without it" in caplog.text


def test_an_interrupted_import_leaves_no_process(database, tmp_path, pools):
    path = many(tmp_path / "agent/state.db", sessions=9, rows=400)

    def interrupt(step: str, done: int, total: int) -> None:
        if pools:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bring(database, path, progress=interrupt)
    assert len(pools[0].processes) == 2
    assert not any(is_running(one.pid) for one in pools[0].processes)


def test_a_small_import_starts_no_process(database, tmp_path, pools):
    path = many(tmp_path / "agent/state.db", sessions=9, rows=40)
    import_path(database, path, ImportOptions(lambda: NOW, jobs=4))
    assert pools == []


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[reading_pool.ReadingProcess]:
    """Every process that is started to read, where each file counts as large."""
    started: list[reading_pool.ReadingProcess] = []

    class Noted(reading_pool.ReadingProcess):
        def __init__(self) -> None:
            super().__init__()
            started.append(self)

    monkeypatch.setattr(reading_pool, "ReadingProcess", Noted)
    monkeypatch.setattr(import_origin, "_LARGE", 0)
    return started


def test_processes_start_while_a_large_file_is_opened(database, alone, tmp_path, processes, monkeypatch):
    path = many(tmp_path / "agent/state.db", sessions=9, rows=400)
    before = []
    begin = import_origin._begin

    def begin_after(*args):
        before.append(len(processes))
        return begin(*args)

    monkeypatch.setattr(import_origin, "_begin", begin_after)
    bring(database, path)
    assert (before, len(processes)) == ([2], 2)
    bring(database, path, full=True)  # known by now: it may be that nothing is to be read
    assert before == [2, 2]
    assert not any(is_running(one.pid) for one in processes)
    bring(alone, path, jobs=1)
    assert dump(database) == dump(alone)


@pytest.mark.sqlite_only
def test_processes_start_while_a_folder_that_is_large_as_a_whole_is_opened(
    database, tmp_path, processes, monkeypatch
):
    home = next(one for one in WORKSHOPS if one.kind == "codex").make(tmp_path / "home")
    sizes = [file.stat().st_size for file in home.rglob("*.jsonl")]
    monkeypatch.setattr(import_origin, "_LARGE", sum(sizes))
    before = []
    begin = import_origin._begin

    def begin_after(*args):
        before.append(len(processes))
        return begin(*args)

    monkeypatch.setattr(import_origin, "_begin", begin_after)
    bring(database, home)
    assert before[0] == 2
    assert max(sizes) < sum(sizes)


def test_no_process_is_left_where_a_large_file_is_refused(database, tmp_path, processes, monkeypatch):
    path = many(tmp_path / "agent/state.db", sessions=2, rows=40)

    def refuse(*args):
        raise SourceError("cannot be read")

    monkeypatch.setattr(import_origin, "_begin", refuse)
    with pytest.raises(SourceError, match="cannot be read"):
        bring(database, path)
    assert len(processes) == 2
    assert not any(is_running(one.pid) for one in processes)


SCRIPT = """
import sys
from pathlib import Path
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.operations.imports.parallel import pace, reading_ahead, reading_pool
from hermes_sessions.store.opening.database import Database
print("runs", flush=True)
class Noted(reading_ahead.ReadingPool):
    def __enter__(self):
        print(*[one.pid for one in self.processes], flush=True)
        return super().__enter__()
reading_ahead.ReadingPool = Noted
def progress(step, done, total):
    if done and sys.argv[3] == "wait":
        print("waits", flush=True)
        sys.stdin.read()
options = ImportOptions(lambda: 1.79e9, jobs=2, least_rows=0, progress=progress)
with Database.open(sys.argv[1]) as database:
    import_path(database, Path(sys.argv[2]), options)
"""


@pytest.fixture
def script(tmp_path: Path):
    """A script that imports, without a guard around what it does."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    source = many(tmp_path / "agent/state.db", sessions=9, rows=400)

    def start(what: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(path), str(tmp_path / "script.db"), str(source), what]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    return start


def test_the_script_that_imports_is_run_once(script):
    said, _ = script("go").communicate(timeout=60)
    assert said.splitlines().count("runs") == 1


def test_processes_end_with_the_one_that_was_killed(script):
    with script("wait") as running:
        assert running.stdout.readline() == "runs\n"
        pid = int(running.stdout.readline())
        assert running.stdout.readline() == "waits\n"
        assert is_running(pid)
        running.kill()
    until(lambda: not is_running(pid))


@pytest.mark.parametrize("rows", [1_500, 4_500], ids=["whole", "in pieces"])
def test_who_would_wait_reads_further_families_and_the_rows_are_the_same(
    rows, database, alone, tmp_path, monkeypatch
):
    path = many(tmp_path / "agent/state.db", sessions=9, rows=rows)
    here: list[str] = []
    read = CheckedSource.read

    def noted(source: CheckedSource, ids: Any) -> Any:
        here.extend(ids)
        return read(source, ids)

    monkeypatch.setattr(reading_pool.ReadingProcess, "has_said", property(lambda process: False))
    monkeypatch.setattr(pace.Pace, "is_reading_behind", lambda *args: True)
    monkeypatch.setattr(CheckedSource, "read", noted)
    bring(database, path, jobs=2)
    told_here = [one for one in here if one]
    bring(alone, path, jobs=1)
    assert dump(database) == dump(alone)
    assert 2 < len(told_here) < 9  # the first, and some instead of waiting; the process reads the others
    assert len(set(told_here)) == len(told_here)


@pytest.mark.sqlite_only
def test_who_would_wait_for_the_rest_of_a_family_reads_another(database, alone, tmp_path, monkeypatch):
    path = many(tmp_path / "agent/state.db", sessions=6, rows=4_500)
    took: list[str] = []
    answer, read = reading_pool.ReadingProcess.answer, CheckedSource.read

    def answered(process: reading_pool.ReadingProcess) -> Any:
        took.append(type(said := answer(process)).__name__)
        return said

    def noted(source: CheckedSource, ids: Any) -> Any:
        took.append("read here")
        return read(source, ids)

    monkeypatch.setattr(reading_pool.ReadingProcess, "answer", answered)
    monkeypatch.setattr(
        reading_pool.ReadingProcess, "has_said", property(lambda process: "SentFamily" not in took)
    )
    monkeypatch.setattr(pace.Pace, "is_reading_behind", lambda *args: True)
    monkeypatch.setattr(CheckedSource, "read", noted)
    bring(database, path, jobs=2)
    bring(alone, path, jobs=1)
    assert dump(database) == dump(alone)
    assert took[took.index("SentFamily") :][1] == "read here"


def test_a_single_family_is_stored_while_a_process_reads_it(database, alone, tmp_path, pools):
    path = many(tmp_path / "agent/state.db", sessions=1, rows=9_000)
    bring(database, path, jobs=2, kept_rows=3_000)
    bring(alone, path, jobs=1)
    assert dump(database) == dump(alone)
    assert len(pools) == 1


@pytest.mark.sqlite_only
@pytest.mark.parametrize("workshop", WORKSHOPS, ids=lambda one: one.kind)
def test_processes_read_every_agents_families(workshop, database, alone, tmp_path, monkeypatch):
    if workshop.kind == "jotter":
        pytest.skip("its importer has nothing for other processes")
    monkeypatch.setattr(reading_ahead, "_FIRST_ROWS", 0)  # none is read here while the process starts
    monkeypatch.setattr(reading_pool.ReadingProcess, "has_said", property(lambda process: True))
    answers: list[Any] = []
    answer = reading_pool.ReadingProcess.answer

    def noted(process: reading_pool.ReadingProcess) -> Any:
        answers.append(answer(process))
        return answers[-1]

    monkeypatch.setattr(reading_pool.ReadingProcess, "answer", noted)
    path = workshop.make(tmp_path / "home")
    bring(database, path, jobs=2)
    bring(alone, path, jobs=1)
    assert dump(database) == dump(alone)
    assert answers
    assert {type(one) for one in answers} == {SentFamily}
