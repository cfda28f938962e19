"""A later value replaces an earlier one only where both say what they are about."""

import pytest

from hermes_sessions.facts.extract import extract_facts
from hermes_sessions.facts.slots import find_superseded, is_lifted, same_subject


def said(*messages: tuple[str, str]):
    return [extract_facts({"role": role, "content": text}) for role, text in messages]


def gone(*messages: tuple[str, str]) -> set[str]:
    read = said(*messages)
    return {read[message][place].value for message, place in find_superseded(read)}


def test_a_later_value_of_the_same_subject_supersedes() -> None:
    assert gone(("user", "Gateway port: 8123"), ("user", "The gateway port is 8433 now.")) == {"8123"}


def test_another_subject_supersedes_nothing() -> None:
    assert gone(("user", "Gateway port: 8123"), ("user", "Admin port: 9000")) == set()


def test_a_lower_speaker_supersedes_nothing() -> None:
    assert gone(("user", "Gateway port: 8123"), ("tool", "gateway port: 8433")) == set()


def test_the_same_value_written_otherwise_supersedes_nothing() -> None:
    assert gone(("user", "CACHE_SIZE=1000"), ("user", "CACHE_SIZE=1,000")) == set()


def test_where_one_message_gives_two_values_both_stay() -> None:
    assert gone(("user", "Gateway port: 8123"), ("user", "Gateway port: 1111\nGateway port: 2222")) == set()


def test_values_without_a_subject_stay() -> None:
    assert gone(("user", "It took 30 s."), ("user", "It took 40 s.")) == set()


@pytest.mark.parametrize("other", ["gateway port", "gateway.port", "gatewayPort", "port of the gateway"])
def test_a_subject_may_be_written_in_many_ways(other: str) -> None:
    assert same_subject("GATEWAY_PORT", other)


def test_a_rule_is_lifted_by_who_set_it_and_names_it() -> None:
    rule = next(
        fact
        for fact in said(("user", "Never deploy the billing service on Fridays."))[0]
        if fact.kind == "constraint"
    )
    assert is_lifted(rule, "The freeze is over: you can now deploy the billing service on Fridays.", "user")
    assert not is_lifted(rule, "You can now deploy the billing service on Fridays.", "assistant")
    assert not is_lifted(rule, "You can now read the logs.", "user")
