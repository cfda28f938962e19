"""Searching on a terminal: lines, JSON, what cannot be answered."""

import json

import pytest
from click.testing import CliRunner
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.cli import main
from tests.builders import a_conversation, a_message
from tests.web.stories import root_of


@pytest.fixture
def store(db: OrmSession) -> None:
    root = root_of(db, a_conversation(db, id="fruit", title="About fruit"))
    a_message(db, root, "The apple\x1b[31m is ripe")
    a_message(db, root, "An apple was eaten", role="assistant", state="compacted")
    db.commit()


def test_hits_stand_under_their_conversation(store: None, runner: CliRunner) -> None:
    lines = invoke(runner, "apple").splitlines()
    assert lines[1].startswith("About fruit")
    assert "assistant [archived]" in lines[2]
    assert lines[3].strip() == "An [apple] was eaten"
    assert "\x1b[31m" not in "".join(lines)


def test_what_a_client_wrote_is_not_the_users(store: None, db: OrmSession, runner: CliRunner) -> None:
    root = root_of(db, a_conversation(db, id="tool", title="Tools"))
    a_message(db, root, "<local-command-stdout>a pear</local-command-stdout>")
    a_message(db, root, "<command-name>/pear</command-name>")
    a_message(db, root, "Which pear?")
    db.commit()
    found = [line.split()[2] for line in invoke(runner, "pear").splitlines() if "#" in line]
    assert sorted(found) == ["client", "command", "user"]
    hits = json.loads(invoke(runner, "pear", "--json"))["hits"]
    assert sorted(hit["kind"] for hit in hits) == ["client", "command", "message"]


def test_a_title_is_found(store: None, runner: CliRunner) -> None:
    assert "(by its title)" in invoke(runner, "about")


def test_titles_beyond_the_first_few_are_counted_and_listed(
    store: None, db: OrmSession, runner: CliRunner
) -> None:
    for at in range(8):
        a_conversation(db, id=f"t{at}", title=f"Déploy {at}")
    db.commit()
    beside = invoke(runner, "deploy")
    assert "2 others by title, folder or id: search 'in:title deploy'" in beside
    assert "--after" not in beside
    first = json.loads(invoke(runner, "in:title deploy", "--limit", "5", "--json"))
    assert (first["conversations_total"], first["conversations_query"]) == (8, None)
    rest = json.loads(invoke(runner, "in:title deploy", "--after", first["next"], "--json"))
    found = {one["id"] for one in (*first["conversations"], *rest["conversations"])}
    assert (found, rest["next"]) == ({f"t{at}" for at in range(8)}, None)


def test_json_has_the_marked_place_and_goes_on(store: None, runner: CliRunner) -> None:
    first = json.loads(invoke(runner, "apple", "--limit", "1", "--json"))
    assert first["hits"][0]["snippet"][1] == {"text": "apple", "marked": True}
    assert (first["complete"], first["hits"][0]["labels"]) == (True, ["archived"])
    second = json.loads(invoke(runner, "apple", "--after", first["next"], "--json"))
    assert [hit["role"] for hit in second["hits"]] == ["user"]
    assert second["next"] is None


def test_nothing_found_is_said(store: None, runner: CliRunner) -> None:
    assert invoke(runner, "pear").strip() == "Nothing found."


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["before:never"], "is not a date"),
        (["..."], "punctuation"),
        (["apple", "--after", "x"], "cursor"),
        (["apple in:nowhere"], "in: knows"),
        (["tool:"], "tool: needs a value, such as tool:terminal"),
    ],
)
def test_what_cannot_be_answered_is_one_line(
    store: None, runner: CliRunner, words: list[str], reason: str
) -> None:
    complaint = invoke(runner, *words, code=2)
    assert reason in complaint
    assert complaint.count("\n") == 1


def invoke(runner: CliRunner, *words: str, code: int = 0) -> str:
    result = runner.invoke(main, ["search", *words])
    assert result.exit_code == code, result.output
    return result.output
