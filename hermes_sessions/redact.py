"""Find and mask secrets in text and in tool-call arguments. Best effort, no promise.

Rules for well-known token forms, one general rule for `prefix_` tokens, and rules for
headers, URLs and assignments. Every quantifier is bounded, so the time is linear in
the text whatever it holds. Masking twice changes nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_PEM = r"-----BEGIN (?:[A-Z]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_KEY_NAMES = (
    r"api[_-]?key|account[_-]?key|secret(?:[_-]?access)?[_-]?key|access[_-]?token|auth[_-]?token"
    r"|refresh[_-]?token|client[_-]?secret|private[_-]?token|bot[_-]?token|token|secret"
)
_PASSWORD_NAMES = r"passw(?:or)?d|passphrase|pwd"
_HAN_KEY_NAMES = "密钥|秘钥|密鑰|金鑰|令牌|トークン|シークレットキー|APIキー|비밀키|토큰"
_HAN_PASSWORD_NAMES = "密码|密碼|口令|パスワード|暗証番号|비밀번호|암호"
"""Names in scripts without blanks; they may stand anywhere in a word."""
_SEPARATOR = r"\s{0,3}(?::=|=>|[:=：＝])\s{0,3}"
_NO_HAN = r"\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
"""Ends a value in running text without blanks."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A kind of secret: its pattern (group `s` is masked, else all), and words it needs."""

    name: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...]


def _rule(name: str, pattern: str, *hints: str) -> _Rule:
    """Return a rule; words and their edges are those of ASCII: no blank parts a key from Han characters."""
    ascii_words = pattern.replace(r"\b", r"(?a:\b)").replace(r"\w", "A-Za-z0-9_")
    return _Rule(name, re.compile(ascii_words), hints)


_RULES: Final = (
    _rule(
        "private-key",
        rf"{_PEM}(?:[^-]|-(?!-{{4}})){{0,16000}}(?:-----END [A-Z ]{{0,64}}-----)?",
        "PRIVATE KEY",
    ),
    _rule("anthropic", r"\bsk-ant-[\w-]{20,200}", "sk-ant-"),
    _rule("openai", r"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[\w-]{20,250}", "sk-"),
    _rule(
        "github",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[\w]{22,255})",
        *(f"gh{kind}_" for kind in "pousr"),
        "github_pat_",
    ),
    _rule(
        "gitlab",
        r"\bgl(?:pat|dt|rt|cbt|ptt|soat)-[\w.-]{20,200}",
        "glpat-",
        "gldt-",
        "glrt-",
        "glcbt-",
        "glptt-",
        "glsoat-",
    ),
    _rule(
        "aws",
        r"\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA)[A-Z0-9]{16}\b",
        "AKIA",
        "ASIA",
        "AROA",
        "AIDA",
        "AGPA",
        "ANPA",
        "ANVA",
    ),
    _rule("slack", r"\bxox[abeoprs](?:\.xox[bp])?-[\w-]{10,250}|\bxapp-[\w-]{20,250}", "xox", "xapp-"),
    _rule(
        "webhook",
        r"https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks"
        r"|[\w-]{1,63}\.webhook\.office\.com/webhookb2)/(?P<s>[\w/@-]{20,300})",
        "hooks.slack",
        "/webhooks/",
        "webhook.office",
    ),
    _rule(
        "google", r"\bAIza[\w-]{35}|\bya29\.[\w-]{20,400}|\bGOCSPX-[\w-]{20,60}", "AIza", "ya29.", "GOCSPX"
    ),
    _rule("stripe", r"\b(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{16,200}", "_live_", "_test_", "whsec_"),
    _rule("huggingface", r"\bhf_[A-Za-z0-9]{30,100}", "hf_"),
    _rule("package-index", r"\bpypi-[\w-]{40,400}|\bnpm_[A-Za-z0-9]{36,100}", "pypi-", "npm_"),
    _rule("telegram", r"(?<!\d)\d{8,10}:AA[\w-]{32,34}(?![\w-])", ":AA"),
    _rule("sendgrid", r"\bSG\.[\w-]{16,32}\.[\w-]{30,64}", "SG."),
    _rule("jwt", r"\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}", "eyJ"),
    _rule(
        "url-password",
        r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\"<>`{}$]{0,64}:(?P<s>[^\s/@'\"<>`{}$\[\]]{3,200})@",
        "://",
    ),
    _rule(
        "auth-header",
        r"(?i:\bauthorization[\"']?\s{0,3}[:=：＝]\s{0,3}[\"']?(?:bearer|basic|token|digest)?\s{0,3}|\bbearer\s{1,3})"
        r"(?P<s>(?=[A-Za-z._~+/=-]{0,200}\d)[\w.~+/=-]{16,4000})",
        "earer",
        "EARER",
        "uthorization",
        "UTHORIZATION",
    ),
    _rule(
        "header",
        r"(?i:\b(?:x-api-key|x-auth-token|x-access-token|private-token|api-key|(?:set-)?cookie)[\"']?\s{0,3}[:：]\s{0,3}[\"']?)"
        r"(?P<s>[^\r\n\"'\[\]]{8,800})",
        "-key",
        "-Key",
        "-KEY",
        "-token",
        "-Token",
        "ookie",
    ),
    _rule(
        "login",
        r"(?i:\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[\s=]{0,2}[\"']?)[^\s:\"']{1,64}:(?P<s>[^\s\"'\[\]]{4,128})",
        "curl",
    ),
    _rule(
        "assignment",
        rf"(?i:(?:(?<![a-z0-9])(?:[a-z0-9]{{1,20}}[_-]){{0,3}}(?:{_KEY_NAMES})|{_HAN_KEY_NAMES})[\"']?{_SEPARATOR})"
        r"[\"']?(?P<s>(?=[^\s\"']{0,200}\d)(?=[^\s\"']{0,200}[A-Za-z])[\w./+=!@#%^&*~-]{12,400})",
        "ey",
        "EY",
        "oken",
        "OKEN",
        "ecret",
        "ECRET",
        *_HAN_KEY_NAMES.split("|"),
    ),
    _rule(
        "password",
        rf"(?i:(?:(?<![a-z0-9])(?:[a-z0-9]{{1,20}}[_-]){{0,3}}(?:{_PASSWORD_NAMES})|{_HAN_PASSWORD_NAMES})[\"']?{_SEPARATOR})"
        rf"[\"']?(?P<s>(?=[^\s\"',;)}}{_NO_HAN}]{{0,60}}[\d!@#%^&*~+-])[^\s\"',;)}}\[\]<>(${{{_NO_HAN}]{{6,128}})",
        "assw",
        "ASSW",
        "wd",
        "WD",
        "assphrase",
        *_HAN_PASSWORD_NAMES.split("|"),
    ),
    _rule(
        "generic",
        r"(?<![\w/.-])[A-Za-z][A-Za-z0-9]{0,15}[_-](?:[A-Za-z0-9]{1,16}[_-]){0,3}(?P<g>[A-Za-z0-9]{28,200})(?![\w])",
        "_",
        "-",
    ),
)

