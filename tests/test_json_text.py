"""Escapes of JSON documents are read for searching; other texts stay as they are."""

import json

import pytest

from hermes_sessions.json_text import without_escapes


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("said", ["one\ntwo\tthree", "磁盘已满 naïve 🙂", 'a "quoted" C:\\new\\table', "a/b"])
def test_what_a_string_says_stands_in_the_result(said: str, ascii_only: bool) -> None:
    assert said in without_escapes(json.dumps({"output": said, "exit_code": 1}, ensure_ascii=ascii_only))


def test_json_in_json_is_read_as_well() -> None:
    inner = json.dumps({"output": "first\nsecond"})
    assert "first\nsecond" in without_escapes(json.dumps([{"content": inner}]))


def test_a_document_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    text = json.dumps({"output": "first\nsecond 磁盘"})
    for end in range(len(text)):
        assert without_escapes(text[:end]) is not None
    assert "first\nsecond" in without_escapes(text[: text.index("second") + 6])


@pytest.mark.parametrize("text", ["", "C:\\new\\table", "plain \\n text", "use \\u0041"])
def test_what_is_no_document_stays(text: str) -> None:
    assert without_escapes(text) == text
