"""Sessions of Goose: their messages, what was compacted in place, copies, where they are found."""

import json
import sqlite3

import pytest

from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.goose.importer import IMPORTER
from hermes_sessions.agents.registry import importer_for
from hermes_sessions.errors import SourceError
from hermes_sessions.lineage import Relation
from hermes_sessions.messages import SENT, CompactionMethod, CompactionStatus, MessageKind, Realisation, Role
from tests.agents.changed_home import assert_as_afresh
from tests.agents.goose.session_builder import BY_HAND, GooseInDatabase, GooseInFiles, GooseTalk


def states(read, session="a"):
    return [str(read.verdict(session, at).state or "live") for at in range(len(read.rows[session]))]


def talked(home, turns=3, name="a"):
    talk = home.talk(name)
    for at in range(turns):
        talk.ask(f"question {at}")
        talk.use(f"t{at}", f"out {at}")
        talk.reply(f"answer {at}")
    return talk


# -- messages --------------------------------------------------------------------------------------


def test_a_call_and_its_result_are_two_messages(home):
    home.talk().use("t1", "found it", text="I look")
    reply, result = home.read().rows["a"]
    assert (reply.role, reply.text) == (Role.ASSISTANT, "I look")
    [call] = json.loads(reply.tool_calls)
    assert (call["id"], call["function"]) == ("t1", {"name": "shell", "arguments": '{"command": "ls"}'})
    assert (result.role, result.text, result.tool_call_id, result.tool_name) == (
        Role.TOOL, "found it", "t1", "shell",
    )  # fmt: skip


def test_results_of_one_record_are_messages_of_their_own(home):
    def result(call, **value):
        return {"type": "toolResponse", "id": call, "toolResult": {"status": "success", **value}}

    older = result("t1", value=[{"type": "text", "text": "as a list"}])
    failed = {"type": "toolResponse", "id": "t2", "toolResult": {"status": "error", "error": "no such tool"}}
    home.talk().say("user", older, failed, {"type": "text", "text": "and now?"})
    rows = home.read().rows["a"]
    assert [(row.role, row.text, row.tool_call_id) for row in rows] == [
        (Role.TOOL, "as a list", "t1"),
        (Role.TOOL, "no such tool", "t2"),
        (Role.USER, "and now?", None),
    ]
    assert rows[1].extra == {"is_error": True}
    assert len({row.origin_key for row in rows}) == 3


def test_images_thoughts_and_notes(home):
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    talk = home.talk()
    talk.say("user", {"type": "text", "text": "see"}, image)
    talk.say(
        "assistant",
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "text", "text": "a dot"},
    )
    talk.say(
        "assistant", {"type": "systemNotification", "notificationType": "inlineMessage", "msg": "compacting"}
    )
    talk.use("t1", [{"type": "text", "text": "a picture"}, image])
    asked, reply, told, _, result = home.read().rows["a"]
    for row in (asked, result):
        blocks = json.loads(row.blocks)
        assert blocks[1]["image_url"]["url"] == "data:image/png;base64,AA=="
    assert (reply.text, reply.reasoning) == ("a dot", "hm")
    assert (told.role, told.text) == (Role.SESSION_META, "compacting")


def test_a_session_has_its_title_place_model_and_tokens(tmp_path):
    kept = GooseInDatabase(tmp_path / "sessions.db")
    told = {"accumulated_input_tokens": 70, "accumulated_output_tokens": 5, "working_dir": "/w"}
    GooseTalk(kept, "a", name="Mine", model_config_json='{"model_name": "opus"}', **told).ask("hi")
    GooseTalk(kept, "b", name="New session 3", session_type="sub_agent").ask("hi")
    with IMPORTER.open(tmp_path, None, OpenOptions(now=0.0)) as source:
        rows = {one: source.read(ids).sessions[0] for ids in source.families() for one in ids}
        placed = {one: source.read(ids).placements[one] for ids in source.families() for one in ids}
    row = rows["a"]
    assert (row.title, row.cwd, row.model) == ("Mine", "/w", "opus")
    assert (row.input_tokens, row.output_tokens, row.started_at) == (70, 5, 1_780_387_200.0)
    assert (rows["b"].title, placed["b"].relation) == (None, Relation.DELEGATE)


def test_an_unknown_kind_of_content_is_counted_not_refused(home):
    home.talk().say("user", {"type": "text", "text": "hi"}, {"type": "hologram"})
    read = home.read()
    assert (read.texts("a"), read.rejected) == (["hi"], [])
    assert "'hologram'" in read.warnings[0].reason


def test_a_family_too_large_to_hold_is_read_twice(home):
    talked(home)
    small, large = home.read(), home.read(kept_rows=2)
    assert large.rows == small.rows


# -- compactions -----------------------------------------------------------------------------------


