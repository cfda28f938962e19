"""Whoever has a mail address, or stands in brackets, is somebody; a word that is written small is nobody."""

import pytest

from hermes_sessions.audit.relations.name_shapes import names_by_mail, names_by_shape
from tests.audit.builders import assistant, compacted, user

POOL = (
    user("Niet aan de pompen komen. Anouk doet onze certificaten."),
    user("Schrik. Gerrit-Jan heeft net met de hand gemeten: 1,31. Dus de sensor overdrijft."),
    assistant("De ruwe waarde is 1,62."),
    user("Stuur Anouk nog een berichtje: anouk@waterhoen.example."),
    assistant("Verstuurd aan Anouk."),
)
PETRELS = (
    user("Plot B! That's where Solveig Aune ran tape lures from 2016 on. Take B out."),
    user("Helge paid 3,400 kroner for those wind data. Send the table to Helge, helge@seabird.example."),
    assistant("Table 2 is with Helge."),
)
THEATRE = (
    user("director (Bronagh) wants the reveal slower: 47 to 6 seconds"),
    user("last: gel order, 6 sheets at £7.20. Marguerite signs, not me"),
    assistant("I'll write it up for Marguerite to sign and order nothing before she has."),
)


def noticed(rows, body):
    return {(one.rule, one.value) for one in compacted(rows, body=body).measured().deviations}


@pytest.mark.parametrize(
    ("rows", "right", "wrong"),
    [
        (POOL, "Gerrit-Jan mat met de hand 1,31.", "Anouk mat met de hand 1,31."),
        (PETRELS, "Solveig Aune used tape lures in plot B.", "Helge used tape lures in plot B."),
        (THEATRE, "Marguerite has to sign; nothing is ordered.", "Bronagh has to sign; nothing is ordered."),
    ],
)
def test_what_another_one_does_is_noticed(rows, right, wrong):
    assert noticed(rows, wrong)
    assert not noticed(rows, right)


def test_names_by_mail_are_those_that_are_written_with_a_capital():
    texts = ["Ask Helge (helge.nordby@seabird.example), or info@seabird.example. The info is old."]
    assert names_by_mail(texts) == {"helge"}


def test_a_name_of_the_handoff_counts_where_the_source_has_it_and_nobody_writes_german():
    texts = ["Fiammetta ha cambiato idea."]
    assert names_by_shape(texts, ["su richiesta di Fiammetta e di Ornella"]) == {"fiammetta"}
    assert names_by_shape(texts, []) == frozenset()
    german = ["Der Antrag ist für das Amt und nicht für den Verein."]
    assert names_by_shape([*texts, *german], ["su richiesta di Fiammetta"]) == frozenset()
