"""What a text says of a fact: each rule holds where it should, and not where it should not."""

import pytest

from hermes_sessions.facts.compare import Likeness, compare, hear
from hermes_sessions.facts.equivalence import same_time
from hermes_sessions.facts.extract import extract_facts


def fact_of(kind: str, text: str):
    return next(fact for fact in extract_facts({"role": "user", "content": text}) if fact.kind == kind)


EQUIVALENT = [
    ("number", "The index has 1,048,576 rows.", "The index has 1.048.576 rows", "same-number"),
    ("number", "The index has 1,048,576 rows.", "The index holds 1 048 576 rows", "same-number"),
    ("number", "The index has 1,048,576 rows.", "The index holds about 1M rows", "same-number"),
    ("duration", "It took 12.3482 seconds.", "It took 12.3 seconds", "same-number"),
    ("duration", "The timeout is 90 s.", "Timeout: 1.5 min", "same-number"),
    ("money", "It costs $5,000.", "5000 USD in all", "same-number"),
    ("hash", "See 9fceb02d0ae598e95dc970b74767f19372d61af8", "commit 9fceb02", "hash-prefix"),
    ("path", "Look at /srv/app/src/net/retry.py", "changed src/net/retry.py", "same-path"),
    ("path", "Look at src/net/retry.ts", "changed src/net/{pool,retry}.ts", "same"),
    (
        "command",
        "Run `git push --force origin main`",
        "ran `git push origin main --force`",
        "reordered-options",
    ),
    ("email", "Mail Bob@Example.com", "mail bob@example.com", "case"),
    ("number", "We saw 3 retries", "three retries were seen", "number-word"),
    ("number", "We saw 3 retries", "drei Retries gesehen und three retries", "number-word"),
    ("number", "There are 12 tests in total", "2 failed, 10 passed", "derived-count"),
    ("test_result", "All 12 tests passed", "12 passed", "same-outcome"),
    ("date", "The launch is on 12 April 2026.", "The launch is on 2026-04-12", "same-day"),
    ("time", "Meet at 3 pm", "meet at 15:00", "same-time"),
    ("url", "See https://example.org/a/", "http://www.example.org/a is read", "same-url"),
    ("constraint", "Do not restart the database server.", "Never restart the database server", "same-words"),
]
CONTRADICTED = [
    ("port", "Gateway port: 8123", "Gateway port: 8433", "same-slot"),
    ("config", "DB_POOL=20", "DB_POOL=30", "same-slot"),
    ("date", "The launch is on 12 April 2026.", "The launch is on 14 April 2026", "same-line"),
    ("test_result", "2 failed, 10 passed in 3 s", "0 failed, 12 passed", "same-outcome"),
    ("branch", "We work on branch feature/login now", "We work on branch feature/logout now", "same-line"),
    ("money", "The budget is $5,000 for staging", "The budget is $5,500 for staging", "same-line"),
    ("email", "Send the report to ada@example.com", "Send the report to bob@example.com", "same-line"),
    ("constraint", "Do not restart the database server.", "Restart the database server.", "negation"),
    ("constraint", "Never spend over 500 EUR alone.", "Never spend over 800 EUR alone.", "value-changed"),
]  # fmt: skip
ABSENT = [
    ("port", "Gateway port: 8123", "The admin port is 9000"),
    ("number", "The index has 1,048,576 rows.", "The index has 1,148,576 columns"),
    ("duration", "It took 12.3482 seconds.", "Another run needed 12.4 seconds"),
    ("hash", "See 9fceb02d0ae598e95dc970b74767f19372d61af8", "commit 9fceb03"),
    ("path", "Look at /srv/app/src/net/retry.py", "changed retry.py.bak and net/pool.py"),
    ("command", "Run `git push --force origin main`", "ran `git push origin main`"),
    ("constraint", "Do not restart the database server.", "The dashboard shows four charts."),
    ("version", "We run PostgreSQL 16", "Redis 16 is used"),
]


@pytest.mark.parametrize(("kind", "source", "text", "rule"), EQUIVALENT)
def test_the_same_in_other_words_is_equivalent(kind: str, source: str, text: str, rule: str) -> None:
    answer = compare(fact_of(kind, source), text)
    assert answer.rule == rule
    assert answer.likeness in (Likeness.EQUIVALENT, Likeness.VERBATIM)


@pytest.mark.parametrize(("kind", "source", "text", "rule"), CONTRADICTED)
def test_another_value_in_the_same_slot_contradicts(kind: str, source: str, text: str, rule: str) -> None:
    answer = compare(fact_of(kind, source), text)
    assert (answer.likeness, answer.rule) == (Likeness.CONTRADICTED, rule)
    assert answer.other in text


@pytest.mark.parametrize(("kind", "source", "text"), ABSENT)
def test_what_is_not_said_is_absent(kind: str, source: str, text: str) -> None:
    assert compare(fact_of(kind, source), text).likeness is Likeness.ABSENT


@pytest.mark.parametrize(("kind", "source", "text", "rule"), EQUIVALENT + CONTRADICTED)
def test_a_text_says_its_own_facts_word_for_word(kind: str, source: str, text: str, rule: str) -> None:
    assert compare(fact_of(kind, source), source).likeness is Likeness.VERBATIM


@pytest.mark.parametrize(("value", "text"), [("812", "port 8123"), ("1.2", "version 1.2.3")])
def test_a_part_of_a_value_is_not_the_value(value: str, text: str) -> None:
    fact = fact_of("port", "port 8123")._replace(value=value, key="")
    assert compare(fact, text).likeness is not Likeness.VERBATIM


def test_a_path_is_found_as_it_is_written_from_its_folder() -> None:
    fact = fact_of("path", "Look at /srv/app/main.py")
    assert compare(fact, "main.py is new", cwd="/srv/app").likeness is Likeness.VERBATIM
    assert compare(fact, "main.py is new").likeness is Likeness.ABSENT


def test_facts_and_what_was_heard_of_a_text_answer_as_the_text_does() -> None:
    fact, text = fact_of("port", "Gateway port: 8123"), "Gateway port: 8433"
    assert (
        compare(fact, extract_facts({"role": "assistant", "content": text}))
        == compare(fact, hear(text))
        == compare(fact, text)
    )


@pytest.mark.parametrize("told", ["下午3点半", "午後3時半", "오후 3시 반", "15点30分", "3:30 pm"])
def test_a_time_of_day_is_the_same_in_other_words(told: str) -> None:
    assert same_time(told, "15:30")
    assert not same_time(told, "15:00")
