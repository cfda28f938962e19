"""Names in programs: what code defines, what a trace names, what speech quotes."""

import re
from collections.abc import Iterator
from typing import Final

from hermes_sessions.facts.kinds.commands import PROGRAMS, is_command
from hermes_sessions.facts.kinds.paths import EXTENSIONS
from hermes_sessions.facts.page import Mark, TextPage, places_of
from hermes_sessions.late_patterns import late_pattern

_DEFINED = late_pattern(
    r"^[ \t]{0,24}(?:(?:export|default|public|private|protected|static|async|abstract|final|pub(?:\(crate\))?|inline|override|open|data|sealed|unsafe|virtual|internal|readonly|declare|extern) ){0,5}"
    r"(?:def|class|function\*?|fn|func(?: \([^)\n]{1,60}\))?|struct|enum|trait|interface|type|impl|record|module|namespace|mod|macro_rules!|protocol|object|fun|sub|proc)[ ]([A-Za-z_$][\w$]{1,80})(?=[\s(:{<;=\[,]|$)", re.M
)  # fmt: skip
_ARROW = late_pattern(
    r"^[ \t]{0,8}(?:export )?(?:const|let|var) ([A-Za-z_$][\w$]{1,80})(?:: [^=\n]{1,80})? = (?:async )?(?:\([^)\n]{0,200}\)|[\w$]{1,40})(?:: [^=\n]{1,60})? =>",
    re.M,
)
_SQL = late_pattern(
    r"\b(?:CREATE (?:UNIQUE )?(?:TABLE|INDEX|VIEW|FUNCTION|TYPE)(?: CONCURRENTLY)?(?: IF NOT EXISTS)?|ALTER TABLE(?: ONLY)?|DROP TABLE(?: IF EXISTS)?|INSERT INTO|UPDATE(?= \w+ SET)|DELETE FROM|FROM|JOIN|ADD COLUMN(?: IF NOT EXISTS)?|DROP COLUMN|REFERENCES|RENAME (?:COLUMN|TO))[ ]\"?([A-Za-z_][\w.]{1,80})"
)
_FRAME = late_pattern(
    r"^[ \t]{0,12}(?:File \"[^\"\n]{1,300}\", line \d{1,7}, in ([A-Za-z_][\w.]{1,80}|<module>)|at (?:async )?((?:new )?[A-Za-z_$][\w.$<>]{1,120}) ?\()",
    re.M,
)
_FAILED = late_pattern(
    r"^[ \t]{0,12}(?:--- FAIL:|FAIL:|not ok \d{1,6} -)[ ]([A-Za-z]\w{0,60}(?:_\w{1,60}|[a-z][A-Z]\w{1,60}))",
    re.M,
)
_NUMBERED_FRAME = late_pattern(r"^[ \t]{0,8}\d{1,4}: ([A-Za-z_]\w{0,60}(?:::[A-Za-z_]\w{0,60}){1,8})", re.M)
_MEMBER = late_pattern(r"\b[A-Z][a-z]\w{1,40}\.[a-z]\w{2,40}\b(?!\.\w)")
_RELATION = late_pattern(
    r"\b(?:relation|column|table|function|constraint|index|type|key|trigger) [\"'`]([A-Za-z_][\w.]{1,80})[\"'`]"
    r"|\b(?:using|index|constraint|trigger) ([a-z][a-z0-9]{0,30}_[a-z0-9_]{2,60})(?![\w.]| ?[=(])"
)
_QUOTED = late_pattern(r"[`\"'«‘“][ ]?([A-Za-z_][\w:]{3,60}+)[ ]?[`\"'»’”]")
_LISTED = late_pattern(
    r"^[ \t]{0,4}[|*-]?[ ]?((?:[a-z][a-z0-9]+_[a-z0-9_]{2,40}|[A-Z][A-Z0-9]+_[A-Z0-9_]{2,40})) {0,20}(?:\|| raised | renamed | removed | was | is )",
    re.M,
)
_TICKED = late_pattern(r"`([^`\n]{2,80})`")
_NAME = late_pattern(r"(?:[A-Za-z_$][\w$]*(?:\.|::|->|#))*[A-Za-z_$][\w$]*(?:\(\))?")
_HUMP = late_pattern(r"[a-z0-9][A-Z]")
_SHAPE = late_pattern(
    r"_{0,2}[a-z][a-z0-9]*_[a-z0-9_]+|[a-z]+(?:[A-Z][a-z0-9]+)+[A-Z]?|(?:[A-Z][a-z0-9]+){2,8}|[A-Z][A-Z0-9]*_[A-Z0-9_]+"
    r"|(?:[a-z_]\w{1,40}\.){1,4}[a-z_]\w{0,40}(?:_\w{1,40}){1,3}|(?:[A-Z]\w{1,40}(?:\.|::)){1,3}[A-Za-z]\w{1,40}|(?:\w{1,40}::){1,4}\w{1,60}"
)
_CALL = late_pattern(r"(?:[A-Za-z_]\w{0,60}(?:\.|::)){0,4}[A-Za-z_]\w{1,60}")
_NAME_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:"
_REST = late_pattern(r"[A-Za-z0-9_.:]{1,120}+")
_NOT_BEFORE: Final = ("/", "@", "#", "&", "?", "%", "-", "=", "\\", "$")
_TABLED: Final = late_pattern(
    r"\b(?:table|Tabelle|tabla|table|colonne|column|Spalte|columna|таблиц\w|表|テーブル|function|class|method|Funktion|Klasse|fonction|función|функци\w)[ ]?[`\"']?([a-z_][\w.]{2,60})[`\"']?"
)
_BRANDS: Final = frozenset(
    "GitHub GitLab JavaScript TypeScript PostgreSQL MySQL OpenAI YouTube LinkedIn MongoDB DevOps GraphQL WebSocket JetBrains macOS iOS iPhone"
    " iPad eBay PowerShell WordPress VMware SaaS OAuth OpenAPI NumPy PyTorch SciPy FastAPI SQLite SQLAlchemy DynamoDB CloudFront BitBucket"
    " StackOverflow DigitalOcean CircleCI NextJS NodeJS DockerHub PyPI OpenSSL RabbitMQ ClickHouse BigQuery PagerDuty HubSpot PayPal McDonald"
    " WhatsApp TikTok OneDrive SharePoint LaTeX YAML ChatGPT DeepMind AirBnB JUnit WiFi LibreOffice OpenCode CloudWatch PhpStorm TeamCity"
    " MwSt GmbH KfW BaFin StVO PhD IntelliJ ArgoCD CosmosDB OpenTelemetry FireFox DataDog CloudFlare MariaDB InfluxDB PySpark Salesforce".split()
)
_SUFFIXES: Final = frozenset("com org net app dev the and then you this that for".split())
_SQL_WORDS: Final = frozenset(
    "select where values set table index the a an this that information_schema unnest generate_series lateral".split()
)


