"""Where sentences end: before lower case, too, but not behind what is shortened or numbered."""

import pytest

from hermes_sessions.facts.extract import extract_facts
from hermes_sessions.facts.page import make_page
from hermes_sessions.facts.speech.sentences import sentences
from hermes_sessions.facts.unwrap import unwrap_text


def split(text: str) -> list[str]:
    page = make_page(unwrap_text(text, "user").pieces[0])
    return [page.text[one.start : one.end] for one in sentences(page)]


@pytest.mark.parametrize(
    "parts",
    [
        ["the build is red.", "who broke it?", "tell me"],
        ["Das Lager bleibt zu.", "wann kommt der Bericht?"],
        ["todo listo!", "qué falta?"],
        ["c'est bon.", "reste la doc"],
        ["прод не трогаем.", "что с тестами?"],
        ["look at `app.py`.", "does it start?"],
        ["it listens on 8080.", "is that right?"],
        ["see src/app.py.", "what is it for?"],
    ],
)
def test_a_sentence_ends_before_one_in_lower_case(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "text",
    [
        "use a queue, e.g. nats or kafka",
        "needs v1. 2 of the library",
        "approx. three workers, incl. the old one",
        "d.h. wir warten, ggf. bis morgen",
        "p.ej. una cola",
        "see fig. above and cf. below",
        "well... maybe later",
        'the "are you sure?" dialog is gone',
        "open app.py and look",
        "напр. очередь",
    ],
)
def test_nothing_ends_behind_what_is_shortened(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        ("Never truncate the ledger of billing", "how far is the import?"),
        ("Das Archiv darf nie ohne Rückfrage geleert werden", "what does the log say?"),
        ("no borres nada de facturas sin mi permiso", "cómo va la prueba?"),
        ("ne jamais pousser sur main sans accord", "did the build pass?"),
        ("не трогай прод без моего согласия", "как дела с тестами?"),
    ],
)
def test_a_rule_stands_beside_the_question_that_follows_it(rule: str, after: str) -> None:
    facts = extract_facts({"role": "user", "content": f"{rule}. {after}"})
    assert ("constraint", rule) in {(fact.kind, fact.value) for fact in facts}
    assert after in {fact.value for fact in facts if fact.kind in ("question", "request")}


@pytest.mark.parametrize(
    "parts",
    [
        ["The freeze ends on January 4.", "The kiln is Kim's."],
        ["Keep it shut until March 12.", "Never open it before."],
        ["Fällig ist der 4.", "Danach gehört es Kim."],
        ["Cierra el día 12.", "Después es de Kim."],
    ],
)
def test_a_sentence_may_end_with_a_day(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "text", ["Am 4. Januar wird geheizt", "der 3. Ofen bleibt kalt", "on the 4. Kiln Street side"]
)
def test_an_ordinal_ends_nothing(text: str) -> None:
    assert split(text) == [text]
