"""`demo --db`: the samples' store in a place that stays."""

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from hermes_sessions.store.opening.database import Database
from tests.builders import a_conversation
from tests.cli.test_browse import Served, get
from tests.web.html import read

pytestmark = pytest.mark.sqlite_only("about where the store's file is")


@pytest.mark.slow
def test_the_samples_stay_where_they_were_wanted(tmp_path: Path) -> None:
    place = tmp_path / "samples.db"
    served = Served(tmp_path, "--port", "0", "--db", str(place), command="demo")
    assert "this takes a few seconds" in served.line()
    assert "sample conversations" in served.line()
    listed = json.loads(get(served.line().split()[2] + "api/conversations"))["conversations"]
    assert served.end() == (0, "")
    assert not (tmp_path / "store.db").exists()
    runner = CliRunner()
    kept = json.loads(runner.invoke(main, ["list", "--db", str(place), "--json"]).stdout)["conversations"]
    assert [one["id"] for one in kept] == [one["id"] for one in listed]
    origins = json.loads(runner.invoke(main, ["origins", "list", "--db", str(place), "--json"]).stdout)
    assert all(one["paused"] for one in origins["origins"])


@pytest.mark.parametrize("words", [("demo", "--db"), ("--db",)])
def test_a_store_with_something_in_it_is_refused(
    runner: CliRunner, tmp_path: Path, words: tuple[str, ...]
) -> None:
    with Database.open(str(tmp_path / "mine.db")) as database, database.write() as db:
        a_conversation(db, id="mine")
    rest = ("demo",) if words == ("--db",) else ()
    result = runner.invoke(main, [*words, str(tmp_path / "mine.db"), *rest])
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert "mine.db holds something already" in result.stderr


def test_a_demo_that_could_not_be_served_leaves_the_place_free(runner: CliRunner, tmp_path: Path) -> None:
    place = str(tmp_path / "samples.db")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = runner.invoke(main, ["demo", "--db", place, "--port", str(taken.getsockname()[1])])
    assert result.exit_code == 2
    assert json.loads(runner.invoke(main, ["origins", "list", "--db", place, "--json"]).stdout) == {
        "origins": []
    }


@pytest.mark.slow
def test_the_demo_begins_with_a_tour_of_the_answer_that_was_swallowed(tmp_path: Path) -> None:
    served = Served(tmp_path, "--port", "0", command="demo")
    served.line()
    served.line()
    address = served.line().split()[2].rstrip("/")
    first = read(get(f"{address}/"))
    (tour,) = first.by_class("tour")
    stops = [one.attributes["href"] for one in tour.by_tag("a")]
    texts = [get(address + stop) for stop in stops]
    assert served.end()[0] == 0
    assert len(texts) == 4
    assert all("A worker that dies leaves its job" in one for one in (texts[0], texts[3]))
    assert "Context handoff" in texts[1]
    assert "What the model saw" in texts[2]
    (pinned,) = first.by_class("pinned")
    assert pinned.by_class("conversation-link")[0].text == "Move the job queue to streams"
    assert "Markup" in first.by_class("conversation-link")[-1].text
