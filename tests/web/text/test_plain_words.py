"""Markdown as words: marks go, what only looks like them stays."""

import time

import pytest

from hermes_sessions.web.text.plain_words import plain_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("## Goal\nMove it.", "Goal\nMove it.", id="heading"),
        pytest.param("- one\n  * two\n3. three\n> four", "one\ntwo\nthree\nfour", id="lists and quotations"),
        pytest.param("up to **10.08**, `test_it` and *now*", "up to 10.08, test_it and now", id="emphasis"),
        pytest.param("![a picture](x.png) [here](http://a.example/b?c=1)", "a picture here", id="links"),
        pytest.param("```python\nx = 1\n```", "\nx = 1\n", id="a block of code"),
        pytest.param("| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n\n1 | 2", id="a table"),
        pytest.param("2 * 3 * 4, a*b*c, __init__.py, snake_case", "2 * 3 * 4, a*b*c, __init__.py, snake_case",
                     id="no marks"),
        pytest.param("-v stays, #1234 stays, 1.5 stays", "-v stays, #1234 stays, 1.5 stays", id="no list"),
    ],
)  # fmt: skip
def test_marks_go(text: str, words: str) -> None:
    assert plain_words(text) == words


@pytest.mark.parametrize(
    "piece", ["[", "![](", "**", "* ", "> ", "|", "```", "__a", "[a](b", "- - ", "\n\n", "1. "]
)
def test_any_text_takes_a_bounded_time(piece: str) -> None:
    began = time.process_time()
    plain_words(piece * (4_000 // len(piece)))
    assert time.process_time() - began < 0.5
