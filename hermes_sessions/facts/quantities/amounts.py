"""What a written quantity, date or time amounts to, so that two ways of writing one are equal."""

import re
from functools import lru_cache
from math import prod
from typing import Final, NamedTuple

from hermes_sessions.facts.wording.units import MONTHS
from hermes_sessions.late_patterns import late_pattern

_DIGITS = late_pattern(r"[-−+]?\d[\d.,'’\u00a0\u202f ٫٬_]*")
SECONDS: Final = {
    **dict.fromkeys("ns".split(), 1e-9),
    **dict.fromkeys("µs us".split(), 1e-6),
    **dict.fromkeys("ms msec milliseconds millisekunden millisecondes milisegundos 毫秒 миллисекунд".split(), 1e-3),
    **dict.fromkeys(
        "s sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos secondo secondi saniye с сек секунд секунды секунду sekund sekundy sekundę seconden sekunder 초 秒 秒間 秒钟 ثانية ثواني".split(), 1.0
    ),
    **dict.fromkeys("m min mins minute minutes minuten minuto minutos minuti dakika мин минут минуты минуту minut minuty minutę minuut minuter 분 分钟 分 分間 دقيقة دقائق".split(), 60.0),
    **dict.fromkeys("h hr hrs hour hours std stunde stunden heure heures hora horas ora ore saat ч час часа часов godz godzina godziny godzin godzinę uren timme timmar 시간 小时 時間 ساعة ساعات".split(), 3600.0),
    **dict.fromkeys("d day days tag tage tagen jour jours día días dia dias giorno giorni gün день дня дней dzień dni dnia dagen dagar 일 天 日間 日 يوم أيام".split(), 86400.0),
    **dict.fromkeys("week weeks woche wochen semaine semaines semana semanas settimana settimane hafta неделя недели недель tydzień tygodnie tygodni weken vecka veckor 주 周 週間 أسبوع أسابيع".split(), 604800.0),
}  # fmt: skip
"""How many seconds a unit of time has, by the words for it."""
_SCALES: Final = {
    "k": 1e3,
    "K": 1e3,
    "M": 1e6,
    "million": 1e6,
    "Mio": 1e6,
    "млн": 1e6,
    "тыс": 1e3,
    "B": 1e9,
    "billion": 1e9,
}
_MYRIADS: Final = {
    **dict.fromkeys("千천", 1e3),
    **dict.fromkeys("万萬만", 1e4),
    **dict.fromkeys("億亿억", 1e8),
}
MYRIADS: Final = "".join(_MYRIADS)
"""What a number may be multiplied by in Chinese, Japanese and Korean, a part of it too: `15万1,500`."""
_BYTES: Final = {
    "b": 1.0,
    "bytes": 1.0,
    "byte": 1.0,
    "kb": 1e3,
    "mb": 1e6,
    "gb": 1e9,
    "tb": 1e12,
    "kib": 2.0**10,
    "mib": 2.0**20,
    "gib": 2.0**30,
    **dict.fromkeys(("кб", "ko", "килобайт"), 1e3),
    **dict.fromkeys(("мб", "mo", "мегабайт", "メガバイト", "메가바이트", "ميغابايت"), 1e6),
    **dict.fromkeys(("гб", "go", "гигабайт", "ギガバイト", "기가바이트", "جيجابايت"), 1e9),
    "тб": 1e12,
}
_MONEY: Final = {
    "€": "eur", "euro": "eur", "euros": "eur", "$": "usd", "us$": "usd", "dollar": "usd", "dollars": "usd", "دولار": "usd", "ドル": "usd", "美元": "usd", "달러": "usd", "долларов": "usd", "dólares": "usd", "يورو": "eur", "欧元": "eur", "ユーロ": "eur", "유로": "eur", "евро": "eur",
    "yuan": "cny", "yen": "jpy", "£": "gbp", "pounds": "gbp", "¥": "jpy",
    "円": "jpy", "元": "cny", "rmb": "cny", "人民币": "cny", "₽": "rub", "руб": "rub", "рублей": "rub", "рубля": "rub", "рубль": "rub",
}  # fmt: skip
NUMBER_WORDS: Final = {
    word: number
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
        "zero um dois três quatro cinco seis sete oito nove dez onze doze",
        "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
        "零 一 二 三 四 五 六 七 八 九 十 十一 十二",
        "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة أحد\u00a0عشر اثنا\u00a0عشر",
    )
    for number, word in enumerate(words.split(" "))
}
"""Numbers as words, up to twelve; `null` and `un` count only before a noun."""


_PLAIN_DIGITS: Final = 12
"""A value of so many digits and nothing else is read as it stands."""


class Amount(NamedTuple):
    """A number with its unit; `step` is the precision it is written in."""

    number: float
    unit: str
    step: float


