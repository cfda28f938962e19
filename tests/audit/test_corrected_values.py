"""Values that were corrected, or asked about and denied, are no facts that matter; what holds now is."""

import pytest

from hermes_sessions.audit.measure import measure_compaction
from hermes_sessions.audit.verdict.build import judge_compaction
from tests.audit.builders import Compacted, assistant, compacted, user


def _talk(first: str, answer: str, second: str, *, body: str) -> Compacted:
    return compacted(
        [
            *(user(first), assistant(answer), user(second), assistant("Done.")),
            *(user("What is next?"), assistant("The tests are next.")),
        ],
        body=body,
        keep=[4, 5],
    )


def _values(told: Compacted) -> dict[str, bool]:
    """The values that matter, with whether each survives."""
    facts = told.measured().retention.facts
    return {fact.value: not fact.is_lost for fact in facts if fact.matters and fact.kind != "decision"}


@pytest.mark.parametrize(
    ("first", "second", "body", "value"),
    [
        (
            "Use port 8080 for the service.",
            "No, make it 9090 instead.",
            "The service is on port 8080.",
            "9090",
        ),
        ("Use port 8080 for the service.", "Make it 9090 instead.", "The service is on port 8080.", "9090"),
        (
            "Deploy to alpha.example.com.",
            "Change of plan: deploy to beta.example.com instead.",
            "Deploy to alpha.example.com.",
            "beta.example.com",
        ),
        ("The deadline is 3 May.", "Sorry, the deadline is 5 May.", "Deadline 3 May.", "5 May"),
        ("The budget is 4,500 euros.", "Make that 5,000 euros.", "Budget 4,500 euros.", "5,000 euros"),
        ("Work on branch feature-7.", "Actually, work on branch feature-9.", "On feature-7.", "feature-9"),
        ("Set the timeout to 30 seconds.", "Make it 45 instead.", "Timeout 30 seconds.", "45 seconds"),
        ("Nimm Port 8080.", "Nein, nimm stattdessen 9090.", "Dienst auf Port 8080.", "9090"),
        (
            "Deploye auf alpha.example.com.",
            "Planänderung: statt dessen auf beta.example.com.",
            "Deploy auf alpha.example.com.",
            "beta.example.com",
        ),
        ("Utilise le port 8080.", "Finalement, mets 9090.", "Port 8080.", "9090"),
        ("Usa el puerto 8080.", "Mejor el 9090.", "Puerto 8080.", "9090"),
        ("Usa la porta 8080.", "Anzi, metti 9090.", "Porta 8080.", "9090"),
        ("Use a porta 8080.", "Na verdade, use 9090.", "Porta 8080.", "9090"),
        ("Gebruik poort 8080.", "Nee, toch maar 9090.", "Poort 8080.", "9090"),
        ("Используй порт 8080.", "Нет, лучше 9090.", "Порт 8080.", "9090"),
        ("用端口8080。", "改成9090吧。", "端口 8080。", "9090"),
        ("ポート8080を使って。", "やはり9090にしてください。", "ポート8080。", "9090"),
    ],
)
def test_the_corrected_value_is_the_fact(first: str, second: str, body: str, value: str) -> None:
    told = _talk(first, "Ok.", second, body=body)
    assert _values(told) == {value: False}
    verdict = judge_compaction(measure_compaction(told.conversation().compactions[0]))
    assert "Everything" not in verdict.sentence
    assert value in verdict.tell


def test_a_corrected_value_in_the_handoff_survives() -> None:
    told = _talk("Use port 8080.", "Ok.", "No, make it 9090 instead.", body="Port 9090 (was 8080).")
    assert _values(told) == {"9090": True}


def test_a_value_that_was_taken_up_again_is_the_fact() -> None:
    rows = [user("Use port 8080."), user("Make it 9090 instead."), user("No, go back to 8080.")]
    spoken = [one for row in rows for one in (row, assistant("Ok."))]
    told = compacted([*spoken, user("Next?"), assistant("Tests.")], body="Port 8080.", keep=[6, 7])
    assert _values(told) == {"8080": True}


@pytest.mark.parametrize(
    "second",
    [
        "And port 9090 for the admin page.",
        "Put the admin page on 9090 instead.",
        "Actually, add 3 examples to the docs.",
        "Better run 40 tests.",
    ],
)
def test_a_value_of_another_thing_replaces_nothing(second: str) -> None:
    told = _talk("Use port 8080 for the API.", "Ok.", second, body="API on 8080.")
    assert _values(told)["8080"]


def test_one_of_two_values_that_may_be_meant_replaces_neither() -> None:
    told = _talk(
        "Port 8080 for the API, port 8090 for the site.", "Ok.", "Make it 9090 instead.", body="8080."
    )
    assert set(_values(told)) == {"8080", "8090"}


@pytest.mark.parametrize(
    ("question", "answer", "value"),
    [
        ("Is the deadline 3 May?", "No, the deadline is 5 May.", "5 May"),
        ("Is the port 8081?", "No, the port is 8080.", "8080"),
        ("Is the port 8081?", "It is 8080.", "8080"),
        ("Is it true that the budget is 4,500 euros?", "Not quite: it is 4,800 euros.", "4,800 euros"),
        ("Ist der Port 8081?", "Nein, der Port ist 8080.", "8080"),
        ("Le port est 8081 ?", "Non, le port est 8080.", "8080"),
        ("¿El puerto es 8081?", "No, el puerto es 8080.", "8080"),
        ("Порт 8081?", "Нет, порт 8080.", "8080"),
        ("端口是8081吗？", "不是，端口是8080。", "8080"),
    ],
)
def test_of_a_denied_guess_the_answer_is_the_fact(question: str, answer: str, value: str) -> None:
    assert _values(_talk(question, answer, "Write the notes.", body="Notes written.")) == {value: False}


def test_the_user_may_deny_what_the_agent_asked() -> None:
    told = compacted(
        [
            *(user("Plan it."), assistant("Is the deadline 3 May?"), user("No, the deadline is 5 May.")),
            *(assistant("Ok."), user("Next?"), assistant("Tests.")),
        ],
        body="It is planned.",
        keep=[4, 5],
    )
    assert _values(told) == {"5 May": False}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the port 8081?", "Yes, the port is 8081."),
        ("Is the port 8081?", "I will look it up."),
        ("Can you set the port to 8081?", "No problem, the port is 8081 now."),
    ],
)
def test_a_value_that_nobody_denied_stays_a_fact(question: str, answer: str) -> None:
    assert "8081" in _values(_talk(question, answer, "Write the notes.", body="Notes written."))
