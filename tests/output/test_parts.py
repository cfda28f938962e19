"""What killed writers leave is swept; what is in use, or not ours, is not."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_sessions.output import whole_file
from hermes_sessions.output.parts import sweep

WRITER = """
import sys, time
from pathlib import Path
from hermes_sessions.output import whole_file
with whole_file(Path(sys.argv[1]), force=False) as part:
    part.write_text("half")
    print(part, flush=True)
    time.sleep(60)
"""


def start_writer(target: Path) -> tuple[subprocess.Popen[str], Path]:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(target)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    return writer, Path(writer.stdout.readline().strip())


def stop(writer: subprocess.Popen[str]) -> None:
    writer.send_signal(signal.SIGKILL)
    writer.communicate()


def test_the_next_export_sweeps_what_a_killed_one_left(tmp_path):
    writer, part = start_writer(tmp_path / "a")
    stop(writer)
    assert part.read_text() == "half"
    with whole_file(tmp_path / "b", force=False) as other:
        other.write_text("whole")
    assert os.listdir(tmp_path) == ["b"]


def test_a_part_in_use_is_left_alone(tmp_path):
    writer, part = start_writer(tmp_path / "a")
    try:
        sweep(tmp_path)
        assert part.read_text() == "half"
    finally:
        stop(writer)
    with whole_file(tmp_path / "c", force=False) as mine:
        assert not part.exists()
        sweep(tmp_path)
        assert mine.exists()


def test_a_file_called_almost_like_ours_is_left_alone(tmp_path):
    writer, part = start_writer(tmp_path / "a")
    stop(writer)
    turned = f"{part.name[:-6]}{'0' if part.name[-6] != '0' else '1'}.part"
    names = {turned, ".talk.html-ab12cd34.part", f"{part.name}~", part.name[1:]}
    for name in names:
        (tmp_path / name).write_text("somebody else's")
    sweep(tmp_path)
    assert set(os.listdir(tmp_path)) == names


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_another_users_part_is_left_alone(tmp_path):
    writer, part = start_writer(tmp_path / "a")
    stop(writer)
    os.chown(part, 1234, 1234)
    sweep(tmp_path)
    assert part.exists()


@pytest.mark.parametrize("shape", ["link", "fifo", "folder"])
def test_what_is_no_file_is_left_alone(tmp_path, shape):
    writer, part = start_writer(tmp_path / "a")
    stop(writer)
    part.unlink()
    (tmp_path / "precious").write_text("mine")
    make = {"link": lambda path: path.symlink_to("precious"), "fifo": os.mkfifo, "folder": os.mkdir}
    make[shape](part)
    sweep(tmp_path)
    assert os.path.lexists(part)
    assert (tmp_path / "precious").read_text() == "mine"
