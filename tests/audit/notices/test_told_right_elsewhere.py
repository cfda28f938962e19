"""Right wordings that were accused for what is beside them; the near twins are accused still."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, tool, user

BARN = (
    user("Quante lumache sono morte?"),
    tool("c1", '{"recinto": 7, "umidita_pct": 96, "altri": {"umidita_pct": 84, "acqua_min": 30}}'),
    assistant(
        "La temperatura è come altrove, ma il 7 riceve 55 minuti d'acqua contro 30 e l'umidità è al 96%."
    ),
)
RINK = (
    user("Idag är det onsdag 15 januari 2025 och i helgen, 18-19, har vi seriespel. Bana 3 går trögt."),
    tool("c1", "09/1 hyvling bana 1, 2, 4. Bana 3 hoppades över"),
    assistant("Bana 3 hyvlades inte den gången."),
)
FILM = (
    user("Показ був 3 березня, але кінотеатр переніс на 10 березня."),
    assistant("Записано: показ 10 березня."),
)
KILLS = (
    tool("c1", "Mar 04 02:51:17 kernel: killed pdfrender\nMar 05 02:47:40 kernel: killed pdfrender"),
    assistant("Two kills, during the bulk run."),
)
BATH = (
    assistant("目標は44℃ですが、HYSTERESIS_C=2.5 なので41.5℃になるまで再加熱が始まりません。"),
    user("わかりました。"),
)
HERBARIUM = (
    user("Two rules: the determiners' names are never overwritten, and no new dependencies."),
    user("Commit on the branch, don't push. I'll flash the prototype by hand on Thursday."),
    assistant("Committed as 4be91c7. Not pushed."),
)
ALERT = (
    tool("c1", "test alert room 2: refused\nTEST ALERT NOT DELIVERED"),
    assistant("Changed, but the test alert wasn't delivered: the mail server refuses port 2525."),
    tool("c2", '{"output": "room 2: accepted\\nTEST ALERT DELIVERED", "exit_code": 0}'),
    assistant("Port 587 it is."),
)
CELLAR = (
    tool("c1", "02:15:00 bilan: 611 meules traitees sur 940"),
    assistant("Arrêt E-27. 611 meules traitées sur 940, il en reste 329."),
    tool("c2", "etat=MARCHE pression=6.2 bar traitees=617/940 fin estimee 13:40"),
    assistant("Il tourne : 617 sur 940, pression 6,2 bar, fin estimée à 13 h 40."),
)
ESCAPE = (
    user("다시 시험해 줘."),
    assistant("10번 모두 열렸습니다. 커밋은 c3390de입니다."),
)


def accused(rows, body):
    told = compacted(rows, body=body).measured().deviations
    return [(one.rule, one.value) for one in told if one.grade is not Grade.NOT_VERBATIM]


@pytest.mark.parametrize(
    ("rows", "body"),
    [
        (BARN, "Umidità 96%, altrove 84."),
        (RINK, "Seriespel den 18 och 19 januari."),
        (RINK, "League games on 18 and 19 January."),
        (FILM, "Vorführung vom 3. März auf den 10. März verlegt."),
        (KILLS, "Two kills, all around 02:50."),
        (BATH, "HYSTERESIS_C=2.5 のため41.5℃まで再加熱が始まらなかった。"),
        (HERBARIUM, "**Never.** Overwriting a determiner's name."),
        (HERBARIUM, "New dependencies are likewise unwelcome."),
        (HERBARIUM, "## Next Steps\n- A push, if and when one is wanted."),
        (ALERT, "The last test alert was delivered."),
        (CELLAR, "Air pressure of 3.1 bar, gripper empty, 611 of 940 wheels treated."),
        (ESCAPE, "- 다시 시험한 결과 10번 중 10번 열렸고, 커밋은 c3390de이다."),
    ],
)
def test_nobody_is_accused(rows, body):
    assert accused(rows, body) == []


@pytest.mark.parametrize(
    ("rows", "body"),
    [
        (RINK, "De övriga banorna hyvlades den 29 januari."),
        (RINK, "League games on 23 January."),
        (FILM, "Vorführung auf den 17. März verlegt."),
        (KILLS, "Two kills, all around 03:40."),
        (HERBARIUM, "The determiners' names are to be overwritten."),
        (ALERT[:2], "The last test alert was delivered."),
        (CELLAR, "Air pressure of 3.1 bar, gripper empty, 671 of 940 wheels treated."),
        (ESCAPE, "- 다시 시험한 결과 10번 중 10번 열렸고, 커밋은 c3309de이다."),
    ],
)
def test_its_twin_is(rows, body):
    assert accused(rows, body) != []
