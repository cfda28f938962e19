"""Both engines cut a text into the same words and answer a query alike."""

import sqlite3
import sys
import unicodedata

import pytest
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.language import postgresql_vectors
from hermes_sessions.store.language.postgresql_vectors import MAX_PLACES, MAX_PLACES_OF_ONE, OVERLAP, vectors
from hermes_sessions.store.language.segment import segment
from hermes_sessions.store.language.tokenizer_words import MAX_WORD_BYTES, TOKENIZER, words
from hermes_sessions.store.schema.models import Session
from hermes_sessions.store.searching import full_text_postgresql
from hermes_sessions.store.searching.full_text import search
from tests.builders import NOON, a_conversation, a_message

TEXTS = [
    "Read foo_bar in path/to/x.py",
    "The cat sat. The dog ran!",
    "one two three",
    "two one",
    "naïve Café RÉSUMÉ",
    "Straße STRASSE",
    "İstanbul ISTANBUL ıstanbul",
    "ΣΊΣΥΦΟΣ σίσυφος ς",
    "Привет, МИР ёлка",
    "我们提交了代码",
    "用git提交代码",
    "データベースを移行する",
    "カタカナ ｶﾀｶﾅ",
    "ระบบค้นหาข้อมูล",
    "한국어 검색",
    "🚀 launch 🎉🎉",
    "x" * 600,
    "a-b-c --flag=1.5e3",
    "it's o'clock",
    '<b>bold</b> & "quoted" \\back\\slash',
    "#1234 @user v2.0.1",
    "مَرْحَبًا بالعالم",
    "שָׁלוֹם עולם",
    "ﬁne ligature ﬃ",
    "１２３ ＡＢＣ",
    "tabs\tand\nlines",
    "end: 提",
    "提",
    "",
    "!!! --- ???",
    "Ǡ ǡ ǯ ǿ",
    "e\u0301tude e\u0308",
    "नमस्ते दुनिया",
    "ខ្ញុំ ស្រឡាញ់",
    "select * from messages; drop table",
]
QUERIES = [
    "foo_bar",
    "foo",
    "bar foo",
    '"foo bar"',
    '"bar foo"',
    "path/to/x.py",
    "x.py",
    "cat dog",
    "cat NOT dog",
    "cat OR one",
    "one two",
    '"one two"',
    '"two one"',
    "tw*",
    '"one tw"*',
    "naive",
    "cafe resume",
    "strasse",
    "straße",
    "istanbul",
    "σισυφος",
    "мир",
    "елка",
    "提",
    "提交",
    "提交代码",
    "我们",
    "git提交",
    "データ",
    "ベース",
    "カタカナ",
    "ค้นหา",
    "검색",
    "🚀",
    "🎉 NOT 🚀",
    "xxxxxxxxxxxx*",
    "--flag",
    "1.5e3",
    "o'clock",
    "#1234",
    "مرحبا",
    "שלום",
    "fine",
    "123 abc",
    "étude",
    "नमस्ते",
    "drop table",
    "cat OR 提交 OR foo",
    '"the cat" OR "dog ran"',
    'one NOT "two three"',
    '"the cat" NOT "sat the"',
    '"sat the"',
    "ran*",
    "NOT cat dog",
    "two OR three NOT one",
]


@pytest.fixture
def session(db: OrmSession) -> Session:
    return db.get_one(Session, a_conversation(db).root_id)


@pytest.fixture(scope="module")
def sqlite_words() -> "Words":
    return Words()


class Words:
    """The words that SQLite's own index gets."""

    def __init__(self) -> None:
        self._memory = sqlite3.connect(":memory:")
        self._memory.execute(f'CREATE VIRTUAL TABLE f USING fts5(text, tokenize = "{TOKENIZER}")')
        self._memory.execute("CREATE VIRTUAL TABLE v USING fts5vocab(f, instance)")

    def __call__(self, text: str) -> list[str]:
        self._memory.execute("DELETE FROM f")
        self._memory.execute("INSERT INTO f (text) VALUES (?)", (text,))
        return [term for (term,) in self._memory.execute('SELECT term FROM v ORDER BY "offset"')]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:20])
def test_words_are_those_of_sqlite(sqlite_words: Words, text: str) -> None:
    prepared = segment(text)
    assert words(prepared) == [one.encode()[:MAX_WORD_BYTES].decode() for one in sqlite_words(prepared)]


def test_characters_are_read_as_sqlite_reads_them(sqlite_words: Words) -> None:
    codes = [*range(1, 0x2000), *range(0x2000, sys.maxunicode, 41)]
    known = [chr(code) for code in codes if unicodedata.category(chr(code)) != "Cn"]
    for at in range(0, len(known), 4096):
        text = " ".join(f"a{one}b" for one in known[at : at + 4096] if not "\ud800" <= one <= "\udfff")
        assert words(text) == sqlite_words(text)


# -- long texts ------------------------------------------------------------------------------------


def test_a_short_text_is_one_vector() -> None:
    made = vectors(["b", "a", "b"])
    assert (made.vector, made.more) == ("'b':1,3 'a':2", ())


