"""Threads that grow are read on from their last compaction; the store ends as with a fresh import."""

import json
import random

import pytest
from backports import zstd
from sqlalchemy import select

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.codex import read_on as reading_on
from hermes_sessions.agents.codex import source as codex_source
from hermes_sessions.agents.codex.importer import IMPORTER
from hermes_sessions.agents.contract import OpenOptions
from hermes_sessions.agents.json_lines import restarts
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Message, Session, SystemPrompt
from tests.agents.changed_home import as_stored, bring
from tests.agents.codex.rollout_builder import BEGAN, encrypted, user_item
from tests.agents.pipes import never_written
from tests.operations.dump import dump

FILLER = "so it was said, at some length, for a file that is known again by its first four thousand bytes. "


@pytest.fixture
def read_on(monkeypatch):
    """Whether each attempt to read on from a compaction came to a family."""
    tried: list[bool] = []
    real = reading_on.read_on

    def noted(*args):
        found = real(*args)
        tried.append(found is not None)
        return found

    monkeypatch.setattr(codex_source, "read_on", noted)
    return tried


class Growing:
    """A home whose thread `a` grows, and is changed in every other way, at random."""

    def __init__(self, home, seed: int, database=None) -> None:
        self.home = home
        self.database = database
        self.chance = random.Random(seed)
        self.calls = 0
        self.talk = home.talk("a")
        self.asked: list[str] = []
        for _ in range(6):
            self.say()
        self.compact()
        self.say()
        self.talk.write()

    def say(self) -> None:
        chance = self.chance
        text = chance.choice(["go on", "again", f"do {chance.random()}", FILLER * 8])
        self.talk.turn()
        self.asked.append(text)
        self.talk.ask(text)
        if chance.random() < 0.5:
            self.talk.think("hm")
        self.talk.reply(chance.choice(["done", FILLER * 4, f"did {chance.random()}"]))
        for _ in range(chance.randrange(3)):
            self.calls += 1
            self.talk.call(f"c{self.calls}", path="x")
            self.talk.result(f"c{self.calls}", chance.choice(["ok", FILLER]))
        self.talk.count(1000 + self.calls, cached=10)
        if chance.random() < 0.7:
            self.talk.done()

    def compact(self) -> None:
        kept = [user_item(one) for one in self.chance.sample(self.asked, min(3, len(self.asked)))]
        form = self.chance.randrange(4)
        if form == 0:
            self.talk.compact(replacement_history=[*kept, encrypted("x")])
        elif form == 1:
            self.talk.compact(message=f"What was done: {len(self.talk.lines)}")
        elif form == 2:
            self.talk.compact(replacement_history=kept, message="A summary that comes again.")
        else:
            self.talk.compact()

    def roll_back(self) -> None:
        self.talk.add("event_msg", "thread_rolled_back", num_turns=self.chance.randrange(1, 4))

    def answer_late(self) -> None:
        """Answer a call that may be from before the last compaction."""
        if self.calls:
            self.talk.result(f"c{self.chance.randrange(1, self.calls + 1)}", "late")

    def change(self) -> None:
        """Change the file in one way; mostly it grows."""
        chance = self.chance
        if chance.random() < 0.8:
            for _ in range(chance.randrange(1, 4)):
                chance.choice([self.say, self.say, self.compact, self.roll_back, self.answer_late])()
            self.talk.write()
            if chance.random() < 0.3:
                with self.talk.path.open("ab") as file:
                    file.write(b'{"type": "event_msg", "payl')
            return
        chance.choice([self.cut, self.rewrite, self.archive, self.retitle, self.compress])()

    def cut(self) -> None:
        """Take some of the last lines away, not those of a compaction."""
        lines = self.talk.lines
        last = max(at for at, one in enumerate(lines) if one["type"] == "compacted")
        self.talk.lines = lines[: max(last + 4, len(lines) - 12)]
        self.talk.write()

    def rewrite(self) -> None:
        results = [one["payload"] for one in self.talk.lines if "output" in one["payload"]]
        self.chance.choice(results[:5] or [{}])["output"] = "rewritten"
        self.talk.write()

    def archive(self) -> None:
        folder = self.home.path / "archived_sessions"
        folder.mkdir(exist_ok=True)
        self.talk.path = self.talk.path.rename(folder / self.talk.path.name)

    def retitle(self) -> None:
        title = f"Title {self.chance.random()}"
        (self.home.path / "session_index.jsonl").write_text(f'{{"id": "a", "thread_name": "{title}"}}\n')

    def compress(self) -> None:
        plain = self.talk.path
        packed = plain.with_name(plain.name + ".zst")
        packed.write_bytes(zstd.compress(plain.read_bytes()))
        plain.unlink()
        bring(self.database, self.home.path)
        packed.unlink()
        self.talk.write()


