"""Records of a transcript become messages."""

import json

import pytest

from hermes_sessions.agents.json_lines import families
from tests.agents.claude_code.transcript_builder import OPENING


def a_reply_of_three_lines(talk):
    talk.ask("look")
    talk.blocks({"type": "thinking", "thinking": "hm", "signature": "s"}, name="m")
    talk.blocks({"type": "text", "text": "I look"}, name="m")
    talk.blocks({"type": "tool_use", "id": "t1", "name": "Read", "input": {"path": "é"}}, name="m")
    talk.result("t1", [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}])
    talk.reply("done")
    return talk.write()


def test_the_lines_of_a_reply_are_one_message(home):
    a_reply_of_three_lines(home.talk())
    rows = home.read().rows["a"]
    assert [(row.role, row.text) for row in rows] == [
        ("user", "look"), ("assistant", "I look"), ("tool", "one\ntwo"), ("assistant", "done"),
    ]  # fmt: skip
    reply, result = rows[1], rows[2]
    assert (reply.reasoning, reply.blocks) == ("hm", None)
    assert json.loads(reply.tool_calls or "") == [
        {"id": "t1", "type": "function", "function": {"name": "Read", "arguments": '{"path": "é"}'}}
    ]
    assert (result.tool_call_id, result.tool_name, result.blocks) == ("t1", "Read", None)


def test_other_records_may_come_between_the_lines_of_a_reply(home):
    talk = home.talk()
    talk.call("t1")
    talk.result("t1", "one")
    talk.blocks({"type": "text", "text": "late"}, name="msg-t1")
    talk.write()
    assert home.read().texts("a") == ["late", "one"]


def test_a_tool_may_tell_of_its_progress_between_the_lines_of_a_reply(home):
    talk = home.talk()
    talk.call("t1")
    for _ in range(60):
        talk.add("progress", data={"type": "hook_progress"})
    talk.result("t1", "one")
    talk.blocks({"type": "text", "text": "late"}, name="msg-t1")
    talk.write()
    found = home.read()
    assert found.texts("a") == ["late", "one"]
    assert found.sessions["a"].input_tokens == 4


def test_tokens_are_counted_once_for_each_reply_as_its_last_line_has_them(home):
    a_reply_of_three_lines(home.talk())
    row = home.read().sessions["a"]
    assert (row.input_tokens, row.output_tokens, row.tool_call_count) == (8, 13 + 15, 1)
    assert (row.model, row.cwd, row.source) == ("model-1", "/home/u/app", "claude-code")


def test_an_image_is_kept_as_a_block(home):
    talk = home.talk()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    talk.add("user", message={"role": "user", "content": [{"type": "text", "text": "see"}, image]})
    talk.write()
    [row] = home.read().rows["a"]
    assert (row.text, json.loads(row.blocks or "")) == ("see", [{"type": "text", "text": "see"}, image])


def test_results_that_share_a_record_are_rows_of_their_own(home):
    talk = home.talk()
    results = [{"type": "tool_result", "tool_use_id": one, "content": one, "is_error": True} for one in "xy"]
    talk.add("user", message={"role": "user", "content": [*results, {"type": "text", "text": "and?"}]})
    talk.write()
    rows = home.read().rows["a"]
    assert [(row.role, row.text, row.origin_key) for row in rows] == [
        ("tool", "x", "a-0"), ("tool", "y", "a-0#1"), ("user", "and?", "a-0#2"),
    ]  # fmt: skip
    assert rows[0].extra == {"is_error": True}


def test_what_the_agent_says_in_the_users_place_is_kept_and_not_shown(home):
    talk = home.talk()
    talk.ask("<local-command-caveat>", isMeta=True)
    talk.ask("hello")
    talk.write()
    assert [row.role for row in home.read().rows["a"]] == ["session_meta", "user"]


def ide(text):
    return f"<ide_opened_file>The user opened {text}</ide_opened_file>"


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": ide("a.py")}, {"type": "text", "text": "Rename it."}],
        f"{ide('a.py')}\nRename it.",
        [{"type": "text", "text": f"{ide('a.py')} {ide('b.py')}\nRename it."}],
    ],
    ids=["blocks", "text", "one block"],
)
def test_what_an_editor_adds_is_not_what_the_user_typed(home, content):
    talk = home.talk()
    talk.add("user", message={"role": "user", "content": content})
    talk.reply("done")
    talk.write()
    rows = home.read().rows["a"]
    assert [(row.role, row.text) for row in rows[::2]] == [("user", "Rename it."), ("assistant", "done")]
    assert (rows[1].role, rows[0].origin_key) == ("session_meta", "a-0")
    assert "a.py" in rows[1].text


