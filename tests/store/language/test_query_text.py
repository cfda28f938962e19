"""Whatever is typed becomes something to look for, or an error that says why not."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_sessions.errors import InvalidQueryError
from hermes_sessions.store.language.indexed_text import mark
from hermes_sessions.store.language.query_filters import NAMES, Scope, read_date
from hermes_sessions.store.language.query_terms import match_expression
from hermes_sessions.store.language.query_text import MAX_CHARS, Query, parse_query

NOW = datetime(2026, 5, 17, 15, 30, tzinfo=timezone(timedelta(hours=2)))


def parsed(typed: str) -> Query:
    return parse_query(typed, NOW)


def expression(typed: str) -> str:
    query = parsed(typed)
    return match_expression(query.groups, query.excluded)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("one two", '("one") AND ("two")'),
        ('"one two"', '("one two")'),
        ("one*", '("one*" *)'),
        ('"one tw"*', '("one tw" *)'),
        ("one OR two three", '("one" OR "two") AND ("three")'),
        ("one AND two", '("one") AND ("two")'),
        ("one NOT two NOT three", '(("one")) NOT ("two" OR "three")'),
        ("one -two", '(("one")) NOT ("two")'),
        ('one -"two three"', '(("one")) NOT ("two three")'),
        ("foo_bar --flag a/b.py", '("foo_bar") AND ("--flag") AND ("a/b.py")'),
        ("one -1", '("one") AND ("-1")'),
        ("OR one", '("OR") AND ("one")'),
        ("one OR", '("one") AND ("OR")'),
        ("one or not two", '("one") AND ("or") AND ("not") AND ("two")'),
        ('say "unclosed', '("say") AND ("unclosed")'),
        ("wide＂quote", '("wide quote")'),
        ("localhost:8080 C:\\new std::vector https://a.b", None),
    ],
)
def test_words(typed: str, expected: str | None) -> None:
    query = parsed(typed)
    assert query.notes == ()
    assert not query.scope.narrows
    assert expected is None or expression(typed) == expected


def marked(*found: tuple[str, str]) -> list[str]:
    return [mark(kind, value) for kind, value in found]


@pytest.mark.parametrize(
    ("typed", "groups"),
    [
        ("role:user", [marked(("r", "user"))]),
        ("role:me", [marked(("r", "user"))]),
        ("role:user role:tool", [marked(("r", "user"), ("r", "tool"))]),
        ("has:error has:code", [marked(("h", "error")), marked(("h", "code"))]),
        ("in:handoff", [marked(("k", "handoff"))]),
        ("kind:handoff", [marked(("k", "handoff"))]),
        ("tool:Web*", [marked(("t", "web"))]),
        ("Role:User", [marked(("r", "user"))]),
    ],
)
def test_filters_about_messages_are_marks_of_the_index(typed: str, groups: list[list[str]]) -> None:
    assert [[term.text for term in group] for group in parsed(typed).groups] == groups


def test_a_tool_is_found_by_its_name_or_the_first_words_of_it() -> None:
    [group] = parsed("tool:read").groups
    assert [(term.text, term.prefix) for term in group] == [
        (mark("t", "read"), False),
        (mark("t", "read_"), True),
    ]


@pytest.mark.parametrize(
    ("typed", "scope"),
    [
        ("x source:cli", Scope(sources=("cli",))),
        ('x source:"my cli" source:b', Scope(sources=("my cli", "b"))),
        ("x -source:cli", Scope(not_sources=("cli",))),
        ("x NOT model:gpt", Scope(not_models=("gpt",))),
        ("x origin:laptop conv:2026_a", Scope(origins=("laptop",), conversations=("2026_a",))),
        ("x kind:delegate", Scope(kinds=("delegate",))),
        ("x in:archived", Scope(archived=True)),
        ("x -in:archived in:undone", Scope(archived=False, undone=True)),
        ("x in:title", Scope(titles=True)),
        ("in:archived", Scope(archived=True)),
    ],
)
def test_other_filters_are_a_scope(typed: str, scope: Scope) -> None:
    assert parsed(typed).scope == scope


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-01", "2026-05-01T00:00+02:00"),
        ("2026-05", "2026-05-01T00:00+02:00"),
        ("2026", "2026-01-01T00:00+02:00"),
        ("2026-05-01T12:30", "2026-05-01T12:30+02:00"),
        ("2026-05-01T12:30Z", "2026-05-01T12:30+00:00"),
        ("today", "2026-05-17T00:00+02:00"),
        ("Yesterday", "2026-05-16T00:00+02:00"),
        ("7d", "2026-05-10T15:30+02:00"),
        ("12h", "2026-05-17T03:30+02:00"),
        ("2weeks", "2026-05-03T15:30+02:00"),
    ],
)
def test_dates(text: str, expected: str) -> None:
    found = read_date(text, NOW)
    assert found is not None
    assert datetime.fromtimestamp(found, UTC) == datetime.fromisoformat(expected)


def test_before_and_after_bound_the_time() -> None:
    scope = parsed("after:2026-05-01 after:2026-05-03 before:2026-05-09").scope
    assert scope.after == read_date("2026-05-03", NOW)
    assert scope.before == read_date("2026-05-09", NOW)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "type a word"),
        ("...", "punctuation alone"),
        ("NOT one", "leave out"),
        ("-one", "leave out"),
        ("-role:user", "leave out"),
        ("after:7d -one", "what to find"),
        ("x" * (MAX_CHARS + 1), "characters"),
        ("x " * 400, "words"),
        ("before:yesteryear", "is not a date"),
        ("after:2026-13-40", "is not a date"),
        ("after:99999y", "is not a date"),
        ("x has:wings", "has: knows error"),
        ("x in:limbo", "in: knows handoff"),
        ("x kind:none", "kind: knows chat"),
        ('x role:""', "role: needs a value"),
        *((f"x {name}:", f"^search: {name}: needs a value, such as {name}:") for name in NAMES),
        ("-tool:", "tool: needs a value"),
        ("Tool: terminal", "tool: needs a value"),
    ],
)
def test_what_cannot_be_answered_is_explained(typed: str, reason: str) -> None:
    with pytest.raises(InvalidQueryError, match=reason):
        parsed(typed)


def test_an_unknown_filter_is_text_with_a_note() -> None:
    query = parsed("colour:red")
    assert [[term.text for term in group] for group in query.groups] == [["colour:red"]]
    assert "“colour:” is not a filter" in query.notes[0]


@given(
    st.text(
        alphabet=st.characters(exclude_categories=["Cs"]) | st.sampled_from('"*()^:-+{}\0 ANDORTinhas提'),
        max_size=60,
    )
)
def test_nothing_typed_is_a_syntax_error(typed: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE f USING fts5(text)")
        try:
            query = parsed(typed)
        except InvalidQueryError:
            return
        if query.groups:
            asked = match_expression(query.groups, query.excluded)
            connection.execute("SELECT rowid FROM f WHERE f MATCH ?", (asked,)).fetchall()
