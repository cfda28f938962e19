"""Rules without the words that rules mostly have, and sentences that only look like them."""

from typing import Final

import pytest

from hermes_sessions.facts.constraints import extract_rules

RULES: Final = [
    "Das Lager bekommt den Code erst, nachdem Frau Winter zugestimmt hat.",
    "Die Kundennummern dürfen im Protokoll nirgends auftauchen.",
    "Wir löschen nichts aus dem Archiv.",
    "In den Tresor schaut ausschließlich die Leitung.",
    "Keine Lieferung verlässt das Haus ohne Unterschrift.",
    "この棚は動かさないで。",
    "写真を外に出さないこと。",
    "Plus aucune facture sans double lecture.",
    "Seule la direction peut ouvrir ce dossier.",
    "Nenhuma amostra sai do laboratório sem etiqueta.",
    "Ninguna muestra sale sin etiqueta.",
    "Con menos de cinco firmas no se envía nada.",
    "Nessun pacco parte senza controllo.",
    "Только Вера может менять пароль.",
    "The side door stays locked until the guard is back.",
    "Whenever you quote a fee, name the tax with it.",
    "Jedes Mal, wenn du einen Termin nennst, schreib die Zeitzone dazu.",
    "Cada vez que cites un precio, pon el IVA.",
    "Answer in Danish until I say otherwise.",
    "Merging is my call.",
    "Los reembolsos son cosa mía.",
    "Interne Namen stehen in keinem Bericht, der das Haus verlässt.",
    "Номера карт не показывай нигде.",
    "Mark each clause you change.",
]
NONE: Final = [
    "Only after the second call did the line connect.",
    "Il n'est presque jamais en retard, le train.",
    "Eu nunca entendi esse relatório.",
    "Wir finden nichts im Archiv.",
    "Die Pumpe lief erst, nachdem ich sie entlüftet hatte.",
    "Es gibt hier keine Datei ohne Kopfzeile.",
    "画面が見えない。",
    "The road was closed and the bus did not come.",
    "Whenever I start it, it crashes.",
    "Do not use headings this once.",
    "Sortier sie diesmal nicht.",
    "No pongas la foto esta vez.",
    "今回は図を付けなくていいです。",
    "The landlord wrote that tenants must never smoke.",
    "Вчера Глеб сказал, что курсантам нельзя выходить.",
    "I fixed every bug you found.",
]


@pytest.mark.parametrize("text", RULES)
def test_a_rule_is_found_without_the_usual_words(text: str) -> None:
    assert [one.value for one in extract_rules({"role": "user", "content": text})] == [text.rstrip(".。")]


@pytest.mark.parametrize("text", NONE)
def test_what_is_told_is_no_rule(text: str) -> None:
    assert extract_rules({"role": "user", "content": text}) == ()
