"""Results of test runs, as numbers: `2 failed`, `48 tests passed`."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes_sessions.facts.gates import gate
from hermes_sessions.facts.page import Mark, TextPage, hit_lines
from hermes_sessions.late_patterns import late_pattern

_WORDS: Final = gate(
    *(
        " passed",
        " failed",
        " skipped",
        " passing",
        " failing",
        " xfailed",
        " pending",
        " ignored",
        " failures",
        " total",
        " errors",
    ),
    *(
        "failures=",
        "errors=",
        "skipped=",
        "ran ",
        " pass",
        " fail",
        " green",
        " succeeded",
        " broken",
        " tests run",
    ),
    *(
        "bestanden",
        "fehlgeschlagen",
        "grün",
        "rot",
        "übersprungen",
        "réuss",
        "échou",
        "ignoré",
        "pasaron",
        "fallaron",
        "pasan",
        "fallan",
        "passent",
        "échec",
        "fallo",
        "passam",
        "falham",
        "passano",
        "falliscono",
        "bestehen",
    ),
    *(
        "прош",
        "упал",
        "провал",
        "пропущ",
        "успешно",
        "пройден",
        "aprobad",
        "fallid",
        "superad",
        "passaram",
        "falharam",
        "falliti",
        "superati",
        "başarı",
        "성공",
        "실패",
        "통과",
        "सफल",
        "通过",
        "失败",
        "跳过",
        "成功",
        "失敗",
        "スキップ",
        "パス",
        "نجح",
        "فشل",
        "اجتاز",
    ),
)
_COUNT = late_pattern(
    r"(?<![\w.,:#-])(\d{1,7}) (passed|failed|skipped|deselected|xfailed|xpassed|passing|failing(?: tests)?|pending|todo|ignored|failures?|errors?|error|total|flaky|cancelled|broken|succeeded)\b(?! (?:to|login|attempt|request|job|payment|the|an?|its|his|her|their)s?\b)"
)
_FIELD = late_pattern(
    r"\b(?:failures|errors|skipped|expected failures|passed|failed|tests)[=:] ?(\d{1,7})", re.I
)
_RAN = late_pattern(r"\bRan (\d{1,7} tests?)\b")
_MVN = late_pattern(r"Tests run: \d{1,7}|Failures: \d{1,7}|Errors: \d{1,7}|Skipped: \d{1,7}")
_SPOKEN = late_pattern(
    r"(?<![\w.,#])(\d{1,7}(?:(?: of | out of | von | sur | de | из |/)\d{1,7})?(?: of the)?(?: (?:unit|integration|new|e2e|api|regression|backend|frontend|other|more|of them))?(?: (?:tests?|specs?|test cases|checks|Tests?|tests|pruebas|тест\w{0,3}))?"
    r"(?: (?:now|are|all|still|were|have|sind|sont|están|have all|that))?(?: (?:now|still))? ?(?:pass(?:ed|es|ing)?|fail(?:ed|s|ing|ures?)?|green|red|broken|skipped|bestanden|fehlgeschlagen|grün|rot|übersprungen|réussis?|passent|échouent|échoué|échoués|ignorés|pasaron|fallaron|pasan|fallan|прошл[оиа]|прошёл|упал[оиа]?|провал\w{0,6}|пройден\w{0,2}|успешн\w{0,2}|aprobad[oa]s?|fallid[oa]s?|superad[oa]s?|omitid[oa]s?|passaram|passou|falharam|falhou|aprovad[oa]s|superati|falliti|fallito|passati|saltati|geçti|başarılı|başarısız|kaldı|пропущен\w{0,2}))\b(?! (?:the|an?|its|his|her|their) )"
)
_VERB_FIRST = late_pattern(
    r"\b((?:[Pp]asan|[Pp]asaron|[Ff]allan|[Ff]allaron|[Pp]assent|[ÉéEe]chouent|[Pp]assam|[Pp]assaram|[Ff]alham|[Ff]alharam|[Pp]assano|[Ff]alliscono|[Bb]estehen|[Пп]роходят|[Пп]адают) \d{1,7}(?: (?:tests?|pruebas?|testes|тест\w{0,3})\b|(?= (?:y|et|e|und|и)\b|[,;)]|\.?(?:\s|$)(?! ?[^\W\d]))))"
    r"|(?<![\w.,])(\d{1,7} (?:échecs?|fallos?|fallimenti|falhas?))\b"
)
"""`Pasan 83 pruebas y fallan 2`, `18 tests réussis, 1 échec`."""
_TESTS: Final = gate(
    "test", "spec", "check", "тест", "prueba", "prüfung", "essai", "сборк", "aprobad", "fallid"
)
OF_ALL: Final = (" of ", " of the ", " out of ", " von ", " sur ", " из ")
"""Before the number of all: of `two of 35 tests fail` the two do."""
_DIGIT = late_pattern(r"\d")
_CJK = late_pattern(
    r"((?:通过|失败|跳过|成功|失敗|スキップ|通過)(?:[:： ]{1,2}\d{1,7}(?= ?[个項项件]?(?:[,，、;；。)）\s]|$))|は?\d{1,7} ?[个項项件](?![の]))|\d{1,4}개(?:의 테스트)?(?:가|는|이)? ?(?:통과|성공|실패)|\d{1,7} (?:परीक्षण|टेस्ट) (?:सफल|विफल|पास|फेल)\w*|\d{1,7} ?(?:个|項|项|件)?(?:の)?(?:测试|測試|用例|テスト)?(?:用例|都|が|は|全部|均)?(?:已)?(?:通过|失败|跳过|成功|失敗|スキップ|パス)(?!は?[:： ]{0,2}\d))"
)
_ARABIC = late_pattern(
    r"((?:نجح|فشل|اجتاز)\w{0,2} \d{1,7} (?:اختبار\w{0,2})?|\d{1,7} (?:اختبار\w{0,2}) (?:ناجح\w{0,2}|فاشل\w{0,2}))"
)
_RUN = late_pattern(
    r"\d (?:passed|failed|skipped), \d|={3,}|\bin \d[\d.]{0,12} ?m?s|^\s*(?:tests?|test suites|test files|suites|snapshots|specs|#)\b|test result:|\btests?\b|\bpassing\b|\bspecs?\b|\bsuites?\b|\bpassed\b.{0,40}\bfailed\b|\bfailed\b.{0,40}\bpassed\b|^\s*\d+ (?:passed|failed|skipped|failing|pending|passing)",
    re.I,
)
_ZERO: Final = (
    "ignored",
    "deselected",
    "total",
    "pending",
    "todo",
    "skipped",
    "errors",
    "error",
    "xfailed",
    "xpassed",
    "cancelled",
    "flaky",
)
_SUITE = late_pattern(r"^\s*(Test Suites|Test Files|Tests|Snapshots|Suites|Specs)\b:?")


def outcome_marks(page: TextPage) -> Iterator[Mark]:
    """Yield how many tests passed, failed or were left out; a zero where it says something."""
    if page.looks == "code":
        return
    tests = page.opened.get(_TESTS, ())
    for start, end in hit_lines(page, _WORDS):
        line = page.text[start:end]
        if not _DIGIT.search(line):
            continue
        found = list(_told(line, page, tests))
        found += [one for one in _counts(line) if not any(first <= one[0] < last for first, last in found)]
        suite = _SUITE.match(line)
        for first, last in found:
            yield Mark("test_result", start + first, start + last, suite[1] if suite else "")


def _counts(line: str) -> Iterator[tuple[int, int]]:
    counted = list(_COUNT.finditer(line))
    if counted and _RUN.search(line):
        for match in counted:
            is_whole = line.endswith(OF_ALL, 0, match.start())  # `one of 15 failed`
            if not is_whole and not (match[1] == "0" and match[2] in _ZERO):
                yield match.span()
    if ran := _RAN.search(line):
        yield ran.span(1)
    if "(failures=" in line or "(errors=" in line or "(skipped=" in line:
        yield from (match.span() for match in _FIELD.finditer(line))
    if "Tests run:" in line:
        yield from (match.span() for match in _MVN.finditer(line))


def _told(line: str, page: TextPage, tests: Sequence[str]) -> Iterator[tuple[int, int]]:
    if page.is_speech or page.form == "data":
        lowered = line.lower()
        if any(word in lowered for word in tests):
            yield from (
                match.span(1)
                for match in _SPOKEN.finditer(line)
                if " " in match[1] and not line.endswith(OF_ALL, 0, match.start(1))
            )
            yield from (match.span() for match in _VERB_FIRST.finditer(line))
        if not line.isascii():
            for shape in (_CJK, _ARABIC):
                yield from (match.span(1) for match in shape.finditer(line))
