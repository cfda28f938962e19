"""A measure of a handoff whose number stands in the source only with another unit: `300 µM` for `300 nM`."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hermes_sessions.audit.alignment.items import plain_number
from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.passages import Mode
from hermes_sessions.audit.relations.statements import Statement
from hermes_sessions.late_patterns import late_pattern

_MEASURE: Final = late_pattern(
    r"(?<![\w.,:/-])(\d{1,9}(?:[.,]\d{1,6})*)[ \u00a0\u202f]?"
    r"([pnuµμmkMGTc]?(?:mol|M|s|m|g|l|L|A|V|W|Wh|Ah|Hz|B|b|bit|byte|K|Pa|N|J|F|Ω)|min|h|°C|°F|ppm|ppb|fps|rpm|bpm|mph|km/h|m/s|dB|[KMG]iB|EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|€|\$|£|¥|₽|元|円)"
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
        if (
            not units
            or one.unit in units
            or not own[one.number].isdisjoint(units)
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
    heads = {number.partition(".")[0][:_DIGITS] for number in numbers}
    for message, text in texts:
        if not any(head in text for head in heads):
            continue
        for line in text.splitlines():
            for one in _read(line) if any(head in line for head in heads) else ():
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


def _unit(written: str) -> str:
    plain = written.replace("μ", "µ")
    if len(plain) > 1 and plain[0] == "u":
        plain = f"µ{plain[1:]}"
    return _SAME.get(plain, plain)
