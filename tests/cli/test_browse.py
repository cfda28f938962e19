"""`list`, `show`, `lineage`, `compactions` and `serve` as commands."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.cli import main
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.builders import a_compaction, a_conversation, a_message, a_session
from tests.waiting import PATIENCE_SECONDS, until
from tests.web import stories


def run(runner: CliRunner, *words: str, code: int = 0) -> str:
    result = runner.invoke(main, list(words))
    assert result.exit_code == code, result.output
    return result.output


def document(runner: CliRunner, *words: str) -> Any:
    return json.loads(run(runner, *words, "--json"))


def test_list_prints_a_table_and_where_to_go_on(runner: CliRunner, db: OrmSession) -> None:
    stories.family(db)
    stories.swallowed_reply(db)
    db.commit()
    lines = run(runner, "list", "--limit", "2").splitlines()
    assert lines[0].split() == [
        "id",
        "last",
        "active",
        "messages",
        "compactions",
        "prunes",
        "source",
        "tags",
        "title",
    ]
    assert len(lines) == 4
    cursor = lines[-1].split("--before ")[1]
    assert "Move the invoices" in run(runner, "list", "--before", cursor)


def test_list_takes_the_kind_and_the_filters(runner: CliRunner, db: OrmSession) -> None:
    stories.family(db)
    stories.tool_work(db)
    db.commit()

    def ids(*words: str) -> set[str]:
        return {one["id"] for one in document(runner, "list", *words)["conversations"]}

    assert ids() == {"family", "family-branch", "tool-work"}
    assert ids("--kind", "delegate") == {"family-delegate"}
    assert ids("--kind", "all") == {"family", "family-branch", "family-delegate", "tool-work"}
    assert ids("--source", "telegram") == {"tool-work"}


def test_show_marks_handoffs_and_shows_the_reply_once(runner: CliRunner, db: OrmSession) -> None:
    stories.swallowed_reply(db)
    db.commit()
    text = run(runner, "show", "invoices-after")
    assert text.count("Shall I run it") == 1
    assert text.index("Shall I run it") < text.index("Context handoff") < text.index("Yes, on the copy")
    assert "CONTEXT COMPACTION" not in text
    kinds = [one["kind"] for one in document(runner, "show", "invoices-after-2")["messages"]]
    assert kinds == ["message", "message", "handoff", "message", "message"]
    every = document(runner, "show", "invoices-after", "--all")["messages"]
    assert [one["kind"] for one in every] == ["message", "message", "merged", "message", "message"]


def test_show_prints_one_message_and_those_around_it(runner: CliRunner, db: OrmSession) -> None:
    tip = a_session(db, a_conversation(db))
    rows = [a_message(db, tip, f"Line {number}.") for number in range(30)]
    db.commit()
    wanted = rows[20]
    text = run(runner, "show", tip.public_id, "--at", str(wanted.id))
    assert f"message {wanted.id}" in text
    assert "Line 20." in text
    assert "Line 16." not in text
    assert [
        one["id"] for one in document(runner, "show", tip.public_id, "--at", str(rows[0].id))["messages"]
    ] == [one.id for one in rows[:13]]
    refused = runner.invoke(main, ["show", tip.public_id, "--at", "99999"])
    assert refused.exit_code == 2
    assert "has no message 99999" in refused.output
    assert f"its messages have numbers from {rows[0].id} to {rows[-1].id}" in refused.output


def test_show_finds_what_a_copied_row_repeats(runner: CliRunner, db: OrmSession) -> None:
    tip = a_session(db, a_conversation(db))
    first = a_message(db, tip, "The quay is closed.")
    copy = a_message(db, tip, "The quay is closed.", copy_of=first.id, shown=False)
    gone = a_message(db, tip, "Never mind.", state="rewound", shown=False)
    db.commit()
    found = document(runner, "show", tip.public_id, "--at", str(copy.id))["messages"]
    assert [one["id"] for one in found] == [first.id]
    told = f"Message {copy.id} is the same as message {first.id}, which is printed here."
    assert told in run(runner, "show", tip.public_id, "--at", str(copy.id))
    assert "is the same as" not in run(runner, "show", tip.public_id, "--at", str(first.id))
    refused = runner.invoke(main, ["show", tip.public_id, "--at", str(gone.id)])
    assert (refused.exit_code, f"--all --at {gone.id}" in refused.output) == (2, True)
    assert "Never mind." in run(runner, "show", tip.public_id, "--all", "--at", str(gone.id))


def test_what_no_message_tells_of_has_a_line_after_its_span(runner: CliRunner, db: OrmSession) -> None:
    tip = a_session(db, a_conversation(db))
    said = [a_message(db, tip, text) for text in ("Draw it.", "Add a river.", "Thanks.")]
    a_compaction(db, tip, realisation="native", method="prune", span_last_id=said[0].id, span_messages=4)
    a_compaction(db, tip, realisation="native", span_last_id=said[1].id, span_messages=2)
    db.commit()
    text = run(runner, "show", tip.public_id)
    parts = ("Draw it.", "Prune 1 ", "4 results cleared", "Add a river.", "Compaction 2 ", "Thanks.")
    assert [text.index(one) for one in parts] == sorted(text.index(one) for one in parts)
    assert "summary encrypted by the provider" in text
    assert "model, encrypted" in run(runner, "compactions", tip.public_id)
    assert [one["encrypted"] for one in document(runner, "compactions", tip.public_id)["compactions"]] == [
        False,
        True,
    ]


def test_a_list_without_what_was_asked_says_where_the_others_are(runner: CliRunner, db: OrmSession) -> None:
    a_conversation(db)
    db.commit()
    assert "`--kind all` lists those" in run(runner, "list")
    assert "`--kind all`" not in run(runner, "list", "--kind", "all")


def test_lineage_and_compactions_print_tables(runner: CliRunner, db: OrmSession) -> None:
    stories.family(db)
    db.commit()
    assert "compaction, fork" in run(runner, "lineage", "family")
    assert [one["ordinal"] for one in document(runner, "compactions", "family")["compactions"]] == [1, 2, 3]
    assert "interrupted" in run(runner, "compactions")


def test_what_is_stored_never_steers_the_terminal(runner: CliRunner, db: OrmSession) -> None:
    stories.hostile(db)
    stories.tool_work(db)
    db.commit()
    for words in (
        ["list"],
        ["show", "tool-work"],
        ["show", "hostile"],
        ["lineage", "hostile"],
        ["compactions"],
    ):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", run(runner, *words))


@pytest.mark.parametrize(
    "words",
    [("show", "nothing"), ("lineage", "nothing"), ("compactions", "nothing"), ("list", "--since", "soon"),
     ("list", "--before", "x"), ("compactions", "--before", "x")],
)  # fmt: skip
def test_what_cannot_be_is_one_line_and_exit_2(
    runner: CliRunner, db: OrmSession, words: tuple[str, ...]
) -> None:
    stories.family(db)
    db.commit()
    result = runner.invoke(main, list(words))
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.sqlite_only("a server's database is there before its store")
def test_without_a_store_it_says_so(runner: CliRunner) -> None:
    result = runner.invoke(main, ["list"])
    assert result.exit_code == 2
    assert "import" in result.stderr


# -- serve -----------------------------------------------------------------------------------------


class Served:
    """`serve`, or another *command*, in a process of its own, until the test ends it."""

    def __init__(self, folder: Path, *words: str, command: str = "serve") -> None:
        home = folder / "home"
        home.mkdir(exist_ok=True)
        env = {**os.environ, "HERMES_SESSIONS_DB": str(folder / "store.db"), "HOME": str(home)}
        env.pop("HERMES_HOME", None)
        called = [sys.executable, "-u", "-m", "hermes_sessions", command, *words]
        self.process = subprocess.Popen(
            called, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, errors


def get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=PATIENCE_SECONDS) as response:
        return str(response.read().decode())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_prints_its_address_answers_and_ends_cleanly(tmp_path: Path, number: int) -> None:
    served = Served(tmp_path, "--no-sync", "--port", "0")
    address = served.line().split()[2]
    assert '"ok"' in get(address + "healthz")
    code, errors = served.end(number)
    assert (code, errors) == (0, "")


@pytest.mark.parametrize("words", [["--db", ""], ["--db", "", "--db", ""], []])
def test_an_empty_name_of_the_store_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    served = []
    monkeypatch.setattr(
        "hermes_sessions.cli.serve.run_server", lambda database, *_, **__: served.append(database.path)
    )
    monkeypatch.setenv("HERMES_SESSIONS_DB", str(tmp_path / "mine.db"))
    result = CliRunner().invoke(main, ["serve", "--no-sync", *words])
    assert (result.exit_code, served) == (0, [tmp_path / "mine.db"])


@pytest.mark.slow
def test_serve_imports_what_it_is_given(tmp_path: Path) -> None:
    agent = state_db(
        tmp_path / "state.db", sessions=[session("a")], messages=[row("a", "user", "Hello there.")]
    )
    served = Served(tmp_path, str(agent), "--port", "0")
    try:
        address = served.line().split()[2]
        found = until(lambda: json.loads(get(address + "api/conversations"))["conversations"])
        assert [one["preview"] for one in found] == ["Hello there."]
    finally:
        code, errors = served.end()
    assert (code, errors) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--no-discover",)], ids=["as it is", "told not to"])
def test_serve_finds_agents_unless_it_is_told_not_to(tmp_path: Path, words: tuple[str, ...]) -> None:
    home = tmp_path / "home" / ".hermes"
    home.mkdir(parents=True)
    state_db(home / "state.db", sessions=[session("a")], messages=[row("a", "user", "Hello there.")])
    served = Served(tmp_path, "--port", "0", *words)
    try:
        address = served.line().split()[2]
        if not words:
            assert until(lambda: json.loads(get(address + "api/conversations"))["conversations"])
            return
        time.sleep(2)  # what is not looked for does not come
        assert json.loads(get(address + "api/conversations"))["conversations"] == []
    finally:
        served.end()


@pytest.mark.slow
def test_a_taken_port_is_an_error_only_when_it_was_asked_for(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        served = Served(tmp_path, "--no-sync", "--port", str(taken.getsockname()[1]))
        _, errors = served.process.communicate(timeout=PATIENCE_SECONDS)
        assert served.process.returncode == 2
        assert len(errors.splitlines()) == 1
        assert "is taken" in errors
    first = Served(tmp_path, "--no-sync")
    first_address = first.line().split()[2]
    second = Served(tmp_path, "--no-sync")
    second_address = second.line().split()[2]
    first.end()
    second.end()
    assert first_address != second_address


@pytest.mark.slow
def test_another_address_than_loopback_gets_a_token(tmp_path: Path) -> None:
    served = Served(tmp_path, "--no-sync", "--host", "0.0.0.0", "--port", "0")
    try:
        address = served.line().split()[2]
        token = served.line().split()[1]
        assert len(token) >= 32
        assert "Sign in" in get(address)
        request = urllib.request.Request(
            address + "api/conversations", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
            assert response.status == 200
    finally:
        served.end()


def test_a_path_that_is_not_there_is_one_line_and_exit_2(tmp_path: Path) -> None:
    served = Served(tmp_path, str(tmp_path / "nowhere.db"))
    _, errors = served.process.communicate(timeout=PATIENCE_SECONDS)
    assert served.process.returncode == 2
    assert errors.splitlines() == [f"hermes-sessions: {tmp_path / 'nowhere.db'}: no such file"]


def test_a_note_of_the_engine_is_nobodys_message(runner: CliRunner, db: OrmSession) -> None:
    stories.engine_note(db)
    db.commit()
    said = run(runner, "show", "noted")
    assert "others were replaced" not in said
    whole = run(runner, "show", "noted", "--all").splitlines()
    above = next(at for at, line in enumerate(whole) if "others were replaced" in line)
    assert whole[above - 1].startswith("note ")
    assert document(runner, "list")["conversations"][0]["messages"] == 2
    exported = run(runner, "export", "noted", "--format", "markdown", "-o", "-")
    assert "others were replaced" not in exported
    assert "folded" not in exported


def test_show_says_what_a_client_wrote(runner: CliRunner, db: OrmSession) -> None:
    stories.client_words(db)
    db.commit()
    written = run(runner, "show", "client")
    assert re.findall(r"^(user|client|command)\b(?!:)", written, re.M) == [
        "user", "client", "command", "command", "client", "client",
    ]  # fmt: skip
    assert "/review the parser" in written
    assert "command-name" not in written
    kinds = [one["kind"] for one in document(runner, "show", "client")["messages"]]
    assert kinds == ["message", "client", "command", "command", "client", "client"]
