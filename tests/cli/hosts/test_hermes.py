"""`hermes-sessions hermes`: install, status, uninstall."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hermes_sessions.cli import main

CHOSEN = "plugins: {enabled: [hermes-sessions]}\ncontext: {engine: hermes-sessions}\n"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["hermes", *words], standalone_mode=False)


def home_with(folder: Path, config: str) -> Path:
    (folder / "config.yaml").write_text(config)
    return folder


def test_install_with_config_makes_it_the_next_engine(tmp_path: Path) -> None:
    home_with(tmp_path, "# mine\nmodel: {context_length: 200000}\n")
    said = run("install", "--home", str(tmp_path), "--set-config").output
    assert "is installed" in said
    assert "uses the engine: hermes-sessions" in said
    assert (tmp_path / "config.yaml").read_text().startswith("# mine\n")
    assert len(list(tmp_path.glob("config.yaml.before-*"))) == 1
    assert run("status", "--home", str(tmp_path)).return_value == 0


def test_install_alone_leaves_the_configuration(tmp_path: Path) -> None:
    home_with(tmp_path, "model: {}\n")
    said = run("install", "--home", str(tmp_path)).output
    assert "plugins.enabled does not name hermes-sessions" in said
    assert "context.engine is compressor" in said
    assert (tmp_path / "config.yaml").read_text() == "model: {}\n"


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        pytest.param("context: {engine: hermes-sessions}", "plugins.enabled does not name"),
        pytest.param("plugins: {enabled: [hermes-sessions]}", "context.engine is compressor"),
        pytest.param(CHOSEN.replace("engine: hermes-sessions", "engine: lcm"), "context.engine is lcm"),
        pytest.param(CHOSEN + "compression: {enabled: false}", "compression.enabled is false"),
        pytest.param(CHOSEN + "model: {context_length: 32000}", "is 32000; the agent refuses"),
        pytest.param(
            CHOSEN.replace("]}", "], disabled: [hermes-sessions]}", 1),
            "plugins.disabled names",
            id="disabled",
        ),
    ],
)
def test_status_says_why_it_is_not_ours(tmp_path: Path, config: str, reason: str) -> None:
    run("install", "--home", str(home_with(tmp_path, config)))
    said = run("status", "--home", str(tmp_path))
    assert reason in said.output
    assert said.return_value == 1
    assert json.loads(run("status", "--home", str(tmp_path), "--json").output)["ours"] is False


def test_status_names_a_missing_folder_and_a_spoiled_one(tmp_path: Path) -> None:
    home_with(tmp_path, CHOSEN)
    assert "there is no plugin" in run("status", "--home", str(tmp_path)).output
    run("install", "--home", str(tmp_path))
    (tmp_path / "plugins" / "hermes-sessions" / "__init__.py").write_text("spoiled")
    assert "files are missing or changed" in run("status", "--home", str(tmp_path)).output


def test_status_names_what_hides_the_folder(tmp_path: Path) -> None:
    run("install", "--home", str(home_with(tmp_path, CHOSEN)))
    packages = tmp_path / "hermes-agent" / "venv" / "lib" / "python3.12" / "site-packages"
    info = packages / "hermes_sessions_plugin-1.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text("[hermes_agent.plugins]\nhermes-sessions = some.module\n")
    assert "hides the folder" in run("status", "--home", str(tmp_path)).output


def test_status_names_an_engine_that_comes_first(tmp_path: Path) -> None:
    config = CHOSEN.replace("[hermes-sessions]", "[a-engine, hermes-sessions]")
    run("install", "--home", str(home_with(tmp_path, config)))
    rival = tmp_path / "plugins" / "a-engine"
    rival.mkdir()
    (rival / "__init__.py").write_text("def register(ctx):\n    ctx.register_context_engine(None)\n")
    assert "comes first and offers an engine too" in run("status", "--home", str(tmp_path)).output


def test_settings_that_cannot_be_used_are_noted(tmp_path: Path) -> None:
    config = CHOSEN.replace("]}", "], entries: {hermes-sessions: {settings: {threshold: 9}}}}", 1)
    run("install", "--home", str(home_with(tmp_path, config)))
    assert "threshold: must be above 0 and below 1" in run("status", "--home", str(tmp_path)).output


def test_the_agents_variable_names_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_HOME", str(home_with(tmp_path, CHOSEN)))
    run("install")
    assert run("status").return_value == 0


def test_uninstall_takes_both_back(tmp_path: Path) -> None:
    run("install", "--home", str(home_with(tmp_path, "model: {}\n")), "--set-config")
    assert "removed" in run("uninstall", "--home", str(tmp_path), "--set-config").output
    said = run("status", "--home", str(tmp_path)).output
    assert "uses the engine: compressor" in said
    assert "there is no plugin" in said


def test_uninstall_says_that_the_configuration_still_names_the_engine(tmp_path: Path) -> None:
    run("install", "--home", str(home_with(tmp_path, CHOSEN)))
    assert "still names our engine" in run("uninstall", "--home", str(tmp_path)).output
    assert "still names" not in run("uninstall", "--home", str(tmp_path), "--set-config").output
    assert "still names" not in run("uninstall", "--home", str(tmp_path)).output


@pytest.mark.parametrize("config", ["a: [", "&x {a: *x}"])
def test_a_broken_configuration_is_one_line(tmp_path: Path, config: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["hermes", "status", "--home", str(home_with(tmp_path, config))])
    assert ended.value.code == 2


def test_a_plugin_name_that_no_path_can_hold_is_passed_over(tmp_path: Path) -> None:
    config = CHOSEN.replace("[hermes-sessions]", '["a\\0", hermes-sessions]')
    run("install", "--home", str(home_with(tmp_path, config)))
    assert run("status", "--home", str(tmp_path)).return_value == 0
