"""File names of any bytes, and errors of the system that name their file. Run as a user runs it."""

import os
import resource
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_sessions.demo import write_demo_home

CAFE = b"caf\xe9"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = write_demo_home(tmp_path / "agent", seed=7, now=1_760_000_000.0)
    try:
        os.mkdir(os.fsencode(tmp_path) + b"/" + CAFE)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    shutil.copy((home / "state.db") if home.is_dir() else home, tmp_path / os.fsdecode(CAFE) / "state.db")
    return tmp_path


def run(folder: Path, *words: str | bytes, code: int = 0, **options) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "hermes_sessions", *words]
    env = {**os.environ, "HERMES_SESSIONS_DB": str(folder / "store.db"), "HOME": str(folder)}
    done = subprocess.run(command, cwd=folder, env=env, stderr=subprocess.PIPE, check=False, **options)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr
    return done


def out(folder: Path, *words: str | bytes) -> bytes:
    return run(folder, *words, stdout=subprocess.PIPE).stdout


def test_a_source_of_any_name_is_imported_followed_and_moved(folder):
    assert b"conversations" in out(folder, "import", CAFE)
    assert b"nothing changed since" in out(folder, "sync")
    assert b'/caf\\udce9/state.db"' in out(folder, "origins", "list", "--json")
    os.rename(os.fsencode(folder) + b"/" + CAFE, os.fsencode(folder) + b"/th\xe9")
    out(folder, "origins", "move", "caf?", b"th\xe9")
    assert b"nothing changed since" in out(folder, "sync")


def test_a_store_of_any_name_is_made_read_moved_and_backed_up(folder):
    store, other = CAFE + b".store", CAFE + b".moved"
    out(folder, "import", CAFE, "--db", store)
    out(folder, "db", "move", "--db", store, "--to", other)
    out(folder, "db", "backup", "--db", other, CAFE + b".backup")
    address = f"sqlite://{folder}/caf%E9.backup".replace("sqlite:///", "sqlite:////")
    assert out(folder, "list", "--json", "--db", address) == out(folder, "list", "--json", "--db", store)
    assert CAFE + b".store" in os.listdir(os.fsencode(folder))


def test_an_argument_that_is_no_text_and_no_file_is_one_line(folder):
    out(folder, "import", "agent")
    done = run(folder, "origins", "rename", "agent", CAFE, code=2)
    assert done.stderr.count(b"\n") == 1
    assert b"not UTF-8" in done.stderr


def full(folder: Path) -> Path:
    """Make a device like /dev/full of the test's own."""
    try:
        os.mknod(folder / "full", stat.S_IFCHR | 0o600, os.makedev(1, 7))
        os.close(os.open(folder / "full", os.O_WRONLY))
    except PermissionError:
        pytest.skip("only root may make devices, and not on this file system")
    return folder / "full"


@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("--help",)])
def test_a_full_standard_output_is_named(folder, words):
    out(folder, "import", "agent")
    with full(folder).open("wb", buffering=0) as device:
        done = run(folder, *words, code=2, stdout=device)
    assert done.stderr == b"hermes-sessions: standard output: No space left on device\n"


def test_a_closed_standard_output_is_no_traceback(folder):
    out(folder, "import", "agent")
    run(folder, "list", preexec_fn=lambda: os.close(1))


def test_a_file_that_may_not_grow_is_named(folder):
    """Past the limit a write fails as on a disk that is full; 120 KB are enough for the store's memory."""
    out(folder, "import", "agent")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))

    for words in (("export", "--format", "hermes", "-o", "small"), ("db", "backup", "small")):
        assert b"small: " in run(folder, *words, code=2, preexec_fn=limit).stderr
    assert not list(folder.glob("small*")) + list(folder.glob(".hermes-sessions*"))


@pytest.mark.parametrize("shape", ["fifo", "device", "socket"])
def test_a_store_that_is_no_file_is_refused_at_once(folder, shape):
    name = "full" if shape == "device" else shape
    if shape == "device":
        full(folder)
    else:
        os.mknod(folder / name, (stat.S_IFIFO if shape == "fifo" else stat.S_IFSOCK) | 0o600)
    for words in (("list",), ("import", "agent"), ("db", "upgrade")):
        done = run(folder, *words, "--db", name, code=2, timeout=30)
        assert b"is a device or a pipe, not a store" in done.stderr
