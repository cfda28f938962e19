"""The real agent's own commands on our plugin: installed from a repository, listed, enabled, removed."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hermes_sessions.integrations.hermes.config_file import read_config, select_engine
from hermes_sessions.integrations.hermes.plugin_folder import install, look_at, plugin_path
from hermes_sessions.integrations.hermes.status import engine_status
from tests.integrations.hermes.agent_environments import demanded_python

pytestmark = [pytest.mark.hermes_agent, pytest.mark.slow]


def repository(folder: Path) -> str:
    """Return the address of a git repository that holds the files of our plugin."""
    made = install(folder).path
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "The plugin"]):
        subprocess.run(["git", *words], cwd=made, check=True, capture_output=True)
    return f"file://{made}"


def hermes(home: Path, *words: str) -> str:
    """Run a command of the agent and return what it printed."""
    program = demanded_python("0.19.0").with_name("hermes")
    environment = {"HERMES_HOME": str(home), "HOME": str(home), "PATH": os.environ["PATH"], "COLUMNS": "200"}
    found = subprocess.run(
        [program, *words], capture_output=True, text=True, check=False, timeout=120, env=environment, cwd=home
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


SCAN = """
import json, sys
from pathlib import Path
from tools.skills_guard import scan_file

folder = Path(sys.argv[1])
files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
found = [one for path in files for one in scan_file(path, rel_path=str(path.relative_to(folder)))]
print(json.dumps({"files": len(files), "found": sorted({(one.severity, one.pattern_id) for one in found})}))
"""


def test_the_agents_scanner_finds_nothing_that_blocks(tmp_path: Path) -> None:
    """Newer builds scan a plugin when it is installed, with these patterns; what is critical is refused."""
    command = [str(demanded_python("0.19.0")), "-c", SCAN, str(install(tmp_path).path)]
    environment = {"HERMES_HOME": str(tmp_path), "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, env=environment)
    scanned = json.loads(told.stdout)
    assert scanned["files"] <= 400
    kinds = {severity for severity, _ in scanned["found"]}
    assert "critical" not in kinds
    assert kinds, "it finds words of commands in the rules of facts: nothing at all was not scanned"


def test_the_agent_installs_lists_and_removes_the_folder(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("no git, which the agent installs plugins with")
    source, home = tmp_path / "source", tmp_path / "home"
    source.mkdir()
    home.mkdir()
    address = repository(source)
    hermes(home, "plugins", "install", address, "--enable")
    assert read_config(home)["plugins"]["enabled"] == ["hermes-sessions"]
    state = look_at(home)
    assert (state.ours, state.current, state.complete) == (True, True, True)
    assert "hermes-sessions" in hermes(home, "plugins", "list")
    [reason] = engine_status(home, {}).reasons
    assert "context.engine is compressor" in reason
    select_engine(home)
    assert engine_status(home, {}).ours
    hermes(home, "plugins", "disable", "hermes-sessions")
    assert not engine_status(home, {}).ours
    hermes(home, "plugins", "remove", "hermes-sessions")
    assert not plugin_path(home).exists()
