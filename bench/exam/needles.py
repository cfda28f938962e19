"""Needles: what a transcript says once and somebody asks for later. Built, never extracted.

A needle is a sentence about a subject (a service, a file, a person) with a value that nothing else in the
transcript has. It counts as kept where the value stands within `NEAR` characters of its subject; a rule
only where its whole sentence stands. Languages: en, de, es, fr, zh.
"""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

NEAR: Final = 160
"""A value without its subject answers nothing."""

LANGUAGES: Final = ("en", "de", "es", "fr", "zh")
SPEAKERS: Final = ("user", "assistant", "tool")
_FIRST = ("ledger", "billing", "gateway", "orders", "search", "media", "quota", "ingest", "mailer", "export")
_SECOND = ("api", "worker", "proxy", "cache", "batch", "router", "agent", "store", "relay", "sync")
_PEOPLE = ("Priya Raman", "Tomasz Zieliński", "Aiko Mori", "Lena Vogt", "Mateo Ruiz", "Chloé Martin")
_TECH = (
    "advisory locks", "RabbitMQ", "a write-ahead queue", "gRPC streaming", "cursor paging", "SQLite",
    "blue-green deploys", "server-sent events", "a bloom filter", "per-tenant schemas", "Brotli level 5",
    "optimistic locking", "a token bucket", "content hashing", "nightly vacuum", "zstd archives",
)  # fmt: skip
_ERRORS = (
    "ECONNREFUSED", "ETIMEDOUT", "ENOSPC", "EACCES", "KeyError: 'tenant'", "deadlock detected",
    "certificate has expired", "HTTP 429 Too Many Requests", "out of shared memory", "checksum mismatch",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Needle:
    """One thing to be asked for.

    Attributes:
        key: unique in its transcript.
        kind: `decision`, `rule`, `error`, `file` and so on.
        speaker: who says it: user, assistant or tool.
        language: of the sentence.
        subject: what it is about; no other needle of its kind has the same.
        value: the answer, as it stands in the transcript.
        sentence: the line that says it.
        question: what is asked.
        replaces: key of the needle whose value this one makes obsolete.
    """

    key: str
    kind: str
    speaker: str
    language: str
    subject: str
    value: str
    sentence: str
    question: str
    replaces: str = ""

    def is_in(self, text: str) -> bool:
        """Return whether *text* answers the question."""
        if self.kind == "rule":
            return _flat(self.sentence) in _flat(text)
        return has_near(text, self.value, self.subject)


def has_near(text: str, value: str, subject: str) -> bool:
    """Return whether *value*, not as part of a longer word, stands near *subject*."""
    for found in re.finditer(rf"(?<![\w.]){re.escape(value)}(?![\w]|\.\d)", text):
        around = text[max(0, found.start() - NEAR) : found.end() + NEAR]
        if subject in around or subject.rpartition("/")[2] in around:
            return True
    return False


def _flat(text: str) -> str:
    return " ".join(text.replace('\\"', '"').split())


_SAY: Final[Mapping[str, Mapping[str, str]]] = {
    "decision": {
        "en": "Decision: {subject} uses {value}, not what we have now.",
        "de": "Entscheidung: {subject} nutzt {value}, nicht die jetzige Lösung.",
        "es": "Decisión: {subject} usa {value}, no lo que tenemos ahora.",
        "fr": "Décision : {subject} utilise {value}, pas la solution actuelle.",
        "zh": "决定：{subject} 采用 {value}，不用现在的方案。",
    },
    "rule": {
        "en": "Never restart {subject} before {value}.",
        "de": "{subject} niemals vor {value} neu starten.",
        "es": "No reinicies nunca {subject} antes de {value}.",
        "fr": "Ne redémarre jamais {subject} avant {value}.",
        "zh": "在 {value} 之前绝不要重启 {subject}。",
    },
    "port": {
        "en": "{subject} listens on port {value}.",
        "de": "{subject} lauscht auf Port {value}.",
        "es": "{subject} escucha en el puerto {value}.",
        "fr": "{subject} écoute sur le port {value}.",
        "zh": "{subject} 监听端口 {value}。",
    },
    "setting": {
        "en": "For {subject} set {value}.",
        "de": "Für {subject} gilt {value}.",
        "es": "Para {subject} usa {value}.",
        "fr": "Pour {subject}, mets {value}.",
        "zh": "{subject} 设置为 {value}。",
    },
    "owner": {
        "en": "{subject} belongs to {value}; ask there first.",
        "de": "{subject} gehört {value}; dort zuerst fragen.",
        "es": "{subject} es de {value}; pregunta ahí primero.",
        "fr": "{subject} est à {value} ; demande là d'abord.",
        "zh": "{subject} 由 {value} 负责，先问他们。",
    },
    "deadline": {
        "en": "{subject} has to be live by {value}.",
        "de": "{subject} muss bis {value} live sein.",
        "es": "{subject} tiene que estar activo el {value}.",
        "fr": "{subject} doit être en ligne le {value}.",
        "zh": "{subject} 必须在 {value} 之前上线。",
    },
    "error": {
        "en": "{subject} failed: {value}",
        "de": "{subject} ist fehlgeschlagen: {value}",
        "es": "{subject} falló: {value}",
        "fr": "{subject} a échoué : {value}",
        "zh": "{subject} 失败：{value}",
    },
    "file": {
        "en": "I changed {value} for {subject}.",
        "de": "Ich habe {value} für {subject} geändert.",
        "es": "He cambiado {value} para {subject}.",
        "fr": "J'ai modifié {value} pour {subject}.",
        "zh": "我为 {subject} 修改了 {value}。",
    },
    "commit": {
        "en": "{subject} is fixed in commit {value}.",
        "de": "{subject} ist mit Commit {value} behoben.",
        "es": "{subject} queda corregido en el commit {value}.",
        "fr": "{subject} est corrigé par le commit {value}.",
        "zh": "{subject} 已在提交 {value} 中修复。",
    },
    "version": {
        "en": "{subject} stays on version {value}.",
        "de": "{subject} bleibt bei Version {value}.",
        "es": "{subject} se queda en la versión {value}.",
        "fr": "{subject} reste en version {value}.",
        "zh": "{subject} 保持版本 {value}。",
    },
    "measured": {
        "en": "{subject} now takes {value} at the 99th percentile.",
        "de": "{subject} braucht jetzt {value} im 99. Perzentil.",
        "es": "{subject} tarda ahora {value} en el percentil 99.",
        "fr": "{subject} prend maintenant {value} au 99e centile.",
        "zh": "{subject} 现在的 P99 是 {value}。",
    },
    "id": {
        "en": "The ticket for {subject} is {value}.",
        "de": "Das Ticket für {subject} ist {value}.",
        "es": "El ticket de {subject} es {value}.",
        "fr": "Le ticket pour {subject} est {value}.",
        "zh": "{subject} 的工单是 {value}。",
    },
    "todo": {
        "en": "Still open: {subject} needs {value}.",
        "de": "Noch offen: {subject} braucht {value}.",
        "es": "Queda pendiente: {subject} necesita {value}.",
        "fr": "Reste à faire : {subject} a besoin de {value}.",
        "zh": "待办：{subject} 还需要 {value}。",
    },
}
_BY_SPEAKER: Final[Mapping[str, tuple[str, ...]]] = {
    "user": ("decision", "rule", "port", "setting", "owner", "deadline", "version", "id"),
    "assistant": ("decision", "file", "commit", "measured", "todo", "rule", "setting", "error"),
    "tool": ("error", "commit", "port", "id", "measured", "version", "rule"),
}
_CHANGEABLE: Final = ("port", "setting", "deadline", "version", "decision")
KINDS: Final = tuple(_SAY)

_OBJECTS = ("a retry limit", "an index on tenant_id", "a health probe", "a rollback script", "a rate limit",
            "a load test", "an alert", "a schema check", "a dry run", "a backup drill")  # fmt: skip
_DAYS = (
    "Friday 18:00",
    "Monday 06:30",
    "Tuesday noon",
    "the audit on June 3",
    "release 14",
    "the freeze ends",
)


def _date(chance: random.Random) -> str:
    return f"2026-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}"


_VALUES: Final[Mapping[str, Callable[[random.Random], str]]] = {
    "decision": lambda chance: f"{chance.choice(_TECH)} (plan {chance.randint(100, 999)})",
    "rule": lambda chance: f"{chance.choice(_DAYS)} in week {chance.randint(10, 52)}",
    "port": lambda chance: str(chance.randint(20_000, 64_999)),
    "setting": lambda chance: (
        f"{chance.choice(('MAX_', 'POOL_', 'RETRY_', 'IDLE_'))}"
        f"{chance.choice(('SIZE', 'WAIT', 'DEPTH'))}_{chance.randint(10, 99)}={chance.randint(3, 9_000)}"
    ),
    "owner": lambda chance: f"{chance.choice(_PEOPLE)} (team {chance.randint(11, 99)})",
    "deadline": _date,
    "error": lambda chance: f"{chance.choice(_ERRORS)} (trace {chance.randrange(16**8):08x})",
    "file": lambda chance: (
        f"src/{chance.choice(_FIRST)}/{chance.choice(_SECOND)}_{chance.randrange(16**4):04x}.py"
    ),
    "commit": lambda chance: f"{chance.randrange(16**10):010x}",
    "version": lambda chance: f"{chance.randint(1, 19)}.{chance.randint(0, 40)}.{chance.randint(0, 90)}",
    "measured": lambda chance: f"{chance.randint(1_001, 98_999)} ms",
    "id": lambda chance: f"{chance.choice(('OPS', 'PAY', 'NET', 'DATA'))}-{chance.randint(1_000, 99_999)}",
    "todo": lambda chance: f"{chance.choice(_OBJECTS)} (item {chance.randint(100, 999)})",
}


class NeedleMaker:
    """Makes needles with subjects and values of their own."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._used: set[str] = set()
        self.made: list[Needle] = []

    def make(self, speaker: str, language: str) -> Needle:
        """Return a needle that *speaker* says; now and then one that replaces an earlier one's value."""
        old = self._to_replace() if speaker != "tool" and self._chance.random() < 0.15 else None
        if old is not None:
            return self._add(old.kind, speaker, language, old.subject, old.key)
        kind = self._chance.choice(_BY_SPEAKER[speaker])
        return self._add(kind, speaker, language, self._fresh(self._subject))

    def never_said(self, language: str) -> Needle:
        """Return a needle that no message says: whoever answers it has made it up."""
        kind = self._chance.choice(("port", "setting", "commit", "version", "id"))
        return self._needle(kind, "nobody", language, self._fresh(self._subject))

    def superseded(self) -> frozenset[str]:
        """Return the keys of the needles whose values are out of date."""
        return frozenset(needle.replaces for needle in self.made if needle.replaces)

    def _add(self, kind: str, speaker: str, language: str, subject: str, replaces: str = "") -> Needle:
        needle = self._needle(kind, speaker, language, subject, replaces)
        self.made.append(needle)
        return needle

    def _needle(self, kind: str, speaker: str, language: str, subject: str, replaces: str = "") -> Needle:
        value = self._fresh(lambda: _VALUES[kind](self._chance))
        return Needle(
            key=f"n{len(self._used)}", kind=kind, speaker=speaker, language=language,
            subject=subject, value=value,
            sentence=_SAY[kind][language].format(subject=subject, value=value),
            question=f"{kind} {subject}", replaces=replaces,
        )  # fmt: skip

    def _subject(self) -> str:
        number = self._chance.randint(2, 9_999)
        return f"{self._chance.choice(_FIRST)}-{self._chance.choice(_SECOND)}-{number}"

    def _fresh(self, draw: Callable[[], str]) -> str:
        while (found := draw()) in self._used:
            pass
        self._used.add(found)
        return found

    def _to_replace(self) -> Needle | None:
        gone = self.superseded()
        open_ones = [one for one in self.made if one.kind in _CHANGEABLE and one.key not in gone]
        return self._chance.choice(open_ones) if open_ones else None
