"""Values of files of settings in a handoff: under their whole keys, those that matter before the others."""

import json

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.economy.ranking import Overheard, rank
from hermes_sessions.compaction.economy.settings.edits import edited_settings
from hermes_sessions.compaction.economy.settings.reading import settings_in
from hermes_sessions.compaction.economy.settings.telling import telling_settings
from hermes_sessions.compaction.economy.span_facts import FactCache
from hermes_sessions.compaction.transcript import read_transcript
from hermes_sessions.facts.unwrap import unwrap_message
from hermes_sessions.summarizers import ExtractiveSummarizer
from hermes_sessions.tokens import token_counter
from tests.compaction.builders import Dict, assistant, call, result, transcript, user

INI = "[kiln]\nmode = auto\nsoak_window = 71514\nlid = /var/lib/kiln\n\n[tray]\nmode = off\ndepth = 4\n"
TOML = '[kiln]\nmode = "auto"\nsoak_window = 71514\nlid = "/var/lib/kiln"\n[tray]\nmode = "off"\n'
YAML = "kiln:\n  mode: auto\n  soak_window: 71514\n  lid: /var/lib/kiln\ntray:\n  mode: off\n"
JSON = json.dumps({"kiln": {"mode": "auto", "soak_window": 71514, "lid": "/var/lib/kiln"}, "depth": 4})
NUMBERED = "\n".join(f"{number:>6}|{line}" for number, line in enumerate(INI.split("\n"), 1))


def texts(message: Dict) -> set[str]:
    (entry,) = read_transcript([message], token_counter("none"))
    return {line.text for line in FactCache(10**6).read(entry).lines}


def odd(text: str) -> dict[str, str]:
    return {fact.key: fact.value for fact in telling_settings(unwrap_message(result("c", text)))}


def edits(message: Dict) -> dict[str, str]:
    return {fact.key: fact.value for fact in edited_settings(message)}


@pytest.mark.parametrize(
    "text", [INI, TOML, YAML, JSON, NUMBERED, json.dumps({"output": INI, "exit_code": 0})]
)
def test_a_setting_stands_under_its_section_once(text: str) -> None:
    told = {line for line in texts(result("c", text)) if "soak_window" in line}
    assert told == {"kiln.soak_window = 71514"}


def test_a_host_or_a_time_in_a_file_of_settings_has_its_section_too() -> None:
    found = texts(
        result("c", "[store]\nhost = db-3.internal\nport_timeout = 35s\n[mail]\nhost = mx-2.internal\n")
    )
    assert {"store.host = db-3.internal", "store.port_timeout = 35s", "mail.host = mx-2.internal"} <= found
    assert "host = db-3.internal" not in found


@pytest.mark.parametrize(
    "text",
    [
        INI,
        JSON,
        json.dumps({"content": f"     1|{JSON}"}),
        "MODE=auto\nSOAK_WINDOW=71514\nDEPTH=4\n",
        "item;figure;unit\nmode;auto;-\nsoak_window;71514;-\ndepth;4;-",
        "| item | figure |\n|---|---|\n| mode | auto |\n| soak_window | 71514 |\n| depth | 4 |",
        " name        | setting\n-------------+------\n mode        | auto\n soak_window | 71514\n lid | no",
        '<kiln>\n  <property name="mode">auto</property>\n  <soak_window>71514</soak_window>\n'
        '  <add key="depth" value="4" />\n</kiln>',
        "item,figure\nmode,auto\nsoak_window,71514\ndepth,4\n",
        "pan==1.2\nsoak_window==7.15.14\ncup==3.4\npot==2.0\n",
    ],
)
def test_the_odd_value_of_a_file_is_told(text: str) -> None:
    assert {key.rpartition(".")[2].lower() for key in odd(text)} == {"soak_window"}


