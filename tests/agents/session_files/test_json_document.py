"""Files that are one JSON value, item by item."""

import pytest

from hermes_sessions.agents.json_lines.lines import parse_line
from hermes_sessions.agents.session_files import json_document
from hermes_sessions.agents.session_files.json_document import read_document
from hermes_sessions.errors import SourceError


def read(tmp_path, written, member=None):
    path = tmp_path / "a.json"
    path.write_bytes(written)
    found = read_document(path, member)
    return found.head, [parse_line(one).value or parse_line(one).reason for one in found.items]


def test_a_list_is_its_items(tmp_path):
    assert read(tmp_path, b'[{"a": 1}, 5, {"b": [2]}]') == ({}, [{"a": 1}, "not an object", {"b": [2]}])


def test_an_object_is_a_member_and_what_is_beside_it(tmp_path):
    written = b'{"id": "x", "messages": [{"a": 1}], "n": 2}'
    assert read(tmp_path, written, "messages") == ({"id": "x", "n": 2}, [{"a": 1}])
    assert read(tmp_path, b'{"id": "x"}', "messages") == ({"id": "x"}, [])


@pytest.mark.parametrize("odd", [b"\xff", b"\\ud83d"])
def test_what_one_item_has_that_is_no_text_leaves_the_others(tmp_path, odd):
    _, items = read(tmp_path, b'[{"a": "' + odd + b'"}, {"b": 1}]')
    assert items[1] == {"b": 1}
    assert items[0]["a"] in ("\ufffd", "\ud83d")


def test_a_longer_one_is_not_read_into_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(json_document, "LARGEST", 10)
    assert read(tmp_path, b'[{"a": 1}]') == ({}, [{"a": 1}])
    with pytest.raises(SourceError, match="longer than 10 bytes"):
        read(tmp_path, b'[{"a": 12}]')


@pytest.mark.parametrize(
    ("written", "why"),
    [(b'[{"a"', "JSON that is cut off"), (b"x", "not JSON"), (b"{}", "not a list"), (b" \n\0", "empty")],
)
def test_what_is_none_is_named(tmp_path, written, why):
    with pytest.raises(SourceError, match=why):
        read(tmp_path, written)
