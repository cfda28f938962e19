"""The real agent, two versions of it, compacts with our engine: 118 calls, in place and by rotation.

A play takes about half a minute, so what is claimed of one is claimed of it by several tests.
"""

import json
import sqlite3
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hermes_sessions.cli import main
from tests.integrations.hermes.agent_environments import VERSIONS, demanded_python
from tests.integrations.hermes.measured import after_compactions, kept_after, said_in
from tests.integrations.hermes.playing import Home, play
from tests.integrations.hermes.scripted_model import Conversation, Played, scripted_model
from tests.integrations.hermes.shared_play import shared_folder, shared_play

pytestmark = [pytest.mark.hermes_agent, pytest.mark.slow]

Run = tuple[Home, Played]
HANDOFF = "[CONTEXT COMPACTION"


PLAYS = [
    pytest.param((version, mode), id=f"{mode}-{version}", marks=more)
    for version, mode, more in (
        ("0.19.0", "in place", []),
        ("0.18.0", "by rotation", []),
        ("0.19.0", "by rotation", [pytest.mark.every_play]),
        ("0.18.0", "in place", [pytest.mark.every_play]),
    )
]
"""Each is played once, however many workers ask for it."""


@pytest.fixture(scope="module", params=PLAYS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    version, mode = request.param
    python = demanded_python(version)

    def whole(home: Path, played: Played) -> Home:
        recall = [
            ["recall_search", {"query": "service-0 8130 migrate"}],
            ["recall_expand", {"after": 0, "limit": 2}],
        ]
        return play(python, home, played, in_place=mode == "in place", recall=recall)

    folder = shared_folder(tmp_path_factory) / f"play {mode} {version}"
    return shared_play(folder, whole, Conversation())


def committed(home: Home) -> list[dict[str, Any]]:
    return [line for line in home.journal if line.get("status") == "committed"]


def test_every_turn_ends_with_its_reply(run: Run) -> None:
    home, played = run
    talk = played.conversation
    assert home.said["replies"] == [talk.reply(turn) for turn in range(len(talk.calls))]


def test_the_engine_is_ours_and_a_copy(run: Run) -> None:
    home, played = run
    assert home.said["engine"] == "hermes-sessions"
    assert home.said["own_copy"]
    assert len(committed(home)) == len(after_compactions(played)) >= 3


def test_every_keyword_of_the_agents_interface_is_taken(run: Run) -> None:
    assert run[0].said["refused"] == []


def test_roles_alternate_and_calls_have_results_in_every_request(run: Run) -> None:
    for body in run[1].requests:
        messages = body["messages"]
        roles = [one["role"] for one in messages if one["role"] not in ("system", "tool")]
        assert not [pair for pair in pairwise(roles) if pair == ("user", "user")]
        calls = [call["id"] for one in messages for call in one.get("tool_calls") or ()]
        results = [one["tool_call_id"] for one in messages if one["role"] == "tool"]
        assert calls == results


def test_the_request_of_the_turn_is_there_once(run: Run) -> None:
    played = run[1]
    for turn, body in zip(played.turns, played.requests, strict=True):
        wanted = played.conversation.request(turn)
        users = [one for one in body["messages"] if one["role"] == "user"]
        assert sum(one["content"] == wanted for one in users) == 1


def test_facts_decisions_and_errors_survive_every_compaction(run: Run) -> None:
    kept = kept_after(run[1])
    assert [one for one in kept if one.facts[0] < one.facts[1] or one.decisions[0] < one.decisions[1]] == []
    errors, there = (sum(one.errors[at] for one in kept) for at in (0, 1))
    assert errors >= 0.8 * there > 0


def test_the_answer_before_is_live_or_quoted(run: Run) -> None:
    played = run[1]
    for turn, body in after_compactions(played):
        assert turn == 0 or played.conversation.reply(turn - 1) in said_in(body)


def test_recall_finds_what_left_the_context(run: Run) -> None:
    home, played = run
    hits = home.said["recalled"]["recall_search"]["messages"]
    assert any(played.conversation.request(0) == hit["text"] for hit in hits)
    assert home.said["recalled"]["recall_expand"]["messages"][0]["text"] == played.conversation.request(0)


def test_the_database_holds_every_call_and_every_result(run: Run) -> None:
    home, played = run
    rows = query(home.path / "state.db", "SELECT DISTINCT tool_call_id FROM messages WHERE role = 'tool'")
    assert len(rows) == sum(played.conversation.calls)


@pytest.fixture(scope="module")
def store(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the home imported."""
    path = tmp_path_factory.mktemp("store") / "store.db"
    assert asked(path, "import", str(run[0].path)).exit_code == 0
    return path


def query(database: Path, statement: str) -> list[tuple[Any, ...]]:
    db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return db.execute(statement).fetchall()
    finally:
        db.close()


def asked(store: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["--db", str(store), *words])


def test_the_import_finds_each_compaction_and_whose_engine_it_was(run: Run, store: Path) -> None:
    made = committed(run[0])
    found = query(store, "SELECT method, tokens_before, tokens_after, claim FROM compactions ORDER BY id")
    wanted = [(line["method"], line["tokens_before"], line["tokens_after"]) for line in made]
    assert sorted(row[:3] for row in found) == sorted(wanted)
    assert {json.loads(row[3])["engine"] for row in found} == {line["engine"] for line in made}


def test_no_call_is_shown_twice(run: Run, store: Path) -> None:
    kept = "role = 'tool' AND shown AND tool_call_id IS NOT NULL"
    shown = query(store, f"SELECT tool_call_id FROM messages WHERE {kept}")
    assert len(shown) == len(set(shown)) == sum(run[1].conversation.calls)


def test_the_audit_finds_no_error(run: Run, store: Path) -> None:
    told = asked(store, "audit", run[0].said["first"], "--json")
    assert '"severity": "error"' not in told.output
    assert told.output.startswith("{")


SHORT_PLAYS = [
    pytest.param(
        version,
        mode == "in place",
        id=f"{mode}-{version}",
        marks=[] if (version, mode) == ("0.19.0", "in place") else [pytest.mark.every_play],
    )
    for version in VERSIONS
    for mode in ("in place", "by rotation")
]
"""Each version, each way to compact; where time is short the first one is enough."""


@pytest.mark.parametrize(("version", "in_place"), SHORT_PLAYS)
@pytest.mark.parametrize(
    ("summary", "ends"),
    [
        pytest.param("error", ("committed", "fallback"), id="answers 500"),
        pytest.param("nothing", ("committed", "fallback"), id="answers nothing"),
        pytest.param("hang", ("committed", "fallback"), id="does not answer in time"),
        pytest.param("unauthorized", ("aborted", None), id="refuses the key"),
    ],
)
def test_a_summariser_that_fails_stops_no_turn(
    version: str, in_place: bool, summary: str, ends: tuple[str, str | None], tmp_path: Path
) -> None:
    with scripted_model(Conversation(calls=(14, 2), result_chars=18_000), summary) as played:
        home = play(demanded_python(version), tmp_path / "home", played, in_place=in_place)
    talk = played.conversation
    assert home.said["replies"] == [talk.reply(0), talk.reply(1)]
    runs = [line for line in home.journal if line["kind"] == "compaction"]
    assert {(line["status"], line.get("method")) for line in runs} == {ends}
    rows = "SELECT count(DISTINCT tool_call_id) FROM messages"
    assert query(home.path / "state.db", rows) == [(16,)]
    store = tmp_path / "store.db"
    assert asked(store, "import", str(home.path)).exit_code == 0
    shown = query(store, "SELECT status, error FROM compactions ORDER BY finished_at")
    assert shown == [(line["status"], line["reason"]) for line in runs]


@pytest.mark.every_play
@pytest.mark.parametrize(("version", "in_place"), SHORT_PLAYS)
def test_five_compactions_in_one_turn(version: str, in_place: bool, tmp_path: Path) -> None:
    with scripted_model(Conversation(calls=(200,), result_chars=5_600)) as played:
        home = play(demanded_python(version), tmp_path / "home", played, in_place=in_place)
    talk = played.conversation
    assert home.said["replies"] == [talk.reply(0)]
    assert len(committed(home)) >= 5
    for _, body in after_compactions(played):
        assert talk.request(0) in [one["content"] for one in body["messages"]]
        assert talk.error_fact(0) in said_in(body)