@pytest.mark.parametrize(
    "found",
    [
        pytest.param([f"w{at}" for at in range(3 * MAX_PLACES)], id="many words"),
        pytest.param(["same", "word"] * (3 * MAX_PLACES_OF_ONE), id="one word often"),
        pytest.param([f"{at:0400d}" for at in range(4_000)], id="large words"),
    ],
)
def test_no_vector_is_too_large_and_every_phrase_is_in_one(found: list[str]) -> None:
    made = vectors(found)
    assert made.more
    pieces = [places(one) for one in (made.vector, *made.more)]
    assert all(max(one) <= 16_383 for one in pieces)
    for start in range(0, len(found) - OVERLAP, 97 * OVERLAP // 3):
        phrase = found[start : start + OVERLAP]
        assert any(holds(one, phrase) for one in pieces)


def places(vector: str) -> dict[int, str]:
    """Return the words of a vector by their places."""
    placed: dict[int, str] = {}
    for entry in vector.split():
        word, _, numbers = entry.rpartition(":")
        listed = [int(number) for number in numbers.split(",")] if word else []
        assert len(listed) <= 255
        placed.update(dict.fromkeys(listed, word.strip("'")))
    assert len(vector.encode()) < 1_048_576
    return placed


def holds(placed: dict[int, str], phrase: list[str]) -> bool:
    starts = [place for place, word in placed.items() if word == phrase[0]]
    return any(all(placed.get(at + step) == word for step, word in enumerate(phrase)) for at in starts)


FILLER = "filler " * 40_000
LARGE = " ".join(f"{at:x}{'z' * 300}" for at in range(6_000))


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        pytest.param(
            "start " + "filler " * 40_000 + "needle in haystack", '"needle in haystack"', True, id="far"
        ),
        pytest.param(
            "start " + "filler " * 40_000 + "needle in haystack", "start needle", True, id="far apart"
        ),
        pytest.param("start " + "filler " * 40_000 + "needle of hay", '"needle in"', False, id="no phrase"),
        pytest.param("a b " * 5_000 + "b a a", '"b a a"', True, id="often"),
        pytest.param("a b " * 5_000 + "b a a", '"a a b"', False, id="often, and not"),
        pytest.param("a b " * 5_000 + "b a a", 'a NOT "b a a"', False, id="excluded"),
        pytest.param("a b " * 5_000 + "b a a", 'a NOT "a a b"', True, id="not excluded"),
        pytest.param("全文検索" * 9_000 + "提交代码", "検索提交代码", True, id="unspaced"),
        pytest.param(
            " ".join(f"{at:x}{'z' * 300}" for at in range(6_000)), "0zz* 1zz*", True, id="over a megabyte"
        ),
    ],
)
def test_phrases_are_found_anywhere_in_long_texts(
    db: OrmSession, session: Session, text: str, query: str, found: bool
) -> None:
    row = a_message(db, session, text)
    assert search(db, query) == ([row.id] if found else [])


# -- the same answers ------------------------------------------------------------------------------


ANSWERS: dict[str, dict[str, list[str]]] = {}


def test_both_engines_give_the_same_answers(engine_name: str, db: OrmSession, session: Session) -> None:
    rows = {a_message(db, session, text).id: text for text in TEXTS}
    answers = {query: [rows[key] for key in search(db, query, 100)] for query in QUERIES}
    assert sum(map(bool, answers.values())) > 45
    ANSWERS[engine_name] = answers
    if len(ANSWERS) == 2:
        assert ANSWERS["postgresql"] == ANSWERS["sqlite"]


# -- near and far ----------------------------------------------------------------------------------


@pytest.mark.postgresql
@pytest.mark.parametrize("near", [1, 3, 5, 100])
def test_hits_behind_the_newest_rows_come_in_the_same_order(
    db: OrmSession, session: Session, monkeypatch: pytest.MonkeyPatch, near: int
) -> None:
    monkeypatch.setattr(full_text_postgresql, "NEAR_ROWS", near)
    hits = [
        row.id
        for at in range(9)
        if (row := a_message(db, session, "odd" if at % 2 else "even", created_at=NOON + at)) and at % 2
    ]
    assert search(db, "odd", 10) == hits[::-1]
    assert search(db, "odd", 2) == hits[:-3:-1]
    assert search(db, "odd", 10, before=hits[2]) == hits[1::-1]
    assert search(db, "odd NOT even", 3) == hits[:-4:-1]


@pytest.mark.parametrize("count", [0, 1, 2, MAX_PLACES_OF_ONE, MAX_PLACES_OF_ONE + 1, 1_000, 40_000])
def test_a_small_text_has_the_vector_that_weighing_each_word_gives(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [("again", f"字{number}", "é" * (number % 40 + 1))[number % 3] for number in range(count)]
    quick = vectors(found)
    monkeypatch.setattr(postgresql_vectors, "_small_piece", lambda found: None)
    assert vectors(found) == quick
