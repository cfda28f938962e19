"""A rule that the handoff breaks or turns round is not kept; one that it says in other words is."""

import pytest

from hermes_sessions.audit.ledger.ledger import build_ledger
from hermes_sessions.audit.ledger.values import Sight
from hermes_sessions.audit.measure import measure_compaction
from hermes_sessions.audit.rules import check_compaction
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.audit.verdict.values import CompactionVerdict
from hermes_sessions.operations.auditing.audit_conversations import audit_case
from tests.audit.builders import Compacted, assistant, compacted, user


def _after(rule: str, body: str, *more: str) -> Compacted:
    later = [row for text in more for row in (user(text), assistant("Ok."))]
    return compacted(
        [user(rule), assistant("Ok."), *later, user("What is next?"), assistant("The tests are next.")],
        body=body,
        keep=[2 + len(later), 3 + len(later)],
    )


def _sights(told: Compacted) -> list[tuple[Sight, bool]]:
    conversation = told.conversation()
    measured = {case.facts.id: measure_compaction(case).deviations for case in conversation.compactions}
    ledger = build_ledger(conversation, deviations=measured)
    return [(one.sight, one.is_doubtful) for rule in ledger for one in rule.sights]


def _verdict(told: Compacted) -> CompactionVerdict:
    measured = measure_compaction(told.conversation().compactions[0])
    return judge_compaction(measured, list(check_compaction(measured)))


_BROKEN = [
    ("Never use port 8002 for anything.", "Service started, port 8002 is used."),
    ("Never use port 8002.", "Service started on port 8002."),
    ("Allowed ports are 8000, 8001 and 8003; never 8002.", "Port 8002 was picked."),
    ("Never push to main.", "Fix committed and pushed to main."),
    ("Do not delete the old backups.", "Old backups were deleted."),
    ("Never deploy on Fridays.", "## Constraints\n- Deploy on Fridays."),
    ("Keep at least 3 replicas at all times.", "## Constraints\n- Keep at most 3 replicas."),
    ("Never write to old@example.com.", "Report sent to old@example.com."),
    ("Do not ship version 3.0.9.", "Shipped version 3.0.9."),
    ("Never touch db2.example.com.", "Deployed to db2.example.com."),
    ("Nie auf main pushen.", "## Erledigt\n- Änderungen auf main gepusht."),
    ("Bitte rühre die Datei config.yml auf keinen Fall an.", "config.yml geändert."),
    ("Es müssen immer mindestens 3 Replikate laufen.", "Höchstens 3 Replikate laufen."),
    ("Ne supprime jamais les anciennes sauvegardes.", "Les anciennes sauvegardes ont été supprimées."),
    ("No uses nunca el puerto 8002.", "El servicio usa el puerto 8002."),
    ("Non usare mai la porta 8002.", "Il servizio gira sulla porta 8002."),
    ("Nunca use a porta 8002.", "O serviço roda na porta 8002."),
    ("Gebruik poort 8002 nooit.", "De dienst draait op poort 8002."),
    ("Никогда не пушь в main.", "Исправление запушено в main."),
    ("不要删除旧备份。", "旧备份已删除。"),
    ("ポート8002は使わないでください。", "サービスをポート8002で起動しました。"),
    ("Never use port 8002.", "Der Dienst läuft auf Port 8002."),
]


@pytest.mark.parametrize(("rule", "body"), _BROKEN)
def test_a_broken_rule_is_out_of_sight(rule: str, body: str) -> None:
    assert _sights(_after(rule, body)) == [(Sight.LOST, False)]


@pytest.mark.parametrize(("rule", "body"), _BROKEN)
def test_the_agent_is_told_a_broken_rule(rule: str, body: str) -> None:
    verdict = _verdict(_after(rule, body))
    assert [line.kind for line in verdict.lost if line.kind == "constraint"] == ["constraint"]
    assert rule.rstrip(".。") in verdict.tell


