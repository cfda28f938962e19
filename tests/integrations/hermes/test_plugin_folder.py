"""The plugin's folder: what is in it, that it needs nothing else, and whose it is."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from hermes_sessions.integrations.hermes.copied_modules import copied_modules, package_name, third_party
from hermes_sessions.integrations.hermes.plugin.recall import RecallTools
from hermes_sessions.integrations.hermes.plugin.settings import EngineSettings
from hermes_sessions.integrations.hermes.plugin_folder import (
    PluginFolderError,
    install,
    look_at,
    plugin_path,
    uninstall,
)
from tests.integrations.hermes.talks import talk

_LEAVING = (ast.Return, ast.Break, ast.Continue)
BARRED = """
import abc, copy, importlib.abc, importlib.util, json, sys, types

class Barred(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        ours = root == "agent" or root.startswith("_hermes_sessions_")
        if root not in sys.stdlib_module_names and not ours:
            raise ImportError("barred: " + name)

sys.meta_path.insert(0, Barred())

class ContextEngine(abc.ABC):
    @property
    @abc.abstractmethod
    def name(self): ...
    @abc.abstractmethod
    def update_from_response(self, usage): ...
    @abc.abstractmethod
    def should_compress(self, prompt_tokens=None): ...
    @abc.abstractmethod
    def compress(self, messages, current_tokens=None): ...

for name in ("agent", "agent.context_engine"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["agent.context_engine"].ContextEngine = ContextEngine

folder, home = sys.argv[1:]
spec = importlib.util.spec_from_file_location(
    "plugin", folder + "/__init__.py", submodule_search_locations=[folder]
)
module = importlib.util.module_from_spec(spec)
sys.modules["plugin"] = module
spec.loader.exec_module(module)

class Context:
    hooks = []
    others = []
    def register_context_engine(self, engine):
        self.engine = engine
    def register_hook(self, name, call):
        self.hooks.append(name)
    def __getattr__(self, name):
        self.others.append(name)
        return lambda *given, **named: None

ctx = Context()
module.register(ctx)
engine = copy.deepcopy(ctx.engine)
engine.update_model("m", 12000)
engine.on_session_start("s", hermes_home=home)
messages = json.load(sys.stdin)
result = engine.compress(messages, current_tokens=20000)
foreign = sorted(name for name in sys.modules if name.startswith("hermes_sessions"))
found = {"engine": engine.name, "is": isinstance(engine, ContextEngine), "foreign": foreign}
found |= {"hooks": ctx.hooks, "others": ctx.others}
print(json.dumps({**found, "before": len(messages), "after": len(result)}))
"""


def run_alone(folder: Path, home: Path, messages: object, python: str = sys.executable) -> dict[str, object]:
    told = subprocess.run(
        [python, "-I", "-S", "-c", BARRED, str(folder), str(home)],
        input=json.dumps(messages), capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr[-2000:]
    found: dict[str, object] = json.loads(told.stdout)
    return found


def test_with_every_third_party_name_barred_it_loads_and_compacts(tmp_path: Path) -> None:
    state = install(tmp_path)
    found = run_alone(state.path, tmp_path, talk())
    assert found["engine"] == "hermes-sessions"
    assert found["is"] is True
    assert int(str(found["after"])) < int(str(found["before"]))
    assert found["foreign"] == []
    assert (tmp_path / "hermes-sessions" / "compactions.jsonl").exists()


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_python_of_the_agent_loads_it(tmp_path: Path, version: str) -> None:
    python = python_named(version)
    if python is None:
        pytest.skip(f"no python{version} on this machine")
    found = run_alone(install(tmp_path).path, tmp_path, talk(), python)
    assert int(str(found["after"])) < int(str(found["before"]))


def python_named(version: str) -> str | None:
    """Find an interpreter of that version that starts: on the path, or one of pyenv's."""
    kept = sorted(Path("~/.pyenv/versions").expanduser().glob(f"{version}.*/bin/python"))
    for found in (shutil.which(f"python{version}"), *map(str, kept)):
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    return None


def test_its_files_are_of_a_syntax_that_every_python_of_the_agent_takes(tmp_path: Path) -> None:
    """From 3.11 on; 3.14 warns of what leaves a `finally`."""
    for path in install(tmp_path).path.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 11))
        last = [one for node in ast.walk(tree) if isinstance(node, ast.Try) for one in node.finalbody]
        leaving = [one for node in last for one in ast.walk(node) if isinstance(one, _LEAVING)]
        assert leaving == [], path


def test_the_manifest_declares_what_is_registered_and_nothing_else(tmp_path: Path) -> None:
    """The catalogue of the agent refuses a plugin that registers what it does not declare."""
    folder = install(tmp_path).path
    found = run_alone(folder, tmp_path, talk())
    manifest = YAML(typ="safe").load((folder / "plugin.yaml").read_text("utf-8"))
    assert all(manifest[name] for name in ("name", "version", "description"))
    assert manifest["name"] == folder.name
    assert manifest["manifest_version"] == 1
    assert manifest["provides_hooks"] == found["hooks"] == ["post_compaction"]
    assert found["others"] == []
    assert not {"provides_tools", "provides_middleware", "requires_env", "hooks"} & set(manifest)


