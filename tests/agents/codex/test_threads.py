"""Threads in several files, forks by copy and by reference, agents inside, the archive."""

from tests.agents.codex.rollout_builder import encrypted, user_item, uuid7


def texts(found, session):
    return [row.text for row in found.rows[session]]


def test_segments_of_a_thread_are_one_session(home):
    first = home.segment("")
    first.ask("one")
    first.reply("two")
    first.write()
    second = home.segment("s2", ordinal=9, history_base={"thread_id": "a", "end_ordinal_exclusive": 9})
    second.ask("three")
    second.write()
    found = home.read()
    assert texts(found, "a") == ["one", "two", "three"]
    assert list(found.entries) == ["a"]
    places = [row.origin_row_id for row in found.rows["a"]]
    assert places == sorted(places)


def test_what_a_segment_was_continued_from_before_is_taken_back(home):
    first = home.segment("")
    first.ask("one")
    first.ask("two")
    first.write()
    second = home.segment("s2", ordinal=3, history_base={"thread_id": "a", "end_ordinal_exclusive": 3})
    second.ask("other two")
    second.write()
    found = home.read()
    states = [str(found.verdict("a", at).state) for at in range(3)]
    assert (texts(found, "a"), states) == (["one", "two", "other two"], ["None", "rewound", "None"])


def test_a_fork_by_reference_inherits_what_it_names(home):
    first = home.segment("")
    first.ask("one", id="m1")
    first.reply("two")
    first.ask("after the fork")
    first.write()
    base = {"thread_id": "a", "end_ordinal_exclusive": 5}
    fork = home.segment("", "b", ordinal=5, forked_from_id="a", history_base=base)
    fork.ask("other")
    fork.compact(
        replacement_history_entries=[
            {"type": "reference", "item_id": "m1"},
            {"type": "inline", "item": encrypted()},
        ]
    )
    fork.write()
    found = home.read()
    assert texts(found, "b") == ["one", "two", "other"]
    assert (found.relations, found.families[0].inherited) == ({"a": "root", "b": "branch"}, {"b": 2})
    [event] = found.compactions
    assert (event.session, event.span_messages, event.head_messages) == ("b", 3, 1)


def a_fork(home, **told):
    parent = home.talk("a")
    parent.turn(1_000)
    parent.ask("one")
    parent.reply("two")
    parent.compact(replacement_history=[user_item("one"), encrypted()])
    parent.turn(2_000)
    parent.ask("three")
    parent.write()
    name = uuid7(60_000)
    fork = home.talk(name, forked_from_id="a", **told)
    fork.lines += [{**line, "timestamp": "2026-05-28T21:00:00.000Z"} for line in parent.lines]
    fork.turn(70_000)
    fork.ask("four")
    fork.write()
    return parent, fork, name


def test_a_fork_by_copy_inherits_and_its_compactions_are_the_parents(home):
    _, _, fork = a_fork(home)
    found = home.read()
    assert found.families[0].inherited == {fork: 3}
    assert [event.session for event in found.compactions] == ["a"]
    assert texts(found, fork) == ["one", "two", "three", "four"]


def test_a_fork_that_says_at_once_what_its_parent_said_next_is_not_a_copy_of_it(home):
    parent, _, name = a_fork(home)
    parent.turn(3_000)
    parent.ask("four")
    parent.write()
    assert home.read().families[0].inherited == {name: 3}


def test_a_fork_whose_parent_is_gone_is_told_by_its_turns(home):
    parent, _, fork = a_fork(home)
    parent.path.unlink()
    found = home.read()
    assert found.families[0].inherited == {fork: 3}
    assert (found.compactions, found.relations) == ([], {fork: "branch"})


def test_an_agent_inside_is_a_delegate_with_its_first_turn(home):
    parent = home.talk("a")
    parent.ask("one")
    parent.write()
    spawn = {"parent_thread_id": "a", "depth": 1, "agent_nickname": "Ada", "agent_role": "explorer"}
    agent = home.talk("b", source={"subagent": {"thread_spawn": spawn}}, session_id="a")
    agent.lines.append(parent.lines[0])
    agent.ask("find it")
    agent.reply("found")
    agent.write()
    review = home.talk("c", source={"subagent": "review"}, session_id="a")
    review.ask("check it")
    review.write()
    found = home.read()
    assert found.relations == {"a": "root", "b": "delegate", "c": "delegate"}
    assert texts(found, "b") == ["find it", "found"]
    assert {one: row.parent_session_id for one, row in found.sessions.items()} == {
        "a": None,
        "b": "a",
        "c": "a",
    }
    assert (found.sessions["b"].extra or {})["agent_nickname"] == "Ada"


def test_a_delegate_that_begins_with_its_parents_talk_repeats_it(home):
    parent = home.talk("a")
    parent.ask("one")
    parent.write()
    agent = home.talk("b", source={"subagent": {"thread_spawn": {"parent_thread_id": "a"}}})
    agent.ask("one")
    agent.ask("find it")
    agent.write()
    found = home.read()
    assert found.verdict("b", 0).copy_of == found.rows["a"][0].ref
    assert found.verdict("b", 1).copy_of is None


def test_what_is_archived_is_read_and_marked(home):
    talk = home.talk("a")
    talk.ask("one")
    path = talk.write()
    folder = home.path / "archived_sessions"
    folder.mkdir()
    path.rename(folder / path.name)
    found = home.read()
    assert (texts(found, "a"), found.sessions["a"].archived) == (["one"], True)


def test_an_empty_file_is_no_session(home):
    path = home.file("a")
    path.parent.mkdir(parents=True)
    path.touch()
    assert home.read().entries == {}


def test_bases_that_name_each_other_end(home):
    for one, other in (("a", "b"), ("b", "a")):
        base = {"thread_id": other, "end_ordinal_exclusive": 99}
        talk = home.segment("", one, forked_from_id=other, history_base=base)
        talk.ask(f"of {one}")
        talk.write()
    found = home.read()
    assert sorted(found.rows) == ["a", "b"]
    assert "of a" in texts(found, "a")
