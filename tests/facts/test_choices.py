"""Choices made without a word for deciding, in the languages that are read; and what only sounds like one."""

import pytest

from hermes_sessions.facts.extract import extract_facts


def kinds(text: str, role: str) -> dict[str, str]:
    return {fact.value: fact.kind for fact in extract_facts({"role": role, "content": text})}


CHOICES = [
    ("assistant", "Decision logged: Valkey takes over from Memcached in the basket"),
    ("assistant", "Decision on storage: object store, no block devices"),
    ("user", "I've slept on it - Postgres for the ledger, even if migration hurts"),
    ("user", "That settles it: nightly builds move to the new runners"),
    ("assistant", "MongoDB is ruled out; the catalogue will be based on Postgres"),
    ("user", "Rolling our own is off the table, we take Keycloak"),
    ("assistant", "Somit steht jetzt fest: das Archiv läuft auf Ceph"),
    ("assistant", "Es steht nun fest: gebaut wird mit Bazel"),
    ("user", "Ich habe drüber geschlafen: der Warenkorb kommt nach Rust"),
    ("assistant", "Der Suchdienst wird künftig mit Solr betrieben statt mit Elastic"),
    ("assistant", "Finalmente se optó por gRPC para el catálogo en vez de SOAP"),
    ("user", "Queda zanjado, la cola corre sobre NATS"),
    ("user", "J'ai dormi dessus : le panier part en Rust"),
    ("assistant", "Le catalogue passera à Solr plutôt qu'à Elastic"),
    ("assistant", "O catálogo vai usar Solr em vez de Elastic"),
    ("assistant", "Il catalogo passerà a Solr invece di Elastic"),
    ("user", "商量好了，目录服务用 Solr，Elastic 就放弃了"),
    ("assistant", "队列采用 NATS 而不是 Kafka"),
    ("assistant", "キューはKafkaの代わりにNATSを使います"),
    ("assistant", "대기열은 Kafka 대신 NATS를 쓰기로 한다"),
    ("assistant", "Для очереди берём NATS вместо Kafka"),
    ("assistant", "سنستخدم NATS بدلا من Kafka للطابور"),
    ("assistant", "Kuyruk için Kafka yerine NATS kullanacağız"),
]


@pytest.mark.parametrize(("role", "text"), CHOICES)
def test_a_choice_is_a_decision_however_it_is_worded(role: str, text: str) -> None:
    assert "decision" in kinds(f"{text}.", role).values()


NONE = [
    "I ruled out DNS, so the next suspect is the proxy.",
    "The gateway answers 404 instead of 200.",
    "The parser returns an empty list rather than raising.",
    "Es steht noch nicht fest, welche Datenbank es wird.",
    "Der Dienst liefert 500 statt 200.",
    "Der Test lief statt 3 s ganze 10 s.",
    "La función devuelve null en lugar de cero.",
    "La fonction renvoie null au lieu de zéro.",
    "返回了 404 而不是 200。",
    "用户看到空白页而不是列表。",
    "200ではなく404が返ります。",
    "Сервер вернул 500 вместо 200.",
    "If that settles it: we can close the ticket.",
    "Whether MongoDB is ruled out and we take Postgres is open.",
    "The connection was closed by the peer.",
    "Outcome of the test run: 3 failed.",
    "讨论完了之后再看。",
]


@pytest.mark.parametrize("text", NONE)
def test_an_observation_is_no_choice(text: str) -> None:
    assert "decision" not in kinds(text, "assistant").values()


@pytest.mark.parametrize(
    "notes",
    [
        "minutes.txt: Outcome of point 7 - the basket adopts Valkey (4 in favour, 2 against)",
        "Weekly sync\n\nOutcome of the vote: invoices move to the new bucket.\nLunch at noon.",
        "Ergebnis der Abstimmung: das Archiv wechselt zu Ceph.",
    ],
)
def test_the_outcome_in_notes_that_a_tool_shows_is_a_decision(notes: str) -> None:
    assert "decision" in kinds(notes, "tool").values()