def test_the_readme_says_how_it_is_used_and_is_true(tmp_path: Path) -> None:
    """The catalogue shows it, and wants said what a plugin reads, writes, asks and starts."""
    folder = install(tmp_path).path
    text = (folder / "README.md").read_text("utf-8")
    [shown] = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    config = {"plugins": {"enabled": ["hermes-sessions"]}, "context": {"engine": "hermes-sessions"}}
    assert YAML(typ="safe").load(shown) == config
    assert {one["name"] for one in RecallTools.schemas()} <= set(re.findall(r"`(\w+)`", text))
    assert {"summarizer", "journal"} <= {one.name for one in fields(EngineSettings)}
    used = {name for path in folder.rglob("*.py") for name in imported(path)}
    assert not used & {"subprocess", "socket", "urllib.request", "http.client", "multiprocessing"}


def imported(path: Path) -> set[str]:
    """The modules that a file imports."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}


def test_nothing_but_the_standard_library_is_needed() -> None:
    """tiktoken is asked for where it is, and only with a vocabulary, which is not copied."""
    assert third_party(copied_modules()) - set(sys.stdlib_module_names) == {"tiktoken"}


def test_the_copy_reaches_no_store_and_no_agent_files() -> None:
    rooms = {path.partition("/")[0] for path in copied_modules()}
    assert not rooms & {"store", "agents", "operations", "web", "cli", "audit"}


def test_the_name_of_the_copy_changes_with_its_text() -> None:
    sources = dict(copied_modules())
    name = package_name(sources)
    sources["errors.py"] += "\n"
    assert package_name(sources) != name


def test_a_second_install_replaces_the_first(tmp_path: Path) -> None:
    folder = install(tmp_path).path
    (folder / "__init__.py").write_text("spoiled")
    (folder / "left_over.py").write_text("")
    assert not look_at(tmp_path).complete
    state = install(tmp_path)
    assert (state.ours, state.current, state.complete) == (True, True, True)
    assert not (folder / "left_over.py").exists()
    assert [one.name for one in tmp_path.iterdir()] == ["plugins"]


def test_a_plugin_of_another_release_is_told_apart(tmp_path: Path) -> None:
    record = install(tmp_path).path / "installed.json"
    record.write_text(record.read_text().replace('"version": "', '"version": "0.0.', 1))
    state = look_at(tmp_path)
    assert (state.ours, state.current, state.version[:4]) == (True, False, "0.0.")


@pytest.mark.parametrize("name", ["a\0", "/dev/zero", "../..", "../outside", ""])
def test_a_record_that_names_what_is_no_file_of_the_folder_is_damage(tmp_path: Path, name: str) -> None:
    path = install(tmp_path).path / "installed.json"
    (path.parent.parent / "outside").write_text("")
    record = json.loads(path.read_text())
    record["files"][name] = sha256(b"").hexdigest()
    path.write_text(json.dumps(record))
    state = look_at(tmp_path)
    assert (state.ours, state.complete) == (True, False)
    assert install(tmp_path).complete


def test_an_interrupt_between_the_renames_keeps_the_old_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path)
    rename = Path.rename

    def interrupted(self: Path, target: Path) -> Path:
        if self.name == "made":
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        install(tmp_path)
    assert look_at(tmp_path).complete
    assert [one.name for one in (tmp_path / "plugins").iterdir()] == ["hermes-sessions"]


def test_only_what_an_old_install_left_is_removed(tmp_path: Path) -> None:
    names = [".hermes-sessions-plugin-1", "plugins/.hermes-sessions-plugin-2"]
    for name in names:
        (tmp_path / name).mkdir(parents=True)
    install(tmp_path)
    assert all((tmp_path / name).exists() for name in names)
    for name in names:
        os.utime(tmp_path / name, (1, 1))
    install(tmp_path)
    assert not any((tmp_path / name).exists() for name in names)


def test_a_folder_that_is_not_ours_is_left(tmp_path: Path) -> None:
    theirs = plugin_path(tmp_path)
    theirs.mkdir(parents=True)
    (theirs / "plugin.yaml").write_text("name: hermes-sessions\n")
    for change in (install, uninstall):
        with pytest.raises(PluginFolderError, match="was not made by hermes-sessions"):
            change(tmp_path)
    assert [one.name for one in theirs.iterdir()] == ["plugin.yaml"]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    made = install(elsewhere).path
    home = tmp_path / "home"
    (home / "plugins").mkdir(parents=True)
    plugin_path(home).symlink_to(made)
    with pytest.raises(PluginFolderError):
        uninstall(home)
    assert look_at(elsewhere).complete


def test_a_home_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PluginFolderError, match="is not a folder"):
        install(tmp_path / "nowhere")


def test_uninstall_leaves_the_journal(tmp_path: Path) -> None:
    install(tmp_path)
    journal = tmp_path / "hermes-sessions" / "compactions.jsonl"
    journal.parent.mkdir()
    journal.write_text("{}\n")
    assert uninstall(tmp_path)
    assert not uninstall(tmp_path)
    assert journal.exists()
    assert not plugin_path(tmp_path).exists()
