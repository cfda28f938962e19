"""The clauses of a long transcript are found by what a handoff names; of most sentences none is cut."""

import random

import pytest

from bench.audit_talk import build_talk
from hermes_sessions.audit.alignment import clause_index
from hermes_sessions.audit.alignment.chunks import NamedByChunk
from hermes_sessions.audit.alignment.clause_index import ClauseIndex
from hermes_sessions.audit.alignment.clauses import cut_told
from hermes_sessions.audit.alignment.days import days_of
from hermes_sessions.audit.alignment.items import names_in
from hermes_sessions.audit.alignment.likely_chunks import ChunkShapes
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.messages import Role

ASKED = names_in(
    "motor B of pump-21 draws 4.8 A on Monday, left of port 9417 in src/pump_core.py, 2 failed, 1,250 rows"
)
SAID = (
    "Motor B draws 4.8 A, motor A 3.1 A; both run since Monday",
    "pump-21 stands left of the gate, and pump-22 to the right of port 9417",
    "see src/pump_core.py:17: 2 failed, 12 passed",
    "左のモーターは 9417 番、lundi",
    "---",
    "| pump-21 | left | 1250 rows |",
)


def talk(count: int) -> list[Statement]:
    chance = random.Random(3)
    words = (
        "query",
        "worker",
        "took",
        "rows",
        "page",
        "spare-part",
        "imports",
        "cache",
        "and",
        "so,",
        "done.",
    )
    found = []
    for number in range(count):
        text = " ".join((*chance.sample(words, 6), f"{number}ms", f"id={chance.randrange(10**6)}"))
        text = SAID[number // 97 % len(SAID)] if number % 97 == 0 else text
        found.append(Statement(text, 1 + number // 4, Role.ASSISTANT))
    return found


def clauses_of(told: list[Statement]) -> list[tuple[Statement, str, str]]:
    return [(said, text, whole) for said in told for text, whole in cut_told(said.text)]


@pytest.mark.parametrize("count", [400, 7_000])
def test_what_is_named_seldom_is_found_in_every_clause_that_names_it(count: int) -> None:
    told = talk(count)
    index = ClauseIndex(told, (), (), ASKED)
    everything = clauses_of(told)
    for item in sorted(ASKED):
        wanted = [(said, text) for said, text, whole in everything if item in names_in(whole)]
        assert [(index.said(at), index.text(at)) for at in index.places(item)] == wanted
        assert index.knows(item) == bool(wanted)
    for one, other in (("pump-21", "#9417"), ("#4.8", "motor"), ("hand:left", "rows"), ("rows", "pump-21")):
        both = [text for _, text, whole in everything if {one, other} <= names_in(whole)]
        assert [index.text(at) for at in index.together(one, other)] == both
    days = [(day, text) for said, text, _ in everything for day in days_of(text)]
    found = index.day_places()
    assert [(day, index.text(at)) for day, places in found.items() for at in places] == days


def test_most_sentences_of_a_long_transcript_are_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    told = talk(20_000)
    cut: list[str] = []

    def counted(text: str) -> object:
        cut.append(text)
        return cut_told(text)

    monkeypatch.setattr(clause_index, "cut_told", counted)
    index = ClauseIndex(told, (), (), ASKED - {"rows", "#2"})
    assert index.places("pump-21")
    assert len(cut) < 4_000


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("it is left as the rows are now", frozenset()),
        ("the fan is left as it was", frozenset({"fan"})),
        ("the fan is off", None),
        ("der Lauf schlägt wieder fehl", None),
    ],
)
def test_a_text_is_read_whole_only_where_a_pole_of_two_words_may_stand(
    text: str, named: frozenset[str] | None
) -> None:
    assert NamedByChunk(names_in("the fan is off")).together(text.split(), text) == named
    assert NamedByChunk(names_in("the fan is off")).in_text(text) == names_in(text) & names_in(
        "the fan is off"
    )


def test_what_nobody_names_is_not_known_when_it_was_asked_for() -> None:
    index = ClauseIndex(talk(400), (), (), ASKED)
    assert index.places("zebra") == ()
    assert index.count("zebra") == 0
    assert not index.knows("zebra")
    assert "zebra" not in index.known
    assert index.weight({"zebra"}) == 0.0


def test_neighbours_are_clauses_of_the_same_message() -> None:
    told = [
        Statement("first, second", 1, Role.USER),
        Statement("***", 1, Role.USER),
        Statement("third pump", 1, Role.USER),
        Statement("fourth pump", 2, Role.USER),
    ]
    index = ClauseIndex(told, (), (), frozenset({"pump"}))
    third, fourth = index.places("pump")
    assert [index.text(at) for at in index.run(third, -1)] == ["second", "first,"]
    assert not [*index.run(third, 1)]
    assert index.next_to(third, 1) == fourth
    first = [*index.run(third, -1)][-1]
    assert index.are_near(first, third, 2)
    assert not index.are_near(first, third, 1)
    assert not index.are_near(third, fourth, 3)
    assert [index.text(at) for at in index.after(1)] == ["fourth pump"]


def test_every_chunk_that_names_something_is_likely() -> None:
    case = build_talk(60, seed=5)
    texts = [line for row in case.before for line in row.text.splitlines()] + [*SAID, "core1-left x@pump-21"]
    for asked in (ASKED, names_in(case.body[:2_000]), names_in("core1 to the left")):
        chunks = ChunkShapes(texts)
        read = NamedByChunk(asked)
        wanted = {one for one in (*chunks.plain, *chunks.foreign) if read[one] != frozenset()}
        assert NamedByChunk(asked).naming(chunks) == wanted
