"""What agents promise for all that follows is a rule; one step, a habit and an impossibility are none."""

import pytest

from hermes_sessions.facts.constraints import extract_rules

PROMISES = """\
I will refund customers only once your approval has come in.
I'll always run the linter before I commit.
Going forward I'll tag you on each invoice.
Before every deployment I will ask for your go-ahead.
Ich verschiebe Dateien ausschließlich nach vorheriger Bestätigung durch Sie.
Ich werde stets ein Backup anlegen, bevor ich migriere.
Ab sofort schicke ich Ihnen jeden Entwurf vorab.
Vor jeder Buchung frage ich Sie.
Je n'enverrai les factures qu'après votre accord.
Je garderai toujours une copie de l'ancienne version avant chaque modification.
Avant chaque envoi, je vous demanderai confirmation.
Borraré registros solo cuando usted lo apruebe.
A partir de ahora haré siempre una copia de seguridad antes de tocar el libro.
Antes de cada pago le preguntaré.
Cancellerò i dati soltanto quando lo approvi.
D'ora in avanti ti avviserò prima di ogni invio.
Apagarei registros somente quando você aprovar.
De agora em diante vou avisar antes de cada envio.
我每次修改前都会先征得你的同意。
我只在你同意后才删除数据。
Я удаляю записи только после вашего согласия.
Впредь я буду предупреждать вас перед отправкой.""".splitlines()
NONE = """\
I'll run the linter once more before I commit.
I only noticed it after the restart.
Every time I opened the page the cache was cold.
The 4 tests never ran before this commit.
Ich frage Petra gleich.
Vor jedem Lauf stand der Zähler auf null.
Der Cache wird nie geleert, das erklärt die alten Zeilen.
Je ferai une sauvegarde avant d'écrire.
Chaque fois que je lance le test, il passe.
Ce fichier est utilisé uniquement par les tests.
Haré una copia antes de escribir.
El informe siempre llega antes de las doce.
Ogni volta che lancio il test, passa.
Cada vez que rodo o teste, ele passa.
我先备份,然后升级。
每次运行测试都通过。
Каждый раз тест проходит.
Я сделаю копию перед записью.""".splitlines()
NOTICES = """\
Los importes superiores a 5.000 euros solo se registran con la firma de la directora.
Auszahlungen über 2.000 Euro erfolgen nur mit Unterschrift der Kassenwartin.
Les clés sont remises uniquement avec l'accord du gardien.
Le chiavi si consegnano solo previa autorizzazione della direzione.
As chaves só são entregues com autorização da gerente.
钥匙须经主管批准后方可领取。
Ключи выдаются только с разрешения начальника охраны.""".splitlines()
UNABLE = """\
Il pleut, on ne peut jamais compter sur la météo.
今天下雨,不能去跑步了。
It rains, so I can never plan a picnic.
Con esta lluvia nunca se puede salir a correr.
В такую погоду никогда нельзя планировать прогулку.
Bei Schnee kann man nie pünktlich sein.""".splitlines()


def rules(role, text):
    return extract_rules({"role": role, "content": text})


@pytest.mark.parametrize("text", PROMISES)
def test_a_promise_of_the_agent_is_a_rule(text):
    assert rules("assistant", text)


@pytest.mark.parametrize("text", NONE)
def test_one_step_a_report_and_a_habit_are_none(text):
    assert not rules("assistant", text)


@pytest.mark.parametrize("text", NOTICES)
def test_a_notice_that_asks_for_a_signature_is_a_rule(text):
    assert rules("tool", text)


@pytest.mark.parametrize("text", UNABLE)
def test_what_cannot_be_is_none(text):
    assert not rules("user", text)
