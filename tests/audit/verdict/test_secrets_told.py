"""A secret that is wrong is told of as one: two masks side by side say nothing."""

import pytest

from hermes_sessions.audit.verdict.differences import read_places
from tests.audit.builders import assistant, compacted, findings, user
from tests.audit.verdict.test_verdict import verdict

KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
OTHER = f"{KEY[:-1]}X"


def talk(text):
    return [user(text), assistant("Ok."), user("What is next?"), assistant("Next is the test run.")]


@pytest.mark.parametrize(
    ("said", "body"),
    [
        (f"The key is {KEY}. Never log it.", f"API called with {OTHER}."),
        ("The admin password is Zx81-kobalt-47, port 8123.", "Admin password is Zx81-kobald-47, port 8123."),
        ("Set API_KEY=Zx81kobalt47aa in .env", "API_KEY=Zx81kobald47aa was set in .env"),
    ],
)
def test_a_wrong_secret_is_corrected_without_its_values(said, body):
    found = verdict(body, talk(said), keep=[2, 3])
    [line] = [one for one in found.tell.splitlines() if "Correction" in one]
    assert line.endswith("the secret your summary has is not the one that was given, in message 1")
    assert "but “" not in line
    assert "one secret is wrong in the summary;" in found.sentence.lower()
    assert [(one.kind, one.handoff, one.source) for one in found.contradicted] == [("secret", "", "")]


def test_a_wrong_secret_is_not_listed_as_lost_too():
    found = verdict("API_KEY=Zx81kobald47aa was set", talk("Set API_KEY=Zx81kobalt47aa in .env"), keep=[2, 3])
    assert found.lost == ()


def heads(said, body):
    told = compacted(talk(said), body=body, keep=[2, 3])
    return [
        place.head
        for one in findings(told)
        if one.rule in ("contradicts", "not-verbatim")
        for place in read_places(one.rule, one.evidence).places
    ]


def test_a_finding_names_another_secret_without_the_masks():
    assert "another secret" in heads(f"The key is {KEY}.", f"API called with {OTHER}.")


def test_a_finding_names_another_password_of_an_address_as_a_secret():
    said = "Connect to postgres://app:Zx81kobalt47@db1.internal/main"
    assert heads(said, "Connected to postgres://app:Zx81kobald47@db1.internal/main") == ["another secret"]


def test_a_secret_that_is_nowhere_is_named_as_one():
    assert "secret that nothing before it has" in heads("Call the API.", f"API called with {OTHER}.")


def test_a_lost_secret_is_named_as_one():
    found = verdict("Nothing was called.", talk("Set API_KEY=Zx81kobalt47aa in .env"), keep=[2, 3])
    assert "- Secret: “Set API_KEY=[redacted:assignment] in .env”" in found.tell.splitlines()


def test_an_address_with_another_password_shows_neither():
    said = "Connect to postgres://app:Zx81kobalt47@db1.internal/main"
    found = verdict("Connected to postgres://app:Zx81kobald47@db1.internal/main", talk(said), keep=[2, 3])
    shown = repr(found)
    assert "kobal" not in shown
    assert not any(one.handoff and one.handoff == one.source for one in found.contradicted)