@pytest.mark.parametrize(("rule", "body"), _BROKEN)
def test_no_sentence_reassures_where_a_rule_is_broken(rule: str, body: str) -> None:
    sentence = _verdict(_after(rule, body)).sentence
    assert "Everything" not in sentence
    assert "Nothing" not in sentence
    assert "none survives" in sentence


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        ("Do not delete the old backups.", "## Constraints\n- Keep the old backups."),
        ("Never push to main.", "main is off limits for pushes; work happens on fix-7."),
        ("Never push to main.", "Changes go through pull requests, nothing is pushed to main."),
        ("Never push to main.", "## Never\n- push to main\n- deploy on Fridays"),
        ("Nie auf main pushen.", "## Regeln\n- Kein Push auf main."),
        (
            "Ne supprime jamais les anciennes sauvegardes.",
            "## Contraintes\n- Conserver les anciennes sauvegardes.",
        ),
        ("不要删除旧备份。", "## 约束\n- 保留旧备份。"),
    ],
)
def test_a_rule_in_other_words_is_in_the_handoff(rule: str, body: str) -> None:
    assert _sights(_after(rule, body)) == [(Sight.HANDOFF, False)]


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        ("Allowed ports are 8000, 8001 and 8003; never 8002.", "Ports: 8000/8001/8003 only."),
        ("Do not delete the old backups.", "Old backups stay in place."),
        ("Do not edit config.yml.", "config.yml was left as it was."),
        ("Never tell Bob about the party.", "The party is a secret from Bob."),
        ("Keep at least 3 replicas at all times.", "Minimum of 3 replicas."),
        ("Zasady: nie więcej niż 70 km dziennie, wszyscy w kaskach.", "Najwyżej 70 km na dzień."),
        ("Never run kubectl delete in prod-pay.", "prod-pay में kubectl delete कभी न चलाएँ।"),
    ],
)
def test_what_may_be_a_rule_in_other_words_is_no_sure_loss(rule: str, body: str) -> None:
    assert all(sight is Sight.HANDOFF or doubtful for sight, doubtful in _sights(_after(rule, body)))


def test_what_was_done_after_leave_breaks_no_rule() -> None:
    told = _after("Never push to main.", "Pushed to main.", "You may push to main now, go ahead.")
    assert _sights(told) == [(Sight.LIFTED, False)]


def test_a_forbidden_value_is_not_kept_without_its_ban() -> None:
    facts = _after("Never use port 8002.", "Service started on port 8002.").measured().retention.facts
    assert [fact.value for fact in facts if fact.matters and not fact.is_lost] == []


def test_a_value_beside_a_ban_is_kept_without_it() -> None:
    told = _after("Take port 8080 and never touch config.yml.", "Port 8080 is used; config.yml was edited.")
    kept = [fact.value for fact in told.measured().retention.facts if fact.matters and not fact.is_lost]
    assert kept == ["8080"]


def test_a_value_that_the_handoff_gives_to_something_else_does_not_survive() -> None:
    told = _after(
        "The API listens on 8080 and the admin page on 9090.",
        "The API listens on 9090 and the admin page on 8080.",
    )
    assert _verdict(told).sentence.endswith("of 1 fact that matters none survives.")


def test_a_reason_of_a_ban_is_no_breach() -> None:
    told = _after("Never use port 8081, the proxy owns it.", "Port 8081 is used by the proxy.")
    assert not [one for one in check_compaction(told.measured()) if one.rule == "contradicts"]
    assert (Sight.LOST, False) not in _sights(told)


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        ("The budget must not exceed 500 euros.", "Budget is 600 euros."),
        ("Never deploy to production without approval.", "Deployed to production."),
        ("Do not restart the gateway before Friday.", "Gateway restarted."),
        ("The old backups: do not delete them.", "Old backups were deleted."),
    ],
)
def test_a_rule_that_a_finding_says_is_contradicted_is_out_of_sight_for_all(rule: str, body: str) -> None:
    audit = audit_case(_after(rule, body).conversation())
    facts = [fact for one in audit.compactions for fact in one.retention.facts if fact.kind == "constraint"]
    assert [fact.is_lost for fact in facts] == [True]
    assert [one.sight for found in audit.ledger for one in found.sights] == [Sight.LOST]
    assert all(rule.rstrip(".") in verdict.tell for verdict in audit.verdicts.values())


def test_what_the_agent_said_of_a_broken_rule_does_not_survive_either() -> None:
    told = compacted(
        [
            *(user("Do not delete the old backups."), assistant("I will keep the old backups.")),
            *(user("What is next?"), assistant("The tests are next.")),
        ],
        body="Old backups were deleted.",
        keep=[2, 3],
    )
    assert _verdict(told).sentence.endswith("of 2 facts that matter none survives.")
