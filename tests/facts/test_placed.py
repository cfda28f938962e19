"""Facts read from a note of where they stand are those that were found."""

from typing import Any

import pytest

from bench.gold import FOLDER, GoldText, load_gold
from hermes_sessions.facts.placed import FoundFacts, digest_said, find_facts, read_note, write_note

SAID: dict[str, Any] = {
    "role": "user",
    "content": "Never push to main. Put the gateway on port 8123 in deploy/gate.yml, please.",
}


@pytest.mark.parametrize("text", load_gold(FOLDER), ids=lambda text: text.name)
def test_a_note_gives_back_what_was_found(text: GoldText) -> None:
    found = find_facts(text.message)
    assert read_note(write_note(found), text.message) == found


def test_a_note_has_facts_and_rules() -> None:
    found = read_note(write_note(find_facts(SAID)), SAID)
    assert found is not None
    assert [fact.value for fact in found.rules] == ["Never push to main"]
    assert ("port", "8123") in {(fact.kind, fact.value) for fact in found.facts}


def test_a_note_does_not_say_what_the_message_says() -> None:
    note = write_note(find_facts(SAID))
    assert "8123" not in note
    assert "main" not in note


def test_a_message_without_facts_has_an_empty_note() -> None:
    assert write_note(find_facts({"role": "assistant", "content": "Well."})) == ""
    assert read_note("", SAID) == FoundFacts()


@pytest.mark.parametrize(
    "note",
    [
        "[[12,9000,4,0],[]]",
        "[[12,0,-4,0],[]]",
        "[[99,0,4,0],[]]",
        "[[12,0,4],[]]",
        "[[]]",
        "{}",
        "x",
        "[" * 9_000,
    ],
)
def test_a_note_that_cannot_be_of_the_message_gives_nothing(note: str) -> None:
    assert read_note(note, SAID) is None


def test_keys_stay_as_they_are() -> None:
    message = {"role": "user", "content": "CACHE_SIZE=4\nLa porta della cache_è 8123"}
    found = read_note(write_note(find_facts(message)), message)
    assert found is not None
    assert "CACHE_SIZE" in {fact.key for fact in found.facts}


def test_the_digest_changes_with_all_that_facts_depend_on() -> None:
    calls = [("run", "{}")]
    base = ("1", "user", "a", calls)
    others = [
        ("2", "user", "a", calls),
        ("1", "tool", "a", calls),
        ("1", "user", "b", calls),
        ("1", "user", "a", []),
    ]
    parts = [("1", "user", "a", [("ru", "n{}")]), ("1", "usera", "", calls)]
    assert len({digest_said(*one) for one in (base, *others, *parts)}) == 7
    assert digest_said(*base) == digest_said("1", "user", "a", [("run", "{}")])


def test_half_a_character_has_a_digest() -> None:
    assert digest_said("1", "user", "\ud800", ()) != digest_said("1", "user", "?", ())