def test_a_tag_that_the_user_typed_about_stays(home):
    talk = home.talk()
    talk.ask("<ide_opened_file> is what it writes")
    talk.write()
    assert home.read().texts("a") == ["<ide_opened_file> is what it writes"]


def test_a_record_without_an_id_is_found_again_by_its_bytes(home):
    talk = home.talk()
    talk.ask("no id")
    del talk.records[0]["uuid"]
    talk.write()
    first, second = home.read(), home.read()
    assert first.rows["a"][0].origin_key.startswith("line:")
    assert first.rows["a"][0].origin_key == second.rows["a"][0].origin_key


def test_lines_that_cannot_be_read_are_named_and_their_neighbours_read(home):
    path = a_reply_of_three_lines(home.talk())
    written = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([written[0], b"{cut", b"\0\0", b"7", b" ", *written[1:-1], b'{"half']))
    found = home.read()
    assert [one.reason for one in found.rejected] == ["not JSON", "NUL bytes", "not an object"]
    assert found.texts("a") == ["look", "I look", "one\ntwo", "done"]


def test_a_whole_last_line_without_a_line_feed_is_read_and_a_torn_one_named(home):
    path = a_reply_of_three_lines(home.talk())
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    found = home.read()
    assert (found.texts("a")[-1], found.warnings) == ("done", [])
    path.write_bytes(whole[:-2])
    found = home.read()
    assert found.texts("a")[-1] == "one\ntwo"
    [told] = found.warnings
    at = whole[:-1].rfind(b"\n") + 1
    assert (told.id, told.reason) == (
        f"a:{at}",
        f"its last line is not whole yet ({len(whole) - 2 - at} bytes); it is read when it is",
    )


def test_a_kind_of_record_that_nobody_knows_is_told_once(home):
    talk = home.talk()
    for _ in range(3):
        talk.add("from-the-future")
    talk.write()
    assert [one.reason for one in home.read().warnings] == [
        "3 records of the kind 'from-the-future' are not known; left out"
    ]


def test_a_long_result_beside_the_transcript_is_kept_with_its_row(home):
    path = a_reply_of_three_lines(home.talk())
    folder = path.with_suffix("") / "tool-results"
    folder.mkdir(parents=True)
    (folder / "t1.txt").write_bytes(b"x" * 300_000)
    row = home.read().rows["a"][2]
    spilled = (row.extra or {})["spilled"]
    assert (spilled["file"], spilled["bytes"], len(spilled["text"])) == ("t1.txt", 300_000, 262_144)
    assert row.text == "one\ntwo"


@pytest.mark.parametrize("call", ["../../../outside", "/etc/passwd", "."])
def test_a_call_cannot_name_a_file_elsewhere(home, call):
    talk = home.talk()
    talk.result(call, "out")
    path = talk.write()
    (path.with_suffix("") / "tool-results").mkdir(parents=True)
    (home.path / "outside.txt").write_text("secret")
    assert home.read().rows["a"][0].extra is None


def test_a_large_family_is_read_twice_and_is_the_same(home, monkeypatch):
    talk = home.talk()
    a_reply_of_three_lines(talk)
    at_once = home.read()
    in_parts = home.read(kept_rows=1)
    monkeypatch.setattr(families, "BATCH_ROWS", 1)
    assert at_once.rows == in_parts.rows == home.read(kept_rows=1).rows


@pytest.mark.parametrize(
    ("records", "title"),
    [
        ([("ai-title", {"aiTitle": "First"}), ("ai-title", {"aiTitle": "Second"})], "Second"),
        ([("custom-title", {"customTitle": "Mine"}), ("ai-title", {"aiTitle": "Its"})], "Mine"),
        ([], None),
    ],
)
def test_the_title_is_the_users_else_the_agents(home, records, title):
    talk = home.talk()
    talk.ask("hello")
    for kind, fields in records:
        talk.add(kind, **fields)
    talk.write()
    assert home.read().sessions["a"].title == title