def test_a_compaction_in_place_stands_for_all_before_it(home):
    talk = talked(home)
    talk.compact("all of it", order=BY_HAND)
    talk.ask("more")
    read = home.read()
    [one] = read.compactions
    rows = read.rows["a"]
    assert (one.realisation, one.status, one.method, one.trigger) == (
        Realisation.IN_PLACE, CompactionStatus.COMMITTED, CompactionMethod.MODEL, "manual",
    )  # fmt: skip
    assert (one.span_first, one.span_last, one.span_messages) == (rows[0].ref, rows[11].ref, 12)
    assert (one.handoff, one.summary, one.tail_messages) == (rows[12].ref, "all of it", 0)
    assert read.verdict("a", 12).kind is MessageKind.HANDOFF
    assert rows[13].role == Role.SESSION_META
    assert states(read) == ["compacted"] * 12 + ["live"] * 3


def test_the_request_under_way_is_a_copy(home):
    talk = talked(home)
    talk.ask("the last one")
    talk.compact("all of it")
    talk.reply("here")
    read = home.read()
    [one] = read.compactions
    assert (one.span_messages, one.tail_messages, one.trigger) == (12, 1, "auto")
    assert read.verdict("a", 15).copy_of == read.rows["a"][12].ref
    assert states(read) == ["compacted"] * 12 + ["superseded"] + ["live"] * 4


def test_in_a_loop_of_tools_the_request_is_further_back(home):
    talk = talked(home, 1)
    talk.ask("do it")
    talk.use("t8", "much")
    talk.compact("all of it")
    read = home.read()
    [one] = read.compactions
    assert (one.span_messages, one.tail_messages) == (6, 1)
    assert states(read) == ["compacted"] * 4 + ["superseded"] + ["compacted"] * 2 + ["live"] * 3


def test_a_second_compaction_summarises_what_came_after_the_first(home):
    talk = talked(home, 1)
    talk.compact("short", order=BY_HAND)
    talk.ask("more")
    talk.reply("sure")
    talk.compact("shorter", order=BY_HAND)
    read = home.read()
    first, second = read.compactions
    rows = read.rows["a"]
    assert (first.span_messages, second.span_messages) == (4, 2)
    assert (second.span_first, second.span_last) == (rows[6].ref, rows[7].ref)
    assert states(read) == ["compacted"] * 8 + ["live"] * 2


def test_one_call_that_was_summarised_is_a_clearing(home):
    talk = talked(home)
    talk.shorten("t1", "A call listed the files")
    read = home.read()
    [one] = read.compactions
    assert (one.method, one.span_messages, one.claim["compactedToolIds"]) == (
        CompactionMethod.PRUNE,
        1,
        ["t1"],
    )
    assert [at for at, state in enumerate(states(read)) if state == "compacted"] == [5, 6]
    assert read.verdict("a", 12).kind is MessageKind.HANDOFF


def test_one_call_that_was_summarised_is_a_clearing_after_a_compaction_too(home):
    talk = talked(home)
    talk.shorten("t1", "A call listed the files")
    talk.compact("all of it", order=BY_HAND)
    read = home.read()
    assert [one.method for one in read.compactions] == [CompactionMethod.PRUNE, CompactionMethod.MODEL]
    assert read.compactions[0].claim["compactedToolIds"] == ["t1"]
    assert [read.verdict("a", at).kind for at in (12, 13)] == [MessageKind.HANDOFF, MessageKind.HANDOFF]


def test_words_alone_are_no_compaction(home):
    talk = talked(home, 1)
    talk.ask("## Summary\nof it all")
    talk.reply("Your context was compacted. The previous message contains a summary.")
    assert home.read().compactions == []


HIDDEN = {"userVisible": False, "agentVisible": True}


def test_words_that_the_user_does_not_see_are_the_agents_own(home):
    talk = talked(home, 1)
    talk.say("user", {"type": "text", "text": "Keep answers short"}, metadata=HIDDEN)
    talk.ask("question 1")
    [own] = [row for row in home.read().rows["a"] if row.text == "Keep answers short"]
    assert (own.role, own.extra) == (Role.SESSION_META, {"role": "user", SENT: True})
    talk.compact("all of it")
    talk.ask("more")
    read = home.read()
    assert [row.role for row in read.rows["a"] if row.text == "Keep answers short"] == [Role.SESSION_META]
    assert [row.role for row in read.rows["a"] if row.text == "question 1"] == [Role.USER, Role.USER]
    assert [one.summary for one in read.compactions] == ["all of it"]
    assert states(read)[4:6] == ["compacted", "superseded"]


