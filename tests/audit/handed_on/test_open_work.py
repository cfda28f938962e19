"""A request that the handoff names in shorter words, or in another language, is not lost."""

from pathlib import Path

import pytest

from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, compacted, hits, user

_PAIRS = Path(__file__).parents[1] / "planted" / "asked_last.txt"
PAIRS = [
    line.split(" | ")
    for line in _PAIRS.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def is_accused(before: list[str], body: str) -> bool:
    earlier, reply, request = before
    told = compacted([user(earlier), assistant(reply), user(request)], body=body.replace("~", "\n"))
    return any(one.severity is Severity.ERROR for one in hits(told, "last-request-lost"))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]}: {pair[3]}")
def test_a_request_in_shorter_words_is_named(pair: list[str]) -> None:
    assert not is_accused(pair[1:4], pair[4])


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]}: {pair[3]}")
def test_a_request_that_no_open_line_names_is_lost(pair: list[str]) -> None:
    assert is_accused(pair[1:4], pair[5])


TOLD_IN_OTHER_WORDS = [
    # a numbered heading, its list below it
    ("Same treatment for the receipts parser, please, in a pull request of its own.",
     "4. Pending~   - Give the other reader an explicit encoding as well; separately."),
    # a heading that says what is asked
    ("ah, trays only tip lengthwise, so keep M and N in different racks",
     "## Request at hand~Rearrange the drying room so that two neighbours do not share a rack."),
    ("Zet het pas door als Femke terug is.", "## Laatste verzoek~De melding vasthouden tot na haar verlof."),
    ("Добавь на обложку строку про кружки.", "## Последняя просьба~Дописать про посуду на титуле."),
    ("Añade los dos toldos a la hoja.", "## Lo que pide ahora~1. Completar el cuadro con las lonas."),
    ("Mach das Gleiche für die Belege.", "- [x] Zeilen gelesen~- [ ] Quittungen ebenso behandeln"),
    # a statement of the last message, told as one
    ("The fix goes out as v7.2.4 on Monday, Ruben deploys. Keep new_rates off for Norway.",
     "Nothing is deployed: Ruben ships v7.2.4 on Monday. new_rates stays off for Norway."),
    # another language than the request's
    ("Yes, put it in and look again.", "Принято решение установить пакет, затем повторить проверку."),
]  # fmt: skip
LOST = [
    ("Add a dark theme to the settings.", "4. Pending~   - none"),
    (
        "Add a dark theme to the settings.",
        "## Request at hand~Read the twelve rows of the export into the table.",
    ),
    ("Add a dark theme to the settings.", "- [ ] read the twelve rows of the export"),
    ("Add a dark theme to the settings.", "- [x] colours of the screens chosen anew"),
    ("Añade un tema oscuro a la pantalla.", "## Lo que pide ahora~Nada más."),
]


@pytest.mark.parametrize(("request_text", "body"), TOLD_IN_OTHER_WORDS)
def test_a_request_that_may_be_told_is_no_loss(request_text: str, body: str) -> None:
    assert not is_accused(
        ["Read the twelve rows of the export.", "All twelve are in the table.", request_text], body
    )


@pytest.mark.parametrize(("request_text", "body"), LOST)
def test_a_request_is_lost_where_what_is_open_was_said_before_it(request_text: str, body: str) -> None:
    assert is_accused(
        ["Read the twelve rows of the export.", "All twelve are in the table.", request_text], body
    )
