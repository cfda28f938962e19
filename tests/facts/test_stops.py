"""Full stops of ordinal numbers, abbreviations and initials: no sentence ends there."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.audit.checking.passages import Mode, Passage
from hermes_sessions.audit.checking.sentences import cut_sentences
from hermes_sessions.audit.relations.statements import read_handoff
from hermes_sessions.audit.words.sentence_ends import SENTENCE_ENDS
from hermes_sessions.facts.speech.stops import SentenceCut

ENDS = SentenceCut(r"(?<=[.!?])\s+")


@pytest.mark.parametrize(
    "text",
    [
        "Die Abnahme ist am 4. November um zehn.",
        "Vom 3. bis 6. Mai bleibt das 2. Quartal gesperrt.",
        "Die Frist endet am 9. 12. 2026 um Mitternacht.",
        "Mødet er den 12. juni kl. 9 i kantinen.",
        "Schůzka je 3. března ve 14 hodin.",
        "2026. október 8. napján indul a vonat.",
        "Bitte z. Hd. Frau Krämer, d. h. nicht an den Empfang.",
        "Das Lager, u. a. Halle Nord, hat ca. 40 Plätze bzw. Nr. 12 hat mehr.",
        "Der Umbau kostet 5 Mio. Euro zzgl. Planung.",
        "Нужно 18 кв. м плитки на ул. Садовой.",
        "Доставка стоит 900 руб. за рейс, т. е. дороже.",
        "Dr. Weber und M. Chevalier treffen Mme. Roux.",
        "La Sra. Ibarra firma en la Avda. Colón, núm. 8, pág. 3.",
        "J. K. Moore sent approx. 40 crates to St. Ives.",
        "Paczka czeka na ul. Wiśniowej, godz. 9.",
        "The gate opens at 5 p.m. on weekdays, etc. and closes late.",
    ],
)
def test_a_sentence_goes_on_behind(text: str) -> None:
    assert ENDS.split(text) == [text]


@pytest.mark.parametrize(
    "parts",
    [
        ["Wir zahlten 15.", "Nora stimmte zu."],
        ["Die Frist ist der 16.", "Danach ist Schluss."],
        ["The port is 80.", "is that right?"],
        ["We take option B.", "Mara knows."],
        ["Do we need it?", "No.", "It can wait."],
        ["Open the tab.", "Mara is there."],
        ["Стоит 900 руб.", "Дальше смета."],
        ["It began in 2026 г.", "Потом пауза."],
        ["The shop shuts at 5 p.m.", "Then we count."],
    ],
)
def test_a_sentence_ends_behind(parts: list[str]) -> None:
    assert ENDS.split(" ".join(parts)) == parts


def said_in(text: str) -> list[str]:
    """The sentences that a handoff of one passage is cut into."""
    return [one.text for one in read_handoff([Passage(0, text, Mode.STATED)])]


PIECES = [*"a.!?;|:, \n\t\x1c", "->", " and not ", ", no "]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@pytest.mark.parametrize("cut", [SENTENCE_ENDS.split, said_in, cut_sentences])
def test_a_text_of_ascii_is_cut_where_any_other_one_is(
    cut: Callable[[str], Sequence[str]], text: str
) -> None:
    """A letter at the end that is not ASCII changes which pattern is taken."""
    assert list(cut(f"{text}e")) == [one.replace("é", "e") for one in cut(f"{text}é")]
