"""Decisions are read by how they are built, without a word for deciding."""

import pytest

from hermes_sessions.facts.extract import extract_text_facts

DECIDED = """\
Okay, Garnet it is.
Settled: two nodes per zone.
Memcached is out, Garnet is in.
We're going ahead with the staged rollout.
Irene picked the third draft over the first.
The exporter will be rewritten in Go.
The queue is being replaced by NATS.
Let's not split the table.
Es bleibt bei Postgres.
Der Exporter wird in Go neu geschrieben.
Irene hat sich für Entwurf drei ausgesprochen.
Va pour Garnet.
L'exportateur sera réécrit en Go.
Nos vamos con Garnet.
El reparto queda descartado.
A Irene escolheu o terceiro esboço.
Andiamo su Garnet.
Берём Garnet.
最后还是用 Postgres。
Garnetでいきます。
Zostajemy przy Postgresie.
Garnet ile gidiyoruz.
Fica a Garnet.
Het wordt Garnet, die hebben ze liggen.
Берём «Гранат», у него есть запас.
I turned down Merriweather's offer.
Den Köster haben wir abgelehnt.""".splitlines()
OPEN = """\
Should we go with Garnet?
Unless it fails, the exporter will be rewritten in Go.
Maybe the exporter will be rewritten in Go.
The value will be replaced by None.
Each worker gets its own queue.
It is out of memory.
Fica em casa.
Het wordt Maandag pas duidelijk.
Es wird Regen geben.
Vielleicht wird der Exporter neu geschrieben.
要不要换个方案？""".splitlines()


def decisions(said: str) -> list[str]:
    return [fact.value for fact in extract_text_facts(said, "user") if fact.kind == "decision"]


@pytest.mark.parametrize("said", DECIDED)
def test_a_choice_that_is_made_is_a_decision(said: str) -> None:
    assert decisions(said) == [said.rstrip(".。")]


@pytest.mark.parametrize("said", OPEN)
def test_what_is_open_is_none(said: str) -> None:
    assert decisions(said) == []
