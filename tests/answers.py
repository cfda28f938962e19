"""Every JSON answer over a store with one of everything, and its shape.

`python -m tests.answers` records the shapes; tests/web/test_answers.py compares them.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

from click.testing import CliRunner
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.cli import main
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Session, SystemPrompt
from hermes_sessions.web import SyncStatus, create_app
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.builders import NOON, a_conversation, a_message, an_origin
from tests.web import stories

RECORDED = Path(__file__).with_name("answers.json")
ODD_CALLS = (
    '[{"id": "c", "function": {"name": "n\\ud800", "input": {"big": 1180591620717411303424, "low": -0.0}}}]'
)
"""Calls that JSON can say and text cannot hold: a half of a character, a number of 70 bits."""

SECRET = "ghp_" + "a1B2" * 9
BY_DATA = {"retention", "evidence", "rows", "places", "kinds", "kept"}
"""Keys whose value has the keys that the data give it."""

POSTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/organise", {"action": "tag", "ids": ["family", "odd"], "text": "a b"}),
    ("/api/organise", {"action": "note", "ids": ["odd"], "text": "Ask."}),
    ("/api/undo", {}),
    ("/api/saved", {"name": "kept", "target": "/search?q=x"}),
)

ADDRESSES = (
    "/healthz",
    "/api/conversations",
    "/api/conversations?kind=all",
    "/api/conversations?limit=1",
    "/api/conversations/family-2",
    "/api/conversations/family-branch/messages",
    "/api/conversations/odd/messages",
    "/api/conversations/tool-work/messages?limit=2",
    "/api/conversations/tool-work/messages?all=1",
    "/api/conversations/invoices-after/messages?all=1",
    "/api/conversations/invoices-after/messages?view=model",
    "/api/conversations/invoices-after/contents",
    "/api/conversations/family/system-prompt",
    "/api/conversations/odd/system-prompt",
    "/api/conversations/family/lineage",
    "/api/conversations/invoices-after/lineage",
    "/api/conversations/family/compactions",
    "/api/conversations/invoices-after/context",
    "/api/compactions",
    "/api/compactions?limit=1",
    "/api/compactions/1",
    "/api/findings",
    "/api/messages/1",
    "/api/messages/4/seen",
    "/api/search?q=invoices",
    "/api/search?q=family",
    "/api/overview?range=all",
    "/api/changes",
    "/api/changes?since=0",
    "/api/origins",
    "/api/sync",
    "/api/journal",
    "/api/saved",
    "/api/conversations/nothing",
)
COMMANDS = (
    "list --kind all",
    "show odd",
    "show family-branch",
    "show invoices-after --all",
    "lineage family",
    "lineage invoices-after",
    "compactions",
    "compactions family",
    "search invoices",
    "audit",
    "audit invoices-after",
    "seen invoices-after --at 4",
    "compact tool-work --preview",
    "origins list",
    "pin family",
    "tag family --add work",
    "note family Ask.",
    "undo",
    "undo --list",
    "saved add mine /search?q=x",
    "saved list",
    "saved remove mine",
    "db current",
    "db check",
    "prune --older-than 1d",
    "trash list",
    "origins pause laptop",
    "origins resume laptop",
    "origins rename laptop desk",
    "search in:title family",
    "search invoices --limit 1",
    "archive family",
    "note family",
    "import {folder}/state.db --label agent",
    "sync",
    "sync --full",
    "origins move agent {folder}/moved.db",
    "origins remove agent --yes",
    "compact tool-work --policy context_window=1000 --policy tail_tokens=10 --policy head_messages=1"
    " --policy min_tail_messages=1",
    "compact --undo 6",
    "compact odd",
    "export family --format markdown -o {folder}/family.md",
    "export family --format jsonl -o {folder}/family.jsonl",
    "export --format hermes --conversation family {folder}/copy.db",
    "redact --pattern all --dry-run",
    "redact --pattern all --yes",
    "redact --undo --yes",
    "forget odd --yes",
    "remember",
    "remember --all",
    "prune --older-than 1d --yes",
    "trash list",
    "restore tool-work",
    "trash empty --yes",
    "db check --repair",
    "db backup {folder}/backup.db",
    "db move --to {folder}/elsewhere.db",
    "db upgrade",
)


def fill(db: OrmSession) -> None:
    """One of everything that an answer can hold."""
    an_origin(db, label="laptop", schema_version="9", location="/srv/state.db")
    stories.swallowed_reply(db)
    stories.tool_work(db)
    family = stories.family(db)
    stories.hostile(db)
    odd = a_conversation(db, id="odd", title="Odd 字", started_at=NOON + 0.5)
    a_message(db, db.get_one(Session, odd.root_id), "字", role="assistant", tool_calls=ODD_CALLS)
    a_message(db, db.get_one(Session, odd.root_id), "x", role="assistant", tool_calls="{not json")
    a_message(db, db.get_one(Session, odd.root_id), f"The token is {SECRET}.")
    odd.actual_cost_usd = 0.25
    prompt = SystemPrompt(hash="0" * 64, text="Be brief.")
    db.add(prompt)
    db.flush()
    db.get_one(Session, family.root_id).system_prompt_hash = prompt.hash


def an_agents_database(folder: Path) -> None:
    """Write a database with a row that cannot be taken and a value that is kept, and a copy of it."""
    path = state_db(
        folder / "state.db",
        sessions=[session("agent"), {"id": None, "source": "cli"}],
        messages=[
            row("agent", "user", "Hello"),
            row("nobody", "user", "?"),
            row("agent", "user", timestamp="soon"),
        ],
    )
    copyfile(path, folder / "moved.db")


def answers(folder: Path) -> Iterator[tuple[str, Any]]:
    """Every answer by its address or command, as parsed; keys in the order that was sent."""
    path = folder / "store.db"
    an_agents_database(folder)
    status = SyncStatus()
    status.start("laptop", total=10, first=True)
    with Database.open(str(path)) as database:
        with OrmSession(database.engine.execution_options(write=True)) as db:
            fill(db)
            db.commit()
        yield from _said(path, ("audit",))
        client = create_app(database, status=status).test_client()
        for address, body in POSTS:
            yield f"POST {address}", json.loads(client.post(address, json=body).data)
        for address in ADDRESSES:
            yield f"GET {address}", json.loads(client.get(address).data)
    yield from _said(path, COMMANDS)


def _said(path: Path, commands: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for command in commands:
        words = [word.replace("{folder}", str(path.parent)) for word in command.split()]
        result = CliRunner().invoke(main, [*words, "--db", str(path), "--json"])
        assert result.stdout, f"{command}: {result.output}"
        yield command, json.loads(result.stdout)


def shape(value: Any, key: str = "") -> Any:
    """What of an answer is a promise: keys in their order, and what kind of value each has.

    A list has its different shapes once each, in the order of their first one.
    """
    if isinstance(value, dict):
        return "object" if key in BY_DATA else {name: shape(one, name) for name, one in value.items()}
    if isinstance(value, list):
        shapes: list[Any] = []
        for one in map(shape, value):
            if not any(is_same(one, other) for other in shapes):
                shapes.append(one)
        return shapes
    return "null" if value is None else type(value).__name__


def is_same(one: Any, other: Any) -> bool:
    """Whether two shapes are equal, the order of keys included."""
    return json.dumps(one) == json.dumps(other)


def shapes() -> dict[str, Any]:
    """Make the store, ask everything, return each answer's shape."""
    with tempfile.TemporaryDirectory() as folder:
        return {asked: shape(answer) for asked, answer in answers(Path(folder))}


if __name__ == "__main__":
    lines = (f"{json.dumps(asked)}: {json.dumps(one)}" for asked, one in shapes().items())
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
