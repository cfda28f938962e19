"""What any importer gives is stored, or rejected by name; nothing of it ends an import."""

import base64
import importlib
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.values import CompactionRow, Family, MessageRow, SessionRow
from hermes_sessions.cli import main
from hermes_sessions.lineage import Placement, Relation
from hermes_sessions.messages import CompactionStatus, MessageState, Realisation
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.schema.models import Compaction, Message, Session, SystemPrompt
from tests.agents.hermes.hermes_builder import row, session, state_db

AT = 1_782_900_000.0
AGENT = """
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from hermes_sessions.agents.contract import Entry, Opening
from hermes_sessions.agents.values import Family, Verdict
from hermes_sessions.lineage import Placement, Relation

GIVEN = {}

class Source:
    schema_version, damage, rejected, warnings, complete = "1", (), (), (), True
    def __init__(self, path):
        self.location = path
        self.entries = {
            one.foreign_id: Entry(one.foreign_id, None, one.mark, len(GIVEN["rows"]), 0.0, True)
            for one in GIVEN["sessions"]
        }
    def openings(self, also=()):
        return [(one, Opening(1782900000.0, None, None)) for one in self.entries]
    def families(self):
        return [tuple(self.entries)]
    def read(self, ids):
        assert set(ids) == set(self.entries)
        rows = GIVEN["rows"]
        return Family(
            sessions=GIVEN["sessions"],
            placements={one: Placement(Relation.ROOT, None) for one in self.entries},
            verdicts={rows[0].ref: Verdict(archived_by=GIVEN["compactions"][0].key)},
            compactions=GIVEN["compactions"], inherited={}, row_count=len(rows),
            batches=lambda: iter([(GIVEN["sessions"][0].foreign_id, rows)]),
        )
    def cursor(self):
        return {}

class Importer:
    kind, grammar = "odd", SimpleNamespace(name="odd")
    def discover(self, home, env):
        return iter(())
    def folders(self, home, env):
        return []
    def locate(self, path):
        return path if path.name == "mine" else None
    def token(self, path):
        return path.read_text()
    @contextmanager
    def open(self, path, cursor, options):
        yield Source(path)
    def resume_command(self, session):
        return None

importer = Importer()
"""


def message(number: int, **odd) -> MessageRow:
    said = MessageRow(
        ref=number,
        origin_key=f"k{number}",
        origin_row_id=number,
        role="user" if number % 2 else "assistant",
        state=MessageState.LIVE,
        created_at=AT + number,
        digest=number,
        token_count=None,
        tool_call_id=None,
        tool_name=None,
        finish_reason=None,
        text=f"said {number}",
        blocks=None,
        tool_calls=None,
        reasoning=None,
        extra=None,
    )
    return said._replace(**odd)


def compaction(**odd) -> CompactionRow:
    found = CompactionRow(
        key="c1",
        realisation=Realisation.NATIVE,
        status=CompactionStatus.COMMITTED,
        session="s",
        span_first=1,
        span_last=1,
        span_messages=1,
        handoff=2,
    )
    return replace(found, **odd)


class Odd:
    """The agent, its one file, and a Hermes database beside it."""

    def __init__(self, given, tmp_path, database):
        self.given, self.database = given, database
        self.path = tmp_path / "mine"
        self.path.write_text("1")
        said = [row("b", "user", "Hello.")]
        self.other = state_db(tmp_path / "state.db", sessions=[session("b")], messages=said)
        given |= {
            "sessions": [SessionRow(foreign_id="s", source="odd", started_at=AT, mark="1")],
            "rows": [message(1), message(2), message(3)],
            "compactions": [compaction()],
        }

    def odd(self, table, **odd):
        """Give one row other values."""
        rows = self.given[table]
        at = 1 if table == "rows" else 0
        rows[at] = rows[at]._replace(**odd) if table == "rows" else replace(rows[at], **odd)

    def bring(self, **options):
        report = import_path(self.database, self.path, ImportOptions(lambda: AT + 1e6, **options))
        with self.database.read() as db:
            assert check_store(db) == []
        return report

    def stored(self, table):
        with self.database.read() as db:
            return db.scalars(select(table).order_by(table.id)).all()


@pytest.fixture
def odd(installed, tmp_path, database):
    installed("agent_odd", AGENT)
    return Odd(importlib.import_module("agent_odd").GIVEN, tmp_path, database)


def exact(kept) -> str:
    return base64.b64decode(kept["$text_b64"]).decode("utf-8", "surrogatepass")


HALF = "a\ud800b"
NUL = "a\0b"
SHOWN = {HALF: "a?b", NUL: "a\ufffdb"}
MESSAGE_TEXTS = ["origin_key", "role", "tool_call_id", "tool_name", "finish_reason", "text", "blocks",
                 "tool_calls", "reasoning"]  # fmt: skip
