"""Lines of open work that report something, or say what somebody else will do, are no task that is over."""

import pytest

from hermes_sessions.audit.directives.stale_tasks import StaleTask, find_stale_tasks
from hermes_sessions.audit.directives.statements_of_fact import sets_no_task
from hermes_sessions.audit.words.wording import is_open
from tests.audit.builders import assistant, compacted, user


def stale(body: str, *talk: str) -> tuple[StaleTask, ...]:
    rows = [user(one) if at % 2 == 0 else assistant(one) for at, one in enumerate(talk)]
    [case] = compacted(rows, keep=[], body=body).conversation().compactions
    return find_stale_tasks(case)


@pytest.mark.parametrize(
    ("body", "talk"),
    [
        (
            "## Current Work\nEverything is pushed as 8be13f0 on feat/tide-table.",
            (
                "Make the tide table read the new feed, push it to feat/tide-table.",
                "Done: all 61 tests pass. Everything pushed as 8be13f0 on feat/tide-table.",
                "Good. Write the release note for 3.2 now.",
                "I'll write the note for 3.2.",
            ),
        ),
        (
            "## Waiting\n- Invoice 118 (460 euros) is due on Monday; the user will ask Farid to pay it.",
            (
                "I'll ask Farid to pay invoice 118. Book the bus for the choir, 30 seats.",
                "The bus is booked, 30 seats; invoice 118 is noted.",
                "Fine. Next draft the programme.",
            ),
        ),
        (
            "## В работе\n- Плотник Глеб придёт в пятницу.",
            (
                "Узнай у Глеба, когда он будет.",
                "Готово, спросил. Полы закончены. Плотник Глеб придёт в пятницу.",
                "Теперь составь список красок.",
            ),
        ),
        (
            "## Offen\n- Liste für Frau Thiel fertigstellen, sie braucht die Belege bis 12. November"
            " und reicht den Antrag selbst ein.",
            (
                "Verbuche die Quittung. Den Antrag reicht Frau Thiel selbst ein,"
                " sie braucht die Belege bis 12. November.",
                "Verbucht. Den Antrag reicht Frau Thiel ein; Belege bis 12. November.",
                "Gut. Mach als Nächstes die Liste für Frau Thiel fertig.",
            ),
        ),
    ],
)
def test_what_is_told_is_no_stale_task(body: str, talk: tuple[str, ...]) -> None:
    assert stale(body, *talk) == ()


@pytest.mark.parametrize(
    "line",
    [
        "Die Kaution ist überwiesen.",
        "Les badges sont déposés à l'accueil.",
        "La plombière passera jeudi matin.",
        "Bruna firma il preventivo lunedì.",
        "El gestor presentará el modelo en abril.",
        "De schilder komt dinsdag langs.",
        "用户会自己去领钥匙",
        "Заявка отправлена в архив.",
    ],
)
def test_reports_and_what_others_do_set_no_task(line: str) -> None:
    assert sets_no_task(line)


@pytest.mark.parametrize(
    "line",
    [
        "Send the crates to the new depot",
        "The user wants the leaflet translated",
        "Once the branch is merged, deploy it",
        "Check that the labels are printed",
        "The importer is being rewritten",
        "Rechnung an die Werft schicken",
        "Die Tabelle wird gerade umgebaut",
        "Envoyer le devis à Mme Caron",
        "Подготовить смету для школы",
        "Reservar la sala grande",
        "给全体会员发通知",
    ],
)
def test_what_is_to_be_done_is_a_task(line: str) -> None:
    assert not sets_no_task(line)


def test_what_only_counts_behind_a_task_is_no_task() -> None:
    body = "## Offen\n- Der Tisch im Anker am 14. ist noch nicht bestätigt. 1 × vegan, 2 × glutenfrei."
    talk = (
        "Book a table at the Anker on the 14th, one vegan, two gluten-free (1 vegan, 2 glutenfrei).",
        "Done, sent: 1 vegan, 2 glutenfrei. Their confirmation is still to come.",
        "Thanks. Next: the agenda.",
    )
    assert stale(body, *talk) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Whether q15 is removed is up to Zheng; until then it stays in.",
        "Dana has the final say on the legacy format. Until that, no removal.",
        "Ob der Vertrag gekündigt wird, entscheidet Frau Holt; bis dahin läuft er weiter.",
        "C'est à Hélène de décider si on garde l'ancien format.",
        "Si se cambia el dominio lo decide Pablo.",
        "Удалять ли старый API, решает Олег; до тех пор он остаётся.",
        "是否删除第15题由郑老师决定。",
    ],
)
def test_what_somebody_else_decides_sets_no_task(text: str) -> None:
    assert sets_no_task(text)


def test_what_the_agent_has_to_decide_is_a_task() -> None:
    assert not sets_no_task("Choose the format; it is up to the agent.")
    assert not sets_no_task("Decide on the port of the gateway.")


def test_what_is_kept_until_somebody_decides_is_no_stale_task() -> None:
    talk = (
        "Whether we drop the legacy format is for Dana to decide; leave it in for now.",
        "Understood, the legacy format stays in until Dana decides.",
        "Now document the exporter.",
    )
    assert stale("## Pending\n- The legacy format is kept until Dana has decided.", *talk) == ()


@pytest.mark.parametrize(
    ("line", "is_set"),
    [
        ("Freitag, 6.11., 7–9 Uhr: Frau Quast schließt die Schleuse auf.", False),
        ("Thu 9 am: Dr Wexford inspects the weir", False),
        ("Mme Sorel relit le plan jeudi", False),
        ("Frau Quast anrufen", True),
        ("Ask Mr Wexford for the key", True),
        ("Frau Quast möchte die Schleuse gestrichen haben", True),
    ],
)
def test_what_somebody_with_a_title_does_is_no_task(line: str, is_set: bool) -> None:
    assert sets_no_task(line) is not is_set


@pytest.mark.parametrize(
    "sentence",
    [
        "De sirene staat klaar, beproefd heb ik hem nog niet.",
        "De proef is niet ingeroosterd.",
        "Syrena jeszcze nie sprawdzona.",
        "Sirenen är ännu inte provad.",
        "Siren henüz denenmedi.",
    ],
)
def test_what_is_not_done_yet_is_open(sentence: str) -> None:
    assert is_open(sentence)
