"""`list`, `search` and `compactions` over several stores."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from tests.builders import NOON, a_compaction, a_conversation, a_message


@pytest.fixture
def stores(tmp_path: Path) -> list[str]:
    """The options that name two stores of two conversations each."""
    named = []
    for at, name in enumerate(("blue", "red")):
        path = str(tmp_path / f"{name}.db")
        with Database.open(path) as database, database.write() as db:
            for number in range(2):
                began = NOON + 100 * number + at
                talk = a_conversation(
                    db, id=f"talk-{number}", title=f"{name} talk {number}", started_at=began
                )
                session = db.get_one(Session, talk.tip_id)
                a_message(db, session, f"A needle in {name}.", created_at=began)
                a_compaction(db, session, realisation="in_place", finished_at=began)
        named += ["--db", path]
    return named


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == code, result.output
    return result.output


def document(*words: str) -> Any:
    return json.loads(run(*words, "--json"))


@pytest.mark.parametrize(("command", "key"), [("list", "conversations"), ("compactions", "compactions")])
def test_pages_of_several_stores_follow_one_another(stores: list[str], command: str, key: str) -> None:
    first = document(command, "--limit", "3", *stores)
    rest = document(command, "--limit", "3", "--before", first["next"], *stores)
    assert [one["store"] for one in [*first[key], *rest[key]]] == ["red", "blue", "red", "blue"]
    assert rest["next"] is None
    lines = run(command, "--limit", "3", *stores).splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["store", "red"]
    assert lines[-1] == f"More: --before {first['next']}"


def test_a_search_says_each_hits_store(stores: list[str]) -> None:
    assert [hit["store"] for hit in document("search", "needle", *stores)["hits"]] == [
        "red", "blue", "red", "blue",
    ]  # fmt: skip
    assert "blue: talk-1" in run("search", "needle", *stores)
    assert "blue: talk-1  (by its title)" in run("search", "blue", *stores)


def test_a_store_that_cannot_be_read_is_named_and_left_out(stores: list[str], tmp_path: Path) -> None:
    away = str(tmp_path / "away.db")
    told = run("list", *stores, "--db", away)
    assert "away is left out" in told
    assert "red talk 1" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["list", "--before", "x"], "cursor"),
        (["compactions", "talk-0"], "an id is of one store"),
        (["list", "--schemas", "team_%"], "is a file; --schemas is about a server"),
        (["list", "--db", "/nowhere/x.txt"], ""),
    ],
)
def test_what_several_stores_cannot_do_is_one_line(stores: list[str], words: list[str], said: str) -> None:
    told = run(*words, *stores, code=0 if not said else 2)
    assert said in told
    assert "Traceback" not in told


def test_a_store_that_is_named_twice_is_an_error(stores: list[str]) -> None:
    assert "is named twice" in run("list", *stores, *stores[:2], code=2)


def test_where_none_can_be_read_the_line_says_why(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("not a store")
    told = run("list", "--db", str(text), "--db", str(tmp_path), code=2)
    assert str(text) in told
    assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "words", [["show", "talk-0"], ["audit"], ["db", "check"], ["origins", "list"], ["demo"]]
)
def test_a_command_about_one_store_refuses_a_second(stores: list[str], words: list[str]) -> None:
    for told in (run(*words, *stores, code=2), run(*stores, *words, code=2)):
        assert "--db is given 2 times" in told
        assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize("name", ["it's; echo $(id) 100%", "tab\there  two", "\x1b[31mred\u202e"])
@pytest.mark.parametrize("words", [["list"], ["compactions"], ["search", "needle"]])
def test_the_line_to_the_next_page_can_be_copied_to_a_shell(
    stores: list[str], tmp_path: Path, name: str, words: list[str]
) -> None:
    odd = (tmp_path / "red.db").rename(tmp_path / f"{name}.db")
    named = [*stores[:2], "--db", str(odd)]
    seen: list[tuple[str, object]] = []
    more: list[str] = []
    for _ in range(4):
        found = document(*words, *named, "--limit", "1", *more)
        rows = found.get("hits") or found.get("compactions") or found["conversations"]
        seen += [(one["store"], one["id"]) for one in rows]
        last = run(*words, *named, "--limit", "1", *more).splitlines()[-1]
        if not last.startswith("More: "):
            break
        assert shlex.join(shlex.split(last)[1:]) == last.removeprefix("More: ")
        more = shlex.split(last)[1:]
    assert sorted(seen) == sorted(set(seen))
    assert {store for store, _ in seen} == {"blue", name}
    assert len(seen) == 4
