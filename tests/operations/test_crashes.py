"""Killed, cut off, on a full disk: a few tries of each; `python -m bench.crashes` makes hundreds."""

import subprocess
import sys

import pytest

from bench.crash_work import WORK, Scene, prepare
from bench.crashes import judge


@pytest.mark.slow
def test_nothing_is_lost_whatever_is_interrupted(pytestconfig):
    told = subprocess.run(
        [sys.executable, "-m", "bench.crashes", "--kills", "2", "--cuts", "3"],
        cwd=pytestconfig.rootpath,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    tries = {line[:26].strip(): line.split()[-6:] for line in told.stdout.splitlines()[1:]}
    assert WORK.keys() | {"store cut short", "read-only file system"} <= tries.keys()
    assert int(tries["all"][0]) > 30


@pytest.fixture
def scene(tmp_path):
    return Scene(prepare(tmp_path / "scene"))


def change(scene, statement):
    with scene.open() as database, database.write() as db:
        db.connection().exec_driver_sql(statement)


def test_the_judge_sees_a_lost_message(scene):
    before = scene.facts()
    change(scene, "UPDATE messages SET text = 'other' WHERE position = 3")
    assert judge(scene, before, before) == ("lost", "1 messages lost, 1 never said")


def test_the_judge_tells_mended_from_clean(scene):
    before = scene.facts()
    assert judge(scene, before, before) == ("clean", "")
    change(scene, "UPDATE sessions SET message_count = 1")
    assert judge(scene, before, before) == ("mended", "")
