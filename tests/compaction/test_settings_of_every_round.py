"""Settings that an earlier handoff holds: they stand as they stood, until another value takes their place."""

import json
import re
from collections.abc import Sequence

import pytest

from hermes_sessions.compaction import CompactionPolicy, compact_transcript
from hermes_sessions.compaction.economy.fact_lines import FactLine
from hermes_sessions.compaction.economy.ranking import Overheard, rank
from hermes_sessions.compaction.economy.settings.held import read_back
from hermes_sessions.compaction.economy.settings.reading import MARKED
from hermes_sessions.compaction.economy.span_facts import FactCache
from hermes_sessions.compaction.economy.standing import holds_on
from hermes_sessions.compaction.transcript import read_transcript
from hermes_sessions.summarizers import ExtractiveSummarizer
from hermes_sessions.tokens import token_counter
from tests.compaction.builders import Dict, assistant, call, result, user

ROUNDS = 5
WINDOW = 16_000
ROWS = "mode = auto\nlid = /var/lib/kiln\ndepth = 4\nfan = true\n"
NAMES = [f"{name}{end}" for name in ("Ash", "Birch", "Elm", "Fir") for end in ("ley", "ton", "combe", "ford")]
HUNK = "@@ -1,3 +1,3 @@\n [loom]\n-warp_batch = 1201\n+warp_batch = 6307\n depth = 4"
OPTIONS = "    mode: auto\n    depth: 4\n    fan: true\n    grain_host: silo4.fern.example\n"
FILES = {
    "kiln.ini": f"[kiln]\n{ROWS}soak_window = 71514\n",
    "tray.toml": '[tray]\nmode = "auto"\nlid = "/var/lib/tray"\ndepth = 4\nglaze_id = "QX-48213"\n',
    "silo.yaml": f"silo:\n  options:\n{OPTIONS}",
    ".env": "MODE=auto\nDEPTH=4\nFAN=true\nLEASE_TERM=5093\n",
    "pump.json": json.dumps({"pump": {"mode": "auto", "depth": 4, "fan": True, "flow_rate": 8821}}, indent=2),
    "badge.csv": "item,figure\nmode,auto\ndepth,4\nfan,true\nbadge_quota,3377\n",
    "loom.diff": f"--- a/loom.ini\n+++ b/loom.ini\n{HUNK}",
}
LINES = (
    "kiln.soak_window = 71514",
    "tray.glaze_id = QX-48213",
    "silo.options.grain_host = silo4.fern.example",
    "LEASE_TERM = 5093",
    "pump.flow_rate = 8821",
    "badge_quota = 3377",
    "loom.warp_batch = 6307",
)


def read(name: str, text: str) -> list[Dict]:
    return [assistant("", call(name, "read_file", path=name)), result(name, text)]


def talk(round_: int) -> list[Dict]:
    """Return what is said and read between two compactions, files of settings among it."""
    found: list[Dict] = []
    for step in range(16):
        key = f"r{round_}s{step}"
        rows = "\n".join(f"row {key} {number} kept {number * 7}" for number in range(40))
        found += [user(f"How many rows has part {key}?"), assistant("", call(key)), result(key, rows)]
        told = f"Part {key} goes to hall {NAMES[step]} of the {NAMES[round_]} yard, behind door {step}."
        found += [assistant(f"Part {key} has forty rows. {told}")]
    file = f"[depot_{round_}]\n{ROWS}crate_limit = {5000 + 37 * round_}\n"
    return [*read(f"depot{round_}.ini", file), *found]


def rounds_of(first: Sequence[Dict], *later: Sequence[Dict], handoff_tokens: int | None = None) -> list[str]:
    """Return the handoff of each round; *later* holds what comes before the second, third round."""
    messages, found = list(first), []
    policy = CompactionPolicy(WINDOW, handoff_tokens=handoff_tokens)
    for round_ in range(ROUNDS):
        messages += [*(later[round_ - 1] if 0 < round_ <= len(later) else ()), *talk(round_)]
        done = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer())
        assert done.status == "committed"
        messages = list(done.messages)
        found.append(done.handoff)
    return found


@pytest.fixture(scope="module")
def handoffs() -> list[str]:
    opened = [message for name, text in FILES.items() for message in read(name, text)]
    return rounds_of([user("Look at the settings, please."), *opened, assistant("I have read them.")])


@pytest.mark.parametrize("line", LINES)
def test_a_setting_of_the_first_span_stands_in_every_handoff_once(handoffs: list[str], line: str) -> None:
    found = [len(re.findall(rf"(?<![\w.]){re.escape(line)}(?![\w.])", text)) for text in handoffs]
    assert found == [1] * ROUNDS


