"""One thing is allowed and no more: a rule. A cap that is reached, and what somebody needs, set none."""

import pytest

from hermes_sessions.facts.constraints import extract_rules


def rules(text: str, role: str = "user") -> list[str]:
    return [fact.value for fact in extract_rules({"role": role, "content": text})]


@pytest.mark.parametrize(
    "text",
    [
        "Wichtig: Auf db-alt darfst du nur lesen, und das Fenster ist heute von 20:00 bis 23:00 Uhr.",
        "In diesem Ordner dürft ihr ausschließlich lesen.",
        "On db-old you may only read.",
        "On db-old, reading is all you may do.",
        "Sur db-vieux tu ne peux que lire.",
        "Sur db-vieux, vous n'avez le droit que de lire.",
        "En db-viejo solo puedes leer.",
        "En el servidor viejo únicamente puedes leer.",
        "No servidor antigo só podes ler.",
        "Su db-vecchio puoi solo leggere.",
        "На db-old разрешено только чтение.",
        "Na db-stary możesz tylko czytać.",
        "Na db-stary tylko czytać.",
        "Op db-oud mag je alleen lezen.",
        "db-eski üzerinde sadece okuyabilirsin.",
        "db-old 上只能读。",
        "db-old では読むだけにしてください。",
        "db-old에서는 읽기만 가능해.",
        "على db-old يمكنك القراءة فقط.",
    ],
)
def test_what_alone_is_allowed_is_a_rule(text: str) -> None:
    assert rules(text)


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize(
    "text",
    [
        "With 0.5 % a week the cap is reached after ten weeks.",
        "First issues: one-sided assignment (19.3), the LD cap of 5 % is low, and 90 days are easy to miss.",
        "Mit 0,5 % pro Woche ist die Obergrenze nach zehn Wochen erreicht.",
        "À 0,5 % par semaine le plafond est atteint au bout de dix semaines.",
        "Con un 0,5 % semanal el tope se alcanza en diez semanas.",
        "При 0,5 % в неделю лимит будет исчерпан через десять недель.",
        "On my screen I can only see two files.",
        "En la foto solo se ve un gato.",
        "Darfst du dort nur lesen?",
        "Ich durfte dort nur lesen.",
        "On ne peut que le constater.",
        "Die Kollegin Frau Oster braucht um 22 Uhr den Bericht, bis dahin muss die Anwendung wieder laufen.",
        "Ms Oster needs the report at 10 pm, by then the application must be up again.",
        "Mme Oster veut le rapport à 22 h, d'ici là l'application doit tourner.",
        "La señora Oster necesita el informe a las 22, para entonces la aplicación debe funcionar.",
    ],
)
def test_a_cap_that_is_reached_and_a_deadline_are_none(text: str, role: str) -> None:
    assert not rules(text, role)


@pytest.mark.parametrize(
    "text",
    [
        "If the cap is reached, ask me.",
        "The budget must not be exceeded.",
        "Wenn die Obergrenze erreicht ist, hör auf.",
        "Das Limit darf nicht überschritten werden.",
        "Bis dahin darf nichts gelöscht werden.",
        "Until then, nothing may be merged.",
        "By then no branch may be merged without review.",
        "The hard limit is 40 requests.",
        "Keep the cap at 500.",
    ],
)
def test_a_cap_that_binds_and_a_ban_until_then_are_rules(text: str) -> None:
    assert rules(text)
