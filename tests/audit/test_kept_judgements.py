"""A handoff is judged once: again where it or its source is another, or where nothing may be kept."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bench.audit_pairs import build_case, load_pairs
from hermes_sessions.audit import measure
from hermes_sessions.audit.check import check_handoff
from hermes_sessions.audit.checking.deviation import SECRET, Deviation, Grade
from hermes_sessions.audit.judgements.kept_judgements import KeptJudgements
from hermes_sessions.audit.judgements.written_judgement import (
    digest_judged,
    read_judgement,
    write_judgement,
)
from hermes_sessions.audit.measure import MeasuredCompaction, Reader, measure_compaction
from hermes_sessions.audit.values import AuditMessage, CompactionCase
from hermes_sessions.messages import ToolCall
from tests.audit.builders import assistant, call, compacted, tool, user

SAID = "The gate of the north hall opens at 6:40, and port 8123 is never left open."
TOLD = "The gate of the north hall opens at 8:15. Wrote `menu/rye.md`. Then asked for 41 crates."
SECRET_KEY = "sk-proj-" + "a8Kq2ZrT9wLm4XvB7nYc" * 2


def bakery(said: str = SAID, told: str = TOLD, **how: Any) -> CompactionCase:
    """A compaction whose handoff says another time than the user did."""
    rows = [user(said), assistant("Looking.", call("read_file", path="hall.md")), tool("c1", "one gate")]
    return compacted(rows, body=told, **how).conversation().compactions[0]


def measured(case: CompactionCase, judgements: KeptJudgements) -> MeasuredCompaction:
    return measure_compaction(case, Reader(judgements=judgements))


def kept_of(case: CompactionCase, version: str = "1") -> dict[int, str]:
    """What an audit keeps of a case."""
    judgements = KeptJudgements(version)
    measured(case, judgements)
    return {key: one for key, one in judgements.fresh.items() if one is not None}


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The compactions whose handoffs were judged anew."""
    found: list[int] = []

    def check(case: CompactionCase, *readers: Any) -> tuple[Deviation, ...]:
        found.append(case.facts.id)
        return check_handoff(case, *readers)

    monkeypatch.setattr(measure, "check_handoff", check)
    return found


def test_a_handoff_is_judged_once(judged: list[int]) -> None:
    first = KeptJudgements("1")
    found = measured(bakery(), first)
    assert found.departs(Grade.CONTRADICTS)
    kept = {key: one or "" for key, one in first.fresh.items()}
    second = KeptJudgements("1", kept)
    assert measured(bakery(), second) == found
    assert judged == [1]
    assert second.fresh == {}


def first_row(case: CompactionCase, **changed: Any) -> CompactionCase:
    return replace(case, before=(replace(case.before[0], **changed), *case.before[1:]))


CALLED = (ToolCall(("c1",), "read_file", "{}"),)
OTHER: dict[str, Callable[[CompactionCase], CompactionCase]] = {
    "words of a message": lambda case: first_row(case, text=SAID.replace("6:40", "8:15")),
    "who says it": lambda case: first_row(case, role="assistant"),
    "key of a message": lambda case: first_row(case, id=77),
    "kind of a message": lambda case: first_row(case, kind="merged"),
    "an older handoff before": lambda case: first_row(case, handoff="The gate opens at 8:15."),
    "a picture": lambda case: first_row(case, attachments=("0123456789abcdef",)),
    "arguments of a call": lambda case: replace(
        case, before=(case.before[0], replace(case.before[1], calls=CALLED), case.before[2])
    ),
    "one message less": lambda case: replace(case, before=case.before[:-1]),
    "order of messages": lambda case: replace(case, before=case.before[::-1]),
    "summary": lambda case: replace(case, facts=replace(case.facts, summary=TOLD.replace("8:15", "6:40"))),
    "instructions": lambda case: replace(case, prompt="The gate opens at 8:15 in summer."),
    "requests of before": lambda case: replace(case, known_requests=("Opens at 8:15?",)),
    "an older handoff after": lambda case: replace(
        case, after=(replace(case.after[0], id=78, handoff="It opens at 8:15."), *case.after)
    ),
}


