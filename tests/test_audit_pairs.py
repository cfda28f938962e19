"""Faithful summaries that nobody may accuse, and altered facts that the audit must find."""

from collections import Counter

import pytest

from bench.audit_pairs import (
    PairCase,
    PairsError,
    accusations_of,
    accuse,
    is_found,
    load_pairs,
    notice,
    plainly_unknown,
)

CASES = load_pairs()
MIN_CASES = 60
FOUND = {"": 0.58, "open": 0.15, "sealed": 0.16, "fresh": 0.11}
"""The share of altered facts warned of at least, by half."""
NOTICED = {"": 0.92, "open": 0.73, "sealed": 0.68, "fresh": 0.73}
"""The same with notes."""


@pytest.mark.parametrize(
    ("case", "summary"),
    [
        pytest.param(case, summary, id=f"{case.name}, {summary.style}")
        for case in CASES
        for summary in case.summaries
    ],
)
def test_a_faithful_summary_is_not_accused(case, summary):
    assert accuse(case, summary.text) == ()


@pytest.mark.parametrize(("half", "share"), FOUND.items())
def test_altered_facts_are_found(half, share):
    counts = Counter(found for case in CASES if case.half == half for found in _found(case))
    assert counts.total() >= MIN_CASES
    assert counts["warned"] >= share * counts.total()
    assert counts["warned"] + counts["noted"] >= NOTICED[half] * counts.total()


def _found(case: PairCase):
    for summary in case.summaries:
        twin = notice(case, summary.text)
        for change in summary.changes:
            altered = notice(case, change.apply(summary.text))
            if is_found(change, accusations_of(twin), accusations_of(altered)):
                yield "warned"
            else:
                yield "noted" if is_found(change, twin, altered) else "missed"


def test_there_are_summaries_in_many_languages():
    summaries = [summary for case in CASES for summary in case.summaries]
    assert len(summaries) >= MIN_CASES
    assert len({summary.language for summary in summaries}) >= 8


def test_a_plain_search_does_neither():
    """The cases are not so easy that looking for strings would do."""
    accused = sum(bool(plainly_unknown(case, one.text)) for case in CASES for one in case.summaries)
    assert accused >= MIN_CASES


def test_a_case_that_does_not_fit_is_named(tmp_path):
    (tmp_path / "01_wrong.toml").write_text(
        'messages = []\n[[summaries]]\nstyle = "x"\nlanguage = "en"\ntext = "a"\n'
        '[[summaries.changes]]\nkind = "x"\nfrom = "b"\nto = "c"\n'
    )
    with pytest.raises(PairsError, match="01_wrong"):
        load_pairs(tmp_path)
