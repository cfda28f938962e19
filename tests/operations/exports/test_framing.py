"""A conversation of another agent, written as a state.db: its handoffs are recognised where it is read."""

import importlib.metadata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy.orm import Session as DbSession

from hermes_sessions.cli import main
from hermes_sessions.errors import ExportError
from hermes_sessions.handoff.grammars import registry
from hermes_sessions.operations.exports.export_origin import OriginOrder, export_origin
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session
from tests.builders import a_compaction, a_conversation, a_message, an_origin
from tests.operations.agent.agents import Agent, policy
from tests.operations.imports.scene import Scene

NOW = 1_790_000_000.0
PAGE = "<notebook>\nWhat was done.\n</notebook>"
GONE = {"state": "compacted"}


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The notebook's grammar, as a package brings it."""
    entry = importlib.metadata.EntryPoint("notebook", "tests.notebook:GRAMMAR", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    registry.forget_grammars()
    yield
    registry.forget_grammars()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Scene]:
    """Another store, empty."""
    with Database.open(str(tmp_path / "other.db")) as opened:
        yield Scene(tmp_path, opened)


def compacted(db: DbSession, handoff: str, *, grammar: str = "notebook", **columns: Any) -> Session:
    """Store a session of another agent that was compacted in place."""
    conversation = a_conversation(db, id="talk", origin=an_origin(db, kind="notebook"))
    session = db.get_one(Session, conversation.root_id)
    for number in range(6):
        a_message(db, session, f"ask {number}", **GONE)
        a_message(db, session, f"reply {number}", role="assistant", **GONE)
    a_message(db, session, handoff, **{"kind": "handoff", **columns}, handoff_grammar=grammar)
    a_message(db, session, "on it", role="assistant")
    db.commit()
    return session


def brought(database: Database, other: Scene, **order: Any) -> list[str]:
    path = other.folder / "out.db"
    export_origin(database, path, OriginOrder(format="hermes", **order))
    import_path(other.database, path, ImportOptions(clock=lambda: NOW))
    return other.scroll("talk")


@pytest.mark.parametrize(
    ("handoff", "columns", "expected"),
    [
        pytest.param(PAGE, {}, ["handoff: What was done."], id="alone"),
        pytest.param(PAGE, {"role": "system"}, ["handoff: What was done."], id="in a system message"),
        pytest.param(
            f"{PAGE}\n\nand now?",
            {"kind": "merged"},
            ["handoff: What was done.", "user: and now?"],
            id="merged",
        ),
        pytest.param(
            "A summary.", {"grammar": "nobody"}, ["handoff: A summary."], id="of an unknown grammar"
        ),
        pytest.param(
            "A summary.\n\nand now?",
            {"grammar": "nobody", "kind": "merged", "reply_start": 12, "reply_end": 20},
            ["handoff: A summary.", "user: and now?"],
            id="of an unknown grammar, where the reply is known",
        ),
    ],
)
def test_handoffs_of_another_agent_are_handoffs_in_a_state_db(
    database: Database, db: DbSession, other: Scene, handoff: str, columns: Any, expected: list[str]
) -> None:
    compacted(db, handoff, **columns)
    shown = brought(database, other)
    assert shown[12:] == [*expected, "assistant: on it"]
    assert len(shown) == 13 + len(expected)
    assert other.events() == [("in_place", "committed")]
    assert set(other.kinds().values()) == {columns.get("kind", "handoff")}


def test_what_cannot_be_told_apart_is_refused_by_name(
    database: Database, db: DbSession, other: Scene
) -> None:
    compacted(db, "A summary. And now?", grammar="nobody", kind="merged")
    with pytest.raises(ExportError, match=r"'nobody', which is not known here"):
        brought(database, other)
    assert not (other.folder / "out.db").exists()


def test_the_command_line_says_so_in_one_line(runner: CliRunner, db: DbSession, tmp_path: Path) -> None:
    compacted(db, "A summary. And now?", grammar="nobody", kind="merged")
    result = runner.invoke(main, ["export", "--format", "hermes", str(tmp_path / "out.db")])
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert "framed by 'nobody'" in line


def test_the_page_of_such_a_conversation_shows_its_handoff_apart(database: Database, db: DbSession) -> None:
    compacted(db, f"{PAGE}\n\nand now?", kind="merged")
    assert Scene(Path(), database).scroll("talk")[12:] == [
        "handoff: What was done.", "user: and now?", "assistant: on it",
    ]  # fmt: skip


def test_our_engine_takes_such_a_handoff_out_when_it_compacts(database: Database, db: DbSession) -> None:
    session = compacted(db, PAGE)
    for number in range(6, 30):
        a_message(db, session, f"ask {number}: " + "please look at the next module " * 6)
        a_message(db, session, f"reply {number}: " + "the module was read " * 9, role="assistant")
    db.commit()
    done = Agent(database).store.compact("talk", policy=policy(), summarize=lambda request: "- All read.")
    assert done.result.status == "committed"
    assert not any("<notebook>" in str(message["content"]) for message in done.result.messages)


def test_compactions_that_no_row_tells_of_are_named(
    database: Database, db: DbSession, tmp_path: Path
) -> None:
    session = compacted(db, PAGE)
    a_compaction(db, session, realisation="native", method="none", handoff_id=None)
    a_compaction(db, session, realisation="in_place", status="aborted", handoff_id=None)
    db.commit()
    told = export_origin(database, tmp_path / "out.db", OriginOrder(format="hermes"))
    assert [note.partition(":")[0] for note in told.notes] == [
        "compaction 1 of talk has no handoff",
        "compaction 2 of talk was aborted",
    ]
