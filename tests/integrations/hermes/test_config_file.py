"""The agent's configuration keeps its comments, and a copy of what it was."""

from pathlib import Path

import pytest

from hermes_sessions.integrations.hermes.config_file import (
    AgentConfigError,
    deselect_engine,
    read_config,
    select_engine,
)

BEFORE = """\
# my settings
model:
  default: "some/model"  # the good one
  context_length: 131072
plugins:
  # keep these
  enabled:
  - other
  disabled: [hermes-sessions]
terminal: {cwd: /srv}
"""


def written(home: Path, text: str = BEFORE) -> Path:
    path = home / "config.yaml"
    path.write_text(text)
    path.chmod(0o640)
    return path


def test_comments_quotes_and_mode_stay(tmp_path: Path) -> None:
    path = written(tmp_path)
    select_engine(tmp_path)
    text = path.read_text()
    for line in (
        "# my settings",
        'default: "some/model"  # the good one',
        "# keep these",
        "terminal: {cwd: /srv}",
    ):
        assert line in text
    assert path.stat().st_mode & 0o777 == 0o640
    assert read_config(tmp_path)["plugins"] == {"enabled": ["other", "hermes-sessions"], "disabled": []}
    assert read_config(tmp_path)["context"] == {"engine": "hermes-sessions"}


def test_the_file_as_it_was_is_kept(tmp_path: Path) -> None:
    written(tmp_path)
    copy = select_engine(tmp_path)
    assert copy is not None
    assert copy.read_text() == BEFORE


def test_nothing_to_change_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path)
    select_engine(tmp_path)
    text, names = path.read_text(), sorted(tmp_path.iterdir())
    assert select_engine(tmp_path) is None
    assert (path.read_text(), sorted(tmp_path.iterdir())) == (text, names)


def test_what_was_set_is_taken_back(tmp_path: Path) -> None:
    written(tmp_path)
    select_engine(tmp_path)
    deselect_engine(tmp_path)
    found = read_config(tmp_path)
    assert found["plugins"]["enabled"] == ["other"]
    assert found["context"]["engine"] == "compressor"


def test_a_home_without_a_configuration_gets_one(tmp_path: Path) -> None:
    select_engine(tmp_path)
    assert read_config(tmp_path) == {
        "plugins": {"enabled": ["hermes-sessions"]},
        "context": {"engine": "hermes-sessions"},
    }
    assert (tmp_path / "config.yaml").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("a: [", "is not YAML", id="torn"),
        pytest.param("- 1\n", "holds no settings", id="a list"),
        pytest.param("plugins: all\n", "plugins: is not a section", id="no section"),
        pytest.param("plugins: {enabled: some}\n", "plugins.enabled: is not a list", id="no list"),
        pytest.param("a: &x {b: 1}\na: *y\n", "is not YAML", id="no such anchor"),
    ],
)
def test_what_cannot_be_changed_is_left(tmp_path: Path, text: str, error: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(AgentConfigError, match=error):
        select_engine(tmp_path)
    assert path.read_text() == text
    assert [one.name for one in tmp_path.iterdir()] == ["config.yaml"]
