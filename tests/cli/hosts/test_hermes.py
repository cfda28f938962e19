"""`hermes-sessions hermes`: install, status, uninstall."""

import json
from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize(
    "config", ["a: [", "- 1", "plugins: all", "plugins: {enabled: some}", "context: [1]"]
)
def test_nothing_is_installed_where_the_configuration_cannot_be_changed(
    tmp_path: Path, config: str, capsys: pytest.CaptureFixture[str]
) -> None:
    home_with(tmp_path, config)
    with pytest.raises(SystemExit) as ended:
        main(["hermes", "install", "--home", str(tmp_path), "--set-config"])
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "unicode string" not in told.err
    assert [one.name for one in tmp_path.iterdir()] == ["config.yaml"]
    assert (tmp_path / "config.yaml").read_text() == config


def test_status_names_a_home_that_is_not_there(tmp_path: Path) -> None:
    said = run("status", "--home", str(tmp_path / "nowhere"))
    assert f"{tmp_path / 'nowhere'}: is not a folder" in said.output
    assert said.return_value == 1


def test_a_plugin_name_that_no_path_can_hold_is_passed_over(tmp_path: Path) -> None:
    config = CHOSEN.replace("[hermes-sessions]", '["a\\0", hermes-sessions]')
    run("install", "--home", str(home_with(tmp_path, config)))
    assert run("status", "--home", str(tmp_path)).return_value == 0


def test_the_engine_that_was_there_is_named_and_comes_back(tmp_path: Path) -> None:
    before = "# mine\ncontext: {engine: lcm}  # the other one\n"
    said = run("install", "--home", str(home_with(tmp_path, before)), "--set-config").output
    assert "the engine was lcm; `uninstall --set-config` names it again" in said
    assert "the engine was" not in run("install", "--home", str(tmp_path), "--set-config").output
    run("uninstall", "--home", str(tmp_path), "--set-config")
    assert (tmp_path / "config.yaml").read_text() == before


def test_a_home_without_a_configuration_has_none_afterwards(tmp_path: Path) -> None:
    assert "made" in run("install", "--home", str(tmp_path), "--set-config").output
    assert run("status", "--home", str(tmp_path)).return_value == 0
    said = run("uninstall", "--home", str(tmp_path), "--set-config").output
    assert "taken away, it was made for our engine; as it was:" in said
    assert not (tmp_path / "config.yaml").exists()


def test_what_is_done_to_one_home_is_not_done_to_another(tmp_path: Path, monkeypatch: Any) -> None:
    homes = [tmp_path / "one", tmp_path / "two"]
    for home in homes:
        home.mkdir()
        home_with(home, CHOSEN)
    monkeypatch.setenv("HERMES_HOME", str(homes[0]))
    run("install", "--home", str(homes[1]))
    assert [one.name for one in homes[0].iterdir()] == ["config.yaml"]
    assert (run("status").return_value, run("status", "--home", str(homes[1])).return_value) == (1, 0)


def test_a_variable_that_stops_all_plugins_is_named(tmp_path: Path, monkeypatch: Any) -> None:
    run("install", "--home", str(home_with(tmp_path, CHOSEN)))
    monkeypatch.setenv("HERMES_SAFE_MODE", "1")
    said = run("status", "--home", str(tmp_path))
    assert "HERMES_SAFE_MODE is set: the agent loads no plugins" in said.output
    assert said.return_value == 1


@pytest.mark.parametrize("words", [["install"], ["install", "--set-config"], ["uninstall"], ["status"]])
@pytest.mark.parametrize(
    "odd", ["a file for plugins", "a folder for config.yaml", "no home", "may not be written"]
)
def test_a_home_that_cannot_be_used_is_one_line(
    tmp_path: Path, odd: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    if odd != "no home":
        home.mkdir()
    if odd == "a file for plugins":
        (home / "plugins").write_text("mine")
    elif odd == "a folder for config.yaml":
        (home / "config.yaml").mkdir()
    elif odd == "may not be written":
        home.chmod(0o500)
    with pytest.raises(SystemExit) as ended:
        main(["hermes", *words, "--home", str(home)])
    home.chmod(0o700) if home.exists() else None
    said = capsys.readouterr()
    assert ended.value.code in (0, 1, 2)
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()) == (1 if ended.value.code == 2 else 0)
    if odd == "a file for plugins":
        assert (home / "plugins").read_text() == "mine"