@pytest.mark.parametrize(
    "text",
    [
        "a_id = 88123\nb_id = 77123\nc_id = 66123\nd_id = 55123\n",
        "mode = auto\ndepth = 4\nlid = /var/lib/kiln\n",
        "soak_window = 71514\n",
        "def soak(self):\n    for row in rows:\n        take(row)\n    limit = 71514\n    return limit\n" * 3,
        "took_ms: 71514\nmode: auto\ntotal_lines: 3141\nok: true\n",
    ],
)
def test_among_its_like_no_value_is_odd(text: str) -> None:
    assert odd(text) == {}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"path": "kiln.ini", "old_string": "soak = 20", "new_string": "soak = 35"},
            {"soak": "35"},
        ),
        ({"path": "kiln.yaml", "old_string": "  soak: 20", "new_string": "  soak: 35"}, {"soak": "35"}),
        ({"path": "kiln.json", "old_str": '"soak": 20', "new_str": '"soak": 35'}, {"soak": "35"}),
        (
            {"path": "a.yaml", "edits": [{"oldText": "kiln:\n  soak: 2\n", "newText": "kiln:\n  soak: 3\n"}]},
            {"kiln.soak": "3"},
        ),
        ({"path": "kiln.py", "old_string": "lid = open(x)", "new_string": "lid = shut(x)"}, {}),
        ({"path": "kiln.py", "old_string": "", "new_string": "depth = 5"}, {}),
        ({"path": "kiln.ini", "old_string": "soak = 20", "new_string": "soak = 20"}, {}),
        ({"command": "ls"}, {}),
    ],
)
def test_an_edit_sets_what_its_new_text_has_otherwise(arguments: Dict, expected: Dict) -> None:
    assert edits(assistant(None, call("c", "patch", **arguments))) == expected


def test_the_new_lines_of_a_diff_are_edits_and_those_around_are_none() -> None:
    lines = " [kiln]\n mode = auto\n-soak = 20\n+soak = 35\n depth = 4\n"
    diff = f"--- a/kiln.ini\n+++ b/kiln.ini\n@@ -3,4 +3,4 @@\n{lines}"
    assert edits(result("c", json.dumps({"output": diff}))) == {"kiln.soak": "35"}
    patch = "*** Begin Patch\n*** Update File: kiln.ini\n@@ [kiln]\n-soak = 20\n+soak = 35\n*** End Patch"
    assert edits(assistant(None, call("c", "apply_patch", input=patch))) == {"kiln.soak": "35"}


def test_what_an_edit_takes_away_is_no_value() -> None:
    message = assistant(
        None, call("c", "patch", path="k.ini", old_string="soak = 20", new_string="soak = 35")
    )
    assert {text for text in texts(message) if "soak" in text} == {"soak = 35"}


def handoff(*messages: Dict) -> str:
    tail = transcript("ua" * 14, words=60)
    policy = CompactionPolicy(20_000, tail_tokens=300, head_messages=0)
    return compact_transcript([*messages, *tail], policy=policy, summarize=ExtractiveSummarizer()).handoff


def test_what_an_edit_set_stands_under_the_key_of_the_file_and_the_old_value_is_out() -> None:
    told = handoff(
        user("Please slow the kiln down."),
        assistant(None, call("a", "read_file", path="kiln.ini")),
        result("a", "[kiln]\nsoak_window = 20\n[tray]\ndepth = 4\n"),
        assistant(
            None,
            call("b", "patch", path="kiln.ini", old_string="soak_window = 20", new_string="soak_window = 35"),
        ),
        result("b", '{"success": true}'),
        assistant("Done."),
    )
    assert "kiln.soak_window = 35" in told
    assert "soak_window = 20" not in told.partition("## Exact facts")[2]


def test_a_setting_that_the_talk_is_about_weighs_more_than_its_neighbours() -> None:
    rows = "".join(f"knob_{letter} = {number}\n" for number, letter in enumerate("abcdefgh", 11))
    (entry,) = read_transcript([result("c", f"[kiln]\n{rows}")], token_counter("none"))
    lines = [line._replace(at=3) for line in FactCache(10**6).read(entry).lines]
    heard = Overheard(((4, "assistant", "The fault comes from knob_d, I think."),))
    worth = {line.text: score for line, score in rank((), [lines], heard).scored}
    assert worth["kiln.knob_d = 14"] > max(score for text, score in worth.items() if "knob_d" not in text) + 2


def test_sections_and_parents_stand_before_a_key() -> None:
    found = {one.key: one.value for one in settings_in(f'{TOML}[lid]\nside = "left"  # why\n')}
    assert found["kiln.soak_window"] == "71514"
    assert found["lid.side"] == "left"
    assert {one.key: one.value for one in settings_in(YAML)}["tray.mode"] == "off"


def test_a_field_of_a_record_stands_under_its_name() -> None:
    rows = [{"item": "mode", "figure": "auto", "seq": 1}, {"item": "soak_window", "figure": 71514, "seq": 2}]
    assert odd("\n".join(map(json.dumps, rows))) == {"soak_window.figure": "71514"}