SESSION_TEXTS = ["parent_session_id", "source", "model", "title", "cwd", "end_reason"]


@pytest.mark.parametrize("bad", [HALF, NUL], ids=ascii)
@pytest.mark.parametrize("column", MESSAGE_TEXTS)
def test_text_of_a_message_that_no_engine_holds_is_replaced_and_kept(odd, column, bad):
    odd.odd("rows", **{column: bad})
    report = odd.bring()
    stored = odd.stored(Message)[1]
    assert (report.messages, report.rejected) == (3, ())
    assert getattr(stored, column) == SHOWN[bad]
    assert exact(stored.extra[column]) == bad
    [warned] = report.warnings
    assert (warned["table"], warned["column"]) == ("messages", column)
    odd.path.write_text("2")
    assert odd.bring().unchanged
    assert odd.bring(full=True).messages == 3


@pytest.mark.parametrize("bad", [HALF, NUL], ids=ascii)
@pytest.mark.parametrize("column", SESSION_TEXTS)
def test_text_of_a_session_that_no_engine_holds_is_replaced_and_kept(odd, column, bad):
    odd.odd("sessions", **{column: bad})
    report = odd.bring()
    [stored] = odd.stored(Session)
    assert getattr(stored, column) == SHOWN[bad]
    assert exact(stored.extra[column]) == bad
    assert [one["column"] for one in report.warnings] == [column]


@pytest.mark.parametrize("bad", [HALF, NUL], ids=ascii)
def test_prompts_ids_and_marks_are_held_to_the_same(odd, bad):
    odd.odd("sessions", system_prompt=bad, foreign_id=bad, mark=bad)
    odd.odd("compactions", session=bad)
    report = odd.bring()
    [stored] = odd.stored(Session)
    assert (stored.foreign_id, report.messages, report.compactions["native"]) == (SHOWN[bad], 3, 1)
    assert (exact(stored.extra["foreign_id"]), exact(stored.extra["system_prompt"])) == (bad, bad)
    with odd.database.read() as db:
        assert db.scalars(select(SystemPrompt.text)).all() == [SHOWN[bad]]
    odd.path.write_text("2")
    assert odd.bring().unchanged


@pytest.mark.parametrize("bad", [HALF, NUL], ids=ascii)
@pytest.mark.parametrize("column", ["key", "summary", "error", "trigger"])
def test_text_of_a_compaction_is_replaced_and_kept_beside_its_claim(odd, column, bad):
    odd.odd("compactions", **{column: bad})
    odd.bring()
    [stored] = odd.stored(Compaction)
    assert odd.stored(Message)[0].archived_by == stored.id
    if column == "key":
        assert stored.origin_key == SHOWN[bad]
    else:
        assert getattr(stored, column) == SHOWN[bad]
        assert exact(stored.claim[column]) == bad


@pytest.mark.parametrize("bad", [HALF, NUL], ids=ascii)
def test_what_is_kept_beside_the_columns_comes_back_exactly(odd, bad):
    odd.odd("rows", extra={"told": bad, bad: [1, {"deep": bad}]})
    odd.bring()
    kept = odd.stored(Message)[1].extra
    inner = kept[SHOWN[bad]]
    assert (exact(kept["told"]), exact(inner["$key"])) == (bad, bad)
    assert (inner["value"][0], exact(inner["value"][1]["deep"])) == (1, bad)
    assert json.dumps(kept).isascii()


def test_what_all_engines_hold_is_left_as_it_is(odd):
    odd.odd("rows", text="Grüße 🦉", extra={"told": ["ß", 1.5, None]})
    assert odd.bring().warnings == ()
    stored = odd.stored(Message)[1]
    assert (stored.text, stored.extra) == ("Grüße 🦉", {"told": ["ß", 1.5, None]})


# -- what contradicts itself -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("odd_values", "reason"),
    [
        ({"origin_key": "k1"}, "another row of its session has its key"),
        ({"ref": 1}, "another row of its family has its number"),
        ({"origin_row_id": 2**70}, "a number of it is none of 64 bits"),
        ({"origin_row_id": None}, "a number of it is none of 64 bits"),
        ({"digest": 2**80}, "a number of it is none of 64 bits"),
        ({"state": "asleep"}, "its state is none"),
    ],
)
def test_a_row_that_cannot_stand_beside_the_others_is_rejected_by_name(odd, odd_values, reason):
    odd.odd("rows", **odd_values)
    report = odd.bring()
    assert report.messages == 2
    [rejected] = report.rejected
    assert (rejected["table"], rejected["id"]) == ("messages", odd_values.get("origin_key", "k2"))
    assert rejected["reason"].startswith(reason)


