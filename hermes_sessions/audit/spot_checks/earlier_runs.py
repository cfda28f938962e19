"""Results of tests in a handoff that are of an earlier run, or of none, where it has not those of the last one."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode, is_heading
from hermes_sessions.audit.relations.replacing import tells_former
from hermes_sessions.audit.relations.statements import Statement, ToldSentences
from hermes_sessions.audit.spot_checks.runs_of_tests import last_run
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.facts.quantities.amounts import NUMBER_WORDS
from hermes_sessions.late_patterns import late_pattern

_PASSED: Final = r"pass(?:ed|ing|es)?|bestanden|erfolgreich|réussis?|passent|pasan|pasaron|passam|passaram|passati|geslaagd|przeszł\w+|прошл[оаи]|пройдено"
_FAILED: Final = r"fail(?:ed|ing|ures?|s)?|fehlgeschlagen|échecs?|échou\w+|fallos?|fallan|fallaron|falhas?|falharam|fallit[io]|gefaald|mislukt\w*|nie przeszł\w+|упал[оаи]?|провален\w*"
_TOLD: Final = late_pattern(
    rf"(?<![\w.,/:-])(?<!of )(?<!von )(?<!sur )(?<!de )(?<!di )(?<!из )(\d{{1,5}}|[^\W\d_]{{2,12}})\s(?:[^\W\d_]+\s){{0,2}}?(?:(?P<passed>{_PASSED})|(?P<failed>{_FAILED}))\b",
    re.I,
)
_TESTS: Final = late_pattern(
    r"\b(?:tests?|specs?|suite|prueb\w+|testes|testów|testy|тест\w*)\b|测试|テスト|테스트|passed|failed|pytest|::",
    re.I,
)
_FIRST: Final = late_pattern(
    r"\b(?:first|initial\w*|before|earlier|against|erst\w*|zuerst|vorher|zuvor|anfangs|d['’]abord|avant|premi\w+|primer\w*|antes|primeir\w*|prim[ao]|сначала|перв\w+|до|eerst\w*|voor|najpierw|przed|pierwsz\w+)\b|最初|先|之前|初め|처음",
    re.I,
)
"""Words of what was so at first."""


def results_of_earlier_runs(
    claims: Sequence[Statement], told: ToldSentences, rows: Sequence[AuditMessage]
) -> Iterator[Deviation]:
    """Yield sentences with a count of tests that is not of the last run, where the handoff lacks the last one's."""
    counted = [(claim, side, number) for claim in claims for side, number in _counts(_TOLD, claim.text)]
    run = last_run(rows) if counted else None
    if run is None:
        return
    known = {(side, number) for _, side, number in counted}
    since = [one.text for one in told if one.message > run.message]
    known |= {found for text in since for found in _counts(_TOLD, text)}
    for claim, side, number in counted:
        right = run.counts.get(side)
        if right is None or right == number or (side, right) in known or not _is_of_now(claim):
            continue
        if any(_is_counted_in(text, number) for text in since):
            continue
        yield Deviation(
            Grade.NOT_VERBATIM,
            "test_result",
            claim.text,
            claim.text,
            "earlier-run",
            run.line,
            run.line,
            run.message,
        )


def _is_counted_in(text: str, number: int) -> bool:
    """Return whether tests are counted anew, in whatever words."""
    return (
        _TESTS.search(text) is not None
        and re.search(rf"(?<![\w.,/#-]){number}(?![\w%]|[.,]\d)", text) is not None
    )


def _is_of_now(claim: Statement) -> bool:
    if claim.mode is not Mode.STATED or is_heading(claim.text) or _TESTS.search(claim.text) is None:
        return False
    return not tells_former(claim.text) and _FIRST.search(claim.text) is None


def _counts(shape: re.Pattern[str], text: str) -> Iterator[tuple[str, int]]:
    """Yield each number of tests in *text* with how they went."""
    for match in shape.finditer(text):
        number = int(match[1]) if match[1].isdecimal() else NUMBER_WORDS.get(match[1].casefold())
        if number is not None:
            yield ("passed" if match["passed"] else "failed"), int(number)
