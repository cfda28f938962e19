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


OTHER = BEFORE + "context: {engine: lcm}  # another one\n"
WIDE = """\
plugins:

    # of two
    enabled:
      - other
      - more
context:
    engine: lcm
"""


WINDOWS = WIDE.replace("\n", "\r\n")
MIXED = BEFORE.replace("\n", "\r\n", 3)


@pytest.mark.parametrize(
    "text",
    [BEFORE, OTHER, WIDE, WINDOWS, MIXED, "", "\n# nothing but this\n", "\ufeffmodel: {default: x}\n"],
)
def test_what_nobody_changed_since_is_given_back_to_the_byte(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(text.encode())
    select_engine(tmp_path)
    assert path.read_bytes() != text.encode()
    deselect_engine(tmp_path)
    assert path.read_bytes() == text.encode()


def test_the_ends_of_lines_stay(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(WINDOWS.encode())
    select_engine(tmp_path)
    wanted = WINDOWS.replace("      - more\r\n", "      - more\r\n      - hermes-sessions\r\n")
    assert path.read_bytes() == wanted.replace("engine: lcm", "engine: hermes-sessions").encode()
    [copy] = tmp_path.glob("config.yaml.before-*")
    assert copy.read_bytes() == WINDOWS.encode()


def test_a_file_that_was_made_for_the_engine_is_taken_away_with_it(tmp_path: Path) -> None:
    select_engine(tmp_path)
    copy = deselect_engine(tmp_path)
    assert copy is not None
    assert [one.name for one in tmp_path.iterdir()] == [copy.name]


def test_what_was_changed_since_stays_and_the_other_engine_comes_back(tmp_path: Path) -> None:
    path = written(tmp_path, OTHER)
    select_engine(tmp_path)
    path.write_text(path.read_text().replace("terminal: {cwd: /srv}", "terminal: {cwd: /home}"))
    deselect_engine(tmp_path)
    found = read_config(tmp_path)
    assert (found["plugins"]["enabled"], found["context"]["engine"]) == (["other"], "lcm")
    assert found["terminal"] == {"cwd": "/home"}


def test_the_built_in_engine_is_named_where_no_copy_says_another(tmp_path: Path) -> None:
    written(tmp_path, "context: {engine: hermes-sessions}\nplugins: {enabled: [hermes-sessions, a]}\n")
    deselect_engine(tmp_path)
    assert read_config(tmp_path) == {"context": {"engine": "compressor"}, "plugins": {"enabled": ["a"]}}


def test_a_copy_is_never_written_over(tmp_path: Path) -> None:
    path = written(tmp_path, OTHER)
    for _ in range(6):
        select_engine(tmp_path)
        path.write_text(path.read_text() + "# changed\n")
        deselect_engine(tmp_path)
    copies = list(tmp_path.glob("config.yaml.before-*"))
    assert len(copies) == len({one.read_text() for one in copies}) == 12
    assert OTHER in [one.read_text() for one in copies]
    assert read_config(tmp_path)["context"]["engine"] == "lcm"


def test_a_copy_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    written(tmp_path, OTHER)
    select_engine(tmp_path)
    (tmp_path / "config.yaml.before-hermes-sessions-99991231T000000Z").write_text("a: [")
    deselect_engine(tmp_path)
    assert read_config(tmp_path)["context"]["engine"] == "lcm"


def test_the_indentation_of_the_file_stays(tmp_path: Path) -> None:
    path = written(tmp_path, WIDE)
    select_engine(tmp_path)
    wanted = WIDE.replace("      - more\n", "      - more\n      - hermes-sessions\n")
    assert path.read_text() == wanted.replace("engine: lcm", "engine: hermes-sessions")


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
