"""Sessions that grow are read on from their last compaction; the store ends as with a fresh import."""

import json
import random
from typing import Any

import pytest

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.claude_code import read_on as reading_on
from hermes_sessions.agents.claude_code import source as claude_source
from hermes_sessions.agents.claude_code.importer import IMPORTER
from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from tests.agents.changed_home import NOW, as_stored, bring
from tests.agents.claude_code.transcript_builder import BEGAN, at, play_queue
from tests.operations.dump import dump

FILLER = "so it was said, at some length, for a file that is known again by its first four thousand bytes. "


@pytest.fixture
def read_on(monkeypatch):
    """Whether each attempt to read on from a compaction came to a family."""
    tried: list[bool] = []
    real = reading_on.read_on

    def noted(*args, **options):
        found = real(*args, **options)
        tried.append(found is not None)
        return found

    monkeypatch.setattr(claude_source, "read_on", noted)
    return tried


class Growing:
    """A home whose session `a` grows, and is changed in every other way, at random."""

    def __init__(self, home, seed: int) -> None:
        self.home = home
        self.chance = random.Random(seed)
        self.calls = 0
        self.talk = home.talk("a")
        for _ in range(6):
            self.say()
        self.talk.compact("Summary:\nthe beginning")
        self.say()
        self.talk.write()

    def say(self) -> None:
        chance = self.chance
        self.talk.ask(chance.choice(["go on", "again", f"do {chance.random()}", FILLER * 8]))
        self.talk.reply(chance.choice(["done", FILLER * 4, f"did {chance.random()}"]))
        for _ in range(chance.randrange(3)):
            self.calls += 1
            self.talk.call(f"c{self.calls}", path="x")
            self.talk.result(f"c{self.calls}", chance.choice(["ok", FILLER]))

    def compact(self) -> None:
        self.talk.compact(f"Summary:\nwhat was done in {len(self.talk.records)}")

    def compact_and_keep(self) -> None:
        kept = [one["uuid"] for one in self.talk.said[-3:]]
        self.talk.compact("Summary:\nmost of it", preservedMessages={"uuids": kept})

    def write_again(self) -> None:
        """Append records as they were, as a second compaction in one process does."""
        first = self.chance.randrange(len(self.talk.records))
        self.talk.records += [dict(one) for one in self.talk.records[first : first + 5]]
        self.talk.follow()

    def keep_in_other_records(self) -> None:
        """Compact, and write the last messages again under ids of their own."""
        kept = self.talk.said[-2:]
        self.talk.compact("Summary:\nall but two")
        for one in kept:
            self.talk.add(one["type"], message=one["message"], timestamp=one["timestamp"])

    def go_back(self) -> None:
        """Ask again from an earlier place."""
        self.talk.parent = self.chance.choice(self.talk.said)["uuid"]
        self.talk.ask(f"rather {self.chance.random()}")
        self.talk.reply("so be it")

    def answer_late(self) -> None:
        """Answer a call that may be from before the last compaction."""
        if self.calls:
            self.talk.result(f"c{self.chance.randrange(1, self.calls + 1)}", "late")

    def clear(self) -> None:
        told = {"compactedToolIds": [f"c{self.chance.randrange(1, self.calls + 1)}"], "preTokens": 9}
        self.talk.add("system", subtype="microcompact_boundary", microcompactMetadata=told)

    def type_ahead(self) -> None:
        """Do something of what happens to prompts that are typed while the agent works."""
        play_queue(self.talk, self.chance, f"typed {self.chance.random()}")

    def name(self) -> None:
        self.talk.add("ai-title", aiTitle=f"Title {self.chance.random()}")

    def change(self) -> None:
        """Change the file in one way; mostly it grows."""
        chance = self.chance
        if chance.random() < 0.85:
            usual = [self.say, self.say, self.say, self.compact, self.name]
            rare = [
                self.compact_and_keep,
                self.write_again,
                self.keep_in_other_records,
                self.go_back,
                self.answer_late,
                self.clear,
                self.type_ahead,
            ]
            for _ in range(chance.randrange(1, 4)):
                chance.choice(usual if chance.random() < 0.7 else rare)()
            self.talk.write()
            if chance.random() < 0.3:
                with self.talk.path.open("ab") as file:
                    file.write(b'{"type": "user", "uuid": "torn", "mess')
            return
        chance.choice([self.cut, self.rewrite, self.name_from_elsewhere])()

    def cut(self) -> None:
        """Take some of the last records away, not those of a compaction."""
        records = self.talk.records
        last = max(at for at, one in enumerate(records) if one.get("isCompactSummary"))
        self.talk.records = records[: max(last + 2, len(records) - 12)]
        self.talk.follow()
        self.talk.write()

    def rewrite(self) -> None:
        self.talk.said[1]["message"]["content"] = [{"type": "text", "text": "rewritten"}]
        self.talk.write()

    def name_from_elsewhere(self) -> None:
        leaf = self.talk.said[-1]["uuid"]
        line = {"type": "summary", "summary": f"Told {self.chance.random()}", "leafUuid": leaf}
        other = self.home.talk("b")
        other.ask("hello")
        written = other.write().read_text()
        other.path.write_text(f"{json.dumps(line)}\n{written}")


