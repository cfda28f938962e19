"""What was found once is read from its note, and from no other's."""

from dataclasses import replace

from hermes_sessions.audit.fact_notes import FactNotes
from hermes_sessions.audit.values import AuditMessage
from tests.audit.builders import assistant, call, tool, user

SAID = replace(user("Use port 8123, never 8080."), id=1)
DONE = replace(assistant("Done.", call("write_file", path="src/gate.py", content="PORT = 8123")), id=2)
SHOWN = replace(tool("c1", "wrote src/gate.py"), id=3)
ROWS = (SAID, DONE, SHOWN)


def read_all(notes: FactNotes, rows: tuple[AuditMessage, ...] = ROWS) -> list[object]:
    return [notes.read(row) for row in rows]


def kept(notes: FactNotes) -> dict[int, str]:
    return dict(notes.fresh.values())


def test_what_has_a_note_is_not_looked_for_again() -> None:
    first = FactNotes("1")
    found = read_all(first)
    second = FactNotes("1", kept(first))
    assert read_all(second) == found
    assert first.fresh.keys() == {1, 2, 3}
    assert second.fresh == {}


def test_other_words_have_no_note() -> None:
    first = FactNotes("1")
    read_all(first)
    notes = FactNotes("1", kept(first))
    changed = replace(SAID, text="Use port 8124, never 8080.")
    assert [fact.value for fact in notes.read(changed).facts if fact.kind == "port"] == ["8124"]
    assert notes.fresh.keys() == {1}


def test_other_rules_find_everything_again() -> None:
    first = FactNotes("1")
    read_all(first)
    notes = FactNotes("2", kept(first))
    read_all(notes)
    assert notes.fresh.keys() == {1, 2, 3}


def test_a_damaged_note_is_made_again() -> None:
    first = FactNotes("1")
    found = read_all(first)
    notes = FactNotes("1", dict.fromkeys(kept(first), "[[1,9999,1,0],[]]"))
    assert read_all(notes) == found
    assert notes.fresh == first.fresh


def test_a_copy_needs_no_note_of_its_own() -> None:
    notes = FactNotes("1")
    copy = replace(SAID, id=9, position=4)
    assert notes.read(SAID) == notes.read(copy)
    assert notes.fresh.keys() == {1}


def test_what_says_nothing_has_no_note() -> None:
    notes = FactNotes("1")
    notes.read(replace(user("  \n"), id=5))
    assert notes.fresh == {}


def test_what_nothing_was_noted_of_is_found_once_for_all_pages() -> None:
    first = FactNotes("pages")
    second = FactNotes("pages")
    assert second.read(SAID) is first.read(SAID)
    assert second.fresh == first.fresh