@pytest.mark.parametrize("change", OTHER.values(), ids=list(OTHER))
def test_what_is_judged_by_something_else_is_judged_anew(
    judged: list[int], change: Callable[[CompactionCase], CompactionCase]
) -> None:
    case = change(bakery())
    kept = KeptJudgements("1", kept_of(bakery()))
    assert measured(case, kept) == measured(case, KeptJudgements())
    assert judged == [1, 1, 1]
    assert kept.fresh.keys() == {1}


SINCE: dict[str, Callable[[CompactionCase], CompactionCase]] = {
    "more was said": lambda case: replace(case, following=(replace(user("Opens at 8:15, then."), id=90),)),
    "rows were taken": lambda case: first_row(case, archived_by=1, state="compacted"),
    "rows were placed": lambda case: first_row(case, position=12, original=4),
    "tokens were counted": lambda case: replace(case, facts=replace(case.facts, tokens_after=900)),
}


@pytest.mark.parametrize("change", SINCE.values(), ids=list(SINCE))
def test_what_came_after_changes_no_judgement(
    judged: list[int], change: Callable[[CompactionCase], CompactionCase]
) -> None:
    kept = KeptJudgements("1", kept_of(bakery()))
    case = change(bakery())
    assert measured(case, kept).deviations == measured(bakery(), KeptJudgements()).deviations
    assert judged == [1, 1]
    assert kept.fresh == {}


def test_other_rules_judge_anew(judged: list[int]) -> None:
    kept = KeptJudgements("2", kept_of(bakery()))
    measured(bakery(), kept)
    assert judged == [1, 1]
    assert kept.fresh.keys() == {1}


def test_a_stale_continuation_is_not_judged(judged: list[int]) -> None:
    case = replace(bakery(), facts=replace(bakery().facts, fork=True))
    kept = KeptJudgements("1")
    assert measured(case, kept).deviations == ()
    assert (judged, kept.fresh) == ([], {})


DAMAGED: dict[str, Callable[[str], str]] = {
    "empty": lambda written: "",
    "no JSON": lambda written: written[:-1],
    "digest alone": lambda written: written.split(",")[0] + "]",
    "no list": lambda written: f"{written.split(',')[0]},7]",
    "no list of lists": lambda written: f'{written.split(",")[0]},"contradicts"]',
    "nothing but what is needed": lambda written: (
        f'{written.split(",")[0]},[["contradicts","time","8:15","","day"]]]'
    ),
    "fields too few": lambda written: f'{written.split(",")[0]},[["contradicts","time"]]]',
    "another grade": lambda written: written.replace('"contradicts"', '"agrees"'),
    "a number for a text": lambda written: written.replace('"8:15"', "815"),
    "a text for a key": lambda written: written.replace(",1,false", ',"1",false'),
    "null": lambda written: "null",
    "deep": lambda written: written.split(",")[0] + "," + "[" * 100_000,
    "another digest": lambda written: '["' + "0" * 32 + written[34:],
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=list(DAMAGED))
def test_what_is_damaged_is_judged_anew(judged: list[int], damage: Callable[[str], str]) -> None:
    kept = kept_of(bakery())
    damaged = damage(kept[1])
    assert damaged != kept[1]
    judgements = KeptJudgements("1", {1: damaged})
    assert measured(bakery(), judgements) == measured(bakery(), KeptJudgements())
    assert judgements.fresh == kept
    assert judged == [1, 1, 1]


