"""A fact whose own sentence is what a line of the handoff stems from is not "
"gone; one that another sentence explains is."""

import pytest

from hermes_sessions.audit.verdict.build import judge_compaction
from hermes_sessions.audit.verdict.values import CompactionVerdict
from tests.audit.builders import assistant, compacted, findings, tool, user

ROWS = {
    "user": lambda said: [user(said), assistant("Noted.")],
    "tool": lambda said: [user("Look."), tool("c1", said), assistant("I see.")],
}


def judged(body: str, *said: str, speaker: str = "user") -> CompactionVerdict:
    rows = [row for one in said for row in ROWS[speaker](one)]
    told = compacted([*rows, user("Go on."), assistant("On it.")], keep=[len(rows), len(rows) + 1], body=body)
    return judge_compaction(told.measured(), findings(told))


def lost(verdict: CompactionVerdict) -> set[str]:
    return {line.kind for line in verdict.lost}


KEPT = [
    (
        "decision",
        "Aber Herr Thoma vom Einkauf sagt, wir nehmen doch Modell 40 statt 60, weil der "
        "Hersteller 60 noch nicht freigegeben hat.",
        "**Entscheidung:** Bestellt wird Modell 40, nicht wie geplant 60; laut Herrn "
        "Thoma hat der Hersteller die 60 noch nicht freigegeben.",
    ),
    (
        "duration",
        "Careful! The insurer wants call records kept for 540 days.",
        "The script wanted to shorten the records from 540 to 90 days, but the insurer "
        "needs 540, so it was changed.",
    ),
    (
        "decision",
        "On a décidé de garder le fournisseur Valmont pour les cartons, parce que Delcourt livre trop tard.",
        "Cartons : fournisseur Valmont conservé (Delcourt livre en retard)",
    ),
    (
        "decision",
        "Hemos decidido imprimir el catálogo en Oviedo, porque la imprenta de León cierra en agosto.",
        "Catálogo: se imprime en Oviedo; la imprenta de León está cerrada en agosto",
    ),
]
OTHER = (
    "Der Bericht für die Messe ist fertig, die Halle wird noch gestrichen.",
    "The report is finished, and the hall is still to be painted.",
    "Le rapport pour le salon est prêt, et la salle reste à peindre.",
    "El informe para la feria está listo, y la sala está por pintar.",
)

LOST = [
    (
        "decision",
        "Herr Thoma vom Einkauf sagt, wir nehmen doch Modell 40 statt 60, weil der "
        "Hersteller 60 noch nicht freigegeben hat.",
        "Modell 12 steht in der Halle, 84 Stück, der Hersteller hat sie geprüft.",
        ("In der Halle steht Modell 12 mit 84 Stück, geprüft hat sie der Hersteller.",),
    ),
    (
        "decision",
        "We decided to keep Stripe for the invoices of the Dublin office.",
        "Stripe also pays out the refunds of the Lisbon office.",
        ("The refunds of the Lisbon office are paid out through Stripe.",),
    ),
    (
        "duration",
        "The insurer wants call records kept for 540 days.",
        "The insurer wants call records in the archive folder.",
        ("The insurer wants call records in the archive folder.",),
    ),
    (
        "decision",
        "Hemos decidido imprimir el catálogo en Oviedo. La imprenta de León cierra en agosto.",
        "La imprenta de León cierra en agosto",
        (),
    ),
    (
        "decision",
        "On a décidé de garder le fournisseur Valmont pour les cartons. Les palettes arrivent mardi à 8 h.",
        "Palettes : arrivée mardi à 8 h",
        (),
    ),
]


@pytest.mark.parametrize(("kind", "said", "line"), KEPT)
def test_a_fact_that_a_line_stems_from_is_kept(kind: str, said: str, line: str) -> None:
    found = judged(f"## State\n- {line}", said)
    assert kind not in lost(found) | {one.kind for one in found.maybe_lost}


@pytest.mark.parametrize(
    ("kind", "said", "line"), [(*one[:2], line) for one, line in zip(KEPT, OTHER, strict=True)]
)
def test_without_that_line_it_is_lost(kind: str, said: str, line: str) -> None:
    assert kind in lost(judged(f"## State\n- {line}", said))


@pytest.mark.parametrize(("kind", "said", "line", "others"), LOST)
def test_a_line_that_another_sentence_explains_keeps_nothing(
    kind: str, said: str, line: str, others: tuple[str, ...]
) -> None:
    assert kind in lost(judged(f"## State\n- {line}", said, *others))
