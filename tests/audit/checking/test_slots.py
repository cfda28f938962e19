"""One value, person, negation or result of a short talk altered, beside its faithful twin."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from bench.audit_pairs import PairCase, accuse, notice
from hermes_sessions.audit.values import AuditMessage

CASES_FILE = Path(__file__).parent.parent / "planted" / "slots.txt"
ROLES = {"U": "user", "A": "assistant", "T": "tool"}
LEAST_ACCUSED = 29
LEAST_NOTICED = 50


class SlotCase(NamedTuple):
    """A talk, a faithful summary of it, and the same with one fact altered."""

    kind: str
    talk: PairCase
    faithful: str
    altered: str


def _read_cases() -> list[SlotCase]:
    blocks = CASES_FILE.read_text("utf-8").split("\n\n")
    return [_read(block.splitlines()) for block in blocks if block.lstrip().startswith("class:")]


def _read(lines: list[str]) -> SlotCase:
    said = [(line[0], line[3:]) for line in lines if line[1:2] == ":" and line[0] in ROLES]
    rows = [_row(at, ROLES[who], text.replace("\\n", "\n")) for at, (who, text) in enumerate(said, 1)]
    talk = PairCase("slots", (*rows, _row(len(rows) + 1, "assistant", "OK.")), ())
    faithful, altered = (next(line[2:] for line in lines if line.startswith(sign)) for sign in "=!")
    return SlotCase(lines[0].partition(": ")[2], talk, faithful, altered)


def _row(number: int, role: str, text: str) -> AuditMessage:
    return AuditMessage(id=number, original=number, position=number - 1, role=role, text=text, archived_by=1)


CASES = _read_cases()


@pytest.mark.parametrize("case", CASES, ids=[f"{case.kind}: {case.faithful}" for case in CASES])
def test_the_faithful_twin_is_not_accused(case):
    assert accuse(case.talk, case.faithful) == ()


def test_altered_slots_are_found():
    assert sum(bool(accuse(case.talk, case.altered)) for case in CASES) >= LEAST_ACCUSED


def test_nearly_all_altered_slots_are_noticed():
    new = [case for case in CASES if {*notice(case.talk, case.altered)} - {*notice(case.talk, case.faithful)}]
    assert len(new) >= LEAST_NOTICED


def test_every_class_has_five_cases():
    assert min(Counter(case.kind for case in CASES).values()) >= 5
