"""Transcripts of an agent at work, of any size, with needles in what user, assistant and tools say."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench.exam.needles import LANGUAGES, SPEAKERS, Needle, NeedleMaker

TOKENS_PER_NEEDLE: Final = 1_000
_WORDS = (
    "parse", "queue", "batch", "index", "shard", "retry", "flush", "commit", "buffer", "cursor", "window",
    "token", "lease", "page", "cache", "route", "probe", "frame", "chunk", "merge", "split", "drain", "trace",
)  # fmt: skip
_ASKS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": (
        "Please look into {a} {b} next.",
        "Can you clean up {a} around {b}?",
        "Go on with {a} and then {b}.",
    ),
    "de": (
        "Sieh dir bitte als Nächstes {a} {b} an.",
        "Räum bitte {a} rund um {b} auf.",
        "Mach weiter mit {a}.",
    ),
    "es": (
        "Mira ahora {a} {b}, por favor.",
        "¿Puedes ordenar {a} cerca de {b}?",
        "Sigue con {a} y luego {b}.",
    ),
    "fr": ("Regarde ensuite {a} {b}.", "Peux-tu ranger {a} autour de {b} ?", "Continue avec {a} puis {b}."),
    "zh": ("接下来请看一下 {a} {b}。", "请整理 {b} 附近的 {a}。", "继续处理 {a}，然后 {b}。"),
}
_DONE: Final[Mapping[str, str]] = {
    "en": "Done with {a}; the checks pass and nothing else was touched.",
    "de": "{a} ist fertig; die Prüfungen laufen durch, sonst wurde nichts angefasst.",
    "es": "{a} está listo; las comprobaciones pasan y no se tocó nada más.",
    "fr": "{a} est terminé ; les vérifications passent et rien d'autre n'a été touché.",
    "zh": "{a} 已完成；检查通过，没有改动其他内容。",
}
_CHATTER: Final[Mapping[str, tuple[str, ...]]] = {
    "en": (
        "It looks as if {a} calls {b} twice, which would explain the {n} rows we saw.",
        "I compared {a} with {b} and the shape is the same apart from the order.",
        "The part around {a} reads well, only {b} is longer than it has to be.",
        "There are {n} callers of {a}; most of them go through {b} anyway.",
    ),
    "de": (
        "Es sieht so aus, als riefe {a} zweimal {b} auf, das erklärt die {n} Zeilen.",
        "Rund um {a} liest es sich gut, nur {b} ist länger als nötig.",
    ),
    "es": (
        "Parece que {a} llama dos veces a {b}, lo que explica las {n} filas.",
        "La parte de {a} se lee bien, solo {b} es más larga de lo necesario.",
    ),
    "fr": (
        "On dirait que {a} appelle {b} deux fois, ce qui explique les {n} lignes.",
        "La partie autour de {a} se lit bien, seul {b} est plus long que nécessaire.",
    ),
    "zh": ("看起来 {a} 调用了两次 {b}，所以有 {n} 行。", "{a} 附近的代码读起来不错，只是 {b} 偏长。"),
}
_SYLLABLES: Final = (
    "ka",
    "ro",
    "min",
    "tel",
    "su",
    "var",
    "lo",
    "dex",
    "pri",
    "na",
    "qua",
    "bel",
    "fi",
    "ton",
)
_NARRATION: Final = ("Reading the file now.", "Let me check that.", "Running the tests again.", "Searching.")


@dataclass(frozen=True, slots=True)
class ExamTranscript:
    """What is compacted and what is asked about it.

    Attributes:
        messages: OpenAI-style dicts.
        needles: (index of the message that says it, needle), oldest first.
        superseded: keys of needles whose values are out of date.
        unsaid: needles that no message says.
    """

    messages: Sequence[dict[str, Any]]
    needles: Sequence[tuple[int, Needle]]
    superseded: frozenset[str]
    unsaid: Sequence[Needle]

    def asked(self) -> list[Needle]:
        """Return the needles that recall is counted over."""
        return [needle for _, needle in self.needles if needle.key not in self.superseded]


class TranscriptMaker:
    """Writes turns until a number of tokens is reached; can go on where it stopped."""

    def __init__(
        self,
        seed: int,
        count: Callable[[str], int],
        needles: Callable[[random.Random], NeedleMaker] = NeedleMaker,
        most: int | None = None,
    ) -> None:
        """Begin a transcript.

        Args:
            needles: makes what is planted.
            most: how many are planted; None for one in `TOKENS_PER_NEEDLE`.
        """
        self._chance = random.Random(seed)
        self._count = count
        self._maker = needles(self._chance)
        self._most = most
        self._owed = 0.0
        self._calls = 0
        self.tokens = 0
        self.messages: list[dict[str, Any]] = []
        self.needles: list[tuple[int, Needle]] = []
        self._say({"role": "system", "content": "You are a careful engineer's agent. Use the tools."})

    def grow(self, tokens: int) -> None:
        """Add whole turns until the transcript has *tokens* tokens or more."""
        while self.tokens < tokens:
            self._turn()

    def transcript(self, unsaid: int = 10) -> ExamTranscript:
        """Return what was written so far."""
        never = [self._maker.never_said("en") for _ in range(unsaid)]
        return ExamTranscript(tuple(self.messages), tuple(self.needles), self._maker.superseded(), never)

    def _turn(self) -> None:
        language = self._chance.choice(LANGUAGES) if self._chance.random() < 0.5 else "en"
        words = {"a": self._identifier(), "b": self._identifier()}
        ask = [self._chance.choice(_ASKS[language]).format(**words), *self._chatter(language, 4)]
        self._say({"role": "user", "content": self._with_needles(ask, "user", language, end=" ")})
        for _ in range(self._chance.randint(1, 5)):
            self._call(language)
        reply = [*self._chatter(language, 14), _DONE[language].format(**words)]
        self._say(
            {"role": "assistant", "content": self._with_needles(reply, "assistant", language, end="\n")}
        )

    def _call(self, language: str) -> None:
        self._calls += 1
        name, arguments, lines, wrap = self._chance.choice(_TOOLS)(self)
        function = {"name": name, "arguments": json.dumps(arguments)}
        said = [self._chance.choice(_NARRATION), *self._chatter(language, 3)]
        call = {"id": f"call_{self._calls}", "type": "function", "function": function}
        self._say({"role": "assistant", "content": " ".join(said), "tool_calls": [call]})
        text = self._with_needles(lines, "tool", language, end="\n")
        self._say({"role": "tool", "tool_call_id": f"call_{self._calls}", "content": wrap(text)})

    def _with_needles(self, lines: list[str], speaker: str, language: str, *, end: str) -> str:
        """Return *lines* joined, the needles that are owed put at random places among them."""
        places = len(self.messages)
        while self._owed >= 1 and self._chance.random() < _SHARE[speaker]:
            if self._most is not None and len(self.needles) >= self._most:
                break
            self._owed -= 1
            needle = self._maker.make(speaker, "en" if speaker == "tool" else language)
            lines.insert(self._chance.randint(0, len(lines)), needle.sentence)
            self.needles.append((places, needle))
        return end.join(lines)

    def _say(self, message: dict[str, Any]) -> None:
        calls = json.dumps(message["tool_calls"]) if "tool_calls" in message else ""
        cost = self._count(f"{message['content']}{calls}") + 4
        self.tokens += cost
        self._owed += cost / TOKENS_PER_NEEDLE
        self.messages.append(message)

    def _chatter(self, language: str, most: int) -> list[str]:
        """Return up to *most* sentences that nobody asks about."""
        return [
            self._chance.choice(_CHATTER[language]).format(
                a=self._identifier(), b=self._identifier(), n=self._chance.randint(2, 9_000)
            )
            for _ in range(self._chance.randint(0, most))
        ]

    def _identifier(self) -> str:
        if self._chance.random() < 0.5:
            return "_".join(self._chance.choices(_WORDS, k=2))
        return f"{self._chance.choice(_WORDS)}_{''.join(self._chance.choices(_SYLLABLES, k=3))}"

    # -- what tools say: plausible and full of strings that nobody asks for --------------------------

    def _listing(self) -> "_Tool":
        folder = f"src/{self._chance.choice(_WORDS)}"
        lines = [
            f"-rw-r--r-- 1 dev dev {self._chance.randint(90, 90_000):>6} Jun {self._chance.randint(1, 30)} "
            f"{folder}/{self._identifier()}_{number}.py"
            for number in range(self._chance.randint(10, 60))
        ]
        return "terminal", {"command": f"ls -l {folder}"}, lines, _as_output

    def _reading(self) -> "_Tool":
        path = f"src/{self._identifier()}.py"
        lines = [self._code() for _ in range(self._chance.randint(20, 90))]
        return "read_file", {"path": path}, lines, _as_numbered

    def _tests(self) -> "_Tool":
        lines = [
            f"tests/test_{self._identifier()}.py::test_{self._identifier()} PASSED [{number:>3}%]"
            for number in range(0, 100, self._chance.randint(2, 8))
        ]
        lines.append(f"{len(lines)} passed in {self._chance.uniform(0.4, 80):.2f}s")
        return "terminal", {"command": "pytest -v"}, lines, _as_output

    def _log(self) -> "_Tool":
        lines = [
            f"2026-06-{self._chance.randint(1, 30):02d}T{self._chance.randint(0, 23):02d}:"
            f"{self._chance.randint(0, 59):02d}:07Z INFO {self._identifier()} "
            f"req={self._chance.randrange(16**12):012x} took={self._chance.randint(1, 900)}ms rows="
            f"{self._chance.randint(0, 4_000)}"
            for _ in range(self._chance.randint(10, 50))
        ]
        return "terminal", {"command": "journalctl -n 50"}, lines, _as_output

    def _answer(self) -> "_Tool":
        rows = [
            {
                "id": self._chance.randint(1, 10**6),
                "name": self._identifier(),
                "port": self._chance.randint(1, 9_999),
            }
            for _ in range(self._chance.randint(5, 30))
        ]
        return "http_get", {"url": "http://127.0.0.1/api/rows"}, [json.dumps(row) for row in rows], str

    def _code(self) -> str:
        first, second = self._identifier(), self._identifier()
        return self._chance.choice((
            f"def {first}(self, {second}: int = {self._chance.randint(0, 99)}) -> None:",
            f"    self.{first} = {second}({self._chance.randint(0, 999)})",
            f"    if {first} > {self._chance.randint(0, 999)}: return {second}",
            f"    # {first} before {second}, see the notes",
            "",
        ))  # fmt: skip


_Tool = tuple[str, dict[str, str], list[str], Callable[[str], str]]
_SHARE: Final = {"user": 0.6, "assistant": 0.6, "tool": 0.2}
_TOOLS: Final[tuple[Callable[[TranscriptMaker], _Tool], ...]] = (
    TranscriptMaker._listing, TranscriptMaker._reading, TranscriptMaker._reading, TranscriptMaker._tests,
    TranscriptMaker._log, TranscriptMaker._answer,
)  # fmt: skip
assert set(_SHARE) == set(SPEAKERS)


def _as_output(text: str) -> str:
    return json.dumps({"output": text, "exit_code": 0}, ensure_ascii=False)


def _as_numbered(text: str) -> str:
    lines = (f"{number:>6}|{line}" for number, line in enumerate(text.splitlines(), start=1))
    return json.dumps({"content": "\n".join(lines), "truncated": False}, ensure_ascii=False)


def iter_texts(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what each message says, arguments of its calls included, tool results as they read."""
    for message in messages:
        calls = " ".join(call["function"]["arguments"] for call in message.get("tool_calls") or ())
        yield f"{readable(str(message.get('content') or ''))}{' ' if calls else ''}{calls}"


def readable(text: str) -> str:
    """Return a tool's JSON as the text in it: what a model reads out of it."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    if isinstance(found, dict):
        return "\n".join(str(value) for value in found.values())
    return text
