"""`export` as a command."""

import json
import stat

import pytest
from click.testing import CliRunner
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.cli import main
from tests.builders import a_conversation, a_message
from tests.web import stories

KEY = "sk-ant-" + "api03-" + "A1b2" * 10


@pytest.fixture
def filled(db: OrmSession) -> None:
    stories.swallowed_reply(db)
    conversation = a_conversation(db, id="secret", title="Keys")
    a_message(db, stories.root_of(db, conversation), f"It is {KEY}.")
    db.commit()


def run(runner: CliRunner, *words: str, code: int = 0):
    result = runner.invoke(main, ["export", *words])
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("talk.html", "<!doctype html>"),
        ("talk.md", "# Move the invoices"),
        ("talk.markdown", "# Move the invoices"),
        ("talk.jsonl", '{"format":'),
    ],
)
def test_the_name_of_the_file_says_the_format(filled, runner, tmp_path, name, begins):
    path = tmp_path / name
    told = json.loads(run(runner, "invoices-after-2", "-o", str(path), "--json").stdout)
    assert path.read_text().startswith(begins)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (told["path"], told["bytes"]) == (str(path), path.stat().st_size)
    assert told["messages"] == 5


def test_a_file_whose_name_says_no_format_is_refused(filled, runner, tmp_path):
    path = tmp_path / "talk.pdf"
    assert ".pdf names no format: add --format" in run(runner, "secret", "-o", str(path), code=2).stderr
    assert not path.exists()
    run(runner, "secret", "-o", str(path), "--format", "markdown")
    assert path.read_text().startswith("# Keys")


def test_standard_output_gets_the_document_alone(filled, runner):
    result = run(runner, "secret", "--format", "markdown", "-o", "-")
    assert result.stdout.startswith("# Keys")
    assert "1 secrets masked" in result.stderr


def test_without_a_name_the_file_is_called_after_the_conversation(filled, runner, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(runner, "secret")
    assert (tmp_path / "secret.html").read_text().startswith("<!doctype html>")
    assert "is there already" in run(runner, "secret", code=2).stderr
    run(runner, "secret", "--force")


def test_secrets_are_masked_counted_and_told(filled, runner, tmp_path):
    path = tmp_path / "a.html"
    result = run(runner, "secret", "-o", str(path))
    assert KEY not in path.read_text()
    assert "1 secrets were masked" in result.stderr
    run(runner, "secret", "-o", str(path), "--no-mask", "--force")
    assert KEY in path.read_text()
    result = run(runner, "secret", "-o", str(tmp_path / "a.jsonl"))
    assert KEY in (tmp_path / "a.jsonl").read_text()
    assert "secrets are in it as they were" in result.stderr


def test_lines_are_imported_as_any_database_is(filled, runner, tmp_path):
    path = tmp_path / "a.jsonl"
    run(runner, "secret", "-o", str(path))
    store = str(tmp_path / "second.db")
    told = json.loads(runner.invoke(main, ["import", str(path), "--db", store, "--json"]).stdout)
    assert (told["messages"], told["unchanged"]) == (1, False)
    again = runner.invoke(main, ["import", str(path), "--db", store])
    assert again.exit_code == 0
    assert "nothing changed" in again.stdout


def test_a_state_db_is_written_and_imported(filled, runner, tmp_path):
    out = tmp_path / "out.db"
    told = json.loads(
        run(runner, "--format", "hermes", "--conversation", "invoices-after", str(out), "--json").stdout
    )
    assert (told["sessions"], told["messages"], told["schema_version"]) == (2, 5, 30)
    imported = runner.invoke(main, ["import", str(out), "--db", str(tmp_path / "second.db"), "--json"])
    assert json.loads(imported.stdout)["messages"] == 5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name the conversation"),
        (("nothing",), "no conversation or session has the id"),
        (("secret", "-o", "no/such/folder/a.html"), "cannot be written"),
        (("secret", "-o", "."), "is a folder"),
        (("secret", "--origin", "x"), "go with --format hermes"),
        (("--format", "hermes"), "name one file"),
        (("--format", "hermes", "-o", "-"), "name a file"),
        (("--format", "hermes", "out.db", "--mask"), "written as it was imported"),
        (("--format", "hermes", "out.db"), "--origin"),
        (("--format", "hermes", "out.db", "--origin", "x"), "no origin is called"),
        (("--format", "hermes", "out.db", "--origin", "x", "--conversation", "secret"), "name one of them"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_2(filled, runner, tmp_path, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    result = run(runner, *words, code=2)
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
