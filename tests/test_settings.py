"""What the environment decides."""

from pathlib import Path

import pytest

from hermes_sessions.settings import Settings


def test_the_default_store_is_in_the_users_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    database = Path(Settings.from_environ({}).database)
    assert database.is_relative_to(tmp_path)
    assert database.name == "store.db"


def test_variables_win() -> None:
    env = {"HERMES_SESSIONS_DB": "/x.db", "NO_COLOR": "1", "HERMES_SESSIONS_TOKEN": "t"}
    settings = Settings.from_environ(env)
    assert (settings.database, settings.plain, settings.token) == ("/x.db", True, "t")


def test_agents_are_given_the_home_and_the_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    env = {"SOME_AGENT_HOME": "/of/the/agent"}
    settings = Settings.from_environ(env)
    assert (settings.home, settings.variables) == (tmp_path, env)


def test_what_is_secret_is_not_printed() -> None:
    names = ("HERMES_SESSIONS_API_KEY", "HERMES_SESSIONS_TOKEN", "SOMEBODY_ELSES_KEY")
    assert "secret" not in repr(Settings.from_environ(dict.fromkeys(names, "secret")))


@pytest.mark.parametrize(("env", "plain"), [({}, False), ({"NO_COLOR": ""}, False), ({"TERM": "dumb"}, True)])
def test_colours(env: dict[str, str], plain: bool) -> None:
    assert Settings.from_environ(env).plain is plain