@pytest.mark.parametrize(
    ("odd_values", "reason"),
    [
        ({"session": "nobody"}, "its session is not stored: 'nobody'"),
        ({"key": "c1"}, "another compaction has its key"),
        ({"realisation": Realisation.ROTATION, "parent": "s"}, "another compaction continues its parent"),
    ],
)
def test_a_compaction_that_contradicts_the_others_is_rejected_by_name(odd, odd_values, reason):
    first = compaction(**{name: odd_values[name] for name in odd_values if name in ("realisation", "parent")})
    second = replace(compaction(key="c2"), **odd_values)
    odd.given["compactions"] = [first, second]
    report = odd.bring()
    assert len(odd.stored(Compaction)) == 1
    assert [(one["table"], one["reason"]) for one in report.rejected] == [("compactions", reason)]
    odd.path.write_text("2")
    assert len(odd.bring(full=True).rejected) == 1


@pytest.mark.parametrize(
    ("column", "value", "stored"),
    [
        ("created_at", float("nan"), None),
        ("created_at", "yesterday", None),
        ("created_at", 253402300000.0, None),
        ("token_count", 2**70, None),
        ("text", 5, "5"),
        ("text", b"\xff", "\ufffd"),
        ("tool_calls", ["a call"], "['a call']"),
        ("extra", "no object", {"$extra": "no object"}),
    ],
)
def test_a_value_of_another_kind_is_kept_raw_and_told(odd, column, value, stored):
    odd.odd("rows", **{column: value})
    report = odd.bring()
    row = odd.stored(Message)[1]
    assert getattr(row, column) == stored
    assert column == "extra" or column in row.extra
    assert [one["column"] for one in report.warnings] == [column]


@pytest.mark.parametrize(
    ("table", "odd_values"),
    [
        ("sessions", {"started_at": float("nan")}),
        ("sessions", {"input_tokens": 2**70, "tool_call_count": 2**40}),
        ("sessions", {"estimated_cost_usd": float("inf")}),
        ("sessions", {"title": 5}),
        ("compactions", {"tokens_before": 2**70, "span_messages": 2**40}),
        ("compactions", {"finished_at": float("inf")}),
        ("compactions", {"claim": {"ratio": float("nan")}}),
    ],
)
def test_a_number_that_is_none_is_told_and_the_rest_is_stored(odd, table, odd_values):
    odd.odd(table, **odd_values)
    report = odd.bring()
    assert (report.sessions, report.messages, report.compactions["native"]) == (1, 3, 1)
    assert {one["column"] for one in report.warnings} == set(odd_values)


def test_two_sessions_with_one_id_are_stored_once(odd):
    odd.given["sessions"] *= 2
    report = odd.bring()
    assert (report.sessions, report.messages) == (1, 3)
    assert [one["reason"] for one in report.rejected] == ["another session has its id"]


NO_ROW: Any = ("no", "row")


@pytest.mark.parametrize(
    "given",
    [
        {"rows": [message(1), NO_ROW]},
        {"rows": [message(1), message(2, ref=[])]},
        {"compactions": [compaction(), NO_ROW]},
        {"compactions": [compaction(realisation=NO_ROW)]},
    ],
    ids=["row", "ref", "compaction", "realisation"],
)
def test_what_is_no_row_at_all_is_an_error_of_that_origin_alone(odd, runner, given):
    odd.given |= given
    result = runner.invoke(main, ["import", str(odd.path), str(odd.other), "--json"])
    assert [line.startswith(f"hermes-sessions: {odd.path}: ") for line in result.stderr.splitlines()] == [
        True
    ]
    assert (result.exit_code, json.loads(result.stdout)["imports"][0]["messages"]) == (1, 1)
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize(("chars", "asked"), [(100, 1), (25_000_000, 2)])
def test_a_family_that_is_large_in_characters_is_not_held_to_be_streamed_twice(chars, asked):
    streamed = []

    def batches():
        streamed.append(1)
        return iter([("s", [message(1)._replace(text="x" * chars)]), ("s", [message(2)])])

    family = Family(
        sessions=[SessionRow(foreign_id="s")],
        placements={"s": Placement(Relation.ROOT, None)},
        verdicts={},
        compactions=[],
        inherited={},
        row_count=2,
        batches=batches,
    )
    given: Any = SimpleNamespace(entries={}, read=lambda ids: family)
    read = CheckedSource(given).read(["s"])
    for _ in range(2):
        assert [len(rows) for _, rows in read.batches()] == [1, 1]
    assert len(streamed) == asked
