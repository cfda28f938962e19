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
    env = {"HERMES_SESSIONS_DB": "/x.db", "HERMES_HOME": "/h", "NO_COLOR": "1", "HERMES_SESSIONS_TOKEN": "t"}
    settings = Settings.from_environ(env)
    assert (settings.database, settings.hermes_home, settings.plain, settings.token) == (
        "/x.db",
        Path("/h"),
        True,
        "t",
    )


@pytest.mark.parametrize(("env", "plain"), [({}, False), ({"NO_COLOR": ""}, False), ({"TERM": "dumb"}, True)])
def test_colours(env: dict[str, str], plain: bool) -> None:
    assert Settings.from_environ(env).plain is plain
