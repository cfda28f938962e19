"""Entries of a session become messages."""

import json

import pytest

from hermes_sessions.agents.json_lines import families
from hermes_sessions.agents.session_files import source
from tests.agents.pi.session_builder import PiSession


def test_a_reply_has_its_text_its_thoughts_and_its_calls(home):
    talk = home.talk()
    talk.ask("look")
    thought = {"type": "thinking", "thinking": "hm", "thinkingSignature": "s"}
    called = {"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": "é"}}
    talk.reply("I look", thought, called, stopReason="toolUse")
    talk.result("t1", "out", isError=True)
    talk.write()
    rows = home.read().rows["a"]
    assert [(row.role, row.text) for row in rows] == [
        ("user", "look"),
        ("assistant", "I look"),
        ("tool", "out"),
    ]
    reply, result = rows[1:]
    assert (reply.reasoning, reply.blocks, reply.finish_reason) == ("hm", None, "toolUse")
    assert json.loads(reply.tool_calls or "") == [
        {"id": "t1", "type": "function", "function": {"name": "read", "arguments": '{"path": "é"}'}}
    ]
    assert (result.tool_call_id, result.tool_name, result.extra) == ("t1", "read", {"is_error": True})


def test_tokens_and_prices_are_summed(home):
    talk = home.talk()
    for text in ("one", "two"):
        talk.ask("?")
        talk.reply(text)
    talk.call("t1")
    talk.write()
    row = home.read().sessions["a"]
    assert (row.input_tokens, row.output_tokens, row.cache_read_tokens, row.cache_write_tokens) == (
        12,
        30,
        300,
        60,
    )
    assert (row.estimated_cost_usd, row.tool_call_count, row.model) == (0.75, 1, "model-1")
    assert (row.cwd, row.source, row.extra["version"]) == ("/home/u/app", "pi", 3)


def test_an_image_is_kept_in_the_form_in_which_images_are_shown(home):
    talk = home.talk()
    image = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    talk.say("user", [{"type": "text", "text": "see"}, image])
    talk.write()
    [row] = home.read().rows["a"]
    kept = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    assert json.loads(row.blocks or "") == [
        {"type": "text", "text": "see"},
        {"type": "image", "source": kept},
    ]


def test_the_name_that_a_session_was_given_last_is_its_title(home):
    talk = home.talk()
    talk.ask("hello")
    for name in ("First", "Mine"):
        talk.add("session_info", name=name)
    talk.write()
    assert home.read().sessions["a"].title == "Mine"


def test_a_command_that_the_user_ran_is_shown_as_the_model_is_shown_it(home):
    talk = home.talk()
    talk.say("bashExecution", None, command="ls", output="a\nb", exitCode=0)
    talk.say("bashExecution", None, command="env", output="", excludeFromContext=True)
    talk.write()
    first, hidden = home.read().rows["a"]
    assert (first.role, first.text) == ("user", "Ran `ls`\n```\na\nb\n```")
    assert first.extra == {"shell": {"command": "ls", "exitCode": 0}}
    assert (hidden.role, hidden.text) == ("session_meta", "Ran `env`\n(no output)")


def test_what_extensions_and_later_releases_say_is_kept_and_not_shown(home):
    talk = home.talk()
    talk.add("custom_message", customType="note", content="by an extension", display=True)
    talk.say("hookMessage", "older")
    talk.say("somebody", [{"type": "text", "text": "new"}])
    talk.add("from_the_future", x=1)
    talk.write()
    found = home.read()
    assert [(row.role, row.text) for row in found.rows["a"]] == [
        ("session_meta", "by an extension"), ("session_meta", "older"), ("session_meta", "new"),
    ]  # fmt: skip
    assert [one.reason for one in found.warnings] == [
        "1 record of the kind 'from_the_future' is not known; left out"
    ]


def test_an_entry_that_is_written_again_is_taken_once(home):
    talk = home.talk()
    talk.ask("hello")
    talk.lines.append(dict(talk.lines[-1]))
    talk.reply("hi")
    talk.write()
    found = home.read()
    assert found.texts("a") == ["hello", "hi"]
    assert [one.reason for one in found.warnings] == ["1 entry was written again; it is taken once"]


def test_without_ids_equal_lines_are_messages_of_their_own(home):
    talk = PiSession(home.file(), bare=True)
    talk.ask("go on")
    talk.lines.append(dict(talk.lines[-1]))
    talk.write()
    rows = home.read().rows["a"]
    assert [row.text for row in rows] == ["go on", "go on"]
    assert len({row.origin_key for row in rows}) == 2


def test_bytes_that_are_no_text_are_kept(home):
    talk = home.talk()
    talk.ask("caf?")
    path = talk.write()
    path.write_bytes(path.read_bytes().replace(b"caf?", b"caf\xe9"))
    [row] = home.read().rows["a"]
    assert (row.text, list(row.extra or {})) == ("caf\ufffd", ["lines_b64"])


@pytest.mark.parametrize("bound", ["bytes", "rows"])
def test_a_large_family_is_read_twice_and_says_the_same(home, monkeypatch, bound):
    talk = home.talk()
    for at in range(5):
        talk.ask(f"question {at}")
        talk.call(f"t{at}")
        talk.result(f"t{at}", "out")
    talk.compact("all", talk.leaf)
    talk.write()
    held = home.read()
    monkeypatch.setattr(families, "BATCH_ROWS", 4)
    if bound == "bytes":
        monkeypatch.setattr(source, "KEPT_BYTES", 100)
    again = home.read(kept_rows=3) if bound == "rows" else home.read()
    assert again.rows == held.rows
    assert len(held.rows["a"]) == 16
