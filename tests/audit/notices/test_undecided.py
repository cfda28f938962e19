"""A clause behind whose two sides about as much stands is noted where the nearest ones do not confirm it."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, compacted, user

FERRY = (
    user("The bell of the ferry is to be hung by Friday. What of the lifebelts?"),
    assistant("The lifebelts arrived. Nothing was heard from the chandler about the anchor chain."),
    user("Call him."),
    assistant("He is at the fair; I try again in the morning."),
)
MOULIN = (
    user("Où en est la roue du moulin ?"),
    assistant("La roue tourne. On n'a pas encore commencé le toit de la grange."),
    user("Et le four ?"),
    assistant("Le four chauffe bien."),
)
IMKER = (
    user("Wie steht es um die Schleuder?"),
    assistant("Die Schleuder läuft. Der Honig vom Waldstand ist noch im Eimer."),
    user("Und die Etiketten?"),
    assistant("Die Etiketten kommen am Montag."),
)
RUTA = (
    user("¿Está pintado el portón nuevo?"),
    assistant("La pintura del portón está parada por la lluvia."),
    user("Ya dejó de llover."),
    assistant("Portón pintado a las 17:05."),
)
SKLAD = (
    user("Пересчитай бочки."),
    assistant("Бочек 18."),
)
CUTTER = (
    user("How far is the hull of the cutter?"),
    assistant("Tarring the hull of the cutter: the north side is finished, the south side still has to dry."),
    user("Good."),
    assistant("The mast is ordered."),
)


def noted(body, rows):
    return {one.value for one in compacted(rows, body=body).measured().deviations if one.rule == "undecided"}


@pytest.mark.parametrize(
    ("rows", "altered", "faithful"),
    [
        (FERRY, "The oars were varnished.", "The lifebelts arrived."),
        (MOULIN, "La meule a été changée.", "La roue du moulin tourne."),
        (IMKER, "Der Kran wurde repariert.", "Die Schleuder läuft."),
        (IMKER, "Die Etiketten kommen nicht am Montag.", "Die Etiketten kommen am Montag."),
        (RUTA, "El tejado fue reparado.", "El portón nuevo está pintado."),
        (SKLAD, "Крыша уже отремонтирована.", "Бочек 18."),
    ],
)
def test_what_nobody_confirms_is_noted(rows, altered, faithful):
    assert noted(altered, rows)
    assert not noted(faithful, rows)


@pytest.mark.parametrize(
    ("rows", "faithful"),
    [
        pytest.param(FERRY, "No paint was left for the oars.", id="a denial of what nobody speaks of"),
        pytest.param(FERRY, "After the bell, the flag is hung.", id="an order"),
        pytest.param(RUTA, "Falta la cerradura del cobertizo.", id="open work of which nobody speaks"),
    ],
)
def test_what_hardly_anybody_speaks_of_is_not_noted(rows, faithful):
    assert not noted(faithful, rows)


def test_a_note_accuses_nobody():
    told = compacted(IMKER, body="Die Etiketten kommen nicht am Montag.").measured().deviations
    assert {one.grade for one in told} == {Grade.NOT_VERBATIM}


def test_what_the_last_words_left_open_is_noted():
    told = compacted(CUTTER, body="The hull of the cutter was tarred on both sides.").measured().deviations
    assert [one.rule for one in told] == ["left-open"]