def test_a_judgement_is_read_as_it_was_written() -> None:
    odd = '\ud800 \0 \u2028 " \\ 提 \U0010ffff'
    found = (
        Deviation(Grade.CONTRADICTS, "time", "8:15", odd, "rule", "6:40", odd, 3, grave=True, key="gate"),
        Deviation(Grade.INVENTED, "path", odd, "", ""),
    )
    written = write_judgement("0" * 32, found)
    assert written.isascii()
    read = read_judgement(written, "0" * 32)
    assert read is not None
    assert read == found
    assert [list(map(type, one)) for one in read] == [list(map(type, one)) for one in found]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param(SAID, f"{TOLD} The key is {SECRET_KEY}1.", id="in the handoff"),
        pytest.param(f"Use api_key={SECRET_KEY}. {SAID}", f"Use api_key={SECRET_KEY[:20]}x.", id="cut"),
        pytest.param(f"{SAID} password: hunter22x", "The password is hunter23x.", id="only by its name"),
    ],
)
def test_what_quotes_a_secret_is_not_kept(said: str, told: str) -> None:
    case = bakery(said, told)
    judgements = KeptJudgements("1")
    assert measured(case, judgements).deviations
    assert judgements.fresh == {1: None}


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(Deviation(Grade.INVENTED, SECRET, "x", "y", "z"), id="shown as one"),
        pytest.param(Deviation(Grade.INVENTED, "id", f"key {SECRET_KEY}", "", "z"), id="whole"),
        pytest.param(Deviation(Grade.INVENTED, "id", "x", "y", "z", "", SECRET_KEY[12:24], 1), id="a piece"),
        pytest.param(Deviation(Grade.INVENTED, "config", "hunter22x", "", "z", key="password"), id="by key"),
    ],
)
def test_a_quotation_is_looked_at_whole_and_in_pieces(found: Deviation) -> None:
    judgements = KeptJudgements("1")
    piece = SECRET_KEY if found.message else ""
    case = bakery(f"{SAID} The key is {piece}.")
    judgements.judge(case, Reader().handoff(case), lambda: (found,))
    assert judgements.fresh == {1: None}


def test_a_summary_has_another_digest_with_other_breaks() -> None:
    """They are blanks to whoever looks for values in it, and none to whoever reads its lines."""
    told = [f'- The tool said {{"text": "opens{sign}at 8:15", "ok": true}}' for sign in ("\\n", "  ")]
    cases = [bakery(told=one) for one in told]
    texts = [Reader().handoff(case).texts for case in cases]
    assert texts[0] == texts[1]
    digests = {digest_judged("1", case, Reader().handoff(case)) for case in cases}
    assert len(digests) == 2


def test_a_secret_that_is_not_quoted_keeps_nothing_away() -> None:
    case = bakery()
    rows = (*case.before, replace(user(f"The key is {SECRET_KEY}."), id=60))
    assert kept_of(replace(case, before=rows)).keys() == {1}


def spied(cls: type, read: set[str]) -> type:
    """Return a class whose values note which of their fields are read."""
    names = {field.name for field in dataclasses.fields(cls)}

    def noting(self: object, name: str) -> Any:
        if name in names:
            read.add(name)
        return object.__getattribute__(self, name)

    return type(f"Spied{cls.__name__}", (cls,), {"__slots__": (), "__getattribute__": noting})


def as_spied(cls: type, value: Any) -> Any:
    return cls(**{field.name: getattr(value, field.name) for field in dataclasses.fields(value)})


def read_in(cases: Sequence[CompactionCase]) -> set[str]:
    """Return which fields of messages are read when handoffs are judged."""
    read: set[str] = set()
    cls = spied(AuditMessage, read)
    for case in cases:
        rows = tuple(as_spied(cls, row) for row in case.before)
        reader = Reader()
        index = reader.handoff(case)
        check_handoff(replace(case, before=rows), reader.facts, index, reader.told)
    return read


def test_no_other_field_of_a_message_is_read_than_makes_the_digest() -> None:
    pairs = load_pairs()[::10]
    found = read_in([bakery(), *(build_case(one.rows, one.summaries[0].text) for one in pairs)])
    assert {"id", "role", "text", "calls"} <= found
    assert found <= {
        *("id", "role", "kind", "text", "handoff", "attachments", "result_ids", "calls", "created_at"),
    }


@pytest.mark.parametrize("case", load_pairs()[::5], ids=lambda case: case.name)
def test_altered_summaries_are_judged_the_same_from_what_was_kept(case: Any) -> None:
    for summary in case.summaries[:1]:
        for text in (summary.text, *(change.apply(summary.text) for change in summary.changes[:3])):
            one = build_case(case.rows, text)
            first = KeptJudgements("1")
            found = measured(one, first)
            again = KeptJudgements("1", {key: kept for key, kept in first.fresh.items() if kept})
            assert measured(one, again) == found
            assert again.fresh.keys() == {key for key, kept in first.fresh.items() if kept is None}
