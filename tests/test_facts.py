"""Exact facts are found wherever they stand; what is looked at first must not hide any."""

import pytest

from hermes_sessions.facts import message_facts, text_facts
from hermes_sessions.messages import read_message
from tests.compaction.builders import assistant, call

PROSE = "We looked at it again and nothing else was there, and so it went on. "
FACTS = [
    ("path", "src/app/main.py"),
    ("path", "/etc/hosts.d"),
    ("path", "~/notes"),
    ("path", "C:\\Users\\Ada Lovelace\\notes.txt"),
    ("path", "README.md:12"),
    ("path", "setup.cfg"),
    ("url", "https://example.org/a/b?c=d"),
    ("id", "3f2b8c1d-9a7e-4c1b-8f00-0123456789ab"),
    ("id", "3F2B8C1D-9A7E-4C1B-8F00-0123456789AB"),
    ("id", "9fceb02d0ae598e95dc970b74767f19372d61af8"),
    ("id", "a1b2c3d"),
    ("id", "INV-2291"),
    ("id", "#4821"),
    ("id", "call_ab12cd34"),
    ("version", "v3"),
    ("version", "2.11.4"),
    ("number", "45 %"),
    ("number", "12ms"),
    ("number", "3 users"),
    ("number", "20 °C"),
    ("number", "7 €"),
    ("number", "1,200 rows"),
]


@pytest.mark.parametrize(("kind", "value"), FACTS, ids=[value for _, value in FACTS])
@pytest.mark.parametrize("frame", ["{}", PROSE + "{} " + PROSE, PROSE + "\n\t{}\n" + PROSE, "({}),\r\n"])
def test_a_fact_is_found_wherever_it_stands(frame: str, kind: str, value: str) -> None:
    assert (kind, value) in {(fact.kind, fact.value) for fact in text_facts(frame.replace("{}", value))}


@pytest.mark.parametrize(
    "text", ["and/or 1/2", "12|  x = 3", "deadbeef", "1234567", "a-1b", "e.g. it", "v and 3 . 4", "-0"]
)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert text_facts(text) == ()


def test_colours_of_a_terminal_are_no_numbers_and_part_no_fact() -> None:
    text = "\x1b[32m1 passed\x1b[0m in 0.39s\n\x1b[1msrc/\x1b[31ma.py\x1b[0m is \x1b[2K new"
    assert {(fact.kind, fact.value) for fact in text_facts(text)} == {
        ("number", "0.39s"),
        ("path", "src/a.py"),
    }


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("参考 https://ex.org/a，然后", "url", ["https://ex.org/a"]),
        ("见https://ex.org/a/b。谢谢", "url", ["https://ex.org/a/b"]),
        ("修改了src/app/core/main.py文件。", "path", ["src/app/core/main.py"]),
        ("修改了main.py文件和src/a.py:42。", "path", ["src/a.py:42", "main.py"]),
        ("在/opt/app/bin目录", "path", ["/opt/app/bin"]),
        ("提交abc1234f已修复#12问题", "id", ["abc1234f", "#12"]),
        ("版本v1.2.3发布", "version", ["v1.2.3"]),
        ("耗时45 ms左右", "number", ["45 ms"]),
        ("发生ValueError: x", "error", ["发生ValueError: x"]),
    ],
)
def test_a_fact_ends_where_another_script_begins(text: str, kind: str, expected: list[str]) -> None:
    assert [fact.value for fact in text_facts(text) if fact.kind == kind] == expected


@pytest.mark.parametrize(
    "path",
    [
        *("文档/设计/说明.md", "文档/readme.md", "docs/设计文档v2/a.md", "src/测试2/main.py", "说明.md"),
        *("Überblick.md", "café/menü.txt", "/home/ада/план.txt", "C:\\用户\\文档\\说明.md"),
    ],
)
def test_names_in_any_script_are_paths(path: str) -> None:
    assert [fact.value for fact in text_facts(f"见 {path} 。", kinds=["path"])] == [path]


@pytest.mark.parametrize("text", ["5 Vögel", "3 mètres", "éa1b2c3d4é"])
def test_a_letter_with_an_accent_is_no_edge(text: str) -> None:
    assert text_facts(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in order to\nfind the cause of it and then\nmake sure that it stays green.\ngo on with it", []),
        ("`x` and\nmake sure that it stays green.", []),
        (
            "make -j4 all\nfind src -name a\ngo test ./...",
            ["make -j4 all", "find src -name a", "go test ./..."],
        ),
        ("run `make all` and\n$ find it", ["find it", "make all"]),
        ("git status of it", ["git status of it"]),
    ],
)
def test_a_sentence_is_no_command(text: str, expected: list[str]) -> None:
    assert [fact.value for fact in text_facts(text, kinds=["command"])] == expected


def test_arguments_are_read_at_any_depth() -> None:
    edits = [
        {"path": "C:\\new\\table\\run.py", "command": "make all"},
        {"path": "docs/Übersicht.md"},
        ["ls", "-l"],
    ]
    message = read_message(assistant(None, call("x", "edit", edits=edits, command=["git", "x"])))
    found = {(fact.kind, fact.value) for fact in message_facts(message)}
    assert found >= {
        ("path", "C:\\new\\table\\run.py"),
        ("path", "docs/Übersicht.md"),
        ("command", "make all"),
    }
    assert {value for kind, value in found if kind == "command"} == {"make all"}
