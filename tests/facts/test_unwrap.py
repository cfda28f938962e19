"""A message is taken apart before any rule reads it, however its agent stores results."""

import json

import pytest

from hermes_sessions.facts.unwrap import Form, unwrap_message, unwrap_text


def told(content) -> str:
    return unwrap_message({"role": "tool", "content": content}).text


def test_a_tools_json_reads_as_its_output_and_its_fields() -> None:
    assert told('{"output": "one\\ntwo", "exit_code": 1, "error": null}') == "one\ntwo\nexit_code: 1"


def test_json_in_json_is_unwrapped_and_numbers_stay_as_written() -> None:
    inner = json.dumps({"content": "a\nb", "size": 1})
    assert told(f'{{"result": {json.dumps(inner)}, "cost": 1.50}}') == "a\nb\nsize: 1\ncost: 1.50"


def test_several_documents_in_one_text_are_read_in_order() -> None:
    assert told('{"a": 1}\n{"b": {"c": true}}') == "a: 1\nb.c: true"


def test_json_cut_off_still_reads_as_lines() -> None:
    assert told('{"output": "one\\ntwo\\nthr') == '{"output": "one\ntwo\nthr'


@pytest.mark.parametrize("sign", ["|", "\t", "→"])
def test_numbers_of_lines_are_no_text(sign: str) -> None:
    assert told(f"     7{sign}import os\n     8{sign}\n     9{sign}x = 1") == "import os\n\nx = 1"


def test_a_table_whose_first_column_is_a_number_stays() -> None:
    assert told("10\tAda\n7\tBob\n8\tCy") == "10\tAda\n7\tBob\n8\tCy"


def test_colours_and_overwritten_progress_are_gone() -> None:
    assert told("\x1b[32mok\x1b[0m\n 10%\r 50%\rdone\r\nend") == "ok\ndone\nend"


def test_a_diff_reads_as_what_is_true_after_it() -> None:
    text = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-PORT = 8080\n+PORT = 8123\n same"
    unwrapped = unwrap_message({"role": "tool", "content": text})
    assert unwrapped.pieces[0].form is Form.DIFF
    assert "8080" not in unwrapped.text
    assert unwrapped.text.endswith("PORT = 8123\nsame")


def test_blocks_of_every_provider_are_read_and_thinking_is_not() -> None:
    content = [
        {"type": "thinking", "thinking": "secret plan"},
        {"type": "text", "text": "Look:"},
        {"type": "tool_use", "id": "1", "name": "Read", "input": {"file_path": "/a/b.py"}},
        {"type": "output_text", "text": "done"},
    ]
    pieces = unwrap_message({"role": "assistant", "content": content}).pieces
    assert [(piece.form, piece.text) for piece in pieces] == [
        (Form.SPEECH, "Look:"),
        (Form.ARGUMENT, "/a/b.py"),
        (Form.SPEECH, "done"),
    ]


def test_a_tool_result_in_a_users_message_is_said_by_the_tool() -> None:
    block = {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "out"}]}
    pieces = unwrap_message({"role": "user", "content": [block, {"type": "text", "text": "next"}]}).pieces
    assert [(piece.speaker, piece.text) for piece in pieces] == [("tool", "out"), ("user", "next")]


def test_items_without_a_role_are_read_by_their_type() -> None:
    call = {"type": "function_call", "name": "shell", "arguments": '{"command": ["bash", "-lc", "ls -la"]}'}
    result = {"type": "function_call_output", "call_id": "1", "output": '{"output": "a\\nb"}'}
    assert unwrap_message(call).text == "ls -la"
    assert [piece.speaker for piece in unwrap_message(result).pieces] == ["tool"]


def test_arguments_are_read_by_their_keys_at_any_depth() -> None:
    arguments = json.dumps({"edits": [{"path": "a.py", "text": "x"}], "limit": 3})
    call = {"id": "1", "function": {"name": "patch", "arguments": arguments}}
    pieces = unwrap_message({"role": "assistant", "content": None, "tool_calls": [call]}).pieces
    assert [(piece.key, piece.text, piece.tool) for piece in pieces] == [
        ("path", "a.py", "patch"),
        ("text", "x", "patch"),
        ("limit", "limit: 3", "patch"),
    ]


def test_fences_and_the_machines_notes_are_no_speech() -> None:
    text = "Fix this:\n```sh\nrm -r x\n```\nsoon\n<system-reminder>todo</system-reminder>"
    pieces = unwrap_text(text, "user").pieces
    assert [(piece.form, piece.speaker, piece.text.strip()) for piece in pieces] == [
        (Form.SPEECH, "user", "Fix this:"),
        (Form.DATA, "user", "rm -r x"),
        (Form.SPEECH, "user", "soon"),
        (Form.DATA, "system", "todo"),
    ]


def test_a_piece_stands_where_its_start_says() -> None:
    unwrapped = unwrap_text("a\n```\nb\n```\nc", "user")
    for piece in unwrapped.pieces:
        assert unwrapped.text[piece.start : piece.start + len(piece.text)] == piece.text


@pytest.mark.parametrize(
    "content", [None, 3, {"x": {"y": [1]}}, [None, 3, "a"], b"a", [[["deep"]]], {"type": 1}]
)
def test_no_shape_of_content_raises(content) -> None:
    for role in ("user", "tool", None, 7):
        unwrap_message({"role": role, "content": content, "tool_calls": content})


def test_deep_json_ends() -> None:
    assert told("[" * 100_000)
    assert unwrap_message(
        {"role": "user", "content": "x", "tool_calls": [{"function": {"arguments": "[" * 99_999}}]}
    )
