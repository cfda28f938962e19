"""What somebody tells to have run stands in back quotes; measures are written in words."""

import pytest

from hermes_sessions import extract_facts


def found(text: str, kind: str) -> list[str]:
    return [one.value for one in extract_facts({"role": "assistant", "content": text}) if one.kind == kind]


@pytest.mark.parametrize(
    "text",
    [
        "I ran `make polish` again.",
        "Uruchomiłem `make polish`.",
        "Ich habe zuerst alles gestartet: `make polish`",
        "Запустил команду `make polish`.",
    ],
)
def test_what_was_run_is_a_command_whatever_the_program(text: str) -> None:
    assert found(text, "command") == ["make polish"]


@pytest.mark.parametrize("text", ["The function `run me()` is called.", "We read `make polish` in a book."])
def test_what_is_only_quoted_is_none(text: str) -> None:
    assert found(text, "command") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("De pomp doet 240 liter per uur.", "240 liter"),
        ("Der Zaun ist 135 m lang.", "135 m"),
        ("Ci sono 12 tonnellate di uva.", "12 tonnellate"),
    ],
)
def test_measures_are_numbers(text: str, value: str) -> None:
    assert found(text, "number") == [value]
