"""What a handoff says of rules, values and errors in another form is kept; what is in doubt is not gone."""

import pytest

from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.audit.verdict.values import CompactionVerdict
from tests.audit.builders import assistant, compacted, findings, tool, user


def judged(said: str, body: str, *, speaker: str = "user") -> CompactionVerdict:
    rows = {
        "user": [user(said), assistant("Noted.")],
        "tool": [user("Look."), tool("c1", said), assistant("I see.")],
        "assistant": [user("Look."), assistant(said)],
    }[speaker]
    told = compacted([*rows, user("Go on."), assistant("On it.")], keep=[len(rows), len(rows) + 1], body=body)
    return judge_compaction(told.measured(), findings(told))


def kinds(lines: object) -> set[str]:
    return {line.kind for line in lines}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("Please never touch the billing cluster.", "The billing cluster is not touched."),
        ("Leave the archive folder of the tenants alone.", "while leaving the tenants' archive folder alone"),
        ("Session length is 20 minutes, not 45.", "SESSION_MINUTES=20 (was 45)"),
        ("Den Keller macht Firma Ostmann, nie Firma Brehm.", "Keller: Firma Ostmann"),
        ("先写大纲,不要写正文", "- 大纲先行,不写正文"),
        ("결제 모듈은 절대 수정하지 마.", "결제 모듈은 수정하지 않는다."),
    ],
)
def test_a_rule_is_kept_by_its_object_and_its_bar(rule: str, line: str) -> None:
    found = judged(rule, f"## State\n- {line}")
    assert "constraint" not in kinds(found.lost) | kinds(found.maybe_lost)


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("Never touch the billing cluster.", "The billing cluster has nine nodes."),
        ("Never touch the billing cluster.", "Do not restart the mail relay."),
        (
            "Les journaux de la caisse ne doivent jamais être effacés.",
            "Les journaux de la caisse pèsent 2 Go.",
        ),
    ],
)
def test_the_object_without_a_bar_keeps_no_rule(rule: str, line: str) -> None:
    found = judged(rule, f"## State\n- {line}")
    assert "constraint" in kinds(found.lost)
    assert "gone" in found.sentence


def test_what_may_be_in_another_language_is_not_called_gone() -> None:
    found = judged(
        "Fass die Kasse der Filiale niemals ohne mich an.",
        "The report is written. Work continues with the second quarter, which is in the other folder.",
    )
    assert "gone" not in found.sentence
    assert "one rule may be in the summary in other words" in found.sentence.lower()
    assert kinds(found.maybe_lost) == {"constraint"}
    assert found.sentence.endswith("of 1 fact that matters 1 survives, perhaps in other words.")
    assert found.tell == ""


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Set the timeout to 700 ms.", "`FETCH_TIMEOUT_MS=700`"),
        ("Die Frist ist 21 Tage.", "Frist drei Wochen"),
        ("The deposit is 92 euros for Alder.", "Rooms: Alder 92, Birch 104 euros"),
        ("予算は一人6万円です。", "budget ¥60,000 each"),
        ("Начало 18 июля.", "Старт 18.07 вечером"),
    ],
)
def test_a_value_is_kept_in_another_form(said: str, line: str) -> None:
    found = judged(said, f"## State\n- {line}")
    assert not {"duration", "money", "date"} & kinds(found.lost)


def test_errors_of_one_cause_count_once_and_are_kept_by_their_code() -> None:
    log = "ERROR connect failed host=cache-1 reason=ECONNRESET\nfetch: ECONNRESET after 3 tries"
    assert "error" not in kinds(judged(log, "Cause: ECONNRESET at cache-1.", speaker="tool").lost)
    assert len([one for one in judged(log, "Nothing.", speaker="tool").lost if one.kind == "error"]) == 1


def test_a_report_of_the_agent_is_no_sure_loss() -> None:
    said = "Two causes: the queue has no upper bound, and a worker never gives its lock back when it fails."
    assert "constraint" not in kinds(judged(said, "Nothing.", speaker="assistant").lost)
