"""The labelled set is well formed: what it asks for stands in its texts, and can be had in full."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from bench.fact_scores import Found, keys_of, precision_of, recall_of
from bench.facts import measure
from bench.gold import FOLDER, GoldError, GoldText, load_gold, plain_text


@pytest.fixture(scope="module")
def texts() -> tuple[GoldText, ...]:
    return load_gold(FOLDER)


def test_there_are_enough_texts_labels_sources_and_languages(texts):
    assert len(texts) >= 120
    assert sum(len(text.labels) for text in texts) >= 520
    assert len({text.source for text in texts}) >= 20
    assert {text.language for text in texts} >= {"en", "de", "fr", "es", "zh", "ja", "ru", "ar"}


def test_every_value_stands_in_its_text(texts):
    astray = [
        (text.name, value)
        for text in texts
        for label in text.labels
        for value in label.values
        if value not in plain_text(text.message) and value not in str(text.message.get("content"))
    ]
    assert astray == []


def test_no_text_asks_for_the_same_fact_twice(texts):
    counts = Counter((text.name, label.kinds, label.values[0]) for text in texts for label in text.labels)
    assert [one for one, count in counts.items() if count > 1] == []


def test_names_are_numbered_and_unique(texts):
    numbers = [text.name.partition("_")[0] for text in texts]
    assert all(number.isdigit() for number in numbers)
    assert [number for number, count in Counter(numbers).items() if count > 1] == []


def test_whoever_finds_every_label_is_right_throughout(texts):
    wanted = {id(text.message): text.labels for text in texts}

    def reader(message: Mapping[str, Any]) -> list[Found]:
        return [Found(one.kinds[-1], one.values[-1], one.key) for one in wanted[id(message)]]

    scores = measure(texts, reader)
    assert [share.value for share in (recall_of(scores), precision_of(scores), keys_of(scores))] == [1, 1, 1]


GOOD = 'source = "x"\nlanguage = "en"\n[message]\nrole = "user"\ncontent = "port 80"\n'


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("source = ", "Invalid value"),
        ('source = "x"\nlanguage = "en"\nlabels = []\n', "'message' is missing"),
        ('json = "[]"\nsource = "x"\nlanguage = "en"\nlabels = []\n', "the message is list"),
        (GOOD + '[[labels]]\nkind = "harbour"\nvalue = "80"\n', "label 1: unknown kind harbour"),
        (GOOD + '[[labels]]\nkind = "port"\n', "'value' is missing"),
        (GOOD + '[[labels]]\nkind = "port"\nvalue = 80\n', "label 1: 80 is no text to look for"),
        (GOOD + '[[labels]]\nkind = "port"\nvalue = "80"\nkeys = "x"\n', "unknown field keys"),
    ],
)
def test_a_file_of_another_form_is_refused_by_name(tmp_path, body, says):
    (tmp_path / "001_odd.toml").write_text(body)
    with pytest.raises(GoldError, match=rf"001_odd\.toml: .*{says}"):
        load_gold(tmp_path)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(GoldError, match="no labelled text"):
        load_gold(tmp_path)


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({"role": "tool", "content": '{"output": "a\\nb", "exit_code": 1}'}, "a\nb"),
        ({"role": "tool", "content": "     1|import os\n     2|x = 1"}, "import os\nx = 1"),
        ({"role": "user", "content": [{"type": "tool_result", "content": "     7→go"}]}, "go"),
        ({"role": "tool", "content": "\x1b[31mred\x1b[0m"}, "red"),
        (
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "input": {"path": "a.py"}}]},
            "a.py",
        ),
        ({"content": "so", "tool_calls": [{"function": {"arguments": '{"cmd": "ls"}'}}]}, "so\nls"),
    ],
)
def test_plain_text_is_what_a_message_says(message, says):
    assert plain_text(message) == says
