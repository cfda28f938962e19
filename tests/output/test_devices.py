"""Devices, FIFOs and sockets are written into and stay what they are; all are made by the test."""

import os
import socket
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_sessions.errors import ExportError, NotEnoughSpaceError
from hermes_sessions.output import whole_file

TEXT = "words " * 50_000
NULL, FULL = (1, 3), (1, 7)


def device(path: Path, numbers: tuple[int, int], kind: int = stat.S_IFCHR) -> Path:
    """Make a device of the test's own, for instance one like /dev/null."""
    try:
        os.mknod(path, kind | 0o600, os.makedev(*numbers))
        os.close(os.open(path, os.O_WRONLY)) if kind == stat.S_IFCHR else None
    except PermissionError:
        pytest.skip("only root may make devices, and not on this file system")
    return path


def put(target: Path, *, force: bool = False) -> None:
    with whole_file(target, force=force) as part:
        part.write_text(TEXT)


def replace_by_file(target: Path) -> None:
    target.unlink()
    target.write_text("somebody else's")


def read_beside(read: Callable[[], bytes], write: Callable[[], None]) -> bytes:
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(read()))
    reader.start()
    write()
    reader.join(10)
    return got[0]


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("linked", [False, True])
def test_a_device_stays_a_device(tmp_path, force, linked):
    null = device(tmp_path / "null", NULL)
    target = null
    if linked:
        target = tmp_path / "link"
        target.symlink_to("null")
    put(target, force=force)
    assert stat.S_ISCHR(null.stat().st_mode)
    assert null.stat().st_rdev == os.makedev(*NULL)
    assert sorted(os.listdir(tmp_path)) == sorted({"null", target.name})


@pytest.mark.parametrize("linked", [False, True])
def test_a_fifo_gets_all_of_it(tmp_path, linked):
    target = tmp_path / "fifo"
    os.mkfifo(target)
    if linked:
        (tmp_path / "link").symlink_to("fifo")
        target = tmp_path / "link"
    got = read_beside((tmp_path / "fifo").read_bytes, lambda: put(target))
    assert got.decode() == TEXT
    assert stat.S_ISFIFO((tmp_path / "fifo").lstat().st_mode)


def test_a_socket_gets_all_of_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("sock")
        listening.listen()

        def read() -> bytes:
            connection, _ = listening.accept()
            with connection, connection.makefile("rb") as stream:
                content = bytes(stream.read())
                return content

        assert read_beside(read, lambda: put(Path("sock"))).decode() == TEXT
    with pytest.raises(ExportError, match="sock: cannot be written: Connection refused"):
        put(Path("sock"))
    assert stat.S_ISSOCK(os.lstat("sock").st_mode)


def test_a_reader_that_leaves_is_one_line(tmp_path):
    target = tmp_path / "fifo"
    os.mkfifo(target)

    def read() -> bytes:
        with target.open("rb") as stream:
            return bytes(stream.read(10))

    with pytest.raises(ExportError, match="fifo: cannot be written: Broken pipe"):
        read_beside(read, lambda: put(target))


def test_a_device_that_is_full_names_itself(tmp_path):
    with pytest.raises(NotEnoughSpaceError, match="full: cannot be written: No space left on device"):
        put(device(tmp_path / "full", FULL))


def test_a_disk_is_never_written(tmp_path):
    disk = device(tmp_path / "disk", (250, 99), stat.S_IFBLK)
    with pytest.raises(ExportError, match="disk: is a disk"):
        put(disk, force=True)


def test_a_broken_export_writes_nothing_into_a_fifo(tmp_path):
    target = tmp_path / "fifo"
    os.mkfifo(target)
    reader = os.open(target, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(ValueError, match="null"), whole_file(target, force=False) as part:
        os.stat(f"{part.write_text('half')}\0")
    assert os.read(reader, 10) == b""
    os.close(reader)


def test_a_file_in_the_place_of_a_fifo_is_not_touched(tmp_path):
    target = tmp_path / "fifo"
    os.mkfifo(target)
    with pytest.raises(ExportError, match="something else took its place"), whole_file(target, force=True):
        replace_by_file(target)
    assert target.read_text() == "somebody else's"
