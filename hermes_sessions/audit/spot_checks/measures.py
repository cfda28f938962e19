"""A measure of a handoff whose number stands in the source only with another unit: `300 µM` for `300 nM`."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern

_MEASURE: Final = late_pattern(
    r"(\d(?<![\w.,:/-].)\d{0,8}(?:[.,]\d{1,6})*)[ \u00a0\u202f]?"
    r"((?:k|M|T)(?:€|EUR|USD|\$)|(?:euro|cent|Cent|céntimo|centime|cêntimo|centesim|litro|litre|liter|Liter|litri|hectolitr|Hektoliter|millilit|décilitr|tonne|Tonne|tonelada|kilo|gramm|Gramm|gram|dollar|Euro)\w{0,3}|mmag|mag|hl|cl|dl|ml|km|cm|mm|ct|[pnuµμmkMGTc]?(?:mol|M|s|m|g|l|L|A|V|W|Wh|Ah|Hz|B|b|bit|byte|K|Pa|N|J|F|Ω)|min|h|°C|°F|ppm|ppb|fps|rpm|bpm|mph|km/h|m/s|dB|[KMG]iB|EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|€|\$|£|¥|₽|元|円)"
    r"(?![\w/%])"
)
_MONEY: Final = late_pattern(
    r"(€|\$|£|¥|₽|EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN)\s?(\d{1,9}(?:[.,]\d{1,6})*)(?![\w/])"
)
_SAME: Final = {
    "€": "EUR", "$": "USD", "£": "GBP", "L": "l", "M": "MB", "G": "GB", "T": "TB", "k": "kB", "KB": "kB", "K": "kB", "B": "b",
    "MiB": "MB", "GiB": "GB", "KiB": "kB", "Mi": "MB", "Gi": "GB",
}  # fmt: skip
"""Signs that people write for the same unit."""
_WORDS: Final = {
    "euro": "EUR", "dollar": "USD", "cent": "ct", "cént": "ct", "cênt": "ct", "hect": "hl", "hekt": "hl", "milli": "ml", "décil": "dl",
    "lit": "l (words)", "tonn": "t", "tonel": "t", "kilo": "kg", "gram": "g (words)",
}  # fmt: skip
"""How the words for a unit begin, in any of the languages that are read."""
_SIGN: Final = 3
_LOOSE: Final = frozenset({"m", "l", "N", "F", "J"})
"""Single letters that are too often something else: *384m* of memory."""
_DIGITS: Final = 2


class _Measure(NamedTuple):
    number: str
    unit: str
    text: str


def measures_with_other_units(
    claims: Sequence[Statement], texts: Sequence[tuple[int, str]]
) -> Iterator[Deviation]:
    """Yield measures whose number has another unit wherever it has one in *texts*, and never this one."""
    asked = [
        (claim, one)
        for claim in claims
        if claim.mode is not Mode.OWN
        for one in _read(claim.text)
        if len(one.number.replace(".", "")) >= _DIGITS and one.unit not in _LOOSE
    ]
    if not asked:
        return
    own: dict[str, set[str]] = {}
    for claim in claims:
        for one in _read(claim.text):
            own.setdefault(one.number, set()).add(one.unit)
    known = _known({one.number for _, one in asked}, texts)
    for claim, one in asked:
        units = known.get(one.number, {})
        bases = {_base(unit) for unit in units}
        if (
            not units
            or _base(one.unit) in bases
            or not bases.isdisjoint(map(_base, own[one.number]))
            or not units.keys().isdisjoint(_LOOSE)
        ):
            continue
        message, other, line = next(iter(units.values()))
        yield Deviation(
            Grade.NOT_VERBATIM, "number", one.text, claim.text, "other-measure", other, line, message or None
        )


def _known(numbers: set[str], texts: Sequence[tuple[int, str]]) -> dict[str, dict[str, tuple[int, str, str]]]:
    """Return of each number its units in the source, with the message, the measure and the line of each."""
    found: dict[str, dict[str, tuple[int, str, str]]] = {}
    heads = re.compile("|".join(sorted({number.partition(".")[0][:_DIGITS] for number in numbers})))
    for message, text in texts:
        if not heads.search(text):
            continue
        for line in text.splitlines():
            for one in _read(line) if heads.search(line) else ():
                if one.number in numbers:
                    found.setdefault(one.number, {}).setdefault(
                        one.unit, (message, one.text, line.strip()[:400])
                    )
    return found


def _read(text: str) -> Iterator[_Measure]:
    for match in _MEASURE.finditer(text):
        yield _Measure(plain_number(match[1]), _unit(match[2]), match.group())
    for match in _MONEY.finditer(text):
        yield _Measure(plain_number(match[2]), _unit(match[1]), match.group())


def _base(unit: str) -> str:
    """Return a unit without the remark that it was written as a word."""
    return unit.partition(" ")[0]


def _unit(written: str) -> str:
    plain = written.replace("μ", "µ")
    if len(plain) > _SIGN and plain.isalpha():
        plain = next((unit for stem, unit in _WORDS.items() if plain.casefold().startswith(stem)), plain)
    if len(plain) > 1 and plain[0] == "u":
        plain = f"µ{plain[1:]}"
    return _SAME.get(plain, plain)