@lru_cache(maxsize=8_192)
def read_amount(value: str) -> tuple[Amount, ...]:
    """Return what *value* may mean: two readings where a separator is ambiguous, none where there is no number."""
    if value.isdecimal() and value.isascii() and len(value) <= _PLAIN_DIGITS:
        return (Amount(float(value), "", 1.0),)
    match = _DIGITS.search(value)
    if match is None:
        word, _, unit = value.strip().partition(" ")
        known = NUMBER_WORDS.get(word.lower())
        return (_scaled(float(known), 0.0, unit),) if known is not None else ()
    digits = match.group().rstrip(" .,'’\u00a0\u202f_")
    rest = (value[: match.start()] + " " + value[match.start() + len(digits) :]).strip()
    if compound := _compound(value) or _in_myriads(value, match.start()):
        return (compound,)
    return tuple(_scaled(number, step, rest) for number, step in _readings(digits))


def _readings(digits: str) -> list[tuple[float, float]]:
    """`1,048` is a thousand or a decimal; `1.048.576` and `1,234.5` say it themselves."""
    if digits.isdecimal():
        return [(float(digits), 1.0)]
    sign = -1.0 if digits[0] in "-−" else 1.0
    text = digits.lstrip("-−+").replace("٫", ".").translate(_BLANKS)
    marks = [one for one in text if one in ".,"]
    if not marks:
        return [(sign * float(text), 1.0)]
    last = max(text.rfind("."), text.rfind(","))
    whole, part = re.sub(r"[.,]", "", text[:last]), text[last + 1 :]
    decimal = (sign * float(f"{whole or 0}.{part or 0}"), 10.0 ** -len(part))
    grouped = (sign * float(whole + part), 1.0)
    if len(set(marks)) == 2:
        return [decimal]
    if len(marks) > 1:
        return [grouped]
    return [grouped, decimal] if len(part) == 3 and whole.lstrip("0") else [decimal]


_BLANKS: Final = str.maketrans("", "", " '’\u00a0\u202f_٬")


def _scaled(number: float, step: float, rest: str) -> Amount:
    scale, unit = _scale_of(rest)
    return Amount(number * scale, unit, step * scale)


@lru_cache(maxsize=1_024)
def _scale_of(rest: str) -> tuple[float, str]:
    """Return how much one of what stands behind a number is, and its unit."""
    word, _, after = rest.partition(" ")
    if word in _SCALES and (after or word not in ("B",)):
        return _SCALES[word], _unit(after)
    if len(rest) > 1 and rest[0] in "kKMB" and not rest[1].isalpha() and rest[0] in _SCALES:
        return _SCALES[rest[0]], _unit(rest[1:])
    lowered = rest.lower().strip("-‑ .")
    if lowered in SECONDS:
        return SECONDS[lowered], "seconds"
    return (_BYTES[lowered], "bytes") if lowered in _BYTES else (1.0, _unit(rest))


_MYRIAD_PART = late_pattern(rf"(\d{{1,12}}(?:,\d{{3}})*(?:\.\d{{1,6}})?)([{MYRIADS}]{{0,2}})")


def _in_myriads(value: str, start: int) -> Amount | None:
    """Return the sum of parts, each with its own word for how much it is; None where no part has one."""
    if value.isascii():
        return None
    sign = -1.0 if value[start] in "-−" else 1.0
    total, step, at = 0.0, 0.0, start + (not value[start].isdigit())
    while part := _MYRIAD_PART.match(value, at):
        scale = prod(map(_MYRIADS.__getitem__, part[2]))
        total += float(part[1].replace(",", "")) * scale
        step = scale * 10.0 ** -len(part[1].partition(".")[2])
        at = part.end()
        if not part[2]:
            break
    is_scaled = any(one in _MYRIADS for one in value[start:at])
    return Amount(sign * total, _unit(value[at:]), step) if is_scaled else None


_PARTS = late_pattern(r"(\d{1,9}(?:[.,]\d{1,6})?)[ \u00a0-]?([A-Za-zµ]{1,12}|[а-яё]{1,12})")


def _compound(value: str) -> Amount | None:
    parts = _PARTS.findall(value)
    if len(parts) < 2 or any(unit.lower() not in SECONDS for _, unit in parts):
        return None
    total = sum(float(number.replace(",", ".")) * SECONDS[unit.lower()] for number, unit in parts)
    return Amount(total, "seconds", SECONDS[parts[-1][1].lower()])


def _unit(words: str) -> str:
    """The last word of a unit without the ending of its plural; currencies by their code."""
    word = words.lower().strip(" -‑.,;").rpartition(" ")[2]
    if word in _MONEY or words.strip() in _MONEY:
        return _MONEY.get(word) or _MONEY[words.strip()]
    if word in ("%", "％", "٪", "percent", "prozent", "процентов", "パーセント", "cent", "ciento", "pct"):
        return "%"
    for ending in ("ies", "en", "es", "s", "n"):
        if len(word) > len(ending) + 2 and word.endswith(ending):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


