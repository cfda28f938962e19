"""Speech as sentences: without list signs, quotations and what only shows data."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from hermes_sessions.facts.page import TextPage
from hermes_sessions.facts.speech.stops import inner_stops
from hermes_sessions.facts.values import MAX_FACT_CHARS
from hermes_sessions.late_patterns import late_pattern

_MAX_LINE_CHARS: Final = 20_000
_MAX_INDENT: Final = 20
_POINTS: Final = (":", "：")
_LEAD = late_pattern(
    r"(?:[ \t]{0,20}(?:[-*•·–—]|\d{1,3}[.)]|[a-z][.)]|\[[ xX✓]?\]|☐|☑|✅|→|\(?[0-9]\)|[#]{1,6}(?= ))[ \t]{1,4})*[ \t]{0,20}(?:\*\*|__)?"
)
_END = late_pattern(
    r"[.!?…][\"'”»)*_]{0,3}[ \t]+(?=[^a-zа-яà-ÿ]|[a-z]\w*[-_]\w|(?:never|do not|don't|don’t|please|can|could|also|then|but|only|always|i|we|it|this|that|you|use|keep|make|bitte|und|ne|no)\b)|(?<![.!?…])[.!?][ \t]+(?=[a-zа-яà-ÿ])|[。！？؟।][”」』]?"
)
_ABBREVIATION = late_pattern(
    r"(?:\b(?:e\.g|i\.e|z\.B|d\.h|bzw|ca|etc|vs|Dr|Mr|Mrs|Ms|Prof|Sr|Nr|No|St|approx|Inc|Ltd|p\.ej|т\.е|т\.д|Abs|Art|fig)|(?<![\w-])[A-Z]|^\d{1,3}|(?<![\d:.,-])(?<!\dh )(?<!\d h )\b\d{1,2})\.$"
)
_BEGINS: Final = late_pattern(
    r"[ \t]{1,4}(?:The|This|That|These|Those|There|Then|It|Its|We|Our|You|Your|They|He|She|Please|Never|Always|Do|Don['’]t|After|Before|Until|From|If|When|While|And|But|So|Nobody|Nothing|Everything|All|No"
    r"|Der|Die|Das|Dem|Den|Ein|Eine|Es|Er|Sie|Wir|Ihr|Ich|Danach|Dann|Bis|Ab|Bitte|Nie|Niemals|Immer|Wenn|Und|Aber|Alle|Kein|Keine|Vorher|Nachher"
    r"|El|La|Los|Las|Un|Una|Se|No|Nunca|Después|Antes|Le|Les|Il|Elle|On|Nous|Vous|Ne|Après|Avant|Ensuite|Puis)(?![\w-])"
)
"""What a sentence begins with behind a number, which is no ordinal then: *until January 4. The freeze ...*"""

_SHORT_WORDS: Final = r"it|me|us|so|up|on|in|is|do|go|be|ok|no|to|by|PR|CI|DB|QA|UI|UTC|zu|an|ab|da|es|du|so|er|là|ça|tu|le|la|sí|no|ya|yo|lo|él|já|só|ok|sì|qui|да|не|он|мы|вы|ты|её|их|им"
_WORD_END = late_pattern(
    rf"(?:(?<![^\W_])(?:{_SHORT_WORDS})|[^\W\d_]{{3}}|\w\w\.[^\W\d_]{{2}}|\d{{3}}|[\w)`\"'”»][)`\"'”»])[.!?]$",
    re.I,
)
"""What a sentence can end with before one that begins in lower case."""

_SHORTENED = late_pattern(
    r"(?:(?<![^\W_])(?:esp|req|resp|seq|incl|excl|usw|evtl|ggf|inkl|exkl|max|min|avg|num|misc|vol|sec|ver|rev|est|dept|env|cap|tel|std|sek|mio|mrd|tsd|str|sog|vgl|bspw|allg|abs|bzgl|zzgl|ggü|gem|lfd|orig|temp|ref|pág|núm|aprox|máx|mín|ejem|esc|par|chap|exemp|ecc|pag|num|prov|стр|руб|тыс|млн|млрд|напр|мин|сек|рис|табл|etc|approx|fig|prof|nos|eds|orig|vers|art|sect|appx|viz|ibid|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)|\.\w)\.$",
    re.I,
)
_PART_OF_NUMBER = late_pattern(r"(?<![^\W\d_]{2})[vV]?\d{1,4}\.$")
_DATA = late_pattern(
    r"\s*(?:>|\||<[a-z/!]|\$ |\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|(?:INFO|WARN|WARNING|DEBUG|ERROR|FATAL|TRACE)\b|at [\w$.]+\(|File \"|Traceback|[{}\[\]();]+$|@@|\+\+\+|---)"
)
_DATA_ENDS: Final = frozenset("{;")
_DATA_HEADS: Final = frozenset(">|<$0123456789[{}()];@+-IWDEFTa")
"""What a line of data can begin with."""

_HEADING = late_pattern(r"\s*(?:#{1,6} +|\*\*(?=[^*]{2,60}\*\*:?\s*$)|(?=[^\n:：.。]{2,60}[:：]\s*$))")


class Sentence(NamedTuple):
    """A sentence: its place in the page, whether it is an item of a list, and under which heading."""

    start: int
    end: int
    item: bool
    box: str
    heading: str


_BOX = late_pattern(r"\[([ xX✓])\]|(☐)|([☑✅✓✔])")


def sentences(page: TextPage) -> tuple[Sentence, ...]:
    """Return the sentences of *page* in order; headings are not among them."""
    return _sentences(page.text)


@lru_cache(maxsize=1)  # two rules in a row read the same page
def _sentences(text: str) -> tuple[Sentence, ...]:
    return tuple(_read(text))


def _read(text: str) -> Iterator[Sentence]:
    heading, following = "", False
    place = 0
    for line in text.split("\n"):
        start, place = place, place + len(line) + 1
        bare = line.lstrip()
        if not line or len(line) > _MAX_LINE_CHARS or (bare and _is_data(line, bare)):
            continue
        if len(line) < 80 and (title := _heading(line)) is not None:
            heading = title
            continue
        if len(line) < 200 and line.rstrip().endswith(_POINTS):
            heading = _after_point(line)
            following = True
        shift = _lead(line, bare)
        head = line[:shift]
        item = bool(head.strip(" \t*_"))
        if not item and not following:
            heading = heading if line.startswith((" ", "\t")) else ""
        following = False
        box = _box(head) if item else ""
        for first, last in _split(line, shift):
            yield Sentence(start + first, start + last, item, box, heading)


def _is_data(line: str, bare: str) -> bool:
    """Return whether *line*, which is *bare* without its indent, shows data by how it begins or ends."""
    line = line[:MAX_FACT_CHARS]
    if line.rstrip()[-1:] in _DATA_ENDS:
        return True
    first = bare[0]
    return (first in _DATA_HEADS or not first.isascii()) and _DATA.match(line) is not None


def _heading(line: str) -> str | None:
    if not ("#" in line or "**" in line or line.rstrip().endswith(_POINTS)):
        return None
    found = _HEADING.match(line)
    return line[found.end() :].strip(" :：*#\t") if found else None


def _lead(line: str, bare: str) -> int:
    """Return how much of *line* is indent and signs of a list."""
    if not bare or (bare[0].isalpha() and bare[1:2] not in (".", ")")):
        indent = len(line) - len(line.lstrip(" \t"))
        return min(indent, _MAX_INDENT)
    found = _LEAD.match(line)
    return found.end() if found else 0


def _after_point(line: str) -> str:
    """`Done. Files changed:` heads a list with its last sentence."""
    return line.rpartition(". ")[2].rpartition("。")[2].strip(" :：*#\t")


def _box(head: str) -> str:
    match = _BOX.search(head)
    if match is None:
        return ""
    return "open" if match[1] == " " or match[2] else "done"


def _split(line: str, start: int) -> Iterator[tuple[int, int]]:
    for match in _END.finditer(line, start):
        end = match.start() + 1
        if line[end - 1] == "." and _ABBREVIATION.search(line, max(start, end - 12), end):
            counted = line[end - 2 : end - 1].isdigit() and end - start > _LEAST_BEFORE
            if not (counted and _BEGINS.match(line, end)):
                continue
        if line[end - 1] == "." and end in inner_stops(line):
            continue
        if not _may_end(line, max(start, end - 12), end, line[match.end() : match.end() + 1]):
            continue
        yield _trim(line, start, end)
        start = match.end()
    if start < len(line) and not line[start:].isspace():
        yield _trim(line, start, len(line))


def _may_end(line: str, start: int, end: int, following: str) -> bool:
    """Return whether a sentence may end with line[start:end] where its next sign is in lower case or a digit."""
    if following.islower() and line[end : end + 1] in _BLANKS:
        return _WORD_END.search(line, start, end) is not None and not _SHORTENED.search(line, start, end)
    return not (following.isdigit() and _PART_OF_NUMBER.search(line, start, end))


_BLANKS: Final = (" ", "\t")
_LEAST_BEFORE: Final = 5
"""A shorter piece is the number of an item."""
_EDGE: Final = " \t*_"


def _trim(line: str, start: int, end: int) -> tuple[int, int]:
    while start < end and line[start] in _EDGE:
        start += 1
    while end > start and line[end - 1] in _EDGE:
        end -= 1
    return start, min(end, start + MAX_FACT_CHARS)


def without_end(text: str, start: int, end: int) -> int:
    """Leave the point of a sentence out."""
    while end > start and text[end - 1] in ".;。,，:： !！\r":
        end -= 1
    return end
