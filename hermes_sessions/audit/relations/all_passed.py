"""Tests that still fail, in a handoff that has all of them pass. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.statements import Statement, contradiction
from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.audit.words.concepts import read_terms
from hermes_sessions.facts.polarity import is_negated
from hermes_sessions.late_patterns import late_pattern

_ALL: Final = late_pattern(
    r"\ball (?:of )?(?:the )?(?:\d+ )?(?:tests?|checks?|of them|suites?)?\b[^.;\n]{0,20}?\b(?:pass(?:es|ed)?|green|succeed\w*)\b|\b(?:tests?|suite|self[- ]?test|checks?)\b[^.;\n]{0,20}?\b(?:passe[sd]|pass|green|succeeded)\b[^.;\n]{0,40}?\b(?:included|too|as well)\b"
    r"|\balle\b[^.;\n]{0,30}?\b(?:laufen durch|bestanden|bestehen|grün|erfolgreich)\b|\b(?:tou(?:s|te|tes))\b[^.;\n]{0,30}?\b(?:passent|passe|réussi\w*|au vert|verts)\b|\bpasan tod[oa]s|\btod[oa]s\b[^.;\n]{0,30}?\b(?:pasan|pasaron|en verde|superad[oa]s)\b"
    r"|\bpassam tod[oa]s|\btod[oa]s\b[^.;\n]{0,30}?\b(?:passam|passaram)\b|\btutti\b[^.;\n]{0,30}?\b(?:passano|passati|superati)\b|\bвсе\b[^.;\n]{0,30}?\b(?:прош\w+|проход\w+|пройден\w*|зел[её]н\w*)|全部通过|都通过|全部(?:の)?(?:テスト)?.{0,6}(?:成功|通り|合格|パス)|모두 통과|전부 통과",
    re.I,
)
_FAILS: Final = late_pattern(
    r"\b(?:FAILED|FAIL|fail\w*|still (?:fails|red|broken)|schlägt|schlagen|fehlgeschlagen|échou\w*|échec\w*|fall[ao]\w*|falh\w*|fallisc\w*|падает|упал\w*|остал\w+)\b|失败|失敗|실패|✗|✘|not ok",
)
_MENDED: Final = late_pattern(
    r"\b(?:fixed|pass(?:es|ed)?(?: now)?|green|repaired|behoben|bestanden|läuft|grün|corrigé\w*|passe|réparé\w*|arreglad\w+|pasa|corrigid\w+|passa|исправл\w*|починил\w*|прош\w+|проходит)\b|修复|修好|通过|直り|修正|通りました|통과",
    re.I,
)


def passed_after_all(
    claims: Sequence[Statement], told: Sequence[Statement], rows: Sequence[AuditMessage]
) -> Iterator[Deviation]:
    """Yield sentences in which all tests pass, a certain one included that failed whenever it was named last."""
    for claim in claims:
        if (
            claim.mode is not Mode.STATED
            or claim.is_question
            or is_negated(claim.text)
            or not _ALL.search(claim.text)
            or _FAILS.search(_WITH_NAMES.sub(" ", claim.text))  # it tells of the failure itself
        ):
            continue
        names = frozenset(
            one for one in read_terms(claim.text).anchors if not one.isdecimal() and len(one) > 3
        )
        for name in sorted(names):
            origin = _last_failure(name, told, rows)
            if origin is not None:
                yield contradiction(claim, origin, "turned-result", "test_result", grave=True)
                break


def _last_failure(name: str, told: Sequence[Statement], rows: Sequence[AuditMessage]) -> Statement | None:
    """Return the line that has *name* fail, if it is the last that says how it went."""
    found: Statement | None = None
    passed = max((row.id for row in rows if _is_passed_run(row)), default=0)
    lines = [
        Statement(line.strip()[:400], row.id, row.role)
        for row in rows
        if row.role == "tool"
        for line in row.text.replace("\\n", "\n").splitlines()
        if name in line.casefold()
    ]
    for said in sorted([*lines, *(one for one in told if name in one.text.casefold())], key=_message):
        if _FAILS.search(said.text):
            found = said
        elif _MENDED.search(said.text) and not is_negated(said.text):
            found = None
    return found if found is None or found.message >= passed else None


def _is_passed_run(row: AuditMessage) -> bool:
    """Return whether a result is of a run of tests of which none failed."""
    if row.role != "tool" or _PASSED_RUN.search(row.text) is None:
        return False
    return _FAILS.search(_NONE_FAILED.sub(" ", row.text)) is None


_PASSED_RUN: Final = late_pattern(
    r"\b[1-9]\d{0,5} (?:tests? )?(?:pass(?:ed|ing)?|ok|succeeded)\b|(?:^|\\n|\n|\")\s?(?:ok|PASS|PASSED|OK)\b|\bBUILD SUCCESS|\bTests run: [1-9]\d*, Failures: 0, Errors: 0\b",
)
_NONE_FAILED: Final = late_pattern(r"\b(?:0 fail\w*|(?:fail\w*|errors?): ?0)\b|\bno failures?\b", re.I)
_WITH_NAMES: Final = late_pattern(r"`[^`]*`|\S*[/_.]\S*")


def _message(said: Statement) -> int:
    return said.message
