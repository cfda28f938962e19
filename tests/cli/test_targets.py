"""Where commands write files: every one of them, into devices and through links."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from tests.web import stories

pytestmark = pytest.mark.sqlite_only

WRITERS = {
    "html": ("export", "invoices", "-o"),
    "jsonl": ("export", "invoices", "--format", "jsonl", "-o"),
    "state.db": ("export", "--format", "hermes", "-o"),
    "report": ("audit", "invoices", "--html"),
    "markdown report": ("audit", "invoices", "--markdown"),
    "backup": ("db", "backup"),
}


@pytest.fixture
def written(db) -> None:
    stories.swallowed_reply(db)
    db.commit()


def run(runner: CliRunner, *words: str, code: int = 0):
    result = runner.invoke(main, words)
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("writer", WRITERS)
def test_every_command_writes_into_a_device(written, runner, tmp_path, writer):
    target = tmp_path / "null"
    try:
        os.mknod(target, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root may make devices")
    (tmp_path / "link").symlink_to("null")
    for path in (target, tmp_path / "link"):
        run(runner, *WRITERS[writer], str(path))
        assert stat.S_ISCHR(target.lstat().st_mode)
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("writer", WRITERS)
def test_every_command_writes_into_a_fifo(written, runner, tmp_path, writer):
    target = tmp_path / "fifo"
    os.mkfifo(target)
    with (tmp_path / "got").open("wb") as file, subprocess.Popen(["cat", target], stdout=file):
        run(runner, *WRITERS[writer], str(target))
    got = (tmp_path / "got").read_bytes()
    begins = {"state.db": b"SQLite format 3\0", "backup": b"SQLite format 3\0", "jsonl": b'{"format"'}
    assert got.startswith(begins.get(writer, b""))
    assert len(got) > 500
    assert stat.S_ISFIFO(target.lstat().st_mode)


@pytest.mark.parametrize("writer", WRITERS)
def test_every_command_refuses_a_folder_and_the_store(written, runner, store_url, tmp_path, writer):
    (tmp_path / "folder").mkdir()
    before = Path(store_url).read_bytes()
    force = ["--force"] if writer in ("html", "jsonl", "state.db") else []
    for target in ("folder", Path(store_url).name, f"{Path(store_url).name}-wal"):
        run(runner, *WRITERS[writer], str(Path(store_url).with_name(target)), *force, code=2)
    assert Path(store_url).read_bytes()[:16] == before[:16]


@pytest.mark.parametrize("writer", ["html", "jsonl", "state.db", "report"])
def test_a_link_leads_to_the_new_file(written, runner, tmp_path, writer):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "file").write_text("old")
    os.chmod(tmp_path / "far" / "file", 0o640)
    (tmp_path / "link").symlink_to("far/file")
    run(runner, *WRITERS[writer], str(tmp_path / "link"), *(["--force"] if writer != "report" else []))
    assert os.readlink(tmp_path / "link") == "far/file"
    assert (tmp_path / "far" / "file").stat().st_size > 500
    assert stat.S_IMODE((tmp_path / "far" / "file").stat().st_mode) == 0o640
    assert os.listdir(tmp_path / "far") == ["file"]


def test_a_backup_is_a_plain_file_that_opens(written, runner, tmp_path):
    run(runner, "db", "backup", str(tmp_path / "copy.db"))
    assert (tmp_path / "copy.db").read_bytes()[18:20] == b"\1\1"
    assert '"invoices' in run(runner, "list", "--json", "--db", str(tmp_path / "copy.db")).output


@pytest.mark.slow
def test_a_killed_export_is_swept_by_the_next(written, runner, store_url, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    os.mkfifo(tmp_path / "fifo")
    words = [sys.executable, "-m", "hermes_sessions", "export", "invoices", "--db", store_url, "-o"]
    held = subprocess.Popen([*words, str(tmp_path / "fifo")])
    while not list((tmp_path / "scratch").glob(".hermes-sessions-*.part")):
        assert held.poll() is None
    held.kill()
    held.wait()
    with subprocess.Popen(["cat", tmp_path / "fifo"], stdout=subprocess.DEVNULL):
        subprocess.run([*words, str(tmp_path / "fifo")], check=True)
    assert os.listdir(tmp_path / "scratch") == []


@pytest.mark.parametrize("writer", WRITERS)
def test_a_name_that_ends_in_a_slash_is_a_folder(written, runner, tmp_path, writer):
    (tmp_path / "kept").write_text("as it was")
    for name in ("new", "kept"):
        assert "names a folder" in run(runner, *WRITERS[writer], f"{tmp_path / name}/", code=2).output
    assert not (tmp_path / "new").exists()
    assert (tmp_path / "kept").read_text() == "as it was"


def test_two_reports_have_two_files(written, runner, tmp_path):
    (tmp_path / "link").symlink_to("report")
    paths = (str(tmp_path / "report"), str(tmp_path / "link"))
    told = run(runner, "audit", "invoices", "--html", paths[0], "--markdown", paths[1], code=2)
    assert "name the same file" in told.output
    assert not (tmp_path / "report").exists()
