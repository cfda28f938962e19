"""The files for process managers say what the program understands."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from hermes_sessions import paths
from hermes_sessions.cli import main

FOLDER = paths.templates().parent / "docs" / "running"


def unit() -> str:
    return (FOLDER / "hermes-sessions.service").read_text("utf-8")


def containerfile() -> str:
    return (FOLDER / "Containerfile").read_text("utf-8")


def words() -> dict[str, list[str]]:
    """The command of each file, without the program's name."""
    started = re.search(r"^ExecStart=\S+ (.*)$", unit(), re.MULTILINE)
    contained = re.search(r"^CMD \[(.*)\]$", containerfile(), re.MULTILINE)
    assert started
    assert contained
    return {"unit": shlex.split(started[1]), "container": contained[1].replace('"', "").split(", ")}


@pytest.mark.parametrize("file", ["unit", "container"])
def test_their_options_are_known(file: str) -> None:
    command, *options = words()[file]
    told = CliRunner().invoke(main, [command, "--help"]).stdout
    assert command == "serve"
    for option in options:
        assert not option.startswith("--") or option in told


def test_the_container_is_pinned_and_has_no_rights() -> None:
    text = containerfile()
    assert re.search(r"^ARG BASE=\S+:\d+\.\d+\.\d+-\S+$", text, re.MULTILINE)
    assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${BASE}"}
    assert re.findall(r"^USER (.*)$", text, re.MULTILINE) == ["10001:10001"]
    assert "TOKEN=" not in text


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    copy = tmp_path / "hermes-sessions.service"
    copy.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", unit(), flags=re.MULTILINE))
    told = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(copy)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    complaints = [line for line in told.stderr.splitlines() if "hermes-sessions.service" in line]
    assert (told.returncode, complaints) == (0, [])
