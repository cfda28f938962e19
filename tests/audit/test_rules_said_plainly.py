"""A rule in a figure of speech is held against what a handoff says plainly."""

import pytest

from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, compacted, hits, user

KEPT = [
    ("Hands off the till until Nadia signs.", "- The till must not be touched before Nadia has signed."),
    ("Nobody touches the rota while Kofi is away.", "- Rota is frozen while Kofi is away."),
    ("Nothing goes out before Nadia has seen it.", "- Nadia must review everything before it is sent."),
    ("Das Formular bleibt, wie es ist.", "- Formular nicht ändern."),
    ("Personne ne touche au planning pendant les congés de Luc.", "- Planning gelé jusqu'au retour de Luc."),
    ("Que nadie toque la agenda hasta mayo.", "- Agenda congelada hasta mayo."),
    ("Никто не трогает график, пока Лена в отпуске.", "- График заморожен на время отпуска Лены."),
    ("封面一个字都别动。", "- 封面保持不变。"),
    ("先发邮件,不要打电话。", "- 联系方式:邮件,不打电话。"),
]
LOST = [
    ("Hands off the till until Nadia signs.", "- The till has two drawers."),
    ("Give the rota a wide berth.", "- The rota has seven rows."),
    ("Was auch passiert, zuerst kommt die Inventur.", "- Die Inventur dauerte drei Stunden."),
    ("Sans ticket, pas de livraison.", "- La livraison a pris trois heures."),
]


def accused(rule, line):
    talk = (user("Hello."), assistant("Hello."), user(rule), assistant("Ok."), user("Thanks, go on."))
    found = hits(compacted(talk, keep=[4], body=f"- It began with a greeting.\n{line}"), "rule-lost")
    return any(one.severity is not Severity.INFO for one in found)


@pytest.mark.parametrize(("rule", "line"), KEPT)
def test_a_rule_kept_in_plain_words_is_no_accusation(rule, line):
    assert not accused(rule, line)


@pytest.mark.parametrize(("rule", "line"), LOST)
def test_a_rule_in_a_figure_of_speech_that_is_gone_is_named(rule, line):
    assert accused(rule, line)
