"""Which agents are known, and whose files are at a path."""

import logging

import pytest

from hermes_sessions.agents.contract import Found
from hermes_sessions.agents.registry import (
    discover,
    discovery_folders,
    get_writer,
    importer_for,
    importer_of,
    importers,
    kind_today,
    restorers,
    writers,
)
from hermes_sessions.errors import ExportError, SourceError
from tests.agents.hermes.hermes_builder import session, state_db

AGENT = """
from hermes_sessions.agents.contract import Found

class Grammar:
    name = "notes"

class Notes:
    kind = "{kind}"
    grammar = Grammar
    def discover(self, home, env): return iter([Found(home / "a.notes", "notes")])
    def folders(self, home, env): return [home]
    def locate(self, path): return path if path.suffix == ".notes" else None
    def token(self, path): return ""
    def open(self, path, cursor, options): raise NotImplementedError
    def resume_command(self, session): return None
importer = Notes()
"""


OURS = [one.kind for one in importers()]


def kinds():
    return [one.kind for one in importers()]


def test_an_agent_of_another_package_is_known(installed, tmp_path):
    installed("agent_notes", AGENT)
    assert kinds() == [*OURS, "notes"]
    mine = tmp_path / "a.notes"
    mine.write_text("x")
    importer, located = importer_for(mine)
    assert (importer.kind, located) == ("notes", mine)


def test_every_agent_says_where_its_files_are(installed, tmp_path):
    installed("agent_notes", AGENT)
    (tmp_path / "lab").mkdir()
    path = state_db(tmp_path / "lab" / "state.db")
    env = {"HERMES_HOME": str(tmp_path / "lab")}
    found = discover(tmp_path, env)
    assert [one for one in found if one.path.is_relative_to(tmp_path)] == [
        Found(path, "lab"),
        Found(tmp_path / "a.notes", "notes"),
    ]
    assert {tmp_path, tmp_path / "lab", tmp_path / ".hermes"} <= {*discovery_folders(tmp_path, env)}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("raise RuntimeError('broken')", "", id="it does not load"),
        pytest.param("importer = object()", "", id="it is not an importer"),
        pytest.param(AGENT, "hermes", id="its kind is taken"),
        pytest.param(AGENT.replace("Grammar\n", "None\n"), "notes", id="it has no grammar"),
    ],
)
def test_an_agent_that_cannot_be_used_is_a_warning(installed, caplog, text, kind):
    installed("agent_broken", text, kind)
    with caplog.at_level(logging.WARNING):
        assert kinds() == OURS
    assert [record.getMessage().split(" (")[0].split(" is ")[0] for record in caplog.records] in (
        ["the agent agent_broken cannot be loaded"],
        ["the agent agent_broken"],
    )


WRITER = """
class Writer:
    kind, file_type, suffix = "{kind}", "a file of notes", ".notes"
    def write(self, path, rows): raise NotImplementedError
importer = Writer()
"""


def test_a_package_may_bring_a_writer(installed):
    installed("agent_notes", WRITER)
    assert [one.kind for one in writers()][-1] == "notes"
    assert get_writer("notes").suffix == ".notes"
    assert kinds() == OURS
    with pytest.raises(ExportError, match=r"'pdf' is not .* known: .*notes"):
        get_writer("pdf")


def test_our_own_export_is_found_as_the_agents_are(installed, tmp_path, caplog):
    installed("agent_notes", AGENT, "jsonl")
    path = tmp_path / "talk"
    path.write_text('{"format":"hermes_sessions.conversation","version":1}')
    (restorer,) = restorers()
    assert importer_for(path) == (restorer, path)
    assert (restorer.kind, kinds()) == ("jsonl", OURS)
    assert "'jsonl' is read already" in caplog.text


def test_a_kind_of_an_earlier_release_means_what_it_is_called_now():
    kinds = ("hermes_jsonl", "jsonl", "hermes", "local", "unheard")
    assert [kind_today(one) for one in kinds] == ["jsonl", "jsonl", "hermes", "local", "unheard"]


def test_a_kind_without_an_importer_has_none():
    assert importer_of("hermes") is not None
    assert importer_of("local") is None


def test_a_folder_and_its_file_are_the_same_database(tmp_path):
    path = state_db(tmp_path / "state.db", sessions=[session("a")])
    other = path.rename(tmp_path / "renamed.db")
    assert importer_for(other)[1] == other
    other.rename(path)
    assert importer_for(tmp_path)[1] == importer_for(path)[1] == path


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        pytest.param("gone", None, "no such file", id="nothing there"),
        pytest.param("empty", b"", "an empty file", id="empty"),
        pytest.param("notes.txt", b"hello", "a text file", id="text"),
        pytest.param(
            ".", None, f"nothing of a known agent in this folder ({', '.join(OURS)})", id="a folder"
        ),
    ],
)
def test_what_no_agent_wrote_is_refused_with_the_reason(tmp_path, name, content, reason):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SourceError) as refused:
        importer_for(path)
    assert str(refused.value).startswith(f"{path}: {reason}")
