"""How fast facts are found and compared: MB/s of processor time on prose, logs, code and JSON.

    python -m bench.fact_speed [--hostile]

Prose and code are the documents and the modules of this checkout, logs and JSON are made;
every text is the content of one message. `--hostile` prints another table instead: texts that
are made to be slow, each of three sizes, in nanoseconds a character; where the last is near
the first the time is linear.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from hermes_sessions.facts.compare import compare, hear
from hermes_sessions.facts.extract import extract_facts

ROOT: Final = Path(__file__).parent.parent
ROUNDS: Final = 3
_WORDS: Final = ("served", "opened", "waiting", "closed", "cached", "missing", "slow", "retried", "stored")

SIZES: Final = (64_000, 256_000, 1_000_000)
HOSTILE: Final = {
    "one long line": "the parser reads tokens and writes a table of rows ",
    "one word": "a",
    "=": "=",
    "a=1&": "a=1&",
    "a:": "a:",
    "[[": "[[",
    "{[(": "{[(",
    '{"a":': '{"a":',
    "a path again": "src/app/main.py ",
    "paths, no blank": "/a",
    "Han": "的端口不要",
    "Han sentences": "不要重启网关，端口是 8123。",
    "digits": "1",
    "1.": "1.",
    "dates": "2026-03-04 ",
    "errors": "Error: failed ",
    "https://": "https://",
    "a@b.": "a@b.",
    "back quotes": "`a",
    "- [ ] lines": "- [ ] a\n",
    "A. ": "A. ",
    "escapes": "\x1b[0m",
}

Said = dict[str, Any]


def _prose() -> list[Said]:
    pages = [path.read_text("utf-8") for path in sorted(ROOT.glob("docs/*.md"))]
    return [{"role": "assistant", "content": part} for page in pages for part in page.split("\n## ")]


def _code() -> list[Said]:
    modules = sorted((ROOT / "hermes_sessions" / "store").rglob("*.py"))
    return [{"role": "tool", "content": path.read_text("utf-8")} for path in modules]


def _logs(chance: random.Random) -> list[Said]:
    def line() -> str:
        level = chance.choice(["INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"])
        return (
            f"2026-03-{chance.randint(1, 28):02}T10:{chance.randint(0, 59):02}:07.125Z"
            f" {level} [worker-{chance.randint(1, 9)}] app.pool: request {chance.choice(_WORDS)}"
            f" path=/api/v1/items/{chance.randint(1, 9999)} status={chance.choice([200, 200, 201, 404, 500])}"
            f" took={chance.randint(1, 900)}ms ip=10.0.{chance.randint(0, 255)}.{chance.randint(0, 255)}"
        )

    return [{"role": "tool", "content": "\n".join(line() for _ in range(100))} for _ in range(30)]


def _json(chance: random.Random) -> list[Said]:
    def row() -> Said:
        return {
            "id": chance.randint(1, 99_999),
            "path": f"src/m{chance.randint(1, 99)}/f{chance.randint(1, 99)}.py",
            "created_at": "2026-03-04T10:11:12Z",
            "score": round(chance.random(), 4),
            "note": " ".join(chance.choices(_WORDS, k=20)),
        }

    return [
        {"role": "tool", "content": json.dumps({"items": [row() for _ in range(60)]}, indent=2)}
        for _ in range(20)
    ]


def texts() -> Iterator[tuple[str, list[Said]]]:
    """Yield each kind of text with its messages."""
    yield "prose", _prose()
    yield "logs", _logs(random.Random(1))
    yield "code", _code()
    yield "json", _json(random.Random(2))


def seconds(messages: Sequence[Said]) -> float:
    """Return the best of some rounds, in processor time."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for message in messages:
            extract_facts(message)
        best = min(best, time.process_time() - start)
    return best


def time_hostile() -> None:
    """Print nanoseconds a character for each size of each text, and how the last compares with the first."""
    print(f"{'ns a character':16}" + "".join(f"{size // 1000:>8}k" for size in SIZES) + "   grows by")
    for name, unit in HOSTILE.items():
        found = []
        for size in SIZES:
            message = {"role": "user", "content": (unit * (size // len(unit) + 1))[:size] + "\u0001"}
            start = time.process_time()
            extract_facts(message)
            found.append((time.process_time() - start) / size * 1e9)
        print(f"{name:16}" + "".join(f"{one:>9.0f}" for one in found) + f"{found[-1] / found[0]:>10.2f}x")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hostile", action="store_true", help="texts that are made to be slow")
    if parser.parse_args().hostile:
        time_hostile()
    else:
        time_texts()


def time_texts() -> None:
    """Print how fast each kind of text is read, and what a comparison costs."""
    for name, messages in texts():
        size = sum(len(message["content"].encode()) for message in messages)
        count = sum(len(extract_facts(message)) for message in messages)
        print(f"{name:6} {size / 1e6:5.2f} MB {count:6} facts {size / 1e6 / seconds(messages):6.2f} MB/s")
    said = [fact for message in _prose() for fact in extract_facts(message)]
    start = time.process_time()
    heard = hear("\n".join(message["content"] for message in _prose()[::8]))
    middle = time.process_time()
    for fact in said:
        compare(fact, heard)
    end = time.process_time()
    print(f"compare: {1e3 * (middle - start):.0f} ms to prepare {len(heard.text)} characters,")
    print(f"         {1e3 * (end - middle) / len(said):.3f} ms for each of {len(said)} facts")


if __name__ == "__main__":
    main()