@pytest.mark.sqlite_only
@pytest.mark.parametrize("seed", range(8))
def test_after_any_changes_the_store_is_as_if_imported_afresh(home, database, tmp_path, seed, read_on):
    growing = Growing(home, seed)
    bring(database, home.path)
    for step in range(6):
        growing.change()
        bring(database, home.path)
        with Database.open(str(tmp_path / f"fresh{step}.db")) as fresh:
            bring(fresh, home.path)
            assert as_stored(database) == as_stored(fresh)
            assert sessions(database) == sessions(fresh)
    assert read_on


def sessions(database):
    """Return the sessions with their counts and sums, but what counts rows that are gone at the origin.

    The mark of what was read also names titles that other files gave late: it differs where one did.
    """
    left_out = ("message_count", "last_active_at", "shown_count", "origin_mark")
    return [{name: one[name] for name in one if name not in left_out} for one in dump(database)["sessions"]]


@pytest.mark.sqlite_only
def test_only_what_follows_the_last_compaction_is_read(home, database, tmp_path, read_on):
    growing = Growing(home, 1)
    bring(database, home.path)
    for _ in range(3):
        growing.say()
        growing.compact()
        growing.say()
        growing.talk.write()
        bring(database, home.path)
    assert read_on == [True, True, True]
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert dump(database) == dump(fresh)