def test_a_line_instead_of_a_call_with_the_agents_own_words_after_it_is_no_compaction(home):
    talk = talked(home)
    talk.shorten("t1", "A call listed the files")
    talk.say("user", {"type": "text", "text": "Keep answers short"}, metadata=HIDDEN)
    [one] = home.read().compactions
    assert one.method is CompactionMethod.PRUNE


# -- copies ----------------------------------------------------------------------------------------


def copied(home, talk, name="b", count=None):
    other = GooseTalk(home.kept, name)
    other.messages = [dict(one, id=f"copy_{at}") for at, one in enumerate(talk.messages[:count])]
    other.write()
    return other


def test_a_copied_session_inherits_messages_and_compactions(home):
    talk = talked(home, 1)
    talk.compact("short", order=BY_HAND)
    talk.ask("more")
    other = copied(home, talk)
    other.ask("another way")
    other.compact("shorter", order=BY_HAND)
    read = home.read()
    assert read.relations == {"a": Relation.ROOT, "b": Relation.BRANCH}
    assert read.families[0].inherited == {"b": 7}
    assert [(one.session, one.summary) for one in read.compactions] == [("a", "short"), ("b", "shorter")]


def test_one_equal_request_is_no_copy(home):
    for name, reply in (("a", "hi"), ("b", "hello")):
        talk = home.talk(name)
        talk.ask("the prompt of a program")
        talk.reply(reply)
    assert set(home.read().relations.values()) == {Relation.ROOT}


# -- places and changes ----------------------------------------------------------------------------


def test_where_there_is_a_database_the_older_files_are_left_alone(tmp_path):
    GooseTalk(GooseInFiles(tmp_path), "old").ask("before")
    assert importer_for(tmp_path) == (IMPORTER, tmp_path)
    GooseTalk(GooseInDatabase(tmp_path / "sessions.db"), "new").ask("after")
    assert importer_for(tmp_path / "sessions.db") == (IMPORTER, tmp_path)
    with IMPORTER.open(tmp_path, None, OpenOptions(now=0.0)) as source:
        assert list(source.entries) == ["new"]


def test_the_variables_name_other_places(tmp_path):
    kept = GooseInDatabase(tmp_path / "root" / "data" / "sessions" / "sessions.db")
    GooseTalk(kept, "a").ask("hi")
    [found] = IMPORTER.discover(tmp_path, {"GOOSE_PATH_ROOT": str(tmp_path / "root")})
    assert found.path == kept.path.parent
    assert importer_for(tmp_path / "root" / "data") == (IMPORTER, kept.path.parent)


def test_a_database_of_something_else_is_not_taken(tmp_path):
    connection = sqlite3.connect(tmp_path / "sessions.db")
    connection.execute("CREATE TABLE sessions (id text)")
    connection.close()
    assert IMPORTER.locate(tmp_path) is None
    with (
        pytest.raises(SourceError, match="no Goose tables"),
        IMPORTER.open(tmp_path, None, OpenOptions(now=0)),
    ):
        pass


def turns(home):
    talk = home.talk()
    talk.ask("more")
    talk.use("t9", "out")


def compact(home):
    home.talk().compact("later", order=BY_HAND)
    home.talk().ask("and now")


def compact_by_itself(home):
    talk = home.talk()
    talk.ask("long")
    talk.compact("even later")
    talk.reply("yes")


def shorten(home):
    home.talk().shorten("t1", "A call listed the files")


def cut(home):
    talk = home.talk()
    del talk.messages[3:]
    talk.write()


CHANGES = {
    "turns": [turns],
    "a compaction": [compact],
    "compactions one after the other": [turns, compact, turns, compact_by_itself, turns],
    "one call summarised": [shorten, turns],
    "cut off, then longer": [compact, cut, turns],
    "a copy": [lambda home: copied(home, home.talk(), "c").ask("other way"), turns],
    "deleted": [lambda home: home.kept.delete("b")],
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("steps", CHANGES.values(), ids=CHANGES)
def test_a_changed_home_is_as_if_imported_afresh(home, database, tmp_path, steps):
    for name in ("a", "b"):
        talked(home, name=name)
    assert_as_afresh(database, home, tmp_path, steps, each_changes=True)


def test_a_file_whose_first_line_is_half_written_is_not_yet_a_session(tmp_path):
    kept = GooseInFiles(tmp_path / "sessions")
    GooseTalk(kept, "a").ask("hello")
    (tmp_path / "sessions" / "b.jsonl").write_text('{"working_dir": "/x", "descr')
    with IMPORTER.open(tmp_path / "sessions", None, OpenOptions(now=1.0)) as source:
        assert list(source.entries) == ["a"]


def test_numbers_beyond_all_measure_are_no_times(home):
    talk = home.talk()
    talk.ask("hello")
    talk.say("assistant", {"type": "text", "text": "so late"}, created=10**18)
    assert [row.created_at for row in home.read().rows["a"]][1] is None