def code_marks(page: TextPage) -> Iterator[Mark]:
    """Yield identifiers: definitions and frames in data, every name that is written as one in speech."""
    text = page.text
    if page.is_speech:
        yield from _spoken(page)
        return
    for match in _DEFINED.finditer(text):
        if len(match[1]) > 2 or page.looks == "code":
            yield Mark("identifier", match.start(1), match.end(1))
    for match in _ARROW.finditer(text) if "=>" in text else ():
        yield Mark("identifier", match.start(1), match.end(1))
    if " line " in text or "at " in text:
        for match in _FRAME.finditer(text):
            group = match.lastindex or 1
            if "<" not in match[group]:
                yield Mark("identifier", match.start(group), match.end(group))
    for match in _FAILED.finditer(text) if "FAIL" in text or "not ok" in text else ():
        yield Mark("identifier", match.start(1), match.end(1))
    for match in _NUMBERED_FRAME.finditer(text) if "::" in text else ():
        yield Mark("identifier", match.start(1), match.end(1))
    yield from _sql(page)
    yield from _quoted(page)


def _quoted(page: TextPage) -> Iterator[Mark]:
    """Names that data quotes: `std::span`, a role, a key, a constant that a table or a list heads."""
    for match in _QUOTED.finditer(page.text) if page.looks != "code" else ():
        value = match[1]
        if page.text[match.end() : match.end() + 1] == ":":  # the name of a field
            continue
        if ("_" in value or "::" in value or _HUMP.search(value)) and _is_shaped(value, called=False):
            yield Mark("identifier", match.start(1), match.end(1))
    for match in _LISTED.finditer(page.text) if "_" in page.text and page.looks in ("", "mail") else ():
        yield Mark("identifier", match.start(1), match.end(1))