def same_amount(one: Amount, other: Amount) -> bool:
    """Return whether both say the same, as far as the coarser one goes."""
    if one.unit != other.unit and one.unit and other.unit:
        return False
    if one.number == other.number:
        return True
    if (one.number < 0) != (other.number < 0):
        return False
    fine, coarse = (one, other) if one.step <= other.step else (other, one)
    if coarse.step <= fine.step or abs(fine.number) < coarse.step:
        return abs(one.number - other.number) <= 1e-9 * abs(one.number)
    return abs(fine.number - coarse.number) <= coarse.step / 2 * (1 + 1e-9)


_ISO = late_pattern(r"(\d{4})[-/.年 ]+(\d{1,2})[-/.月 ]+(\d{1,2})")
_NUMERIC = late_pattern(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{2,4})")
_CJK = late_pattern(r"(?:(\d{4}) ?[年년] ?)?(\d{1,2}) ?[月월](?: ?(\d{1,2}))?")
_ISO_MONTH = late_pattern(r"(\d{4})-(0[1-9]|1[0-2])")
_WORD = late_pattern(r"[^\W\d_]{3,12}")
_CLOCK = late_pattern(
    r"(\d{1,2})(?: ?[:hH時点时點시](?: ?(\d{1,2})(?!\d))?|\.(\d{2})(?!\d))?(?: ?(半|반|[一三]刻))?(?: ?[:分분] ?(\d{1,2}))?"
)
_OF_AN_HOUR: Final = {"半": 30, "반": 30, "一刻": 15, "三刻": 45}
"""Minutes of a part of an hour."""

Day = tuple[int, int, int]
"""Year (0 where it is not said), month, day."""


@lru_cache(maxsize=2_048)
def read_days(value: str) -> frozenset[Day]:
    """Return the days that *value* may mean; `03/04/2026` is two."""
    if match := _ISO.search(value):
        return frozenset({(int(match[1]), int(match[2]), int(match[3]))})
    if match := _CJK.search(value):
        return frozenset({(int(match[1] or 0), int(match[2]), int(match[3] or 0))})
    if match := _ISO_MONTH.fullmatch(value.strip()):
        return frozenset({(int(match[1]), int(match[2]), 0)})
    if match := _NUMERIC.fullmatch(value.strip()):
        year = int(match[3]) + (2000 if len(match[3]) == 2 else 0)
        one, two = int(match[1]), int(match[2])
        return frozenset((year, month, day) for month, day in ((two, one), (one, two)) if month <= 12)
    month = next((MONTHS[word.lower()] for word in _WORD.findall(value) if word.lower() in MONTHS), 0)
    numbers = [int(one) for one in re.findall(r"\d{1,4}", value)]
    years = [one for one in numbers if one > 31]
    days = [one for one in numbers if one <= 31]
    return frozenset({(years[0] if years else 0, month, days[0] if days else 0)}) if month else frozenset()


def same_day(one: str, other: str) -> bool:
    """Return whether two dates can be the same day; a year or a day left out fits any."""
    return any(
        first[1] == second[1]
        and all(first[at] == second[at] or 0 in (first[at], second[at]) for at in (0, 2))
        for first in read_days(one)
        for second in read_days(other)
    )


def read_clock(value: str) -> tuple[int, int, int] | None:
    """Return hour, minute and second of a time of day."""
    match = _CLOCK.search(value)
    if match is None:
        return None
    hour = int(match[1])
    lowered = value.lower().replace(".", "")
    if hour < 12 and any(word in lowered for word in _AFTERNOON):
        hour += 12
    if "am" in lowered and hour == 12:
        hour = 0
    minute = int(match[2] or match[3] or _OF_AN_HOUR.get(match[4], 0))
    return hour, minute, int(match[5] or 0)


_AFTERNOON: Final = (
    "pm",
    "下午",
    "午後",
    "午后",
    "晚上",
    "오후",
    "de la tarde",
    "da tarde",
    "de la noche",
    "du soir",
    "вечера",
)


PHYSICAL: Final = frozenset(
    {"seconds", "bytes", "%", "eur", "usd", "gbp", "jpy", "cny", "rub", "mm", "cm", "km", "m", "kg", "g", "mg", "l", "w", "kw", "kwh", "v", "a", "°c", "px", "hz", "mhz", "ghz", "gb", "mb", "kb", "tb"}
)  # fmt: skip
"""Units that mean the same in every language."""


def is_physical(value: str) -> bool:
    """Return whether *value* is measured in a unit that means the same in every language."""
    return any(amount.unit in PHYSICAL for amount in read_amount(value))


def same_unit(one: str, other: str) -> bool:
    """Return whether two quantities can be compared: one unit, or one of them does not say."""
    return any(
        first.unit == second.unit
        or not first.unit
        or not second.unit
        or not (first.unit in PHYSICAL or second.unit in PHYSICAL)
        for first in read_amount(one)
        for second in read_amount(other)
    )


def same_quantity(one: Amount, other: Amount) -> bool:
    """Return whether both say the same; what is counted may be named in another language."""
    if same_amount(one, other):
        return True
    if one.unit in PHYSICAL or other.unit in PHYSICAL:
        return False
    return one.number == other.number
