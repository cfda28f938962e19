"""A file is known again."""

import json
import os

import pytest

from hermes_sessions.agents.json_lines.file_state import FileChange, known_state, look_at

LINE = b'{"number": %d}\n'


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(LINE % one for one in range(1000)))
    return path


def become(path, written):
    """Write a file anew, later; return what became of it."""
    before, _ = look_at(path, None)
    path.write_bytes(written)
    os.utime(path, ns=(before.modified + 10**9, before.modified + 10**9))
    return look_at(path, before)[1]


def test_untouched_it_is_the_same(file):
    before, change = look_at(file, None)
    assert change is FileChange.REWRITTEN
    assert look_at(file, before) == (before, FileChange.SAME)


def test_with_more_lines_it_has_grown(file):
    assert become(file, file.read_bytes() + LINE % 7) is FileChange.GROWN


def test_half_a_line_more_is_not_read(file):
    before, _ = look_at(file, None)
    assert become(file, file.read_bytes() + b'{"half') is FileChange.REWRITTEN
    assert look_at(file, None)[0].whole == before.whole


WHOLE = b'{"number": "} \\" {"}'


def test_a_whole_line_without_its_line_feed_is_read(file):
    written = file.read_bytes() + WHOLE
    assert become(file, written) is FileChange.GROWN
    assert look_at(file, None)[0].whole == len(written)
    assert become(file, written + b"\n" + LINE % 7) is FileChange.GROWN
    assert look_at(file, None)[0].torn == 0


def test_more_on_the_same_line_makes_it_another_file(file):
    written = file.read_bytes()
    become(file, written + WHOLE)
    assert become(file, written + WHOLE + WHOLE + b"\n" + LINE % 7) is FileChange.REWRITTEN


@pytest.mark.parametrize("rest", [b'{"half', b'{"half": {}', b"7", b"[{}]", b"\0}", b"}"])
def test_what_is_no_object_stays_out(file, rest):
    file.write_bytes(file.read_bytes() + rest)
    state, _ = look_at(file, None)
    assert (state.whole, state.torn) == (file.stat().st_size - len(rest), len(rest))


def test_a_file_of_one_line_without_a_line_feed_is_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(WHOLE)
    assert look_at(path, None)[0].whole == len(WHOLE)


@pytest.mark.parametrize(
    "other",
    [
        lambda read: read[:-15],
        lambda read: b"x" + read[1:] + LINE % 7,
        lambda read: read[:-20] + b"x" + read[-19:] + LINE % 7,
    ],
    ids=["truncated", "other beginning", "other end"],
)
def test_anything_else_is_another_file(file, other):
    assert become(file, other(file.read_bytes())) is FileChange.REWRITTEN


def test_a_state_is_json(file):
    before, _ = look_at(file, None)
    assert known_state(json.loads(json.dumps(before))) == before


@pytest.mark.parametrize(
    "told", [None, [], [1, 2, 3, 4, 5], [-1, 0, 0, "", ""], "abcde", [1.5, 0, 0, "", ""]]
)
def test_what_is_no_state_is_none(told):
    assert known_state(told) is None
