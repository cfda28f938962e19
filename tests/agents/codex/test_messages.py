"""What lines become: one message for an item and its event, replies with thoughts and calls, results."""

import json
import tracemalloc

from backports import zstd

from hermes_sessions.agents.codex.pieces import read_pieces
from hermes_sessions.agents.codex.records import RolloutLine
from tests.agents.codex.rollout_builder import at


def roles(found, session="a"):
    return [(row.role, row.text) for row in found.rows[session]]


def test_an_item_and_its_event_are_one_message(home):
    talk = home.talk()
    talk.ask("continue")
    talk.reply("yes")
    talk.ask("continue")
    talk.reply("yes")
    talk.write()
    said = [("user", "continue"), ("assistant", "yes")]
    assert roles(home.read()) == said * 2


def test_an_event_without_an_item_is_the_message(home):
    talk = home.talk()
    talk.add("event_msg", "user_message", message="look at this", images=["data:image/png;base64,AA"])
    talk.add("event_msg", "agent_message", message="I see")
    talk.done()
    talk.write()
    found = home.read()
    assert roles(found) == [("user", "look at this"), ("assistant", "I see")]
    assert "data:image/png;base64,AA" in (found.rows["a"][0].blocks or "")


def test_an_item_without_its_event_was_not_typed(home):
    talk = home.talk()
    talk.message("user", "# AGENTS.md instructions for /w\n\nUse tabs.")
    talk.message("user", "what nobody listed")
    talk.message("developer", "You may write files.")
    talk.ask("Warning: is this typed?")
    talk.reply("yes")
    talk.write()
    found = home.read()
    assert [row.role for row in found.rows["a"]] == ["session_meta"] * 3 + ["user", "assistant"]
    assert [(row.extra or {}).get("role") for row in found.rows["a"][:3]] == ["user", "user", "developer"]


def test_where_there_are_no_events_the_words_of_the_agent_are_known(home):
    talk = home.talk()
    talk.message("user", "<environment_context>\n  <cwd>/w</cwd>")
    talk.message("user", "hello")
    talk.message("assistant", "hi")
    talk.write()
    assert [row.role for row in home.read().rows["a"]] == ["session_meta", "user", "assistant"]


def test_a_last_event_is_the_message_that_its_item_will_be(home):
    talk = home.talk()
    talk.ask("hello")
    talk.add("event_msg", "agent_message", message="it is done")
    talk.write()
    before = home.read().rows["a"]
    assert [(row.role, row.text) for row in before] == [("user", "hello"), ("assistant", "it is done")]
    talk.message("assistant", "it is done")
    talk.write()
    assert [row.origin_key for row in home.read().rows["a"]] == [row.origin_key for row in before]


def test_what_lines_say_is_held_once(home):
    talk = home.talk()
    talk.ask("go")
    for _ in range(300):
        talk.add("response_item", "reasoning", summary=[], encrypted_content="A" * 100_000)
    talk.reply("done")
    talk.write()
    tracemalloc.start()
    rows = home.read().rows["a"]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert rows[-1].text == "done"
    assert peak < 12_000_000  # of 30 MB that the lines have


def test_a_reply_has_its_thoughts_and_its_calls(home):
    talk = home.talk()
    talk.ask("go")
    talk.think("first this")
    talk.think("then that")
    talk.reply("I look")
    talk.call("c1", path="x")
    talk.add("response_item", "custom_tool_call", name="apply_patch", input="*** patch", call_id="c2")
    talk.count(500)
    talk.result("c1", "out")
    talk.result("c2", [{"type": "input_text", "text": "done"}])
    talk.think("alone")
    talk.done()
    talk.write()
    found = home.read().rows["a"]
    assert [row.role for row in found] == ["user", "assistant", "tool", "tool", "assistant"]
    reply = found[1]
    assert (reply.text, reply.reasoning) == ("I look", "first this\nthen that")
    calls = [one["function"] for one in json.loads(reply.tool_calls or "")]
    assert calls == [
        {"name": "exec_command", "arguments": '{"path": "x"}'},
        {"name": "apply_patch", "arguments": "*** patch"},
    ]
    assert [(row.text, row.tool_call_id, row.tool_name) for row in found[2:4]] == [
        ("out", "c1", "exec_command"),
        ("done", "c2", "apply_patch"),
    ]
    assert (found[4].text, found[4].reasoning) == ("", "alone")


def test_keys_are_what_was_said_and_the_how_manieth_time(home):
    talk = home.talk()
    for _ in range(2):
        talk.ask("continue")
        talk.reply("yes")
    talk.write()
    first, _, again, _ = [row.origin_key for row in home.read().rows["a"]]
    assert again == f"{first}#2"
    # A release that numbers lines and gives ids writes the same thread anew: nothing changes.
    keys = [row.origin_key for row in home.read().rows["a"]]
    anew = home.segment("")
    for at_ in range(2):
        anew.ask("continue", id=f"u{at_}")
        anew.reply("yes", id=f"r{at_}")
    anew.write()
    assert [row.origin_key for row in home.read().rows["a"]] == keys


