"""Lines of a file that somebody else writes."""

import pytest

from hermes_sessions.agents.json_lines import lines
from hermes_sessions.agents.json_lines.lines import FileLine, parse_line, read_lines, whole_end
from tests.stopwatch import assert_growth


def told(raw: bytes) -> str:
    return parse_line(FileLine(0, len(raw), raw)).reason


def test_lines_end_at_a_line_feed_alone(tmp_path):
    file = tmp_path / "a"
    file.write_bytes('"a\u2028b"\r\n"c"\n\nhalf'.encode())
    found = list(read_lines(file, 0, whole_end(file, file.stat().st_size)))
    assert [one.raw for one in found] == ['"a\u2028b"\r'.encode(), b'"c"', b""]
    assert [file.read_bytes()[one.offset : one.end] for one in found][1] == b'"c"\n'


def test_reading_begins_where_it_is_told(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(b"one\ntwo\nthree\n")
    assert [one.raw for one in read_lines(file, 4, 8)] == [b"two"]


def test_a_line_that_is_too_long_is_passed_over_and_named(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "LONGEST", 10)
    file = tmp_path / "a"
    file.write_bytes(b"x" * 35 + b"\n" + b"y" * 10 + b"\n" + b"z" * 11 + b"\nlast\n")
    found = list(read_lines(file, 0, file.stat().st_size))
    assert [(one.raw, one.end - one.offset) for one in found] == [
        (None, 36), (b"y" * 10, 11), (None, 12), (b"last", 5),
    ]  # fmt: skip
    assert parse_line(found[0]).reason == "36 bytes long; at most 10 are read"


def test_the_end_of_a_file_without_a_whole_line_is_its_beginning(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(b"half")
    assert whole_end(file, 4) == 0


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b'{"a": ', "not JSON"),
        (b"[1]", "not an object"),
        (b"\0\0", "NUL bytes"),
        (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", "nested too deeply"),
    ],
)
def test_a_line_that_says_nothing_is_named(raw, reason):
    assert told(raw) == reason


def test_bytes_that_are_no_text_are_replaced_and_kept():
    found = parse_line(FileLine(0, 0, b'{"a":"caf\xe9"}'))
    assert (found.value, found.exact) == ({"a": "caf\ufffd"}, "eyJhIjoiY2Fm6SJ9")


def test_a_byte_order_mark_before_a_file_is_no_part_of_its_first_line():
    raw = b'\xef\xbb\xbf{"a": 1}'
    assert parse_line(FileLine(0, len(raw), raw)).value == {"a": 1}
    assert parse_line(FileLine(9, 9 + len(raw), raw)).reason == "not JSON"


def test_half_a_character_is_read_as_it_is_spelled():
    found = parse_line(FileLine(0, 0, rb'{"a":"x\ud83d"}'))
    assert (found.value, found.exact) == ({"a": "x\ud83d"}, None)


def test_brackets_in_texts_do_not_count_and_an_unclosed_text_is_gone_through_once():
    deep = parse_line(FileLine(0, 1, b'{"a": "' + b"{[" * 900 + b'\\"", "b": {}}'))
    assert deep.value == {"a": "{[" * 900 + '"', "b": {}}

    def hostile(count):
        line = FileLine(0, 1, b"{" * 500 + b'"' + b'\\"' * count)
        return lambda: parse_line(line)

    assert parse_line(FileLine(0, 1, b"{" * 500 + b'"' + b'\\"' * 50)).value is None
    assert_growth(hostile(20_000), hostile(160_000), 24)