@pytest.mark.sqlite_only
def test_an_end_that_was_torn_is_read_when_it_is_complete(home, database, tmp_path, read_on):
    growing = Growing(home, 2)
    bring(database, home.path)
    whole = growing.talk.path.read_bytes()
    growing.say()
    more = growing.talk.write().read_bytes()[len(whole) :]
    for size in (1, len(more) // 2, len(more)):
        growing.talk.path.write_bytes(whole + more[:size])
        bring(database, home.path)
    assert read_on
    assert all(read_on)
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert as_stored(database) == as_stored(fresh)


ALL_OF_IT = {
    "a record that was written before": Growing.write_again,
    "a request from before the compaction": Growing.go_back,
    "messages that are kept and written again": Growing.keep_in_other_records,
    "a record that is not later": lambda growing: growing.talk.ask("earlier", timestamp=at(BEGAN)),
    "a record without a time": lambda growing: growing.talk.ask("once", timestamp=None),
    "a record without an id": lambda growing: growing.talk.ask("who", uuid=None),
    "a result of an earlier call": lambda growing: growing.talk.result("c1", "late"),
    "a clearing of earlier results": Growing.clear,
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("change", ALL_OF_IT.values(), ids=ALL_OF_IT)
def test_what_may_change_something_before_has_all_of_the_file_read(home, database, tmp_path, read_on, change):
    growing = Growing(home, 3)
    growing.calls = max(growing.calls, 1)
    growing.compact()
    growing.talk.write()
    bring(database, home.path)
    if change is Growing.go_back:
        growing.talk.parent = growing.talk.records[0]["uuid"]
        growing.talk.ask("rather this")
    else:
        change(growing)
    growing.talk.write()
    bring(database, home.path)
    assert read_on == [False]
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert as_stored(database) == as_stored(fresh)


@pytest.mark.sqlite_only
def test_a_summary_that_is_appended_again_as_it_was_compacts_nothing(home, database, tmp_path, read_on):
    growing = Growing(home, 3)
    growing.compact()
    summary = growing.talk.records[-1]
    assert summary["isCompactSummary"]
    growing.say()
    growing.talk.write()
    bring(database, home.path)
    growing.talk.ask("next")
    growing.talk.records.append(dict(summary))
    growing.talk.reply("so be it")
    growing.talk.write()
    bring(database, home.path)
    assert_as_afresh_now(database, home, tmp_path)
    assert read_on == [False]


@pytest.mark.sqlite_only
def test_kept_messages_that_are_copies_have_all_of_the_file_read(home, database, tmp_path, read_on):
    growing = Growing(home, 3)
    growing.keep_in_other_records()
    copies = [one["uuid"] for one in growing.talk.said[-2:]]
    growing.talk.compact("Summary:\nmost of it", preservedMessages={"uuids": copies})
    growing.say()
    growing.talk.write()
    bring(database, home.path)
    growing.compact()
    growing.talk.write()
    bring(database, home.path)
    assert_as_afresh_now(database, home, tmp_path)
    assert read_on == []


@pytest.mark.sqlite_only
def test_kept_messages_that_are_copies_are_no_place_in_what_was_read_on(home, database, tmp_path, read_on):
    growing = Growing(home, 3)
    growing.compact()
    growing.talk.write()
    bring(database, home.path)
    growing.say()
    growing.keep_in_other_records()
    copies = [one["uuid"] for one in growing.talk.said[-2:]]
    growing.talk.compact("Summary:\nmost of it", preservedMessages={"uuids": copies})
    growing.talk.write()
    bring(database, home.path)
    growing.say()
    growing.compact()
    growing.talk.write()
    bring(database, home.path)
    assert_as_afresh_now(database, home, tmp_path)
    assert read_on == [True, True]


@pytest.mark.sqlite_only
def test_a_summary_in_one_record_with_a_result_has_all_of_the_file_read(home, database, tmp_path, read_on):
    growing = Growing(home, 3)
    growing.talk.call("asked")
    growing.compact()
    message = growing.talk.records[-1]["message"]
    text = {"type": "text", "text": message["content"]}
    message["content"] = [text, {"type": "tool_result", "tool_use_id": "asked", "content": "late"}]
    growing.say()
    growing.talk.write()
    bring(database, home.path)
    growing.say()
    growing.compact()
    growing.talk.write()
    bring(database, home.path)
    assert_as_afresh_now(database, home, tmp_path)
    assert read_on == []


@pytest.mark.parametrize("ids", [["k\0", "l\0"], ["k\0", "k\ufffd"]], ids=["apart", "alike"])
def test_kept_messages_whose_ids_no_engine_holds_are_archived_by_the_next(
    home, database, tmp_path, read_on, ids
):
    growing = Growing(home, 3)
    growing.compact()
    for one in ids:
        growing.talk.ask(f"kept {one!r}", uuid=one)
    growing.talk.compact("Summary:\nmost of it", preservedMessages={"uuids": ids})
    growing.say()
    growing.talk.write()
    bring(database, home.path)
    growing.compact()
    growing.talk.write()
    bring(database, home.path)
    assert_as_afresh_now(database, home, tmp_path)
    assert read_on == [True]


@pytest.mark.sqlite_only
def test_a_change_in_the_middle_of_a_file_that_grew_is_seen_by_a_full_run(home, database, tmp_path, read_on):
    talk = home.talk("a")
    for text in (FILLER * 60, "in the middle", FILLER * 60):
        talk.ask(text)
        talk.reply("done")
    talk.compact("Summary:\nwhat was done")
    talk.ask(FILLER * 60)
    talk.write()
    bring(database, home.path)
    talk.records[2]["message"]["content"] = "somewhat else"
    talk.reply("done, too")
    talk.write()
    bring(database, home.path)
    assert read_on == [True]
    texts = {row[5] for row in as_stored(database)[0]}
    assert "in the middle" in texts
    assert "somewhat else" not in texts
    import_path(database, home.path, ImportOptions(lambda: NOW, full=True))
    assert_as_afresh_now(database, home, tmp_path)


def assert_as_afresh_now(database, home, tmp_path):
    """The store has what a fresh import of the home has."""
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert as_stored(database) == as_stored(fresh)


def cursor_after(path):
    with IMPORTER.open(path, None, OpenOptions(now=0.0)) as source:
        for ids in source.families():
            source.read(ids)
        return json.loads(json.dumps(source.cursor()))


ODD: list[Any] = [None, 7, "x", [], {}, -1, [[]], {"a": []}, 1e300, True]


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_a_cursor_that_somebody_edited_has_all_of_the_file_read(home, odd):
    growing = Growing(home, 1)
    cursor = cursor_after(home.path)
    [name] = cursor
    growing.say()
    growing.talk.write()
    kept = cursor[name]["restart"]
    edited = [{**kept, one: odd} for one in kept] + [odd]
    for restart in edited:
        told = {name: {**cursor[name], "restart": restart}}
        with IMPORTER.open(home.path, told, OpenOptions(now=0.0)) as opened:
            source = CheckedSource(opened)
            family = source.read_grown(["a"]) or source.read(["a"])
            assert family.row_count
    for facts in ({**cursor[name]["facts"], one: odd} for one in cursor[name]["facts"]):
        with IMPORTER.open(
            home.path, {name: {**cursor[name], "facts": facts}}, OpenOptions(now=0.0)
        ) as again:
            assert again.read(["a"]).row_count


@pytest.mark.sqlite_only
def test_the_line_feed_may_come_with_the_next_line(home, database, tmp_path, read_on):
    growing = Growing(home, 5)
    for number in range(4):
        growing.talk.ask(f"more {number}")
        if number == 1:
            growing.compact()
        growing.talk.write()
        growing.talk.path.write_bytes(growing.talk.path.read_bytes()[:-1])
        bring(database, home.path)
        with Database.open(str(tmp_path / f"fresh{number}.db")) as fresh:
            bring(fresh, home.path)
            assert as_stored(database) == as_stored(fresh)
        assert [row[5] for row in as_stored(database)[0]].count(f"more {number}") == 1 or number == 1
    assert True in read_on