def test_the_session_has_what_the_thread_says_of_itself(home):
    talk = home.talk(base_instructions={"text": "You are Codex."}, git={"branch": "main"})
    talk.turn()
    talk.ask("hello")
    talk.count(1000, cached=900)
    talk.lines.append(dict(talk.lines[-1]))  # told again by a limit
    talk.reply("hi")
    talk.count(1200, cached=1000)
    talk.add("event_msg", "thread_name_updated", thread_name="A talk")
    talk.write()
    [row] = home.read().sessions.values()
    assert (row.title, row.model, row.cwd) == ("A talk", "model-1", "/home/u/app")
    assert (row.system_prompt, row.source) == ("You are Codex.", "codex")
    assert (row.input_tokens, row.cache_read_tokens, row.output_tokens) == (90 + 190 - 0, 1900, 20)
    (home.path / "session_index.jsonl").write_text(
        "".join(json.dumps({"id": "a", "thread_name": name}) + "\n" for name in ("Old", "Newest")) + "{broken"
    )
    assert home.read().sessions["a"].title == "Newest"


def test_the_first_releases_wrote_items_alone(home):
    items = [
        {"id": "a", "timestamp": at(0), "instructions": None, "git": None},
        {"record_type": "state"},
        {"type": "message", "id": None, "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hi"}]},
    ]
    path = home.file("a")
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in items))
    whole = path.with_name("rollout-2025-05-01-b.json")
    whole.write_text(json.dumps({"session": {"id": "b", "timestamp": at(0)}, "items": items[2:]}))
    found = home.read()
    assert roles(found) == roles(found, "b") == [("user", "hello"), ("assistant", "hi")]
    assert found.rejected == []


def test_a_compressed_rollout_is_the_same_and_a_plain_one_wins(home):
    talk = home.talk()
    talk.ask("hello")
    talk.reply("hi")
    plain = talk.write()
    before = home.read().rows["a"]
    packed = plain.with_name(plain.name + ".zst")
    packed.write_bytes(zstd.compress(plain.read_bytes()))
    assert list(home.read().rows) == ["a"]
    plain.unlink()
    assert home.read().rows["a"] == before


def test_compressed_data_that_end_early_are_read_as_far_as_they_go(home):
    talk = home.talk()
    for number in range(400):
        talk.ask(f"question {number} {hash(number * 7919)}")
        talk.reply(f"reply {number}")
    plain = talk.write()
    frames = [plain.read_bytes()[at_ : at_ + 20_000] for at_ in range(0, plain.stat().st_size, 20_000)]
    data = b"".join(map(zstd.compress, frames))
    plain.with_name(plain.name + ".zst").write_bytes(data[: len(data) * 2 // 3])
    plain.unlink()
    found = home.read()
    assert 100 < len(found.rows["a"]) < 800
    assert [one.reason.partition(":")[0] for one in found.rejected] == ["compressed data are damaged"]


def test_kinds_that_nobody_knows_are_counted(home):
    talk = home.talk()
    talk.ask("hello")
    for _ in range(2):
        talk.add("from_the_future", x=1)
    talk.write()
    [told] = home.read().warnings
    assert (told.id, told.reason) == ("a", "2 lines of the kind 'from_the_future' are not known; left out")


def test_of_large_lines_few_are_held(home):
    held = 0

    def lines():
        nonlocal held
        for at_ in range(0, 400_000_000, 4_000_000):
            held += 1
            value = {"type": "function_call_output", "call_id": str(at_), "output": "x"}
            yield RolloutLine(at_, at_ + 4_000_000, "response_item", value, None, None, b"", None)

    most = 0
    for _ in read_pieces(lines()):
        most = max(most, held)
        held -= 1
    assert 1 < most <= 10


def test_items_events_and_blocks_of_unknown_kinds_are_told_and_read_where_they_have_text(home):
    talk = home.talk()
    talk.ask("hello")
    for _ in range(2):
        talk.add("response_item", "oracle_item", x=1)
    talk.add("response_item", "oracle_message", content=[{"type": "output_text", "text": "the port is 8080"}])
    talk.add(
        "response_item", "message", role="assistant", content=[{"type": "hologram", "text": "seen from afar"}]
    )
    talk.add("event_msg", "oracle_seen", x=1)
    talk.write()
    found = home.read()
    assert [(row.role, row.text) for row in found.rows["a"]] == [
        ("user", "hello"), ("session_meta", "the port is 8080"), ("assistant", "seen from afar"),
    ]  # fmt: skip
    assert "hologram" in (found.rows["a"][2].blocks or "")
    assert sorted(one.reason for one in found.warnings) == [
        "1 block of the kind 'hologram' is not known; kept as written",
        "1 line of the kind 'event_msg: oracle_seen' is not known; left out",
        "1 line of the kind 'response_item: oracle_message' is not known; the text is kept, and hidden",
        "2 lines of the kind 'response_item: oracle_item' are not known; left out",
    ]
