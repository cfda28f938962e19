import json
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import func, select

from hermes_sessions.errors import SourceError
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.schema.models import Message, Session
from tests.agents.hermes.hermes_builder import VERSIONS, row, session
from tests.operations.imports.scene import talk

ODD_IDS = [
    "a/b",
    "../../etc/passwd",
    "100%",
    "nul\0in it",
    "🦉 owl",
    "x" * 10_000,
    "<script>",
    "a b\nc",
    " ",
    "''",
]


def write_raw(path, *statements):
    """A database written by hand, for what the builder would refuse."""
    path.parent.mkdir(exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    for statement, *values in statements:
        connection.execute(statement, *values)
    connection.close()
    return path


@pytest.mark.parametrize("name", ODD_IDS, ids=[ascii(name)[:20] for name in ODD_IDS])
def test_any_id_is_an_id(scene, name):
    scene.play(
        [session(name), session("child", parent=name)], [*talk(name, "hello", "hi"), *talk("child", "x")]
    )
    shown = name.replace("\0", "\ufffd")
    assert scene.scroll(shown) == ["user: hello", "assistant: hi"]
    assert scene.session("child").parent_id == scene.session(shown).id
    assert scene.report.rejected == ()


def test_an_empty_id_is_an_id(scene):
    scene.play([session("")], talk("", "hello", "hi"))
    assert (scene.report.sessions, scene.report.messages) == (1, 2)


def test_sessions_without_rows_and_rows_without_a_session_are_kept(scene):
    scene.play([session("empty")], talk("lost", "hello", "hi"))
    assert (scene.report.sessions, scene.report.messages) == (1, 2)
    assert scene.scroll("lost") == ["user: hello", "assistant: hi"]
    assert scene.scroll("empty") == []
    assert any(warning["id"] == "lost" for warning in scene.report.warnings)


def test_equal_titles_are_both_kept(scene):
    scene.play([session("a", title="Same"), session("b", title="Same")], talk("a", "x"), version=1)
    assert scene.report.sessions == 2


@pytest.mark.parametrize("value", [b"\xff\xfe\x00", 42, 1.5, b""], ids=repr)
@pytest.mark.parametrize("column", ["content", "tool_calls", "tool_name", "role"])
def test_a_cell_of_another_type_is_kept_and_told(scene, column, value):
    rows = [*talk("s", "before"), {**row("s", "assistant", "text"), column: value}, *talk("s", "after")]
    scene.play([session("s")], rows)
    assert scene.report.messages == 3
    assert {"user: before", "user: after"} <= set(scene.scroll("s"))


def test_what_cannot_be_text_is_kept_exactly_beside_it(scene):
    scene.play([session("s")], [row("s", "user", b"\xff\x00\xfe"), row("s", "user", "a\0b")])
    extras = [one.extra for one in scene.rows().values()]
    assert extras == [{"content": {"$b64": "/wD+"}}, {"content": {"$text_b64": "YQBi"}}]


@pytest.mark.parametrize(
    "moment", [-1, 1.78e12, "2026-01-01T00:00:00", 5e246, float("inf"), b"\x00"], ids=repr
)
def test_a_time_that_is_none_is_unknown_and_kept(scene, moment):
    rows = talk("s", "before", "odd", "after")
    rows[1]["timestamp"] = moment
    scene.play([session("s")], rows)
    odd = scene.rows()[2]
    assert odd.created_at is None
    assert "timestamp" in odd.extra
    assert scene.scroll("s") == ["user: before", "assistant: odd", "user: after"]


def test_rows_keep_their_order_when_the_clock_stepped_back(scene):
    rows = talk("s", "one", "two", "three")
    rows[1]["timestamp"] = rows[0]["timestamp"] = 1_780_009_000.0
    rows[2]["timestamp"] = 1_780_000_000.0
    scene.play([session("s")], rows)
    assert scene.scroll("s") == ["user: one", "assistant: two", "user: three"]


@pytest.mark.parametrize(
    "content",
    [
        "\0json:" + "[" * 100_000,
        "\0json:" + "[" * 100_000 + "]" * 100_000,
        "\0json:{broken",
        "\0json:",
        '\0json:[1, null, {"type": "text"}, "plain"]',
        '\0json:"just text"',
        "\0json:null",
        '\0json:{"type": "text", "text": "alone"}',
        '\0json:[{"type": "text", "text": {"not": "text"}}]',
        '\0json:[{"type": "text", "text": "\\ud800 lone"}]',
        '\0json:[{"type": "text", "text": "\\u0000 nul"}]',
    ],
    ids=lambda content: content[:30].replace("\0", ""),
)
def test_structured_content_of_any_kind_is_stored(scene, content):
    scene.play([session("s")], [row("s", "user", content), *talk("s", "next")])
    assert scene.report.messages == 2
    assert scene.scroll("s")[-1] == "user: next"


@pytest.mark.parametrize(
    "calls",
    [
        "",
        "{}",
        "[]",
        '"text"',
        "[{",
        "null",
        "7",
        '[{"name": "ls", "arguments": {"a": 1}}]',
        "[" * 100_000,
        '["\\ud800"]',
    ],
    ids=lambda calls: calls[:20],
)
def test_tool_calls_of_any_kind_are_stored(scene, calls):
    scene.play([session("s")], [row("s", "assistant", "x", tool_calls=calls)])
    assert scene.report.messages == 1
    stored = scene.rows()[1]
    assert (stored.tool_calls or stored.extra["tool_calls"]) == calls


@pytest.mark.parametrize(
    "config", ["{broken", "[]", "7", "[" * 100_000, '{"_branched_from": 5}'], ids=lambda text: text[:20]
)
def test_a_model_config_of_any_kind_does_no_harm(scene, config):
    scene.play([session("p"), session("s", parent="p", model_config=config)], talk("s", "hello"))
    assert scene.session("s").extra["model_config"] == config


def test_roles_nobody_knows_are_kept(scene):
    scene.play([session("s")], [row("s", "developer", "be kind"), row("s", "", "?"), *talk("s", "hello")])
    assert scene.scroll("s") == ["developer: be kind", ": ?", "user: hello"]


@pytest.mark.parametrize("version", VERSIONS)
def test_columns_without_a_field_are_kept_exactly(scene, version):
    rows = [
        row(
            "s",
            "assistant",
            "x",
            reasoning_details='[{"a": 1}]',
            platform_message_id="77",
            display_identity=b"\x01",
        )
    ]
    scene.play(
        [session("s", user_id="u1", billing_mode="flat", git_branch="main", message_count=9)],
        rows,
        version=version,
    )
    kept = scene.session("s").extra
    assert (kept["user_id"], kept["message_count"]) == ("u1", 9)
    assert ("billing_mode" in kept) == (version >= 5)
    assert ("git_branch" in kept) == (version >= 16)
    extra = scene.rows()[1].extra or {}
    assert ("reasoning_details" in extra) == (version >= 6)
    assert extra.get("display_identity") == ({"$b64": "AQ=="} if version >= 30 else None)


def test_columns_and_tables_of_the_future_are_kept_or_ignored(scene):
    path = scene.write([session("s")], talk("s", "hello", "hi"), version=30)
    scene.alter(
        "ALTER TABLE messages ADD COLUMN mood TEXT", "ALTER TABLE sessions ADD COLUMN planet TEXT",
        "UPDATE messages SET mood = 'calm'", "UPDATE sessions SET planet = 'mars'",
        "CREATE TABLE dreams (x)", "UPDATE schema_version SET version = 99",
        name=path.relative_to(scene.folder),
    )  # fmt: skip
    assert scene.rows()[1].extra["mood"] == "calm"
    assert scene.session("s").extra["planet"] == "mars"
    assert scene.report.schema_version == "99"


@pytest.mark.parametrize(
    ("versions", "told"), [((), "unknown"), ((9, 6), "9"), ((6, 9), "9"), (("x",), "unknown")]
)
def test_the_version_is_the_highest_recorded(scene, versions, told):
    path = scene.write([session("s")], talk("s", "hello"))
    scene.alter(
        "DELETE FROM schema_version",
        *(f"INSERT INTO schema_version VALUES ('{one}')" for one in versions),
        name=path.relative_to(scene.folder),
    )
    assert scene.report.schema_version == told


def test_a_system_prompt_kept_once_is_found_by_its_hash(scene):
    path = scene.write([session("s", system_prompt_hash="h1")], talk("s", "hello"), version=30)
    scene.alter("INSERT INTO system_prompts VALUES ('h1', 'Be kind.')", name=path.relative_to(scene.folder))
    assert scene.session("s").system_prompt_hash is not None
    assert scene.session("s").extra["system_prompt_hash"] == "h1"


def test_rows_whose_id_is_no_number_are_listed_one_by_one(scene):
    path = write_raw(
        scene.folder / "odd" / "state.db",
        ("CREATE TABLE sessions (id, source, started_at)",),
        ("CREATE TABLE messages (id, session_id, role, content, timestamp)",),
        ("INSERT INTO sessions VALUES ('s', 'cli', 1780000000)",),
        ("INSERT INTO messages VALUES (1, 's', 'user', 'kept', 1780000000)",),
        ("INSERT INTO messages VALUES ('two', 's', 'user', 'not kept', 1780000000)",),
        ("INSERT INTO messages VALUES (NULL, 's', 'user', 'not kept', 1780000000)",),
    )
    report = scene.bring(path)
    assert report.messages == 1
    assert [(one["table"], one["id"]) for one in report.rejected] == [
        ("messages", "None"),
        ("messages", "two"),
    ]


def test_a_second_row_of_the_same_id_is_listed(scene):
    path = write_raw(
        scene.folder / "odd" / "state.db",
        ("CREATE TABLE sessions (id, source, started_at)",),
        ("CREATE TABLE messages (id, session_id, role, content, timestamp)",),
        ("INSERT INTO sessions VALUES ('s', 'cli', 1780000000), ('t', 'cli', 1780000000)",),
        ("INSERT INTO messages VALUES (1, 's', 'user', 'kept', 1780000000)",),
        ("INSERT INTO messages VALUES (1, 's', 'user', 'not kept', 1780000000)",),
        ("INSERT INTO messages VALUES (1, 't', 'user', 'kept too', 1780000000)",),
    )
    report = scene.bring(path)
    assert report.messages == 2
    assert [(one["id"], one["reason"]) for one in report.rejected] == [
        ("1", "another row of its session has the same id")
    ]
    assert scene.bring(path).unchanged


def test_sessions_that_cannot_be_told_apart_are_listed_with_their_rows(scene):
    path = write_raw(
        scene.folder / "odd" / "state.db",
        ("CREATE TABLE sessions (id, source, started_at)",),
        ("CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id, role, content, timestamp)",),
        ("INSERT INTO sessions VALUES ('s', 'cli', 1780000000)",),
        ("INSERT INTO sessions VALUES (x'73', 'cli', 1780000000), (NULL, 'cli', 1)",),
        ("INSERT INTO messages VALUES (1, 's', 'user', 'kept', 1780000000)",),
        ("INSERT INTO messages VALUES (2, x'73', 'user', 'other', 1780000000), (3, x'73', 'user', 'x', 1)",),
        ("INSERT INTO messages VALUES (4, NULL, 'user', 'nobody', 1780000000)",),
    )
    report = scene.bring(path)
    assert (report.sessions, report.messages) == (1, 1)
    assert sorted(one["id"] for one in report.rejected if one["table"] == "messages") == ["2", "3", "4"]
    assert len([one for one in report.rejected if one["table"] == "sessions"]) == 2


def test_negative_and_huge_row_ids_keep_their_order(scene):
    rows = talk("s", "minus", "zero", "huge")
    for one, number in zip(rows, (-5, 0, 2**62), strict=True):
        one["id"] = number
    scene.play([session("s")], rows)
    assert scene.scroll("s") == ["user: minus", "assistant: zero", "user: huge"]


@pytest.mark.parametrize(
    "tables",
    [
        ("CREATE TABLE sessions (sid TEXT)", "CREATE TABLE messages (body TEXT)"),
        ("CREATE TABLE sessions (id TEXT)", "CREATE TABLE messages (id INTEGER, body TEXT)"),
    ],
)
def test_tables_that_only_share_their_names_are_refused(scene, tables):
    path = write_raw(scene.folder / "odd" / "state.db", *((one,) for one in tables))
    with pytest.raises(SourceError, match="Hermes"):
        scene.bring(path)


def test_a_table_without_times_is_read(scene):
    path = write_raw(
        scene.folder / "odd" / "state.db",
        ("CREATE TABLE sessions (id TEXT)",),
        ("CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT)",),
        ("INSERT INTO sessions VALUES ('s')",),
        ("INSERT INTO messages VALUES (1, 's', 'user', 'hello')",),
    )
    assert scene.bring(path).messages == 1


def test_no_row_is_stored_twice_or_lost_whatever_its_session(scene):
    rows = [row(f"s{number % 7}", "user", f"text {number}") for number in range(500)]
    scene.play([session(f"s{number}") for number in range(5)], rows)
    with scene.database.read() as db:
        assert db.scalar(select(func.count()).select_from(Message)) == 500
    assert json.dumps(scene.report.rejected) == "[]"


@pytest.mark.parametrize("flag", [float("inf"), -1e300, "yes", b"x", 2])
@pytest.mark.parametrize("column", ["active", "compacted"])
def test_a_flag_that_is_none_counts_as_shown_and_is_kept(scene, column, flag):
    scene.play([session("s")], [row("s", "user", "hello", **{column: flag}), *talk("s", "next")])
    assert scene.scroll("s") == ["user: hello", "user: next"]
    assert column in scene.rows()[1].extra


@pytest.mark.parametrize(
    "column", ["input_tokens", "estimated_cost_usd", "ended_at", "archived", "title", "cwd"]
)
@pytest.mark.parametrize("value", [float("inf"), -1e300, "yes", b"x", 2**62, 1e18])
def test_session_cells_of_any_kind_do_no_harm(scene, column, value):
    scene.play([session("s", **{column: value})], talk("s", "hello"))
    assert scene.scroll("s") == ["user: hello"]


@pytest.mark.parametrize("column", ["token_count", "tool_call_id", "finish_reason", "reasoning", "observed"])
@pytest.mark.parametrize("value", [float("inf"), -1e300, "yes", b"x", 2**62, 1e18, "a\0b"])
def test_message_cells_of_any_kind_do_no_harm(scene, column, value):
    scene.play([session("s")], [row("s", "user", "hello", **{column: value})])
    assert scene.scroll("s") == ["user: hello"]


def test_counters_beyond_all_reason_do_not_overflow_a_sum(scene):
    family = [
        session("p", end_reason="compression", input_tokens=2**62),
        session("c", parent="p", input_tokens=2**62),
        session("d", parent="c", input_tokens=2**62),
    ]
    scene.play(family, talk("p", "hello"))
    assert scene.session("c").extra["input_tokens"] == 2**62


def test_a_session_that_is_called_nothing_can_be_shown(scene):
    scene.play([session("")], talk("", "hello", "hi there"))
    assert scene.scroll("") == ["user: hello", "assistant: hi there"]


def test_a_schema_whose_complaint_is_no_text_is_read_as_far_as_it_goes(scene):
    path = scene.write([session("a")], talk("a", "hello", "hi there"))
    content = path.read_bytes()
    assert b"CREATE INDEX" in content
    path.write_bytes(content.replace(b"CREATE INDEX", b"CREATE IND\x99X"))
    report = scene.bring(path)
    assert report.damage
    assert scene.scroll("a") == ["user: hello", "assistant: hi there"]


@pytest.mark.parametrize(
    "end", [b"\xed\xa0\x80", b"\xff", b"a\x00\xc3"], ids=["lone surrogate", "no UTF-8", "NUL too"]
)
def test_an_id_that_is_no_text_keeps_its_session_and_its_messages(scene, end):
    name = b"odd " + end
    path = scene.write([session("parent"), session("s", parent="parent", title="Kept")], talk("s", "hello"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("UPDATE sessions SET id = CAST(? AS TEXT) WHERE id = 's'", (name,))
        connection.execute("UPDATE messages SET session_id = CAST(? AS TEXT)", (name,))
    report = scene.bring(path)
    assert (report.sessions, report.messages, report.rejected) == (2, 1, ())
    with scene.database.read() as db:
        kept = db.scalars(select(Session).where(Session.title == "Kept")).one()
        assert (kept.message_count, kept.parent_session_id) == (1, "parent")
        assert check_store(db) == []
