"""Values that one token is: paths, ids, hashes, versions, images, hosts, addresses.

A token is classified once, whatever stands around it; what its neighbours decide
(`port 8123`, `branch main`) is in `keyed`.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from hermes_sessions.facts.kinds.paths import EXTENSIONS, RISKY, path_marks
from hermes_sessions.facts.page import LETTERS, WORD, Mark, TextPage
from hermes_sessions.facts.unwrap import FIELDS
from hermes_sessions.late_patterns import late_pattern

_HOT: Final = r"0-9_@/\\.:=#$%&+~\-"
_TOKEN = late_pattern(rf"[{LETTERS}]{{0,60}}+[{_HOT}][{WORD}{_HOT}^]{{1,400}}+")
_TRAIL: Final = ".,:;=-&+#~^$"
_DIGIT = late_pattern(r"\d")
_LEAD: Final = "=:&+%"
_LEAST_DIGITS: Final = 40
"""Fewer digits alone are a number."""

_UUID = late_pattern(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_LEAST_HEX: Final = 7
_HEX = late_pattern(r"(?:sha(?:1|256|512)[:-])?[0-9a-f]{7,128}")
_RANGE = late_pattern(r"([0-9a-f]{7,40})\.{2,3}([0-9a-f]{7,40})")
_SRI = late_pattern(r"sha(?:256|384|512)-[A-Za-z0-9+/]{40,100}={0,2}")
_TICKET = late_pattern(
    r"[A-ZА-ЯЁ][A-ZА-ЯЁ0-9]{1,9}(?:-[A-ZА-ЯЁ]{1,4})?(?:-\d{1,8}){1,3}(?:-?[A-Z])?|[A-Z]-\d{4,8}|[A-Z]{2,5}-[A-Z0-9]{0,8}\d[A-Z0-9]{0,8}"
)
_NO_TICKET = late_pattern(
    r"(?:UTF|ISO|SHA|RFC|MD|AES|HTTP|GPT|COVID|IEEE|ASCII|CP|TLS|ES|RSA|PEP|BASE|USB|GB|KOI)\d?-"
)
_NUMBER_SIGN = late_pattern(r"(?:[\w.-]{1,40}/[\w.-]{1,60})?#\d{1,8}")
_PREFIXED = late_pattern(r"[A-Za-z]{2,12}_(?:[a-z]{2,8}_)?[A-Za-z0-9]{6,64}")
_DOI = late_pattern(r"(?:doi:)?10\.\d{4,9}/[\w./()-]{3,80}")
_IBAN = late_pattern(r"[A-Z]{2}\d{2}(?:[A-Z0-9]{4}){3,7}[A-Z0-9]{0,4}")
_CLOUD_ID = late_pattern(r"(?:i|vol|sg|subnet|vpc|ami|snap|eni|rtb)-[0-9a-f]{8,17}")
_POD = late_pattern(r"[a-z][a-z0-9-]{1,60}-(?=[a-z0-9]{0,9}\d)[a-z0-9]{8,10}-[a-z0-9]{5}")
_ARN = late_pattern(r"arn:aws[\w-]*:[\w-]*:[\w-]*:\d*:\S{1,200}")
_IP = late_pattern(r"((?:\d{1,3}\.){3}\d{1,3})(/\d{1,2})?(?::(\d{1,5}))?")
_IP6 = late_pattern(
    r"(?=[0-9a-f:]*::|(?:[0-9a-f]{1,4}:){7})[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,8}(?:/\d{1,3})?"
)
_VERSION = late_pattern(
    r"(?:v\d{1,4}(?:\.\d{1,6}){0,3}|\d{1,4}(?:\.\d{1,6}){2,3}|\d{1,4}\.\d{1,6}(?=[-.]?(?:a|b|rc|alpha|beta|dev|post|SNAPSHOT)))"
    r"(?:[-.+_]?[A-Za-z][A-Za-z0-9]{0,15}(?:[.-]?\d{1,6})?){0,3}"
)
_PACKAGE = late_pattern(
    r"(@?[A-Za-z][\w./-]{0,80}?)(?:@|==|>=|~=|<=|/|-|_)[v^~]?(\d{1,4}(?:\.\d{1,6}){1,3}[\w.+-]{0,20})"
)
_IMAGE = late_pattern(
    r"(?:[a-z0-9.-]{1,80}(?::\d{2,5})?/)?(?:[a-z0-9._-]{1,60}/){0,4}([a-z0-9._-]{1,60}):([A-Za-z0-9_][\w.-]{0,80})(@sha256:[0-9a-f]{12,64})?"
)
_IMAGE_NAMES: Final = frozenset(
    "postgres redis nginx node python alpine ubuntu debian golang go mysql mariadb mongo rabbitmq busybox traefik grafana"
    " prometheus openjdk eclipse-temurin rust ruby php httpd memcached elasticsearch kibana vault consul minio centos"
    " fedora haproxy caddy keycloak registry jenkins sonarqube nats etcd zookeeper kafka envoy maven gradle deno bun".split()
)
_TAG = late_pattern(
    r"latest|stable|edge|nightly|main|v?\d{1,4}(?:\.\d{1,5}){1,3}[\w.-]{0,40}|\d{1,4}-[a-z][\w.-]{0,40}|(?:alpine|slim|bookworm|jammy)[\w.-]{0,20}"
)
_HOST_PORT = late_pattern(r"([A-Za-z][A-Za-z0-9.-]{0,200}):(\d{2,5})")
_NO_HOST: Final = frozenset(
    "line col row step page port exit code id count total size pid status level chapter item at in".split()
)
_TLD: Final = (
    "com|org|net|io|dev|app|ai|co|edu|gov|info|internal|local|localdomain|lan|cloud|corp|intra|test|example|invalid|localhost|de|fr"
    "|es|uk|ru|cn|jp|br|nl|ch|eu|us|ca|au|se|pl|cz|at|it|svc|tech|xyz|me|tv|biz|kr|tw|hk|in|ir|sa|ae|eg"
)
_HOST = late_pattern(rf"(?:[a-z0-9](?:[a-z0-9-]{{0,62}})\.){{1,6}}(?:{_TLD})")
_SHORT_TLD: Final = frozenset(
    "io dev app ai co info test local example invalid in it at me tv es us ca se test".split()
)
_NO_FIRST: Final = frozenset(
    "self this np tf os fs req res request response obj config process console logger logging torch app ctx e.g i.e".split()
)

Found = tuple[tuple[str, int, int, str], ...]
"""Kind, start and end in the token, key."""


def token_marks(page: TextPage) -> Iterator[Mark]:
    """Yield what single tokens of *page* are."""
    for match in _TOKEN.finditer(page.bare):
        token = match.group()
        if token.isdecimal() and len(token) < _LEAST_DIGITS:
            continue
        found = _known(token) if len(token) <= _KNOWN_CHARS else _classify(token)
        for kind, start, end, key in found:
            here = _kind_here(page, kind, match.start() + start, match.start() + end)
            if here:
                yield Mark(here, match.start() + start, match.start() + end, key)


def _kind_here(page: TextPage, kind: str, start: int, end: int) -> str:
    """What a token is in this page: steps, loggers and modules of data are no facts."""
    text = page.text
    if page.looks == FIELDS and text[end : end + 2] == ": " and text[start - 1 : start] in ("", "\n"):
        return ""  # the name of a field
    if kind == "link":  # a host and a path: a module's name in data
        return "url" if page.is_speech else ""
    if kind == "id" and text[start] == "#":  # the number of a step at the head of a line
        return kind if page.is_speech or text[start - 1 : start] not in ("", "\n") else ""
    if kind == "path" and page.looks in ("code", "log") and "/" not in text[start:end]:
        return "" if text[start:end].rpartition(".")[2] in RISKY or _is_code(page, kind, start, end) else kind
    if kind == "hash" and page.form == "diff" and "index " in text[max(0, start - 20) : start]:
        return ""
    return "" if _is_code(page, kind, start, end) else kind


def _is_code(page: TextPage, kind: str, start: int, end: int) -> bool:
    """In code, a dotted name is a file or a host only between quotation marks."""
    if page.looks != "code":
        return False
    before = page.text[start - 1 : start]
    if kind == "path":
        return "/" not in page.text[start:end] and before not in ('"', "'", "`")
    return kind == "host" and before not in ('"', "'", "`", "/", "@", "#", "=")


def _classify(token: str) -> Found:
    body = token.rstrip(_TRAIL)
    lead = len(body) - len(body.lstrip(_LEAD))
    body = body[lead:]
    if body.startswith("-"):
        body_start = body.find("=") + 1
        if body_start == 0:
            return ()
        lead, body = lead + body_start, body[body_start:]
    elif "=" in body and not body.startswith(("/", "sha")) and "==" not in body:
        cut = body.rfind("=") + 1
        if 1 < cut < len(body):
            lead, body = lead + cut, body[cut:]
    if len(body) < 2 or body.isalpha() or (body.isdecimal() and len(body) < _LEAST_DIGITS):
        return ()
    has_digit = _DIGIT.search(body) is not None
    if body.isidentifier() if not has_digit else body.isalnum() and len(body) < _LEAST_HEX and body[0] != "v":
        return ()  # a name with underscores; a number with its unit
    for rule in _RULES if ":" in body or has_digit else _WORD_RULES:
        found = rule(body)
        if found is not None:
            return tuple((kind, lead + start, lead + end, key) for kind, start, end, key in found)
    return ()


_known = lru_cache(maxsize=20_000)(_classify)  # a conversation names the same things over and over
_KNOWN_CHARS: Final = 120


def _one(kind: str, body: str, key: str = "") -> Found:
    return ((kind, 0, len(body), key),)


def _ids(body: str) -> Found | None:
    if _UUID.fullmatch(body):
        return _one("id", body)
    if _HEX.fullmatch(body):
        return _one("hash", body) if _is_hash(body) else None
    if _DOI.fullmatch(body) or (len(body) >= 15 and _IBAN.fullmatch(body) and body[4:].isdigit()):
        return _one("id", body)
    if _SRI.fullmatch(body):
        return _one("hash", body)
    if match := _RANGE.fullmatch(body):
        return (("hash", 0, match.end(1), ""), ("hash", match.start(2), match.end(2), ""))
    if _TICKET.fullmatch(body):
        return () if _NO_TICKET.match(body) else _one("id", body)
    if "#" in body and _NUMBER_SIGN.fullmatch(body):
        return _one("id", body)
    if _ARN.fullmatch(body) or _CLOUD_ID.fullmatch(body) or _POD.fullmatch(body):
        return _one("id", body)
    if (
        "_" in body
        and _PREFIXED.fullmatch(body)
        and sum(map(str.isdigit, body)) >= (3 if len(body) > 10 else 2)
    ):
        return _one("id", body)
    return None


def _is_hash(body: str) -> bool:
    if body.startswith("sha"):
        return True
    digits = sum(map(str.isdigit, body))
    if digits == len(body) or digits == 0:
        return len(body) in (40, 64) and digits > 0
    return not (digits == len(body) - 1 and "e" in body[1:-1])


def _address(body: str) -> Found | None:
    if match := _IP.fullmatch(body):
        if all(int(part) <= 255 for part in match[1].split(".")):
            found: Found = (("ip", 0, match.end(2) if match[2] else match.end(1), ""),)
            return (*found, ("port", match.start(3), match.end(3), "")) if match[3] else found
        return None
    if body.count(":") >= 2 and _IP6.fullmatch(body) and any(map(str.isalnum, body)) and len(body) > 3:
        return _one("ip", body)
    if match := _HOST_PORT.fullmatch(body):
        host, port = match[1], match[2]
        if _is_host(host) or host == "localhost" or (len(port) >= 4 and _plain_host(host)):
            return (("host", 0, match.end(1), ""), ("port", match.start(2), match.end(2), host))
    return None


_RECORDS: Final = frozenset(
    "user users session sessions order orders item items product products cart account accounts customer customers tenant token key id job task row rows"
    " page post comment message event invoice payment ticket issue document doc record entry object entity profile member group team device object node_id"
    " shard partition offset batch run build request req trace span lock counter rate limit msg uid gid pid tid sku ref code".split()
)
"""What stores name their records by, with a number: `user:7722` is a key."""


def _plain_host(name: str) -> bool:
    if name in _RECORDS:
        return False
    return name.islower() and name not in _NO_HOST and name not in _IMAGE_NAMES and not _has_extension(name)


def _is_host(name: str) -> bool:
    if not _HOST.fullmatch(name):
        return False
    labels = name.split(".")
    if labels[0] in _NO_FIRST or all(map(str.isdigit, labels[:-1])):
        return False
    return len(labels) > 2 or labels[-1] not in _SHORT_TLD or len(labels[0]) > 2


def _has_extension(name: str) -> bool:
    return name.rpartition(".")[2].lower() in EXTENSIONS and "." in name[1:]


_MACHINE = late_pattern(
    r"(?:db|web|app|api|prod|staging|stage|cache|worker|srv|vm|host|redis|pg|mysql|k8s|build|mq|node|gw|proxy|lb)(?:-[a-z0-9]{1,20}){0,3}-\d{1,3}|[a-z][a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){0,2}-(?:prod|staging|stage|stg|dev|test|qa|live)(?:-[a-z0-9]{1,4}){0,2}-?\d{1,3}"
)


def _host(body: str) -> Found | None:
    if "-" in body and _MACHINE.fullmatch(body):
        return _one("host", body)
    if "/" in body:
        first, _, rest = body.partition("/")
        if rest and "." in first and _is_host(first) and not _has_extension(first):
            return None if _IMAGE.fullmatch(body) else _one("link", body)
        return None
    if body == "localhost" or (_is_host(body) and not _has_extension(body)):
        return _one("host", body)
    return None


def _image(body: str) -> Found | None:
    if ":" not in body or not (match := _IMAGE.fullmatch(body)):
        return None
    name, tag = match[1], match[2]
    if _has_extension(name) or (tag.isdigit() and name not in _IMAGE_NAMES):
        return None
    if (
        name in _IMAGE_NAMES
        or _TAG.fullmatch(tag)
        or ("/" in body[: match.start(1)] and "." in body.split("/")[0])
    ):
        return _one("image", body)
    return None


def _version(body: str) -> Found | None:
    if _VERSION.fullmatch(body) and not _is_grouped(body) and not _has_extension(body):
        return _one("version", body)
    if match := _PACKAGE.fullmatch(body):
        name, start = match[1], match.start(2)
        if not _has_extension(body) and (
            "@" in body or "==" in body or ">=" in body or "~=" in body or body.count(".") >= 2
        ):
            if "/" in name and not name.startswith("@"):
                return None
            return (("version", start, len(body), name),)
    return None


def _is_grouped(body: str) -> bool:
    """`1.048.576` is a number in German, `04.03.2026` a date."""
    parts = body.split(".")
    if not all(map(str.isdigit, parts)) or len(parts) < 3:
        return False
    if all(len(part) == 3 for part in parts[1:]) and len(parts[0]) <= 3 and parts[0] != "0":
        return True
    return len(parts) == 3 and len(parts[2]) == 4 and parts[2][:2] in ("19", "20") and int(parts[1]) <= 12


_RULES: Final[tuple[Callable[[str], Found | None], ...]] = (
    _ids,
    _address,
    _image,
    _version,
    _host,
    path_marks,
)
_WORD_RULES: Final = (_host, path_marks)
"""What a token without a digit or a colon may be."""
