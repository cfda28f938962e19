"""Terminal output: colours become classes, everything else that a terminal obeys is gone."""

import pytest

from hermes_sessions.web.text.ansi import read_terminal
from hermes_sessions.web.text.filters import terminal


def spans(text: str) -> list[tuple[str, str]]:
    return list(read_terminal(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("plain", [("", "plain")], id="no colour"),
        pytest.param("\x1b[31mred\x1b[0m done", [("t-ink-red", "red"), ("", " done")], id="colour and reset"),
        pytest.param("\x1b[1;32mok\x1b[m", [("t-bold t-ink-green", "ok")], id="empty code resets"),
        pytest.param("\x1b[1mb\x1b[22mn", [("t-bold", "b"), ("", "n")], id="bold ends"),
        pytest.param("\x1b[91;44mx\x1b[39;49my", [("t-ink-b-red t-on-blue", "x"), ("", "y")], id="bright"),
        pytest.param("\x1b[7mx", [("t-ink-ground t-on-ink", "x")], id="reverse"),
        pytest.param("\x1b[38;5;196mx", [("t-ink-b-red", "x")], id="palette"),
        pytest.param("\x1b[48;2;0;0;200mx", [("t-on-blue", "x")], id="rgb"),
        pytest.param("\x1b[38;5;240mx", [("t-ink-b-black", "x")], id="grey"),
        pytest.param("\x9b32mok", [("t-ink-green", "ok")], id="one-byte introducer"),
        pytest.param("\x1b[31ma\x1b[31mb", [("t-ink-red", "ab")], id="the same colour again"),
        pytest.param("\x1b[999;38;5m\x1b[38;2;1mx", [("", "x")], id="nonsense codes"),
    ],
)
def test_colours(text: str, expected: list[tuple[str, str]]) -> None:
    assert spans(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\x1b[2Jb\x1b[10;20Hc\x1b[1Ad", "abcd", id="cursor"),
        pytest.param("\x1b]0;a title\x07text", "text", id="title"),
        pytest.param("\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "link", id="hyperlink"),
        pytest.param("\x1b]52;c;ZXZpbA==\x07x", "x", id="clipboard"),
        pytest.param("\x1bP1;2|payload\x1b\\x", "x", id="device control"),
        pytest.param("\x1b]0;never closed", "", id="open string"),
        pytest.param("\x1b]0;broken off\x1b[31mred", "red", id="string interrupted"),
        pytest.param("cut\x1b[38;5", "cut", id="cut in a sequence"),
        pytest.param("cut\x1b", "cut", id="cut behind escape"),
        pytest.param("a\x00b\x07c\x7fd", "abcd", id="control characters"),
        pytest.param("10%\r50%\r100%\ndone\r\n", "100%\ndone\n", id="progress line"),
        pytest.param("abc\b\bX", "aX", id="backspace"),
        pytest.param("a\n\b\bb", "a\nb", id="backspace stays in its line"),
        pytest.param("\x1b[?25l\x1b(B\x1b=x\x1b[>4;2m", "x", id="modes and character sets"),
    ],
)
def test_everything_else_is_dropped(text: str, expected: str) -> None:
    assert "".join(piece for _, piece in spans(text)) == expected


def test_colours_survive_a_carriage_return() -> None:
    assert spans("\x1b[32m50%\r100%") == [("t-ink-green", "100%")]


def test_text_is_escaped_and_never_reorders() -> None:
    html = str(terminal("\x1b[31m<script>\u202e\ud800\x1b[0m<img src=x onerror=1>"))
    assert html == '<span class="t-ink-red">&lt;script&gt;\ufffd</span>&lt;img src=x onerror=1&gt;'


@pytest.mark.parametrize(
    "text",
    [
        "\x1b]" * 100_000,
        "\x90" * 200_000,
        "\x1b[" + "1;" * 200_000,
        "a\b" * 100_000,
        "x\r" * 100_000,
        "\x1b[31ma\x1b[32mb" * 20_000,
        "a" * 100_000 + "\b" * 100_000,
        "\x1b[" * 100_000,
    ],
    ids=range(8),
)
def test_hostile_sequences_neither_grow_nor_hang(text: str) -> None:
    assert len(terminal(text)) <= 400_000