def _sql(page: TextPage) -> Iterator[Mark]:
    text = page.text
    if any(word in text for word in ("TABLE ", "FROM ", "INTO ", "COLUMN ", "INDEX ", "UPDATE ")):
        for match in _SQL.finditer(text):
            if match[1].lower() not in _SQL_WORDS and (match[1].islower() or "_" in match[1]):
                yield Mark("identifier", match.start(1), match.end(1))
    named = any(word in text for word in ("relation ", "column ", "constraint ", " using "))
    for match in _RELATION.finditer(text) if named else ():
        yield Mark("identifier", *match.span(match.lastindex or 1))


def _spoken(page: TextPage) -> Iterator[Mark]:
    text = page.text
    for match in _TICKED.finditer(text) if "`" in text else ():
        if _NAME.fullmatch(match[1]) and _is_named(match[1]) and not is_command(match[1]):
            yield Mark("identifier", match.start(1), match.end(1))
    yield from _shaped(page)
    for match in _TABLED.finditer(text) if "_" in text else ():
        if "_" in match[1]:
            yield Mark("identifier", match.start(1), match.end(1))
    yield from _sql(page)


def _shaped(page: TextPage) -> Iterator[Mark]:
    """Words that are written as names are: `snake_case`, `camelCase`, `call()`."""
    text = page.text
    places = [place for place, _ in places_of(text, ("_", "()"))]
    places += [match.start() for match in _HUMP.finditer(text)]
    places += [match.start() for match in _MEMBER.finditer(text) if _is_member(match.group())]
    end = 0
    for place in sorted(places):
        if place < end:
            continue
        head = text[max(0, place - 80) : place]
        start = place - len(head) + len(head.rstrip(_NAME_CHARS))
        rest = _REST.match(text, start)
        if rest is None:
            continue
        end = rest.end()
        stop = start + len(rest.group().rstrip(".:"))
        if text[start - 1 : start] in _NOT_BEFORE or text[stop : stop + 1] in ("/", "@", "="):
            continue
        if text.startswith(" = ", stop) and text[start:stop].isupper():
            continue  # a setting
        called = text.startswith("()", stop)
        if _is_shaped(text[start:stop], called):
            yield Mark("identifier", start, stop + 2 if called else stop)


def _is_member(value: str) -> bool:
    return value.rpartition(".")[2] not in EXTENSIONS and value.rpartition(".")[2] not in _SUFFIXES


def _is_shaped(value: str, called: bool) -> bool:
    if called and _CALL.fullmatch(value):
        return True
    return (
        bool(_SHAPE.fullmatch(value))
        and value not in _BRANDS
        and not value.endswith((".io", "Error", "Exception"))
    )


def _is_named(value: str) -> bool:
    return (
        len(value) > 2
        and value not in PROGRAMS
        and not value.isdigit()
        and value not in _BRANDS
        and value.lower() not in ("true", "false", "null", "none", "main", "master", "todo")
    )
