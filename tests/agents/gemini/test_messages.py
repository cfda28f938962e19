"""Messages of a file become messages here."""

import json

import pytest

from hermes_sessions.agents.json_lines import families
from hermes_sessions.agents.session_files import source


def test_a_reply_its_calls_and_their_results_are_messages(home):
    talk = home.talk()
    talk.ask("look")
    thought = {"subject": "Plan", "description": "look first"}
    talk.reply(
        "I look", thoughts=[thought], toolCalls=[talk.called("t1", "one", path="é"), talk.called("t2", "two")]
    )
    talk.write()
    rows = home.read().rows["a"]
    assert [(row.role, row.text) for row in rows] == [
        ("user", "look"), ("assistant", "I look"), ("tool", "one"), ("tool", "two"),
    ]  # fmt: skip
    reply, result = rows[1], rows[2]
    assert (reply.reasoning, reply.blocks) == ("Plan: look first", None)
    assert json.loads(reply.tool_calls or "")[0] == {
        "id": "t1", "type": "function", "function": {"name": "read", "arguments": '{"path": "é"}'},
    }  # fmt: skip
    assert (result.tool_call_id, result.tool_name, result.origin_key) == ("t1", "read", "a-2/t1")


def test_a_message_that_is_written_again_is_one_where_it_was_first_as_it_was_last(home):
    talk = home.talk()
    first = talk.reply("", toolCalls=[talk.called("t1", None, "executing")])
    talk.ask("meanwhile")
    talk.again(first, toolCalls=[talk.called("t1", "out")], content="done")
    talk.write()
    found = home.read()
    assert found.texts("a") == ["done", "out", "meanwhile"]
    assert (found.sessions["a"].output_tokens, found.sessions["a"].tool_call_count) == (10, 1)


def test_a_result_that_failed_says_so(home):
    talk = home.talk()
    failed = talk.called("t1", "", "error")
    failed["result"][0]["functionResponse"]["response"] = {"error": "no such file"}
    talk.reply("", toolCalls=[failed, talk.called("t2", None, "cancelled")])
    talk.write()
    rows = home.read().rows["a"]
    assert [row.text for row in rows] == ["", "no such file"]
    assert rows[1].extra == {"is_error": True, "status": "error"}


def test_a_result_in_another_form_is_kept_as_json(home):
    talk = home.talk()
    odd = talk.called("t1", "")
    odd["result"][0]["functionResponse"]["response"] = {"lines": [1, 2]}
    talk.reply("", toolCalls=[odd])
    talk.write()
    assert home.read().texts("a") == ["", '{"lines": [1, 2]}']


def test_tokens_are_counted_with_those_from_the_cache_apart(home):
    talk = home.talk("a", directories=["/home/u/app"])
    talk.reply("one")
    talk.again(talk.reply("two"))
    talk.write()
    row = home.read().sessions["a"]
    assert (row.input_tokens, row.cache_read_tokens, row.output_tokens, row.reasoning_tokens) == (
        80,
        120,
        20,
        6,
    )
    assert (row.model, row.cwd, row.source) == ("model-1", "/home/u/app", "gemini")


def test_the_folder_of_a_project_is_what_the_file_beside_its_chats_says(home):
    talk = home.talk("a", directories=["/elsewhere"])
    talk.ask("hello")
    talk.write()
    (home.path / "tmp" / "app" / ".project_root").write_text("/home/u/app\n")
    assert home.read().sessions["a"].cwd == "/home/u/app"


def test_what_the_agent_calls_a_session_is_its_title(home):
    talk = home.talk("a", summary="At first")
    talk.ask("hello")
    talk.set(summary="At last")
    talk.write()
    assert home.read().sessions["a"].title == "At last"


def test_an_image_is_kept_in_the_form_in_which_images_are_shown(home):
    talk = home.talk()
    talk.say("user", [{"text": "see"}, {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}])
    talk.write()
    [row] = home.read().rows["a"]
    kept = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    assert json.loads(row.blocks or "") == [
        {"type": "text", "text": "see"},
        {"type": "image", "source": kept},
    ]


def test_notices_and_unknown_types_are_kept_and_not_shown(home):
    talk = home.talk()
    talk.say("info", "an update is there")
    talk.say("oracle", "later")
    talk.lines.append({"$merge": {}})
    talk.write()
    found = home.read()
    assert [(row.role, row.extra) for row in found.rows["a"]] == [
        ("session_meta", {"type": "info"}), ("session_meta", {"type": "oracle"}),
    ]  # fmt: skip
    assert [one.reason for one in found.warnings] == [
        "1 record of the kind 'message of oracle' is not known; left out",
        "1 record of the kind 'with $merge' is not known; left out",
    ]


def test_what_the_user_saw_is_kept_beside_what_was_sent(home):
    talk = home.talk()
    talk.say("user", [{"text": "read @a.py\ncontents"}], displayContent=[{"text": "read @a.py"}])
    talk.write()
    [row] = home.read().rows["a"]
    assert (row.text, row.extra) == ("read @a.py\ncontents", {"shown": "read @a.py"})


def test_a_file_that_is_one_object_is_read_item_by_item(home):
    talk = home.talk(suffix=".json", summary="Old one")
    talk.ask("hello")
    talk.call("t1", "half \ud83d")
    path = talk.write()
    path.write_text(path.read_text().replace('"model-1"', '"model-1", "deep": ' + "[" * 500 + "]" * 500, 1))
    talk.lines.append({"x": 1})
    found = home.read()
    assert (found.texts("a"), found.sessions["a"].title) == (["hello"], "Old one")
    assert [(one.id, one.reason) for one in found.rejected] == [
        ("session-2026-05-28T20-26-a:1", "nested too deeply")
    ]


def test_half_a_character_in_an_object_is_read(home):
    talk = home.talk(suffix=".json")
    talk.ask("half \ud83d")
    talk.write()
    assert home.read().texts("a") == ["half \ud83d"]


def test_a_session_in_the_folder_of_another_worked_for_it(home):
    home.talk("a").write()
    inner = home.talk("x", session="x", kind="subagent")
    inner.path = home.file().parent / "a" / "x.jsonl"
    inner.ask("find it")
    inner.write()
    found = home.read()
    assert found.relations == {"a": "root", "x": "delegate"}
    assert found.sessions["x"].parent_session_id == "a"


@pytest.mark.parametrize("bound", ["bytes", "rows"])
@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_a_large_family_is_read_twice_and_says_the_same(home, monkeypatch, bound, suffix):
    talk = home.talk(suffix=suffix)
    for at in range(5):
        talk.ask(f"question {at}")
        talk.call(f"t{at}", "out")
    if suffix == ".jsonl":
        talk.shorten("all", str(talk.said[-1]["id"]))
    talk.write()
    held = home.read()
    monkeypatch.setattr(families, "BATCH_ROWS", 4)
    if bound == "bytes":
        monkeypatch.setattr(source, "KEPT_BYTES", 100)
    again = home.read(kept_rows=3) if bound == "rows" else home.read()
    assert again.rows == held.rows
    assert len(held.rows["a"]) >= 15
