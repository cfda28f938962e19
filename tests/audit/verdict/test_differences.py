"""What a finding found, place by place."""

import pytest

from hermes_sessions.audit.verdict.differences import evidence_line, other_evidence, read_places
from tests.audit.builders import assistant, compacted, findings, user

LIMIT = {
    "kind": "number",
    "value": "10",
    "source": "20",
    "line": "The lock timeout is 10 minutes.",
    "source_line": "Lock timeout is 20 minutes.",
    "message": 27,
}


def place(rule: str = "contradicts", **changes: object) -> str:
    [one] = read_places(rule, {"count": 1, "values": [{**LIMIT, **changes}]}).places
    return one.head


def test_a_value_stands_beside_that_of_its_source_with_both_sentences():
    [one] = read_places("contradicts", {"count": 1, "values": [LIMIT]}).places
    assert one.head == "another number: “10” in the handoff, “20” in message 27"
    assert (one.line, one.source_line) == (LIMIT["line"], LIMIT["source_line"])


@pytest.mark.parametrize(
    ("rule", "changes", "words"),
    [
        ("not-verbatim", {}, "perhaps another number: “10” in the handoff, “20” in message 27"),
        ("not-verbatim", {"source": ""}, "number that nothing before it has: “10”"),
        ("contradicts", {"message": None}, "another number: “10” in the handoff, “20” in the source"),
        ("contradicts", {"kind": "negation", "value": "No apply.", "line": ""}, "says the opposite"),
        ("not-verbatim", {"kind": "done", "value": "Applied;", "line": ""}, "may report as done what is not"),
        ("invented", {"kind": "quotation", "source": ""}, "words that nobody said: “10”"),
    ],
)
def test_the_way_in_which_they_differ_is_said_in_plain_words(rule, changes, words):
    assert place(rule, **changes) == words


def test_places_that_are_not_kept_are_counted():
    found = read_places("contradicts", {"count": 45, "values": [LIMIT, LIMIT]})
    assert (len(found.places), found.more) == (2, 43)
    assert found.first(1).more == 44


def test_a_line_of_evidence_says_how_many_more_there_are():
    told = evidence_line("not-verbatim", {"count": 3, "values": [LIMIT] * 3, "merged": True}, places=1)
    assert told == "perhaps another number: “10”, source “20”; and 2 more; in a message with other words: yes"


def test_neither_half_a_bold_nor_the_sign_of_a_cut_is_shown():
    values = [{"kind": "negation", "value": "Target:** PostgreSQL 15;", "source": "It is 16."}]
    assert evidence_line("contradicts", {"values": values}) == "says the opposite: “Target: PostgreSQL 15”"


def test_a_rule_is_quoted_with_the_message_that_set_it():
    rules = [{"value": "Never push.", "speaker": "user", "message": 4}]
    [one] = read_places("rule-lost", {"count": 1, "rules": rules}).places
    assert (one.how, one.source_line, one.message) == ("rule out of sight", "Never push.", 4)


def test_evidence_without_places_stays_as_it_is():
    assert other_evidence({"count": 2, "originals": [1, 2]}) == {"count": 2, "originals": [1, 2]}
    assert other_evidence({"count": 1, "values": [LIMIT], "why": "short"}) == {"why": "short"}


def test_evidence_of_a_value_has_the_sentence_of_the_source():
    before = [
        user("The gateway listens on port 8123 in production."),
        assistant("Noted."),
        user("Go on."),
        assistant("On it."),
    ]
    told = findings(compacted(before, keep=[2, 3], body="The gateway listens on port 8433 in production."))
    [found] = [one for one in told if one.rule == "contradicts"]
    [value] = found.evidence["values"]
    assert value["source_line"] == "The gateway listens on port 8123 in production."