KINDS: Final = tuple(rule.name for rule in _RULES)
"""The kinds of secrets that are known, by name."""

_SHORTEST_CHARS: Final = 10
"""No rule matches less: `pwd=` and six characters."""
_SECRET_KEY = re.compile(
    rf"(?i)(?:^|[_-])(?:{_KEY_NAMES}|{_PASSWORD_NAMES}|credentials?|authorization|cookie)$|apikey$"
)


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with its secrets masked, and how many were masked of each kind."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, order=True)
class _Found:
    """A place to mask; of two that begin together the more telling rule wins."""

    start: int
    rank: int
    end: int
    name: str


def find_secrets(text: str, kinds: Collection[str]) -> list[tuple[int, int, str]]:
    """Return (start, end, kind) of the secrets of these kinds, in order; places that overlap are one.

    Args:
        kinds: names out of `KINDS`.
    """
    places: list[tuple[int, int, str]] = []
    at = 0
    for found in sorted(one for one in _find(text, kinds) if one.end > one.start):
        if found.start >= at:
            places.append((found.start, found.end, found.name))
        elif found.end > at:
            start, _, name = places[-1]
            places[-1] = (start, found.end, name)
        at = max(at, found.end)
    return places


def redact(text: str) -> Redacted:
    """Replace every secret found in *text* by `[redacted:<kind>]`."""
    if len(text) < _SHORTEST_CHARS:
        return Redacted(text)
    pieces: list[str] = []
    counts: Counter[str] = Counter()
    at = 0
    for found in sorted(_find(text)):
        if found.start >= at:
            pieces += [text[at : found.start], f"[redacted:{found.name}]"]
            counts[found.name] += 1
        at = max(at, found.end)
    if not counts:
        return Redacted(text)
    return Redacted("".join(pieces) + text[at:], dict(counts))


def redact_arguments(arguments: str) -> Redacted:
    """Mask the secrets in the arguments of a tool call.

    Valid JSON stays valid: its strings are masked one by one, and a string under a key
    such as `password` is masked whole. Anything else is masked as text. Without a
    secret the arguments come back as they are, white space included.
    """
    if arguments.lstrip()[:1] not in ("{", "["):
        return redact(arguments)
    try:
        counts: Counter[str] = Counter()
        masked = _masked(json.loads(arguments), counts)
        return Redacted(json.dumps(masked, ensure_ascii=False) if counts else arguments, dict(counts))
    except (ValueError, RecursionError):
        return redact(arguments)


def _masked(value: Any, counts: Counter[str], key: str = "") -> Any:
    if isinstance(value, dict):
        return {_mask(name, counts): _masked(inner, counts, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_masked(inner, counts, key) for inner in value]
    if not isinstance(value, str):
        return value
    if len(value) >= 4 and _SECRET_KEY.search(key) and not value.startswith("[redacted:"):
        counts["argument"] += 1
        return "[redacted:argument]"
    return _mask(value, counts)


def _mask(text: str, counts: Counter[str]) -> str:
    found = redact(text)
    counts.update(found.counts)
    return found.text


def _find(text: str, kinds: Collection[str] | None = None) -> Iterator[_Found]:
    for rank, rule in enumerate(_RULES):
        if kinds is not None and rule.name not in kinds:
            continue
        for hint in rule.hints:  # twice as fast as any()
            if hint in text:
                break
        else:
            continue
        for match in rule.pattern.finditer(text):
            group = match.groupdict()
            if "g" in group:
                if _looks_random(match["g"]):
                    yield _Found(match.start(), rank, match.end(), rule.name)
            elif "s" in group:
                yield _Found(match.start("s"), rank, match.end("s"), rule.name)
            else:
                yield _Found(match.start(), rank, match.end(), rule.name)


def _looks_random(text: str) -> bool:
    """Return whether *text* is mixed like a key: words and plain hashes are not."""
    digits = sum(char.isdigit() for char in text)
    return (
        digits >= 3 and len(set(text)) >= 14 and any(char not in "0123456789abcdef" for char in text.lower())
    )
