"""Recall and precision are counted as tests/gold/README.md says."""

import pytest

from bench.fact_scores import (
    ANY_KIND,
    Found,
    Share,
    any_kind_of,
    keys_of,
    matches,
    precision_of,
    recall_of,
    score_text,
)
from bench.facts import find_lines, find_nothing, find_tokens, iter_failures, main, measure
from bench.gold import GoldText, Label

SAID = "Use port 8123 on web-1, never 80.\nMAX=5 and 3 failed"
TEXT = GoldText(
    name="001_said",
    source="user request",
    language="en",
    message={"role": "user", "content": SAID},
    labels=(
        Label(("port",), ("8123",), "gateway"),
        Label(("host", "name"), ("web-1",)),
        Label(("test_result",), ("3 failed",)),
        Label(("constraint",), ("Use port 8123 on web-1, never 80.",)),
    ),
    allowed=("80",),
)


def scored(*found: Found):
    return score_text(TEXT, lambda message: found)


def test_recall_counts_labels_and_precision_facts():
    one = scored(Found("port", "8123"), Found("name", "web-1"), Found("number", "5"))
    assert (recall_of([one]), precision_of([one])) == (Share(2, 4), Share(2, 3))


def test_a_value_of_another_kind_is_a_miss_and_a_false_fact():
    one = scored(Found("number", "8123"))
    assert TEXT.labels[0] in one.misses
    assert one.false == (Found("number", "8123"),)
    assert any_kind_of([one]) == Share(1, 4)


def test_what_is_allowed_counts_neither_way():
    assert precision_of([scored(Found("port", "80"))]) == Share(0, 0)


def test_a_repeat_counts_neither_way():
    one = scored(Found("host", "web-1"), Found("host", "web-1"), Found("name", "web-1"))
    assert precision_of([one]) == Share(1, 1)


def test_a_false_fact_said_twice_is_false_once():
    assert precision_of([scored(Found("port", "5"), Found("port", "5"))]) == Share(0, 1)


def test_kinds_are_counted_by_a_labels_first_and_a_facts_own():
    one = scored(Found("name", "web-1"))
    assert (recall_of([one], "host"), recall_of([one], "name")) == (Share(1, 1), Share(0, 0))
    assert precision_of([one], "name") == Share(1, 1)


def test_keys_agree_when_one_holds_the_other():
    assert keys_of([scored(Found("port", "8123", "port of the Gateway"))]) == Share(1, 1)
    assert keys_of([scored(Found("port", "8123"))]) == Share(0, 1)
    assert keys_of([scored(Found("port", "8123", "metrics"))]) == Share(0, 1)


@pytest.mark.parametrize(
    ("kind", "asked", "found", "same"),
    [
        ("port", "8123", "8123.", True),
        ("port", "8123", "PORT=8123", True),
        ("config", "MAX: 5", "5", True),
        ("version", "2.1.3", "numpy==2.1.3", True),
        ("port", "8123", "812", False),
        ("ip", "10.0.0.1", "host:10.0.0.1", False),
        ("number", "5 rows", "5", False),
        ("url", "https://a.example/?x=1", "1", False),
        ("identifier", "run", "`run()`", True),
        ("constraint", "Never touch the database.", "never touch the database", False),
        ("constraint", "Never touch the database.", "- Never touch  the database", True),
        ("constraint", "Never touch the database.", "Never touch", False),
        ("error", "KeyError: 'a'", "E   KeyError: 'a'", True),
        ("error", "KeyError: 'a'", "a long line before it that says KeyError: 'a'", False),
        ("error", "", "", False),
    ],
)
def test_values_are_the_same_when_the_rule_says_so(kind, asked, found, same):
    assert matches(Label((kind,), (asked,)), Found(kind, found)) is same


def test_any_cut_of_a_label_will_do():
    label = Label(("version",), ("3.8.1", "shop@3.8.1"))
    assert matches(label, Found("version", "shop@3.8.1"))
    assert matches(label, Found(ANY_KIND, "3.8.1"))


def test_the_interval_is_wilsons():
    low, high = Share(45, 50).interval()
    assert (round(low, 3), round(high, 3)) == (0.786, 0.957)
    assert Share(0, 0).interval() == (0.0, 1.0)


def test_baselines_find_what_they_say():
    message = {"content": 'see src/a.py, "two words" and 1,204.99.\n\nend'}
    assert [one.value for one in find_tokens(message)] == ["src/a.py", "two words", "1,204.99"]
    assert [one.value for one in find_lines(message)] == [
        'see src/a.py, "two words" and 1,204.99.',
        "end",
    ]
    assert list(find_nothing(message)) == []


def test_failures_name_text_and_line():
    lines = list(iter_failures([scored(Found("port", "8123", "x"), Found("config", "5", "MAX"))]))
    assert lines[0] == "001_said:1: missed host|name 'web-1'"
    assert lines[1] == "001_said:2: missed test_result '3 failed'"
    assert lines[-1].startswith("001_said:2: false config MAX = '5'")


def test_who_raises_is_told_the_text():
    def broken(message):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError) as caught:
        measure([TEXT], broken)
    assert caught.value.__notes__ == ["in 001_said"]


def write_set(folder):
    folder.joinpath("001_a.toml").write_text(
        'source = "chat"\nlanguage = "en"\n[message]\nrole = "user"\ncontent = "port 80"\n'
        '[[labels]]\nkind = "port"\nvalue = "80"\n'
    )
    return str(folder)


def test_tables_of_another_folder_are_printed_and_failures_written(tmp_path, capsys):
    failures = tmp_path / "failures.txt"
    assert main([write_set(tmp_path), "--failures", str(failures)], lambda message: [Found("ip", "80")]) == 0
    told = capsys.readouterr().out
    assert "1 texts, 1 labels" in told
    assert [line.split()[:3] for line in told.splitlines() if line.startswith("chat")] == [
        ["chat", "1", "0.0"]
    ]
    assert failures.read_text() == "001_a:1: missed port '80'\n001_a:1: false ip '80'\n"


def test_a_folder_that_is_none_is_one_clear_line(tmp_path, capsys):
    assert main([str(tmp_path / "none")], find_nothing) == 2
    assert capsys.readouterr().err.count("\n") == 1
