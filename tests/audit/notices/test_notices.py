"""What a reader should look at in a handoff, each family with something noticed and a twin that is not."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from hermes_sessions.audit.rules import check_compaction
from hermes_sessions.audit.rules.truth import masked
from tests.audit.builders import assistant, compacted, tool, user

FERRY = (
    user("The ferry to Tromvik leaves at 08:40, the one to Halsey at 11:15. Ask Ingrid about the fares."),
    assistant("Noted. Ingrid knows the fares; Bjarne keeps the keys of the shed."),
    user("Never lower the ramp to zero. The gate opens only after the siren. Send the plan to M. Garnier."),
    tool("c1", "berths: 14"),
    assistant("The plan goes from Halsey to Tromvik. We chose the red buoys, the blue ones were refused."),
)
NOTICED = [
    ("There are 17 berths.", "There are 14 berths."),
    ("The plan goes to M. Moreau.", "The plan goes to M. Garnier."),
    ("The ferry to Tromvik leaves at 11:15.", "The ferry to Tromvik leaves at 08:40."),
    ("Bjarne is asked about the fares.", "Ingrid is asked about the fares."),
    ("The ramp may be lowered to zero.", "The ramp is never lowered to zero."),
    ("The gate opens only before the siren.", "The gate opens only after the siren."),
    ("The plan goes from Tromvik to Halsey.", "The plan goes from Halsey to Tromvik."),
    ('The user said: "paint all of the buoys black".', 'The user said: "Ask Ingrid about the fares".'),
    ("The ferry leaves on Sunday at 08:40.", "The ferry leaves at 08:40."),
    ("The blue buoys were accepted.", "The blue buoys were refused."),
    ("Passage: dock_ramp7.cfg", "Passage: Halsey to Tromvik"),
    ("There are seven berths.", "There are 14 berths."),
]


def notes(body, *rows):
    """What is noted of *body*, as kinds and values."""
    told = compacted(rows, body=body).measured().deviations
    return {(one.kind, one.value) for one in told}


@pytest.mark.parametrize(("altered", "faithful"), NOTICED)
def test_what_is_altered_is_noticed(altered, faithful):
    assert notes(altered, *FERRY) - notes(faithful, *FERRY)


@pytest.mark.parametrize(
    "body",
    [
        "There are 14 berths.",
        "The plan goes to M. Garnier.",
        "The ferry to Tromvik leaves at 08:40.",
        "The ramp is never lowered to zero.",
        "The gate opens only after the siren.",
        "The plan goes from Halsey to Tromvik.",
        "## Open Questions",
        "Cause: the siren.",
    ],
)
def test_what_is_told_in_the_same_words_is_not(body):
    assert notes(body, *FERRY) == set()


@pytest.mark.parametrize("faithful", [one for _, one in NOTICED])
def test_no_faithful_twin_is_accused(faithful):
    told = compacted(FERRY, body=faithful).measured().deviations
    assert [one for one in told if one.grade is not Grade.NOT_VERBATIM] == []


def test_a_ban_without_its_never_is_an_error():
    [found] = [
        one for one in compacted(FERRY, body="Lower the ramp to zero.").measured().deviations if one.grave
    ]
    assert found.grade is Grade.CONTRADICTS
    assert "Never lower the ramp" in found.source


def test_a_sentence_is_noted_once():
    told = compacted(FERRY, body="Bjarne never asked about the fares on Sunday.").measured().deviations
    whole = [one.value for one in told if one.value == one.line]
    assert len(whole) == len(set(whole)) == 1


@pytest.mark.parametrize(
    ("title", "planned"), [("Plan", True), ("`src/app/planner.py`", False), ("Next steps", True)]
)
def test_a_path_plans_nothing(title, planned):
    found = compacted(FERRY, body=f"- {title}: 93 berths in use, 12 free").measured().deviations
    assert any("93" in one.value for one in found) is not planned


TOKEN = "ghp_FAKE12345678901234567890"


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (TOKEN, f"The token is {TOKEN}."),
        ("FAKE1234567890", "The token is ghp_FAKE123456789012345678901234567890."),
        (TOKEN.lower(), ""),
    ],
)
def test_tokens_and_parts_of_them_are_masked(value, line):
    assert "FAKE" not in masked(value, line).upper()


def test_a_finding_quotes_its_line():
    [found] = [one for one in findings_of("There are 17 berths.") if one.rule == "not-verbatim"]
    assert {"kind": "number", "value": "17 berths", "line": "There are 17 berths."} in found.evidence[
        "values"
    ]
    assert masked("dock_ramp7.cfg", "Passage: dock_ramp7.cfg") == "dock_ramp7.cfg"


def test_a_masked_value_is_listed_once():
    key = "sk-test-51H8xq0000FAKE0000FAKE0000FAKE0000"
    body = f"Compaction number 1. Note: env OPENAI_API_KEY={key} and github token {TOKEN} in .env (rotated)."
    [found] = [one for one in findings_of(body) if one.rule == "not-verbatim"]
    hidden = [one["value"] for one in found.evidence["values"] if "redacted" in one["value"]]
    assert sorted(hidden) == ["[redacted:openai]", "[redacted]"]
    assert found.evidence["count"] == len(found.evidence["values"])


def findings_of(body):
    return check_compaction(compacted(FERRY, body=body).measured())