EDIT = {"old_string": "soak_window = 71514", "new_string": "soak_window = 3090"}


NEW = {"old_string": "soak_window = 71514", "new_string": "soak_window = 3090"}


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("71514", read("again", f"[kiln]\n{ROWS}soak_window = 3090\n")),
        ("71514", [assistant(None, call("e", "patch", path="kiln.ini", **NEW)), result("e", "done")]),
        ("kiln7.fern.example", read("again", f"[kiln]\n{ROWS}soak_window = 3090\n")),
    ],
)
def test_a_later_value_takes_the_place_of_one_that_a_handoff_holds(
    before: str, later: Sequence[Dict]
) -> None:
    file = f"[kiln]\n{ROWS}soak_window = {before}\n"
    texts = rounds_of([user("Look at the kiln."), *read("kiln.ini", file), assistant("Done.")], (), later)
    assert [f"soak_window = {before}" in text for text in texts] == [True, True, False, False, False]
    assert [text.count("kiln.soak_window = ") for text in texts] == [1] * ROUNDS


def test_where_little_room_is_given_decisions_and_rules_go_before_settings() -> None:
    opened = [message for name, text in FILES.items() for message in read(name, text)]
    said = (
        "Never restart the billing service during office hours. "
        "We decided to ship the kiln report as a PDF from the print room."
    )
    texts = rounds_of([user(said), assistant("Noted."), *opened, assistant("Read.")], handoff_tokens=600)
    for text in texts:
        assert "Never restart the billing service" in text
        assert "ship the kiln report as a PDF" in text
        assert len(text) <= 2_800


def line(text: str, kind: str = "config", speaker: str = "tool") -> FactLine:
    return FactLine(kind, speaker, text)


@pytest.mark.parametrize(
    ("former", "marked"),
    [
        ([line("kiln.soak_window = 71514")], True),
        ([line("store.host = db-3.internal.example", "host")], True),
        ([line("roster margin = 26.8.35", "version")], True),
        ([line("kiln.soak = 35", speaker="assistant")], True),
        ([line("kiln.soak = 35")], False),
        ([line("kiln.soak = 35"), line("The kiln's soak has to be longer.", "statement", "user")], True),
        ([line("kiln.mode = auto")], False),
        ([line("total = 71514", "number")], False),
        ([line(f"items.id = {number}") for number in (71514, 71623, 71734)], False),
        ([line("The soak = 71514 row stands alone.", "statement")], False),
    ],
)
def test_a_value_that_stood_out_is_told_from_its_line(former: list[FactLine], marked: bool) -> None:
    slots = read_back(former)[0].slots
    assert any(fact.span == MARKED for fact in slots) is marked


def test_a_setting_weighs_in_the_second_handoff_what_it_weighed_in_the_first() -> None:
    (entry,) = read_transcript([result("c", FILES["kiln.ini"])], token_counter("none"))
    found = [one._replace(at=0) for one in FactCache(10**6).read(entry).lines]
    first = {one.text: score for one, score in rank((), [found], Overheard()).scored}
    former = [one._replace(at=-1, slots=()) for one in found]
    second = {one.text: score for one, score in rank(former, [], Overheard()).scored}
    assert second["kiln.soak_window = 71514"] == first["kiln.soak_window = 71514"]
    assert second["kiln.mode = auto"] <= first["kiln.mode = auto"]


def test_a_column_of_a_table_is_no_setting_that_stands_out() -> None:
    rows = json.dumps(
        {"items": [{"id": 71514 + number, "name": f"lid {number}", "w": 4} for number in range(9)]}
    )
    (entry,) = read_transcript([result("c", rows)], token_counter("none"))
    facts = [fact for one in FactCache(10**6).read(entry).lines for fact in one.slots]
    assert not any(fact.span == MARKED for fact in facts)


def test_a_setting_that_stood_out_is_kept_before_what_only_room_is_left_for() -> None:
    held, dull = read_back([line("kiln.soak_window = 71514"), line("kiln.mode = auto")])
    assert (holds_on(held), holds_on(dull), holds_on(held._replace(at=4))) == (True, False, False)


def test_a_value_of_another_kind_takes_the_place_of_a_former_one() -> None:
    (entry,) = read_transcript([result("c", FILES["kiln.ini"])], token_counter("none"))
    found = [one._replace(at=0) for one in FactCache(10**6).read(entry).lines]
    former = line("kiln.soak_window = kiln7.fern.example", "host")
    told = {one.text for one, _ in rank([former], [found], Overheard()).scored}
    assert {text for text in told if "soak_window" in text} == {"kiln.soak_window = 71514"}
