"""What a record says: requests, replies with their calls, results, what the agent put between."""

import json

from hermes_sessions.agents.json_lines.lines import LONGEST
from hermes_sessions.messages import Role


def blocks(row):
    return None if row.blocks is None else json.loads(row.blocks)


def test_texts_of_one_message_are_one(home):
    home.talk().say("user", {"type": "text", "text": "one"}, {"type": "text", "text": "two"})
    assert home.read().texts("a") == ["one\ntwo"]


def test_a_call_and_its_result_are_two_messages(home):
    one = home.talk().use("t1", "found it", text="I look")
    reply, result = home.read().rows["a"]
    assert (reply.role, reply.text, reply.origin_key) == (Role.ASSISTANT, "I look", one)
    [call] = json.loads(reply.tool_calls)
    assert (call["id"], call["function"]) == ("t1", {"name": "read", "arguments": '{"path": "x"}'})
    assert (result.role, result.text, result.tool_call_id, result.tool_name) == (
        Role.TOOL, "found it", "t1", "read",
    )  # fmt: skip


def test_a_call_that_failed_answers_with_its_error(home):
    home.talk().use("t1", status="error", error="no such file")
    result = home.read().rows["a"][1]
    assert (result.text, result.extra["is_error"]) == ("no such file", True)


def test_a_call_without_an_end_has_no_result(home):
    home.talk().use("t1", status="running")
    assert [row.role for row in home.read().rows["a"]] == [Role.ASSISTANT]


def test_each_step_of_a_reply_is_a_message(home):
    tool = {"type": "tool", "tool": "bash", "callID": "t1", "state": {"status": "completed", "output": "x"}}
    start, end = {"type": "step-start"}, {"type": "step-finish", "cost": 1, "tokens": {"input": 3}}
    home.talk().say("assistant", start, tool, end, start, {"type": "text", "text": "done"}, end)
    read = home.read()
    assert [(row.role, row.text) for row in read.rows["a"]] == [
        (Role.ASSISTANT, ""), (Role.TOOL, "x"), (Role.ASSISTANT, "done"),
    ]  # fmt: skip
    assert (read.sessions["a"].input_tokens, read.sessions["a"].estimated_cost_usd) == (6, 2.0)


def test_what_the_agent_says_for_the_user_is_not_typed(home):
    home.talk().say("user", {"type": "text", "text": "Called the Read tool", "synthetic": True})
    [row] = home.read().rows["a"]
    assert (row.role, row.extra["role"]) == (Role.SESSION_META, "user")


def test_what_the_agent_adds_to_a_request_is_kept_beside_it(home):
    home.talk().say(
        "user",
        {"type": "text", "text": "look at @x"},
        {"type": "text", "text": "contents of x", "synthetic": True},
        {"type": "text", "text": "not for the model", "ignored": True},
    )
    [row] = home.read().rows["a"]
    assert (row.role, row.text) == (Role.USER, "look at @x")
    assert [one["text"] for one in blocks(row)] == ["look at @x", "contents of x"]


def test_images_are_blocks_of_requests_and_results(home):
    image = {"mime": "image/png", "filename": "a.png", "url": "data:image/png;base64,AA=="}
    talk = home.talk()
    talk.say("user", {"type": "text", "text": "see"}, {"type": "file", **image})
    talk.use("t1", "a picture", attachments=[image])
    asked, _, result = home.read().rows["a"]
    for row in (asked, result):
        assert [one["type"] for one in blocks(row)] == ["text", "image_url"]
        assert blocks(row)[1]["image_url"]["url"] == image["url"]


def test_thoughts_are_kept_apart(home):
    home.talk().say("assistant", {"type": "reasoning", "text": "hm"}, {"type": "text", "text": "yes"})
    [row] = home.read().rows["a"]
    assert (row.text, row.reasoning) == ("yes", "hm")


def test_a_reply_that_failed_without_a_word_is_a_note(home):
    error = {"name": "APIError", "data": {"message": "overloaded"}}
    talk = home.talk()
    talk.say("assistant", error=error)
    talk.say("assistant")
    [row] = home.read().rows["a"]
    assert (row.role, row.text) == (Role.SESSION_META, "APIError: overloaded")


def test_a_session_has_its_title_place_model_and_cost(home):
    talk = home.talk(title="Mine", directory="/w", archived=1_780_000_000_000)
    tokens = {"input": 10, "output": 2, "reasoning": 1, "cache": {"read": 7, "write": 3}}
    talk.reply("hi", tokens=tokens, cost=0.25, modelID="opus")
    row = home.read().sessions["a"]
    assert (row.title, row.cwd, row.model, row.archived) == ("Mine", "/w", "opus", True)
    assert (row.input_tokens, row.output_tokens, row.reasoning_tokens) == (10, 2, 1)
    assert (row.cache_read_tokens, row.cache_write_tokens, row.estimated_cost_usd) == (7, 3, 0.25)


def test_a_title_that_nobody_gave_is_none(home):
    home.talk(title="New session - 2026-05-01T00:00:00.000Z").ask("hi")
    assert home.read().sessions["a"].title is None


def test_an_unknown_kind_of_part_is_counted_not_refused(home):
    home.talk().say("user", {"type": "text", "text": "hi"}, {"type": "hologram"}, {"type": "hologram"})
    read = home.read()
    assert (read.texts("a"), read.rejected) == (["hi"], [])
    assert [one.reason for one in read.warnings] == ["2 parts of the kind 'hologram' are not known; left out"]


def test_ids_that_begin_anew_are_later(home):
    talk = home.talk()
    home.kept.clock = (2**48 - 8) // 4096 + 2**36 * 25 - 3
    for at in range(6):
        talk.ask(f"question {at}")
    ids = home.kept.messages("a")
    assert (ids[0][4], ids[-1][4]) == ("0", "f")
    assert home.read().texts("a") == [f"question {at}" for at in range(6)]


def test_a_family_too_large_to_hold_is_read_twice(home):
    talk = home.talk()
    for at in range(5):
        talk.ask(f"question {at}")
        talk.use(f"t{at}", "out")
    small, large = home.read(), home.read(kept_rows=3)
    assert large.rows == small.rows
    assert len(large.rows["a"]) == 15


def test_a_part_that_is_too_long_is_named_and_the_others_are_read(home):
    talk = home.talk()
    talk.ask("before")
    talk.reply("x" * (LONGEST + 1))
    talk.ask("after")
    found = home.read()
    assert found.texts("a") == ["before", "after"]
    assert "16,000,000" in " ".join(one.reason for one in found.rejected)
