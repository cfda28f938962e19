"""`compact` as a command: preview, compact, show, undo, and one line for everything that is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hermes_sessions.cli import main
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.opening.database import Database
from tests.agents.hermes.hermes_builder import session, state_db
from tests.operations.agent.agents import Agent, turns
from tests.operations.imports.scene import talk
from tests.summarizers.server import Answer, completion, model

SMALL = ("--policy", "context_window=4000", "--policy", "tail_tokens=300", "--policy", "min_tail_messages=4")
MODEL = ("--summarizer", "openai-compatible")


def run(runner: CliRunner, *words: str, code: int = 0) -> str:
    result = runner.invoke(main, list(words))
    assert result.exit_code == code, result.output
    return result.output


def document(runner: CliRunner, *words: str, code: int = 0) -> Any:
    return json.loads(run(runner, *words, "--json", code=code))


@pytest.fixture
def agent(database: Database) -> Agent:
    return Agent(database)


@pytest.fixture
def talked(agent: Agent) -> str:
    return agent.talked(title="Parser")


@pytest.fixture
def imported(runner: CliRunner, tmp_path: Path) -> str:
    path = state_db(
        tmp_path / "state.db",
        sessions=[session("a", title="Parser")],
        messages=talk("a", *(one["content"] for one in turns(20))),
    )
    run(runner, "import", str(path))
    return "a"


def contents(runner: CliRunner, any_id: str) -> list[str]:
    """What the one scroll shows, handoffs left out."""
    return [
        part["text"]
        for message in document(runner, "show", any_id)["messages"]
        for part in message["parts"]
        if part["kind"] == "message"
    ]


# -- preview ---------------------------------------------------------------------------------------


def test_preview_prints_the_plan_as_json(runner, talked):
    told = document(runner, "compact", talked, "--preview", *SMALL)
    assert set(told["plan"]) == {"head_end", "tail_start", "carried", "span_messages", "reason"}
    plan = told["plan"]
    assert plan["head_end"] + plan["span_messages"] + len(plan["carried"]) == plan["tail_start"]
    assert plan["reason"] is None
    assert told["tokens_after"] < told["tokens_before"]
    assert told["handoff"].startswith("[CONTEXT COMPACTION")


def test_preview_changes_nothing(runner, agent, talked):
    before = agent.everything()
    run(runner, "compact", talked, "--preview", *SMALL)
    assert agent.everything() == before


def test_preview_prints_a_table_and_the_handoff(runner, talked):
    lines = run(runner, "compact", talked, "--preview", *SMALL).splitlines()
    assert lines[0] == f"session {talked}"
    parts = [line.split(",")[0].strip() for line in lines[2:6]]
    assert parts == ["head", "span", "carried", "tail"]
    assert any(line.startswith("[CONTEXT COMPACTION") for line in lines)


def test_preview_asks_no_model(runner, talked):
    with model(Answer(completion("a summary"))) as server:
        chosen = (*MODEL, "--base-url", server.url, "--model", "m")
        run(runner, "compact", talked, "--preview", *SMALL, *chosen)
        assert server.asked == []


def test_preview_is_what_happens(runner, talked):
    shown = document(runner, "compact", talked, "--preview", *SMALL)
    done = document(runner, "compact", talked, *SMALL)
    for name in ("plan", "tokens_before", "tokens_after", "tokens_method"):
        assert done[name] == shown[name]


# -- compact and undo ------------------------------------------------------------------------------


def test_compact_says_where_it_goes_on(runner, talked):
    told = run(runner, "compact", talked, *SMALL).splitlines()
    [listed] = document(runner, "list")["conversations"]
    assert told[0].startswith("compaction 1: ")
    assert told[1].endswith(f"messages by extractive; {listed['tip']} continues")


def test_compact_works_on_the_newest_session_of_a_conversation(runner, agent, talked):
    first = document(runner, "compact", talked, *SMALL)
    agent.say(first["session"], *turns(15, 20))
    second = document(runner, "compact", talked, *SMALL)
    [listed] = document(runner, "list")["conversations"]
    assert (listed["tip"], listed["compactions"]) == (second["session"], 2)
    assert contents(runner, talked) == agent.said


def test_a_prefix_of_an_id_is_enough(runner, talked):
    assert document(runner, "compact", talked[:-3], *SMALL)["status"] == "committed"


def test_in_place_keeps_the_session(runner, talked):
    assert document(runner, "compact", talked, "--in-place", *SMALL)["session"] == talked


def test_undo_takes_it_back(runner, agent, talked):
    done = document(runner, "compact", talked, *SMALL)
    told = document(runner, "compact", "--undo", str(done["compaction"]))
    assert told == {"undone": done["compaction"], "session": talked}
    [listed] = document(runner, "list")["conversations"]
    assert (listed["tip"], listed["sessions"], listed["compactions"]) == (talked, 1, 0)


def test_an_imported_conversation_goes_on_in_one_of_ours(runner, imported):
    before = contents(runner, imported)
    done = document(runner, "compact", imported, *SMALL)
    assert contents(runner, imported) == before
    assert document(runner, "lineage", imported)["tip"] == done["session"]


def test_the_focus_reaches_record_and_handoff(runner, agent, talked):
    done = document(runner, "compact", talked, "--focus", "the zeppelin", *SMALL)
    assert agent.compaction(done["compaction"]).focus == "the zeppelin"


def test_nothing_to_compact_is_no_failure(runner, agent):
    session_id = agent.talked(1)
    assert run(runner, "compact", session_id).startswith("nothing to compact: ")
    assert document(runner, "compact", session_id)["compaction"] is None


# -- with a model ----------------------------------------------------------------------------------


def with_model(server: Any) -> tuple[str, ...]:
    return (*MODEL, "--base-url", server.url, "--model", "small-one")


def test_a_model_writes_the_summary(runner, agent, talked, tmp_path):
    key = tmp_path / "key"
    key.write_text("secret-key\n")
    with model(Answer(completion("- The zeppelin was painted green."))) as server:
        done = document(
            runner,
            "compact",
            talked,
            "--focus",
            "colours",
            "--key-file",
            str(key),
            *SMALL,
            *with_model(server),
        )
        assert server.headers[0]["authorization"] == "Bearer secret-key"
        assert "colours" in json.dumps(server.asked)
    row = agent.compaction(done["compaction"])
    assert (done["method"], row.summarizer_model) == ("model", "small-one")
    assert "The zeppelin was painted green." in row.summary


def test_a_refused_key_aborts_with_exit_code_1(runner, agent, talked):
    with model(Answer({"error": "bad key"}, status=401)) as server:
        told = run(runner, "compact", talked, *SMALL, *with_model(server), code=1)
        assert told.startswith("aborted, nothing changed: the server refused the key (HTTP 401)")
    assert agent.compactions() == [("rotation", "aborted")]


def test_an_empty_answer_ends_in_a_fallback_that_says_so(runner, talked):
    with model(Answer(completion(""))) as server:
        done = document(runner, "compact", talked, *SMALL, *with_model(server))
    assert (done["status"], done["method"]) == ("committed", "fallback")
    assert done["error"]


# -- one line for what is wrong --------------------------------------------------------------------

WRONG = {
    "no id": ((), "give the ID of a conversation, or --undo COMPACTION"),
    "id and undo": (("x", "--undo", "1"), "give the ID of a conversation, or --undo COMPACTION"),
    "unknown id": (("nobody",), "nobody"),
    "odd id": (("\udcff\0",), "no conversation"),
    "unknown compaction": (("--undo", "99"), "no compaction has the id 99"),
    "unknown name": (("ID", "--policy", "tail=5"), "--policy tail=5: write NAME=VALUE; names are abort_on"),
    "no value": (("ID", "--policy", "tail_tokens"), "write NAME=VALUE"),
    "no number": (("ID", "--policy", "tail_tokens=many"), "--policy tail_tokens=many: is not a number"),
    "not a flag": (("ID", "--policy", "abort_on_summary_failure=2"), "is true or false"),
    "impossible": (("ID", "--policy", "threshold=2"), "threshold must be above 0 and at most 1"),
    "no number at all": (("ID", "--policy", "threshold=nan"), "threshold must be above 0 and at most 1"),
    "no model": (("ID", *MODEL), "needs --base-url and --model"),
    "no key file": (
        ("ID", *MODEL, "--base-url", "http://127.0.0.1:1", "--model", "m", "--key-file", "nowhere"),
        "cannot read the key file nowhere",
    ),
}


@pytest.mark.parametrize(("words", "says"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_one_line_and_exit_code_2(runner, agent, talked, words, says):
    before = agent.everything()
    told = run(runner, "compact", *(talked if word == "ID" else word for word in words), code=2)
    assert says in told
    assert told.count("\n") == 1
    assert agent.everything() == before


def test_an_imported_session_is_not_compacted_in_place(runner, imported):
    told = run(runner, "compact", imported, "--in-place", *SMALL, code=2)
    assert "an imported session is not changed; compact it without --in-place" in told


def test_undo_says_what_stands_in_the_way(runner, agent, talked):
    done = document(runner, "compact", talked, *SMALL)
    agent.say(talked, *turns(1, 20))
    told = run(runner, "compact", "--undo", str(done["compaction"]), code=2)
    assert "new messages after it would be lost: 2" in told


# -- real conversations ----------------------------------------------------------------------------

CHAINS = ("Refactor billing module", "FOSSIL-HEAD: set up", "Trip planner")


@pytest.mark.corpus
@pytest.mark.parametrize("title", CHAINS)
def test_a_real_chain_is_previewed_compacted_shown_and_taken_back(runner, corpus, store_url, title):
    runner.invoke(main, ["import", str(next(corpus.rglob("v17.db")))])
    listed = document(runner, "list", "--kind", "all", "--limit", "500")["conversations"]
    named = [one for one in listed if (one["title"] or one["preview"] or "").startswith(title)]
    chain = max(named, key=lambda one: one["messages"])
    before = contents(runner, chain["id"])
    sizes = ("--policy", "tail_tokens=200", "--policy", "min_tail_messages=2")
    shown = document(runner, "compact", chain["id"], "--preview", *sizes)
    assert shown["status"] == "committed"
    done = document(runner, "compact", chain["id"], *sizes)
    assert done["plan"] == shown["plan"]
    assert contents(runner, chain["id"]) == before
    events = document(runner, "compactions", chain["id"])["compactions"]
    assert events[-1]["method"] == "extractive"
    assert len(events) == chain["compactions"] + 1
    document(runner, "compact", "--undo", str(done["compaction"]))
    [again] = [
        one
        for one in document(runner, "list", "--kind", "all", "--limit", "500")["conversations"]
        if one["id"] == chain["id"]
    ]
    assert {**again, "last_active_at": 0} == {**chain, "last_active_at": 0}
    with Database.open(store_url) as database, database.read() as db:
        assert check_store(db) == []
