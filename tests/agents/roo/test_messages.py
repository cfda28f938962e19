"""Items of a history become messages."""

import json

import pytest

from hermes_sessions.agents.json_lines import families
from hermes_sessions.agents.session_files import source


def test_a_reply_its_call_and_the_result_are_messages(home):
    task = home.task()
    task.ask("look")
    thought = {"type": "reasoning", "text": "hm"}
    task.reply(
        "I look", thought, {"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "é"}}
    )
    task.result("t1", [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], is_error=True)
    task.write()
    rows = home.read().rows["a"]
    assert [(row.role, row.text) for row in rows] == [
        ("user", "look"), ("assistant", "I look"), ("tool", "one\ntwo"),
    ]  # fmt: skip
    reply, result = rows[1:]
    assert (reply.reasoning, reply.blocks) == ("hm", None)
    assert json.loads(reply.tool_calls or "") == [
        {"id": "t1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "é"}'}}
    ]
    assert (result.tool_call_id, result.tool_name, result.extra) == ("t1", "read_file", {"is_error": True})


def test_what_the_editor_adds_is_kept_apart_and_not_shown(home):
    task = home.task()
    added = {"type": "text", "text": "<environment_details>\n# Time\n</environment_details>"}
    task.say("user", {"type": "text", "text": "look"}, added)
    task.write()
    rows = home.read().rows["a"]
    assert [(row.role, row.text) for row in rows] == [("user", "look"), ("session_meta", added["text"])]


def test_a_result_that_is_written_as_text_is_the_tools(home):
    task = home.task()
    task.ask("[read_file for 'a.py'] Result:\nthe file")
    task.ask("[somebody] writes in brackets")
    task.write()
    rows = home.read().rows["a"]
    assert [(row.role, row.tool_name) for row in rows] == [("tool", "read_file"), ("user", None)]


def test_an_image_is_kept_as_a_block(home):
    task = home.task()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    task.say("user", {"type": "text", "text": "see"}, image)
    task.write()
    [row] = home.read().rows["a"]
    assert (row.text, json.loads(row.blocks or "")) == ("see", [{"type": "text", "text": "see"}, image])


def test_tokens_and_price_are_those_of_the_list_of_tasks(home):
    task = home.task()
    task.ask("look")
    task.listed = {
        "tokensIn": 100,
        "tokensOut": 10,
        "cacheReads": 5,
        "totalCost": 0.5,
        "workspace": "/home/u/app",
    }
    task.write()
    row = home.read().sessions["a"]
    assert (row.input_tokens, row.output_tokens, row.cache_read_tokens) == (100, 10, 5)
    assert (row.estimated_cost_usd, row.cwd, row.source) == (0.5, "/home/u/app", "roo")


def test_without_it_they_are_those_that_the_screen_was_told(home):
    task = home.task()
    task.ask("look")
    for told in ('{"tokensIn": 7, "tokensOut": 2, "cost": 0.25}', "spoiled", '{"tokensIn": 1, "cost": 0.5}'):
        task.tell("api_req_started", text=told)
    task.write()
    row = home.read().sessions["a"]
    assert (row.input_tokens, row.output_tokens, row.estimated_cost_usd) == (8, 2, 0.75)


def test_a_task_that_another_began_worked_for_it(home):
    home.task("a").write()
    inner = home.task("b")
    inner.ask("find it")
    inner.listed = {"parentTaskId": "a", "mode": "code"}
    inner.write()
    found = home.read()
    assert (found.relations, found.sessions["b"].parent_session_id) == ({"a": "root", "b": "delegate"}, "a")
    assert (found.sessions["b"].extra or {})["mode"] == "code"


def test_messages_of_one_moment_are_told_apart(home):
    task = home.task()
    for text in ("go on", "go on"):
        task.ask(text, ts=5)
    task.write()
    rows = home.read().rows["a"]
    assert [row.text for row in rows] == ["go on", "go on"]
    assert len({row.origin_key for row in rows}) == 2


def test_an_item_that_says_nothing_is_named_and_the_others_are_read(home):
    task = home.task()
    task.ask("first")
    task.items += [{"ts": 1}, 5]
    task.write()
    found = home.read()
    assert found.texts("a") == ["first"]
    assert [(one.id, one.reason) for one in found.rejected] == [
        ("a:1", "it has no role"),
        ("a:2", "not an object"),
    ]


def test_a_screen_that_cannot_be_read_is_a_warning(home):
    task = home.task()
    task.ask("first")
    task.tell("text")
    task.write()
    (task.folder / "ui_messages.json").write_text("[{")
    found = home.read()
    assert [one.reason for one in found.warnings] == ["ui_messages.json: JSON that is cut off"]


@pytest.mark.parametrize("bound", ["bytes", "rows"])
def test_a_large_task_is_read_twice_and_says_the_same(home, monkeypatch, bound):
    task = home.task()
    for at in range(5):
        task.ask(f"question {at}")
        task.call(f"t{at}")
        task.result(f"t{at}", "out")
    task.condense("all")
    task.write()
    held = home.read()
    monkeypatch.setattr(families, "BATCH_ROWS", 4)
    if bound == "bytes":
        monkeypatch.setattr(source, "KEPT_BYTES", 100)
    again = home.read(kept_rows=3) if bound == "rows" else home.read()
    assert again.rows == held.rows
    assert len(held.rows["a"]) == 16
