"""Make a store to search in: many scripts, code, tool calls, and planted messages whose number is known.

The text is made of sentences from pools (words by Zipf's law in seven scripts, log lines,
code), so that common words are common and rare ones rare. Rows go in through the store's
own bulk insert and index.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import insert
from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.engines.bulk_insert import insert_messages
from hermes_sessions.store.language.indexed_text import indexable
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Conversation, Message, Origin, Session
from hermes_sessions.store.searching.full_text import index_rows, next_search_keys

START: Final = 1_704_067_200.0
"""2024-01-01; messages follow each other over two years."""
YEARS_SECONDS: Final = 2 * 365 * 86_400
ROWS_PER_SESSION: Final = 30
BATCH: Final = 6_000
_COLUMNS: Final = tuple(column.name for column in Message.__table__.columns)
_COMMON: Final = (
    *(
        "the",
        "of",
        "and",
        "to",
        "a",
        "in",
        "is",
        "it",
        "you",
        "that",
        "he",
        "was",
        "for",
        "on",
        "are",
        "with",
    ),
    *(
        "as",
        "his",
        "they",
        "be",
        "at",
        "one",
        "have",
        "this",
        "from",
        "by",
        "not",
        "but",
        "what",
        "all",
        "were",
    ),
)
_CHINESE: Final = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工"
_JAPANESE: Final = "のにをはがとでもるたいしれなかてあり" * 3 + "検索文字列変換設定実行結果保存"
_KOREAN: Final = "이다는을를가에서하고의한도로있습니"
_THAI: Final = "กขคงจชดตทนบปพมยรลวสหอาเแโใไ"
_TOOLS: Final = ("terminal", "read_file", "write_file", "search_files", "web_search", "patch")
_SOURCES: Final = ("cli", "telegram", "discord", "cron", "whatsapp")
_MODELS: Final = ("model-large", "model-small", "other/model-9")


@dataclass(frozen=True, slots=True)
class Planted:
    """Text that stands in exactly *count* messages, in a user's message or in a tool's output."""

    text: str
    count: int
    role: str = "user"


class Writer:
    """Makes sentences; the same seed gives the same store."""

    def __init__(self, seed: int = 7) -> None:
        self.chance = random.Random(seed)
        self.pools = [
            *(4 * [self._pool(self._latin(9_000), " ", "and the next one.")]),
            self._pool(self._runs(_CHINESE, 900), "", "。"),
            self._pool(self._runs(_JAPANESE, 400), "", "。"),
            self._pool(self._runs(_KOREAN, 700), " ", "."),
            self._pool(self._spelt("абвгдежзиклмнопрстуфхя", 5_000), " ", "."),
            self._pool(self._spelt("ابتثجحخدذرزسشصضعغفقكلمنهوي", 2_000), " ", "."),
            self._pool(self._runs(_THAI, 500), "", " "),
            self._code(),
        ]

    def text(self, number: int) -> str:
        """Return the text of a message, between a line and a page."""
        pool = self.chance.choice(self.pools)
        size = self.chance.choice((1, 2, 2, 3, 4, 6, 14))
        return " ".join([f"{number}", *self.chance.choices(pool, k=size)])

    def _pool(self, words: Sequence[str], joint: str, end: str) -> list[str]:
        weights = [1 / (place + 2) for place in range(len(words))]
        return [
            joint.join(self.chance.choices(words, weights, k=self.chance.randrange(8, 22))) + end
            for _ in range(3_000)
        ]

    def _latin(self, count: int) -> list[str]:
        return [*_COMMON, *self._spelt("aaabcdeeefghiiklmnooprssttuvw", count)]

    def _spelt(self, letters: str, count: int) -> list[str]:
        return ["".join(self.chance.choices(letters, k=self.chance.randrange(3, 11))) for _ in range(count)]

    def _runs(self, letters: str, count: int) -> list[str]:
        return ["".join(self.chance.choices(letters, k=self.chance.randrange(1, 5))) for _ in range(count)]

    def _code(self) -> list[str]:
        names = self._spelt("abcdeghilmnoprstu", 1_500)
        draw = self.chance.choice
        return [
            f"src/{draw(names)}/{draw(names)}_{draw(names)}.py:{self.chance.randrange(900)}:"
            f" in {draw(names)}_of --{draw(names)} = {self.chance.randrange(10**6)}"
            f" # {self.chance.getrandbits(40):x}"
            for _ in range(6_000)
        ]


def fill(database: Database, messages: int, planted: Sequence[Planted]) -> int:
    """Add conversations until there are *messages*; return the bytes of text the index covers.

    Each planted text goes to its number of messages, evenly over the whole time.
    """
    writer = Writer()
    places = _places(planted, messages)
    step = YEARS_SECONDS / messages
    covered = 0
    with database.write() as db:
        db.execute(insert(Origin), [{"id": 1, "kind": "hermes", "label": "bench", "created_at": START}])
    for first in range(0, messages, BATCH):
        rows = list(_rows(writer, range(first, min(messages, first + BATCH)), places, step))
        with database.write() as db:
            _add_conversations(db, rows, step)
            keys = next_search_keys(db, [(row["id"], row["created_at"]) for row in rows])
            for row, key in zip(rows, keys, strict=True):
                row["search_key"] = key
            insert_messages(db, rows)
            index_rows(db, ((row["search_key"], indexable(row)) for row in rows))
        covered += sum(_size(row) for row in rows)
    return covered


def _places(planted: Sequence[Planted], messages: int) -> dict[int, Planted]:
    """Return which message each planted text goes to; no two go to the same."""
    places: dict[int, Planted] = {}
    for order, one in enumerate(planted):
        for copy in range(one.count):
            place = int((copy + 0.5) * messages / one.count) + order
            while place in places or place % ROWS_PER_SESSION == 0:
                place += 1
            places[place % messages] = one
    return places


def _rows(
    writer: Writer, numbers: range, places: dict[int, Planted], step: float
) -> Iterator[dict[str, Any]]:
    blank = dict.fromkeys(_COLUMNS)
    for number in numbers:
        session, position = divmod(number, ROWS_PER_SESSION)
        role = ("user", "assistant", "tool", "assistant")[position % 4]
        text, calls = writer.text(number), None
        hit = places.get(number)
        if hit is not None:
            role, text = hit.role, f"{text}\n{hit.text}"
        if role == "assistant" and position % 4 == 1:
            calls = _calls(number)
        yield {
            **blank, "id": number + 1, "session_id": session + 1, "conversation_id": session + 1,
            "position": position, "role": role,
            "kind": "message", "state": "live", "shown": True, "created_at": START + number * step,
            "text": text, "tool_calls": calls, "tool_name": _TOOLS[number % 6] if role == "tool" else None,
        }  # fmt: skip


def _calls(number: int) -> str:
    arguments = json.dumps({"path": f"src/part_{number % 997}/file_{number % 31}.py", "limit": number % 100})
    name = _TOOLS[(number + 1) % 6]
    return json.dumps([{"id": f"call_{number:08x}", "function": {"name": name, "arguments": arguments}}])


def _size(row: dict[str, Any]) -> int:
    return sum(len((row[name] or "").encode()) for name in ("text", "tool_calls", "tool_name"))


def _add_conversations(db: OrmSession, rows: Sequence[dict[str, Any]], step: float) -> None:
    numbers = sorted({row["session_id"] for row in rows})
    conversations, sessions = [], []
    for number in numbers:
        at = START + (number - 1) * ROWS_PER_SESSION * step
        shared = {
            "origin_id": 1, "public_id": f"20240101_{number:06d}_{number * 2654435761 % 2**24:06x}",
            "source": _SOURCES[min(4, number % 37 // 8)], "model": _MODELS[number % 3],
            "title": f"Work on part {number % 997}", "started_at": at, "last_active_at": at + 30 * step,
            "message_count": ROWS_PER_SESSION,
        }  # fmt: skip
        conversations.append(
            {"id": number, "kind": "chat", "root_id": number, "tip_id": number, "session_count": 1, **shared}
        )
        sessions.append(
            {
                "id": number, "foreign_id": shared["public_id"], "conversation_id": number,
                "relation": "root", "shown_count": ROWS_PER_SESSION, **shared,
            }
        )  # fmt: skip
    db.execute(insert(Conversation), conversations)
    db.execute(insert(Session), sessions)
