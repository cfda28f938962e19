"""The rules ledger: rules are found, followed through compactions, lifted, lost and broken."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from hermes_sessions.audit.ledger.ledger import build_ledger, read_rules
from hermes_sessions.audit.ledger.values import LedgerRule, RulesLedger, Sight
from hermes_sessions.audit.values import AuditMessage, ConversationCase
from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.audit.verdict.differences import read_places
from hermes_sessions.messages import Severity, ToolCall
from tests.audit.builders import Compacted, assistant, call, compacted, findings, hits, tool, user
from tests.audit.planted.chains import COMPACTIONS, PlantedRule, a_chain, chains

ENOUGH = 0.95
PUSH = "Never push to main without my approval."
GATEWAY = "Do not restart the billing gateway before Friday."


@dataclass
class RuleScores:
    planted: int = 0
    listed: int = 0
    found: int = 0
    losses: int = 0
    named: int = 0
    right: int = 0


def judge(rules: Sequence[PlantedRule], ledger: RulesLedger, scores: RuleScores) -> None:
    scores.planted += len(rules)
    scores.listed += len(ledger)
    for rule in rules:
        own = [one for one in ledger if one.text in rule.text or rule.text in one.text]
        lost_by = own[0].lost_by if own else None
        scores.found += bool(own)
        scores.losses += bool(rule.lost_by)
        scores.named += lost_by is not None
        scores.right += lost_by is not None and lost_by.ordinal == rule.lost_by


def test_planted_rules_are_found_and_their_losses_named() -> None:
    scores = RuleScores()
    for rules, case in chains():
        judge(rules, build_ledger(case), scores)
    assert scores.planted == 135
    assert scores.found / scores.planted >= ENOUGH <= scores.found / scores.listed
    assert scores.right / scores.losses >= ENOUGH <= scores.right / scores.named


def test_a_rule_is_followed_through_every_compaction() -> None:
    [rule] = build_ledger(a_chain([PlantedRule("en", "user", PUSH, "", 7)]))
    assert len(rule.sights) == COMPACTIONS
    assert [one.sight for one in rule.sights] == [Sight.HANDOFF] * 6 + [Sight.LOST] * 4
    assert [one.ordinal for one in rule.losses] == [7]


def test_a_rule_behind_a_request_is_in_sight_by_what_of_it_binds() -> None:
    said = "Sort the invoices by month, and from the well no more than 800 litres a day are drawn."
    told = "Well: no more than 800 litres a day."
    [rule] = build_ledger(a_chain([PlantedRule("en", "user", said, told, 7)]))
    assert [one.sight for one in rule.sights] == [Sight.HANDOFF] * 6 + [Sight.LOST] * 4


# -- one compaction --------------------------------------------------------------------------------


def told(*before: AuditMessage, **how: object) -> Compacted:
    rows = [*before, user("How far is it?"), assistant("Half of it is done.")]
    return compacted(rows, **{"keep": [len(rows) - 1], "body": "Half of it is done.", **how})


def ledger_of(case: Compacted | ConversationCase) -> RulesLedger:
    return build_ledger(case.conversation() if isinstance(case, Compacted) else case)


def the_rule(case: Compacted) -> LedgerRule:
    [rule] = ledger_of(case)
    return rule


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        pytest.param({}, Sight.LOST, id="nowhere"),
        pytest.param({"body": f"Half is done. {PUSH}"}, Sight.HANDOFF, id="word for word"),
        pytest.param(
            {"body": "Constraint: the user must approve every push to main."}, Sight.HANDOFF, id="other words"
        ),
        pytest.param(
            {"body": "Ohne Freigabe darf nicht auf main gepusht werden."}, Sight.HANDOFF, id="German"
        ),
        pytest.param({"body": "未经用户批准不要推送到 main。"}, Sight.HANDOFF, id="Chinese"),
        pytest.param({"body": "承認なしに main へプッシュしないこと。"}, Sight.HANDOFF, id="Japanese"),
        pytest.param({"body": "The user pushed to main and approved it."}, Sight.LOST, id="no demand"),
        pytest.param({"body": "main was read; never push to dev."}, Sight.LOST, id="two sentences"),
        pytest.param({"body": "Never merge to main without tests."}, Sight.LOST, id="another deed"),
        pytest.param({"keep": [0, 2]}, Sight.TAIL, id="kept"),
        pytest.param({"keep": [0, 2], "pruned": {0: "Never push"}}, Sight.LOST, id="kept, but cut"),
        pytest.param({"head": [0], "keep": [2]}, Sight.TAIL, id="in the head"),
        pytest.param({"keep": []}, Sight.LOST, id="no tail is stored, and it is older than the last turn"),
    ],
)
def test_where_a_rule_stands_after_a_compaction(how: dict[str, object], expected: Sight) -> None:
    [sight] = the_rule(told(user(PUSH), **how)).sights
    assert sight.sight is expected


def test_nothing_is_said_of_a_rule_that_an_unstored_tail_may_hold() -> None:
    case = compacted([user("Hi"), assistant("Hello."), user(PUSH), assistant("Noted.")], keep=[])
    assert the_rule(case).sights[0].sight is Sight.UNKNOWN
    assert hits(case, "rule-lost") == []


def test_an_encrypted_summary_loses_nothing() -> None:
    case = told(user(PUSH), facts={"summary": None}, raw=" ")
    assert the_rule(case).sights[0].sight is Sight.UNKNOWN


def test_the_prompt_keeps_a_rule_in_sight() -> None:
    case = told(user(PUSH)).conversation()
    first, last = case.sessions
    prompted = ConversationCase(
        sessions=(
            first,
            type(last)(key=last.key, foreign_id="s", prompt=f"You help. {PUSH}", rows=last.rows),
        ),
        compactions=case.compactions,
    )
    [rule] = build_ledger(prompted)
    assert rule.sights[0].sight is Sight.PROMPT


def test_a_rule_said_again_stands_once() -> None:
    case = told(user(PUSH), assistant("Ok."), user("As I said: never push to main without my approval!"))
    assert (the_rule(case).said, the_rule(case).speaker) == (2, "user")


def test_the_user_who_repeats_the_tools_rule_has_set_it() -> None:
    notice = "The production database is read-only until Friday."
    case = told(user("Look."), tool("c1", notice), user(f"Note that: {notice}"))
    assert the_rule(case).speaker == "user"


@pytest.mark.parametrize(
    ("rule", "words", "lifted"),
    [
        pytest.param(GATEWAY, "You may restart the billing gateway now.", True, id="leave given"),
        pytest.param(GATEWAY, "Forget the rule about the billing gateway.", True, id="forgotten"),
        pytest.param(GATEWAY, "You may open the report now.", False, id="leave for something else"),
        pytest.param(
            "Never email customers.", "You can email Mara.", False, id="the same deed, another object"
        ),
        pytest.param(GATEWAY, "The billing gateway is slow again.", False, id="a mere mention"),
        pytest.param(
            "Das Gateway darf nicht neu gestartet werden.",
            "Du darfst das Gateway jetzt neu starten.",
            True,
            id="German",
        ),
        pytest.param("不要重启网关 gw-east。", "现在可以重启网关 gw-east 了。", True, id="Chinese"),
        pytest.param(
            "Не перезапускай шлюз gw-east.", "Теперь можно перезапустить шлюз gw-east.", True, id="Russian"
        ),
        pytest.param(
            "Ne redémarre jamais le service paie-api.",
            "Tu peux redémarrer le service paie-api maintenant.",
            True,
            id="French",
        ),
        pytest.param(
            "Don't attach anything yet.", "You may attach the group now.", True, id="its time has come"
        ),
        pytest.param(
            "N'envoie rien pour l'instant.", "Tu peux envoyer la lettre maintenant.", True, id="French, now"
        ),
        pytest.param("No envíes nada todavía.", "Ya puedes enviar la carta.", True, id="Spanish, now"),
        pytest.param("先不要发送。", "现在可以发送了。", True, id="Chinese, now"),
        pytest.param(
            "Das Gateway darf nicht neu gestartet werden.",
            "Für das Gateway ist ein Neustart noch nicht freigegeben.",
            False,
            id="leave denied",
        ),
        pytest.param(
            "Don't attach the report yet.", "You may attach the photo now.", False, id="the time of another"
        ),
        pytest.param(
            "Et pas un mot à la presse.",
            "Tu peux écrire à la mairie désormais.",
            False,
            id="only a small word is the same",
        ),
    ],
)
def test_a_rule_is_lifted_by_leave_that_names_it(rule: str, words: str, lifted: bool) -> None:
    case = told(user(rule), assistant("Noted."), user(words))
    assert (the_rule(case).lifted_by == 3) is lifted
    assert (hits(case, "rule-lost") == []) is lifted


def test_the_assistant_lifts_no_rule_of_the_user() -> None:
    case = told(user(GATEWAY), assistant("I may restart the billing gateway now, the rule is lifted."))
    assert the_rule(case).lifted_by is None


def test_another_number_replaces_a_rule() -> None:
    case = told(user("Keep the monthly spend under 400 USD."), user("Keep the monthly spend under 600 USD."))
    old, new = ledger_of(case)
    assert (old.lifted_by, old.replaced, old.state) == (2, True, "lifted")
    assert (new.lifted_by, new.state) == (None, "lost")


def test_a_rule_set_anew_after_it_was_lifted_is_in_force() -> None:
    case = told(user(GATEWAY), user("You may restart the billing gateway now."), user(GATEWAY))
    assert [one.state for one in ledger_of(case)] == ["lifted", "lost"]


def test_instructions_that_a_transcript_begins_with_cannot_be_lost() -> None:
    system = AuditMessage(id=0, position=0, original=0, role="system", text=PUSH)
    [rule] = ledger_of(told(system))
    assert (rule.text, rule.speaker, rule.state) == (PUSH.rstrip("."), "system", "in sight")


def test_a_long_prompt_is_the_agents_own_manual() -> None:
    manual = "You are an agent that writes programs.\n" * 120 + PUSH
    system = AuditMessage(id=0, position=0, original=0, role="system", text=manual)
    assert ledger_of(told(system)) == ()


@pytest.mark.parametrize(
    ("role", "text", "is_rule"),
    [
        ("user", "Max 1 request per second to that server.", True),
        ("user", "We can't mention the competitor by name anywhere.", True),
        ("user", "The flag is Tim's, nobody else sets that one.", True),
        ("user", "Und keine Durchsagen im Hof nach 20 Uhr.", True),
        ("assistant", "El contrato prohíbe nombrarla en público.", True),
        ("assistant", "Only B7741.", False),
        ("tool", "Everything on that page has to go through me before it is published.", True),
        ("tool", "Ningún proceso puede superar las 40 conexiones.", True),
        ("tool", "Wegen der Arbeiten dürfen die Ventile vom 3. bis 5. Mai nicht verstellt werden.", True),
        ("tool", "Les boîtes du lot 17 ne doivent plus être livrées jusqu'à nouvel ordre.", True),
        ("tool", "Performance changes are only merged with a benchmark.", True),
        ("tool", "AssertionError: the name must not be None", False),
        ("tool", "You must be 18 or older to join.", False),
        ("tool", "Meeting: Ann said that at her old job they never used helmets.", False),
        ("tool", "They discussed whether we must buy a second press.", False),
        ("tool", "TANKCTL(1)\n   tankctl drop ID\n       This must only be run by the owner.", False),
    ],
)
def test_a_rule_is_told_from_what_only_looks_like_one(role: str, text: str, is_rule: bool) -> None:
    row = AuditMessage(id=0, position=0, original=0, role=role, text=text)
    assert bool(read_rules(row)) is is_rule


def test_a_handoff_sets_no_rule() -> None:
    assert ledger_of(told(user("", kind="handoff", handoff=PUSH))) == ()


# -- the finding -----------------------------------------------------------------------------------


def test_lost_rules_are_one_finding_that_quotes_them() -> None:
    [found] = hits(told(user(PUSH), user(GATEWAY)), "rule-lost")
    assert found.messages == (1, 2)
    assert [one["value"] for one in found.evidence["rules"]] == [PUSH.rstrip("."), GATEWAY.rstrip(".")]
    assert (found.evidence["count"], found.severity, found.compaction) == (2, Severity.WARNING, 1)


def test_finding_and_verdict_say_the_same_of_a_rule_that_may_have_been_for_one_step() -> None:
    case = told(user("The mail tests can wait until the end."))
    [found] = hits(case, "rule-lost")
    [place] = read_places(found.rule, found.evidence).places
    assert place.how == "rule out of sight, perhaps meant for one step only"
    verdict = judge_compaction(case.measured(), findings(case))
    assert ([one.kind for one in verdict.lost], verdict.maybe_lost) == (["constraint"], ())


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("Zwei Angebote für neue Seile; ein gebrauchtes hat der Betriebsleiter verworfen.", Severity.INFO),
        ("Ersatz: nur fabrikneu, Betriebsleiter will kein gebrauchtes.", Severity.INFO),
        ("Zwei Angebote für neue Seile, Hallinger verworfen.", Severity.WARNING),
        ("Zwei Angebote für neue Seile, eines ist günstiger.", Severity.WARNING),
    ],
)
def test_a_rule_whose_thing_was_rejected_may_be_told(body: str, severity: Severity) -> None:
    offer = assistant("Es wäre Zeit, an ein neues Seil zu denken; ein gebrauchtes käme am billigsten.")
    case = told(offer, user("Gebraucht kommt mir nicht auf den Berg."), body=body)
    assert [one.severity for one in hits(case, "rule-lost")] == [severity]


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        ("Never deploy without my approval.", "The user declined the redesign of the logo."),
        ("Never send the report to Kim before Friday.", "The offer to send flowers was rejected."),
        ("Both servers must never be restarted before 18:00.", "Half of it is done."),
        ("Beide Datenbanken sind bis Freitag schreibgeschützt.", "Die Hälfte ist fertig, es geht weiter."),
    ],
)
def test_a_rule_that_nothing_tells_is_lost_for_sure(rule: str, body: str) -> None:
    [found] = hits(told(user(rule), body=body), "rule-lost")
    assert found.severity is Severity.WARNING


def test_finding_and_verdict_say_the_same_of_a_rule_in_other_words() -> None:
    body = "The report is written. Work continues with the second quarter, which is in the other folder."
    case = told(user("Fass die Kasse der Filiale niemals ohne mich an."), body=body)
    [found] = hits(case, "rule-lost")
    [place] = read_places(found.rule, found.evidence).places
    assert place.how == "rule perhaps there in other words"
    verdict = judge_compaction(case.measured(), findings(case))
    assert (verdict.lost, [one.kind for one in verdict.maybe_lost]) == ((), ["constraint"])


def test_a_finding_about_rules_tells_no_secret() -> None:
    rule = "Never share the token ghp_Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j with anyone."
    assert "ghp_" not in str(findings(told(user(rule))))


BROKEN = [
    (PUSH, call("terminal", command="cd /srv && git push origin main")),
    ("Do not touch config/prod.yaml.", call("write_file", path="config/prod.yaml", content="x")),
    ("Never delete the bucket acme-raw.", call("bash", command="aws s3 rb s3://acme-raw --force")),
    ("不要修改 settings_prod.py 文件。", call("edit_file", path="settings_prod.py", content="x")),
    (
        "Bitte niemals die Tabelle kunden_alt löschen.",
        call("terminal", command="psql -c 'DROP TABLE kunden_alt'"),
    ),
    (
        "The table ledger_2025 is read-only until Friday.",
        call("terminal", command="psql -c 'INSERT INTO ledger_2025 VALUES (1)'"),
    ),
]
KEPT_TO = [
    (PUSH, call("terminal", command="git push origin feature/login")),
    (PUSH, call("terminal", command="git status")),
    ("Do not touch config/prod.yaml.", call("read_file", path="config/prod.yaml")),
    ("Do not touch config/prod.yaml.", call("write_file", path="config/dev.yaml", content="x")),
    ("Never delete the bucket acme-raw.", call("bash", command="aws s3 ls s3://acme-raw")),
    ("Only use the staging cluster for load tests.", call("terminal", command="k6 run load.js")),
]


@pytest.mark.parametrize(("rule", "done"), BROKEN)
def test_a_lost_rule_that_is_broken_is_an_error(rule: str, done: ToolCall) -> None:
    [found] = hits(told(user(rule), following=[user("Go on."), assistant("", done)]), "rule-lost")
    assert found.severity is Severity.ERROR
    assert len(found.evidence["broken_by"]) == 1


@pytest.mark.parametrize(("rule", "done"), KEPT_TO)
def test_what_a_rule_does_not_forbid_breaks_none(rule: str, done: ToolCall) -> None:
    [found] = hits(told(user(rule), following=[user("Go on."), assistant("", done)]), "rule-lost")
    assert found.severity is Severity.WARNING


def test_what_the_user_asked_for_breaks_no_rule() -> None:
    rule, done = BROKEN[0]
    [found] = hits(
        told(user(rule), following=[user("Push to main, please."), assistant("", done)]), "rule-lost"
    )
    assert found.severity is Severity.WARNING


def test_a_rule_in_sight_is_not_looked_after() -> None:
    rule, done = BROKEN[0]
    case = told(user(rule), body=rule, following=[user("Go on."), assistant("", done)])
    assert hits(case, "rule-lost") == []


def test_telling_the_code_that_a_lost_rule_keeps_breaks_it() -> None:
    rule = "Never disclose the vault code 77-41-09 to anyone."
    [found] = hits(told(user(rule), following=[user("Hi"), assistant("The code is 77-41-09.")]), "rule-lost")
    assert found.severity is Severity.ERROR