@pytest.mark.parametrize(
    ("said", "title"),
    [
        (["<command-name>/clear</command-name>", "mend the parser", "and then"], "mend the parser"),
        (["[Request interrupted by user]"], None),
        (["<command-message>review</command-message>\n<command-name>/review</command-name>"], "/review"),
        (["mend the parser", "<local-command-stdout>Copied</local-command-stdout>"], None),
    ],
)
def test_a_talk_that_begins_with_what_nobody_typed_is_called_by_what_was_typed_first(home, said, title):
    talk = home.talk()
    for text in said:
        talk.ask(text)
    talk.write()
    found = home.read()
    assert found.sessions["a"].title == title
    assert [row.text for row in found.rows["a"]] == said


def test_a_title_may_be_in_the_next_sessions_file(home):
    talk = home.talk("a")
    leaf = talk.ask("hello")
    talk.write()
    other = home.talk("b")
    other.records.append({"type": "summary", "summary": "What it was about", "leafUuid": leaf})
    other.ask("next")
    other.write()
    assert {one: row.title for one, row in home.read().sessions.items()} == {
        "a": "What it was about",
        "b": None,
    }


def test_the_sentence_before_a_summary_is_no_marker_where_somebody_quotes_it(home):
    talk = home.talk()
    talk.ask("hello")
    talk.ask(f"why does it say {OPENING}?")
    talk.ask(OPENING)
    talk.result("t", json.dumps({"type": "system", "subtype": "compact_boundary", "uuid": "u"}))
    talk.write()
    found = home.read()
    assert found.compactions == []
    assert [found.verdict("a", at).kind for at in range(4)] == ["message"] * 4


def test_asked_again_from_the_same_place_the_older_side_is_left(home):
    talk = home.talk()
    talk.ask("hello")
    place = talk.reply("hi")
    talk.ask("wrong way")
    talk.reply("as you say")
    talk.parent = place
    talk.ask("other way")
    talk.reply("better")
    talk.write()
    found = home.read()
    states = [found.verdict("a", at).state for at in range(6)]
    assert states == [None, None, "rewound", "rewound", None, None]


def test_what_hangs_on_a_later_line_of_a_reply_is_left_with_it(home):
    talk = home.talk()
    talk.ask("first")
    place = talk.reply("yes")
    talk.ask("second")
    for number in range(3):  # each line follows the result of the call before it
        call = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {}}
        talk.blocks(call, name="one reply")
        talk.result(f"t{number}", f"out {number}")
    talk.reply("done")
    talk.parent = place
    talk.ask("second, in another way")
    talk.reply("as you say")
    talk.write()
    found = home.read()
    states = [found.verdict("a", at).state for at in range(len(found.rows["a"]))]
    assert states == [None] * 2 + ["rewound"] * 6 + [None] * 2


def test_what_nobody_answered_is_not_taken_for_left(home):
    talk = home.talk()
    place = talk.ask("hello")
    talk.ask("wait")
    talk.parent = place
    talk.ask("go on")
    talk.reply("yes")
    talk.write()
    found = home.read()
    assert [found.verdict("a", at).state for at in range(4)] == [None] * 4


def test_what_a_record_of_an_unknown_kind_says_is_kept_and_hidden(home):
    talk = home.talk()
    talk.ask("hello")
    talk.add("oracle", message={"role": "oracle", "content": [{"type": "text", "text": "the port is 8080"}]})
    talk.add("system", subtype="from_the_future", content="as it is told")
    talk.write()
    found = home.read()
    rows = [(row.role, row.text) for row in found.rows["a"]]
    assert rows[1:] == [("session_meta", "the port is 8080"), ("session_meta", "as it is told")]
    assert [one.reason for one in found.warnings] == [
        "1 record of the kind 'oracle' is not known; the text is kept, and hidden",
        "1 record of the kind 'system: from_the_future' is not known; the text is kept, and hidden",
    ]


def test_blocks_of_an_unknown_kind_are_told_and_read_where_they_have_text(home):
    talk = home.talk()
    for text in ("a", "b"):
        talk.blocks({"type": "hologram", "text": text}, name="m1")
    talk.blocks({"type": "redacted_thinking", "data": "x"}, name="m1")
    talk.write()
    found = home.read()
    [row] = found.rows["a"]
    assert (row.text, "hologram" in (row.blocks or "")) == ("a\nb", True)
    assert [one.reason for one in found.warnings] == [
        "2 blocks of the kind 'hologram' are not known; kept as written"
    ]
