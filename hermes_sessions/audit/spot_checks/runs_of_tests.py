"""What the last run of tests that a tool shows counts, in the words of some dozen test programs."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.late_patterns import late_pattern
from hermes_sessions.messages import Role

PASSED: Final = "passed"
FAILED: Final = "failed"
_SKIPPED: Final = "skipped"
_WHOLE: Final = "whole"
_LONGEST: Final = 20_000
_NEXT: Final = 3
"""How many lines below the first one still belong to a count: mocha and unittest write several."""

_OUTCOME: Final = (
    r"(?P<passed>pass(?:ed|ing|es)?)|(?P<failed>fail(?:ed|ing|ures?|s)?|errors?)"
    r"|(?P<skipped>skipped|pending|ignored|todo)|(?P<whole>total|run|tests?(?: completed| run)?|examples?)"
)
_COUNT_FIRST: Final = late_pattern(rf"(?<![\w.,:/-])(\d{{1,6}}) (?:{_OUTCOME})\b", re.I)
_WORD_FIRST: Final = late_pattern(
    rf"(?<![\w-])(?:tests? run|{_OUTCOME})\s?[:=]\s{{0,12}}(\d{{1,6}})(?![\w:]|[.,]\d|\s+(?:pass|fail|skip|error|run|total))",
    re.I,
)
_RAN: Final = late_pattern(r"^\W*Ran (\d{1,6}) tests? in ", re.I)
_ALL_WELL: Final = late_pattern(r"^\W*OK\b(?: \((\d{1,6}) tests?)?")
_BEGINS: Final = late_pattern(r"\b(?:tests?|examples?|pass(?:ed|ing)|fail(?:ed|ing|ures))\b", re.I)


class TestRun(NamedTuple):
    """How many tests passed and failed in a run that a tool shows, and where.

    Attributes:
        counts: outcome -> how many; one that the program does not count is missing.
        line: the line, or lines, that say so.
        message: where it is.
    """

    counts: Mapping[str, int]
    line: str
    message: int


def last_run(rows: Sequence[AuditMessage]) -> TestRun | None:
    """Return the last run of tests of which a tool shows how they went."""
    for row in reversed(rows):
        if row.role != Role.TOOL:
            continue
        lines = row.text[-_LONGEST:].replace("\\n", "\n").splitlines()
        for at in range(len(lines) - 1, -1, -1):
            found = _read(lines, at) if _BEGINS.search(lines[at]) else None
            if found is not None:
                return TestRun(found, lines[at].strip()[:300], row.id)
    return None


def _read(lines: Sequence[str], at: int) -> Mapping[str, int] | None:
    """Return the counts of the run whose summary has the line *at*, None where it is none."""
    counts = _counts(lines[at])
    if ran := _RAN.match(lines[at]):
        counts = Counter({_WHOLE: int(ran[1])})
        for line in lines[at + 1 : at + 1 + _NEXT]:
            counts.update(_counts(line))
            if _ALL_WELL.match(line):
                counts[FAILED] += 0
    elif at and FAILED in counts and PASSED not in counts and set(_counts(lines[at - 1])) == {PASSED}:
        counts.update(_counts(lines[at - 1]))
    return _judged(counts)


def _counts(line: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for word, number in _numbers(line):
        counts[word] += number
    if (well := _ALL_WELL.match(line)) and well[1]:
        counts = Counter({_WHOLE: int(well[1]), FAILED: 0})
    return counts


def _numbers(line: str) -> Iterator[tuple[str, int]]:
    found = list(_WORD_FIRST.finditer(line)) or list(_COUNT_FIRST.finditer(line))
    for match in found:
        word = next((name for name, told in match.groupdict().items() if told), _WHOLE)
        yield word, int(next(one for one in match.groups() if one and one.isdecimal()))


def _judged(counts: Counter[str]) -> Mapping[str, int] | None:
    """Return how many passed and failed, where that is told or follows from the others."""
    if PASSED not in counts and not (FAILED in counts and _WHOLE in counts):
        return None
    failed = counts[FAILED]
    passed = counts[PASSED] if PASSED in counts else counts[_WHOLE] - failed - counts[_SKIPPED]
    return {PASSED: passed, FAILED: failed} if passed >= 0 else None