@pytest.mark.sqlite_only
@pytest.mark.parametrize("seed", range(6))
def test_after_any_changes_the_store_is_as_if_imported_afresh(home, database, tmp_path, seed, read_on):
    growing = Growing(home, seed, database)
    bring(database, home.path)
    for step in range(6):
        growing.change()
        bring(database, home.path)
        with Database.open(str(tmp_path / f"fresh{step}.db")) as fresh:
            bring(fresh, home.path)
            assert as_stored(database) == as_stored(fresh)
            assert sessions(database) == sessions(fresh)
    assert any(read_on)


def sessions(database):
    """Return the sessions with their counts and sums, but what counts rows that are gone at the origin."""
    left_out = ("message_count", "last_active_at", "shown_count")
    return [{name: one[name] for name in one if name not in left_out} for one in dump(database)["sessions"]]


@pytest.mark.sqlite_only
def test_only_what_follows_the_last_compaction_is_read(home, database, read_on):
    growing = Growing(home, 1)
    bring(database, home.path)
    growing.talk.ask("one more")
    growing.talk.write()
    report = bring(database, home.path)
    assert read_on == [True]
    assert not report.unchanged


@pytest.mark.sqlite_only
def test_a_compaction_that_turns_out_to_be_no_order_has_all_of_the_file_read(
    home, database, tmp_path, read_on
):
    growing = Growing(home, 1)
    growing.talk.done()
    growing.talk.turn()
    growing.talk.compact(replacement_history=[encrypted()])
    growing.talk.write()
    bring(database, home.path)
    growing.talk.ask("it waited for the compaction")
    growing.talk.write()
    bring(database, home.path)
    assert read_on == [False]
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert as_stored(database) == as_stored(fresh)
        triggers = [[one["trigger"] for one in dump(each)["compactions"]] for each in (database, fresh)]
    assert triggers[0] == triggers[1]
    assert triggers[0][-1] == "auto"


@pytest.mark.sqlite_only
def test_what_a_compaction_kept_is_archived_by_the_next(home, database, tmp_path, read_on):
    talk = home.talk("a")
    for text in ("first", FILLER * 60, "third"):
        talk.ask(text)
        talk.reply(f"to {text[:5]}")
    talk.compact(replacement_history=[user_item("first"), encrypted("one")])
    talk.write()
    bring(database, home.path)
    talk.ask("fourth")
    talk.compact(replacement_history=[user_item("fourth"), encrypted("two")])
    talk.write()
    bring(database, home.path)
    assert read_on == [True]
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert dump(database) == dump(fresh)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("late", ["a thought", "a thought twice", "an event"])
def test_what_was_at_the_end_of_the_file_is_not_doubled_when_more_follows(
    home, database, tmp_path, read_on, late
):
    talk = home.talk("a")
    talk.ask(FILLER * 60)
    talk.reply("done")
    talk.compact(message="What was done.")
    talk.ask("and now")
    if late == "an event":
        talk.add("event_msg", "agent_message", message="done at last")
    else:
        talk.think("hm")
    talk.write()
    bring(database, home.path)
    if late == "an event":
        blocks = [{"type": "output_text", "text": "done at last"}, {"type": "image", "url": "x"}]
        talk.add("response_item", "message", role="assistant", content=blocks)
    else:
        talk.reply("done at last")
    talk.write()
    bring(database, home.path)
    if late == "a thought twice":
        talk.think("hm")
        talk.write()
        bring(database, home.path)
    assert read_on
    assert all(read_on)
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert as_stored(database) == as_stored(fresh)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("compacted", [False, True])
def test_thoughts_without_a_reply_are_left_until_it_is_there(home, database, tmp_path, compacted):
    talk = home.talk("a")
    talk.ask("look around")
    if compacted:
        talk.compact(message="What was done.")
    talk.think("hm")
    talk.write()
    bring(database, home.path)
    talk.call("c1", path="x")
    talk.write()
    bring(database, home.path)
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert dump(database) == dump(fresh)
    with database.read() as db:
        rows = db.scalars(select(Message).where(Message.role == "assistant")).all()
        assert [(row.reasoning, row.shown) for row in rows] == [("hm", True)]


