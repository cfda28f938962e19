import contextlib
import itertools
import os
import random
import sqlite3

import pytest

from hermes_sessions.agents.hermes.schema import EXPECTED
from hermes_sessions.agents.sqlite_source.foreign_database import open_foreign
from hermes_sessions.agents.sqlite_source.row_numbers import RowNumbers
from hermes_sessions.agents.sqlite_source.salvage import Damage, iter_rows
from hermes_sessions.errors import SourceError
from tests.agents.hermes.hermes_builder import row, session, state_db

PAGE = 4096


def text(number):
    """Return a text of its own for each row; every tenth needs pages of its own."""
    size = 9000 if number % 10 == 0 else random.Random(number).randrange(20, 700)
    return (f"message {number} " * (size // 8))[:size]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A database of 300 rows on some 150 pages, and its rows by id."""
    path = state_db(
        tmp_path_factory.mktemp("sound") / "state.db",
        sessions=[session(f"s{n}", model="m" * 300) for n in range(40)],
        messages=[row(f"s{n % 40}", "user", text(n)) for n in range(300)],
    )
    return path.read_bytes(), dict(enumerate(map(text, range(300)), start=1))


def write(path, content):
    path.write_bytes(content)
    return path


def read(path, table="messages", columns=("content",), **question):
    """Return the rows by rowid, and the damage."""
    rows, damage = {}, []
    with open_foreign(path, EXPECTED) as foreign:
        for item in iter_rows(foreign, table, columns, **question):
            if isinstance(item, Damage):
                damage.append(item)
            else:
                assert item[0] not in rows
                rows[item[0]] = item[1]
    return rows, damage


def covers(damage, rowid):
    return any(
        (one.first_rowid is None or one.first_rowid <= rowid)
        and (one.last_rowid is None or rowid <= one.last_rowid)
        for one in damage
    )


def leaf_of(content, table):
    """Return the number (from 0) of a page with rows of *table*, below its root."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(content)
        root = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0] - 1
    page = content[root * PAGE : (root + 1) * PAGE]
    assert page[0] == 5
    cell = int.from_bytes(page[16:18], "big")
    return int.from_bytes(page[cell : cell + 4], "big") - 1


def test_a_sound_table_is_read_whole_and_in_order(tmp_path, sound):
    content, expected = sound
    rows, damage = read(write(tmp_path / "state.db", content))
    assert (rows, damage) == (expected, [])
    assert list(rows) == sorted(rows)


def test_a_condition_chooses_rows(tmp_path, sound):
    path = write(tmp_path / "state.db", sound[0])
    rows, _ = read(path, where="session_id = ? AND _rowid_ > ?", params=("s3", 50))
    assert list(rows) == [84, 124, 164, 204, 244, 284]


def test_only_the_rows_of_an_unreadable_page_are_lost(tmp_path, sound):
    content, expected = sound
    page = leaf_of(content, "messages")
    broken = content[: page * PAGE] + bytes(PAGE) + content[(page + 1) * PAGE :]
    rows, (damage,) = read(write(tmp_path / "state.db", broken))
    lost = sorted(set(expected) - set(rows))
    assert lost
    assert (damage.first_rowid, damage.last_rowid) == (lost[0], lost[-1])
    assert str(damage) == f"messages: rows {lost[0]} to {lost[-1]} cannot be read: {damage.detail}"


@pytest.mark.parametrize(
    "filling", [bytes(PAGE), b"\xff" * PAGE, bytes(range(256)) * 16], ids=["zero", "ff", "noise"]
)
def test_whatever_page_is_lost_no_row_is_missing_without_a_word(tmp_path, sound, filling):
    content, expected = sound
    path = tmp_path / "state.db"
    for page in range(1, len(content) // PAGE):
        write(path, content[: page * PAGE] + filling + content[(page + 1) * PAGE :])
        try:
            rows, damage = read(path)
        except SourceError:
            continue
        missing = [rowid for rowid in expected if rowid not in rows]
        assert all(covers(damage, rowid) for rowid in missing), page
        assert len(rows) >= 270 or damage[0].first_rowid is None, page
        assert set(rows) <= set(expected), page


def test_half_a_page_of_zeros_is_noticed(tmp_path, sound):
    content, expected = sound
    page = leaf_of(content, "messages")
    middle = page * PAGE + PAGE // 2
    rows, damage = read(
        write(tmp_path / "state.db", content[:middle] + bytes(PAGE // 2) + content[middle + PAGE // 2 :])
    )
    wrong = {rowid for rowid in rows if rows[rowid] != expected.get(rowid)}
    assert not wrong
    assert damage
    assert all(covers(damage, rowid) for rowid in set(expected) - set(rows))


@pytest.mark.slow
def test_a_file_cut_off_anywhere_invents_nothing_and_hides_nothing(tmp_path, sound):
    content, expected = sound
    path = tmp_path / "state.db"
    for size in range(PAGE * 2 + 77, len(content), PAGE * 5):
        write(path, content)
        os.truncate(path, size)
        try:
            rows, damage = read(path)
        except SourceError:
            continue
        assert rows.items() <= expected.items(), size
        assert all(covers(damage, rowid) for rowid in set(expected) - set(rows)), size


@pytest.mark.parametrize("share", [1, 0.5])
@pytest.mark.parametrize("count", [2**32 - 1, 2**24 + 150])
def test_a_header_that_counts_too_many_pages_fills_no_disk(tmp_path, sound, count, share):
    content, expected = sound
    content = content[:28] + count.to_bytes(4) + content[32 : int(len(content) * share)]
    rows, damage = read(write(tmp_path / "state.db", content))
    assert rows.items() <= expected.items()
    assert len(rows) > share * len(expected) // 2
    assert all(covers(damage, rowid) for rowid in set(expected) - set(rows))
    with open_foreign(tmp_path / "state.db", EXPECTED) as foreign:
        assert f"of its {count} pages" in foreign.notes[0]


def test_most_of_a_file_cut_in_the_middle_comes_back(tmp_path, sound):
    content, expected = sound
    path = write(tmp_path / "state.db", content[: len(content) // 2])
    rows, _ = read(path)
    assert len(rows) > len(expected) // 3


def test_a_broken_index_loses_nothing(tmp_path, sound):
    content, expected = sound
    page = leaf_of_index(content, "idx_messages_session")
    broken = content[: page * PAGE] + bytes(PAGE) + content[(page + 1) * PAGE :]
    rows, damage = read(write(tmp_path / "state.db", broken), where="session_id = ?", params=("s7",))
    assert sorted(rows) == [rowid for rowid in expected if rowid % 40 == 8]
    assert not damage


def leaf_of_index(content, index):
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(content)
        (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (index,)).fetchone()
    return int(root) - 1


def test_rows_with_negative_numbers_are_read(tmp_path):
    messages = [row("s", "user", "before", id=-5), row("s", "user", "after", id=7)]
    path = state_db(tmp_path / "state.db", sessions=[session("s")], messages=messages)
    assert read(path) == ({-5: "before", 7: "after"}, [])


def test_a_table_without_row_numbers_is_read(tmp_path):
    path = state_db(tmp_path / "state.db")
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(
            "CREATE TABLE t (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t VALUES ('a', 1)"
        )
    with open_foreign(path, EXPECTED) as foreign:
        assert list(iter_rows(foreign, "t", ("k", "v"))) == [(None, "a", 1)]


def test_a_strange_column_name_is_only_a_name(tmp_path):
    path = state_db(tmp_path / "state.db")
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript('CREATE TABLE "a""b" ("x;y" TEXT); INSERT INTO "a""b" VALUES (1)')
    with open_foreign(path, EXPECTED) as foreign:
        assert list(iter_rows(foreign, 'a"b', ("x;y",))) == [(1, "1")]


def test_a_wrong_column_is_an_error_and_no_damage(tmp_path):
    path = state_db(tmp_path / "state.db")
    with (
        open_foreign(path, EXPECTED) as foreign,
        pytest.raises(sqlite3.OperationalError, match="no such column"),
    ):
        list(iter_rows(foreign, "messages", ("content",), where="absent = 1"))


def rename_rows(content, numbers):
    """Give cells of *content* other row numbers: old number -> new, both of two bytes."""
    for old, new in numbers.items():
        cell = bytes([0x80 | old >> 7, old & 0x7F])
        body = text(old - 1).encode()[:14]
        at = content.rindex(cell, 0, content.index(body))
        content = content[:at] + bytes([0x80 | new >> 7, new & 0x7F]) + content[at + 2 :]
    return content


@pytest.mark.parametrize("wrong", [16_383, 250, 128], ids=["beyond the end", "too high", "too low"])
def test_one_wrong_row_number_loses_one_row(tmp_path, sound, wrong):
    content, expected = sound
    rows, damage = read(write(tmp_path / "state.db", rename_rows(content, {177: wrong})))
    assert set(rows) == set(expected) - {177}
    assert rows.items() <= expected.items()
    assert [str(one) for one in damage] == ["messages: row 177 cannot be read: row numbers are out of order"]


def test_a_page_in_the_place_of_another_hides_only_the_other_ones_rows(tmp_path, sound):
    content, expected = sound
    path = tmp_path / "state.db"
    leaves = [
        page
        for page in range(1, len(content) // PAGE)
        if content[page * PAGE] == 13 and b"message " in content[page * PAGE : (page + 1) * PAGE]
    ]
    for here in leaves[::7]:
        for there in leaves[::5]:
            page = content[there * PAGE : (there + 1) * PAGE]
            rows, damage = read(write(path, content[: here * PAGE] + page + content[(here + 1) * PAGE :]))
            missing = set(expected) - set(rows)
            assert rows.items() <= expected.items(), (here, there)
            assert len(missing) < 25, (here, there)
            assert all(covers(damage, rowid) for rowid in missing), (here, there)


def test_row_numbers_know_what_was_added():
    for order in itertools.permutations([-3, -2, 0, 1, 2, 9]):
        numbers = RowNumbers()
        for number in order:
            assert number not in numbers
            numbers.add(number)
        assert numbers.last == order[-1]
        assert [number for number in range(-5, 12) if number in numbers] == sorted(order)
        assert [numbers.below(number) for number in (-3, -2, 0, 5, 20)] == [None, -3, -2, 2, 9]
