"""Another package's agent goes through every page and command; nothing outside its folder names it."""

import json
import sqlite3
from contextlib import closing

import pytest

from hermes_sessions.agents.registry import discover
from hermes_sessions.cli import main
from hermes_sessions.errors import SourceError
from hermes_sessions.operations.exports.export_origin import OriginOrder, export_origin
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.web import create_app
from tests.agents.installing import JOTTER
from tests.agents.workshop import HermesWorkshop, JotterWorkshop

NOW = 1_790_000_000.0
CALL = {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "plan.md"}'}}
ASKED = "Write the report to /srv/report.md and never touch /srv/data.csv."


@pytest.fixture
def jotter(registered, runner, tmp_path):
    """Talks in the usual place of the user whose home the runner has."""
    registered("jotter", JOTTER)
    return JotterWorkshop().make(tmp_path / "home")


@pytest.fixture
def long_talk(jotter):
    """A talk with calls that Jotter compacted once."""
    shop = JotterWorkshop()
    shop.say(
        jotter,
        "b",
        {"text": ASKED},
        {"who": "assistant", "text": "", "calls": [CALL]},
        {"who": "tool", "text": "# the plan", "answers": "c1", "tool": "read_file"},
    )
    shop.append(jotter, "b", *(f"step {at} " + "of the work " * 20 for at in range(30)))
    shop.jot(jotter, "b", "A report is being written to /srv/report.md.")
    shop.append(jotter, "b", "go on", "going on")
    return jotter


def told(runner, *words):
    result = runner.invoke(main, [*words, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_without_a_path_every_agent_is_imported(runner, jotter, tmp_path):
    HermesWorkshop().make(tmp_path / "home")
    found = told(runner, "import")["imports"]
    assert {one["origin"]: one["messages"] for one in found} == {"hermes": 8, "jotter": 8}
    listed = told(runner, "list")["conversations"]
    assert sorted(one["origin"] for one in listed) == ["hermes", "hermes", "jotter", "jotter"]
    assert [one["kind"] for one in told(runner, "origins", "list")["origins"]] == ["hermes", "jotter"]
    assert runner.invoke(main, ["sync"]).exit_code == 0
    assert runner.invoke(main, ["db", "check"]).exit_code == 0


def test_commands_show_what_was_said_and_compacted(runner, long_talk):
    report = told(runner, "import", str(long_talk))
    assert report["compactions"]["native"] == 1
    shown = told(runner, "show", "b")["messages"]
    assert [one["parts"][0]["text"] for one in shown[:3]] == ["hello", "hi", ASKED]
    assert [one["kind"] for one in shown].count("handoff") == 1
    (compaction,) = told(runner, "compactions", "b")["compactions"]
    assert compaction["summary"] == "A report is being written to /srv/report.md."
    assert (compaction["realisation"], compaction["span"]["messages"]) == ("native", 35)
    (audited,) = told(runner, "audit", "b")["compactions"]
    assert audited["retention"]
    assert told(runner, "search", "report.md")["hits"]
    assert [one["relation"] for one in told(runner, "lineage", "a")["sessions"]] == ["root", "delegate"]


def test_a_summary_that_a_later_one_replaced_stays_a_handoff(runner, long_talk):
    shop = JotterWorkshop()
    shop.append(long_talk, "b", *(f"later step {at}" for at in range(10)))
    shop.jot(long_talk, "b", "The report is written.")
    shop.append(long_talk, "b", "thanks", "welcome")
    told(runner, "import", str(long_talk))
    rows = told(runner, "show", "b", "--all")["messages"]
    handoffs = [one for one in rows if one["kind"] == "handoff"]
    first, second = sorted(told(runner, "compactions", "b")["compactions"], key=lambda one: one["ordinal"])
    assert [one["archived_by"] for one in handoffs] == [second["id"], None]
    assert second["span"]["first"] == handoffs[0]["id"]
    assert first["summary"] == "A report is being written to /srv/report.md."


@pytest.mark.parametrize("form", ["html", "markdown", "jsonl"])
def test_a_conversation_is_exported(runner, long_talk, form):
    told(runner, "import", str(long_talk))
    result = runner.invoke(main, ["export", "b", "--format", form, "-o", "-"])
    assert result.exit_code == 0, result.output
    assert "/srv/report.md" in result.stdout


def test_pages_show_it_and_how_to_continue_it(runner, long_talk, database):
    told(runner, "import", str(long_talk))
    client = create_app(database).test_client()
    for address in (
        "/",
        "/c/b",
        "/c/b?view=model",
        "/c/b/lineage",
        "/compactions",
        "/overview",
        "/search?q=plan",
    ):
        page = client.get(address)
        assert page.status_code == 200, address
    assert "jotter continue b" in client.get("/c/b").text
    assert "jotter" in client.get("/").text


def test_it_is_continued_here_by_a_session_of_our_own(runner, long_talk, database):
    JotterWorkshop().append(long_talk, "b", *(f"later step {at} " + "of it " * 50 for at in range(40)))
    told(runner, "import", str(long_talk))
    result = runner.invoke(main, ["compact", "b", "--policy", "tail_tokens=500"])
    assert result.exit_code == 0, result.output
    assert [one["realisation"] for one in told(runner, "compactions", "b")["compactions"]] == [
        "native",
        "rotation",
    ]
    with database.read() as db:
        assert check_store(db) == []


def test_another_agents_conversation_becomes_rows_of_the_writers(runner, jotter, database, tmp_path):
    told(runner, "import", str(jotter))
    out = tmp_path / "copy.db"
    done = export_origin(database, out, OriginOrder(format="hermes", origin="jotter"))
    assert (done.sessions, done.messages) == (3, 8)
    with closing(sqlite3.connect(out)) as connection:
        rows = connection.execute("SELECT source, title FROM sessions ORDER BY id").fetchall()
        texts = connection.execute(
            "SELECT content FROM messages WHERE session_id = 'a' ORDER BY id"
        ).fetchall()
        columns = {one[1] for one in connection.execute("PRAGMA table_info(messages)")}
    assert rows == [("jotter", None)] * 3
    assert [one for (one,) in texts] == ["please look", "on it", "and now?", "done"]
    assert "key" not in columns


def test_a_talk_alone_is_an_origin_or_adds_to_the_folders(runner, jotter, database):
    one = jotter / "talks" / "b.talk"
    assert told(runner, "import", str(one))["sessions"] == 1
    told(runner, "import", str(jotter))
    assert [each["sessions"] for each in told(runner, "origins", "list")["origins"]] == [3]


def test_without_the_package_its_origin_stays_and_says_why_it_is_not_read(
    runner, registered, database, tmp_path
):
    registered("jotter", JOTTER)
    path = JotterWorkshop().make(tmp_path / "home")
    told(runner, "import", str(path))
    for file in (tmp_path / "site").rglob("entry_points.txt"):
        file.unlink()
    from hermes_sessions.agents.registry import look_again

    look_again()
    assert discover(tmp_path / "home", {}) == []
    assert len(told(runner, "show", "b")["messages"]) == 2
    synced = runner.invoke(main, ["sync"])
    assert synced.exit_code == 1
    assert "jotter" in synced.output
    assert "jotter continue" not in create_app(database).test_client().get("/c/b").text
    with pytest.raises(SourceError, match="nothing of a known agent"):
        import_path(database, path, ImportOptions(lambda: NOW))