@pytest.mark.sqlite_only
def test_a_file_that_continues_itself_from_before_its_end_is_read_whole(home, database, tmp_path, read_on):
    talk = home.segment("", history_base={"thread_id": "a", "end_ordinal_exclusive": 3})
    for text in ("first", FILLER * 60):
        talk.ask(text)
        talk.reply("done")
    talk.compact(message="What was done.")
    talk.write()
    bring(database, home.path)
    talk.ask("second")
    talk.reply("done, too")
    talk.write()
    bring(database, home.path)
    with Database.open(str(tmp_path / "fresh.db")) as fresh:
        bring(fresh, home.path)
        assert as_stored(database) == as_stored(fresh)
    assert read_on == []


def cursor_after(path):
    """Return the cursor after everything was read."""
    with IMPORTER.open(path, None, OpenOptions(now=0.0)) as source:
        for ids in source.families():
            source.read(ids)
        return source.cursor()


def prompts(database):
    """Return the system prompts of sessions."""
    with database.read() as db:
        told = select(SystemPrompt.text).join(Session, Session.system_prompt_hash == SystemPrompt.hash)
        return list(db.scalars(told))


@pytest.mark.sqlite_only
def test_a_system_prompt_is_not_in_the_cursor_and_is_read_again(home, database, read_on):
    talk = home.talk("a", base_instructions={"text": "Be terse. " * 2000})
    for text in ("first", FILLER * 60):
        talk.ask(text)
        talk.reply("done")
    talk.compact(message="What was done.")
    talk.write()
    assert "Be terse." not in json.dumps(cursor_after(home.path))
    bring(database, home.path)
    for text in ("second", "third"):
        talk.ask(text)
        talk.compact(message=f"What was done until the {text}.")
        talk.write()
        bring(database, home.path)
        assert prompts(database) == ["Be terse. " * 2000]
    assert read_on == [True, True]


@pytest.mark.sqlite_only
def test_a_system_prompt_that_is_not_at_the_beginning_has_all_of_the_file_read(home, database, read_on):
    talk = home.talk("a")
    for _ in range(20):
        talk.ask(FILLER)
    talk.begin(base_instructions={"text": "Be terse."})
    talk.compact(message="What was done.")
    talk.write()
    bring(database, home.path)
    talk.ask("second")
    talk.write()
    bring(database, home.path)
    assert read_on == [False]
    assert prompts(database) == ["Be terse."]


def test_of_many_files_the_newest_alone_may_be_read_on(home, monkeypatch):
    monkeypatch.setattr(restarts, "MOST", 3)
    for at in range(5):
        talk = home.talk(f"t{at}", began=BEGAN + 1000 * (at % 4))
        talk.ask("first")
        if at != 3:
            talk.compact(message="What was done.")
        talk.write()
    cursor = cursor_after(home.path)
    kept = sorted(name[-8:-6] for name, told in cursor.items() if "restart" in told)
    assert (kept, len(cursor)) == (["t1", "t2", "t4"], 5)


@pytest.mark.parametrize("odd", [None, 7, "x", [], {}, -1, [[]], {"a": []}, 1e300, True], ids=repr)
def test_a_cursor_that_somebody_edited_has_all_of_the_file_read(home, odd):
    growing = Growing(home, 1)
    cursor = json.loads(json.dumps(cursor_after(home.path)))
    [name] = cursor
    growing.say()
    growing.talk.write()
    edits = [{"restart": odd}]
    edits += [{"restart": {**cursor[name]["restart"], one: odd}} for one in cursor[name]["restart"]]
    edits += [{"facts": {**cursor[name]["facts"], one: odd}} for one in cursor[name]["facts"]]
    for edit in edits:
        with IMPORTER.open(home.path, {name: {**cursor[name], **edit}}, OpenOptions(now=0.0)) as opened:
            source = CheckedSource(opened)
            [thread] = source.entries
            family = source.read_grown([thread]) or source.read([thread])
            assert family.row_count
            assert sum(len(rows) for _, rows in family.batches()) == family.row_count


def test_a_pipe_in_the_place_of_the_index_is_not_waited_for(home):
    talk = home.talk("a")
    talk.ask("first")
    talk.write()
    with never_written(home.path / "session_index.jsonl"):
        assert home.read().texts("a") == ["first"]


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
