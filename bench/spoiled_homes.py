"""Homes of agents in which something is spoiled: a file of lines, a list, a database or one of its cells.

The homes are those of a corpus (`bench.homes`); OpenCode and Goose are written as the files of their older
releases, too.
"""

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from bench.homes import find_homes

ODD: Final = (
    b"null", b"[]", b"{}", b"1e999", b"-1", b"true", b"9" * 30, b'"\\ud83d"', b'""', b"[[[]]]",
    b'{"a":{"b":1}}',
    b'"' + b"x" * 100_000 + b'"', b'"\\u0000"', b'"2026-13-45T99:99:99Z"', b"NaN", b"0.5",
)  # fmt: skip
"""Values of JSON that no agent writes there."""
_VALUE: Final = re.compile(rb':\s*("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)')

Spoil = Callable[[bytes, random.Random], bytes]


def bytes_flipped(written: bytes, chance: random.Random) -> bytes:
    """Change some bytes anywhere."""
    spoiled = bytearray(written)
    for _ in range(chance.choice((1, 10, 200))):
        spoiled[chance.randrange(len(spoiled))] = chance.randrange(256)
    return bytes(spoiled)


def lines_shuffled(written: bytes, chance: random.Random) -> bytes:
    """Change the order of the lines, and write some twice."""
    lines = written.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join([*lines, *lines[: len(lines) // 2]])


def cut_off(written: bytes, chance: random.Random) -> bytes:
    """Lose the end."""
    return written[: chance.randrange(len(written))]


def zeros(written: bytes, chance: random.Random) -> bytes:
    """Have a hole in the middle."""
    at = chance.randrange(len(written))
    return written[:at] + bytes(9_000) + written[at + chance.choice((0, 9_000)) :]


def other_values(written: bytes, chance: random.Random) -> bytes:
    """Exchange values for others of other types."""
    share = chance.choice((0.003, 0.03, 0.3))

    def changed(found: re.Match[bytes]) -> bytes:
        return b":" + chance.choice(ODD) if chance.random() < share else found.group()

    return _VALUE.sub(changed, written)


def other_ids(written: bytes, chance: random.Random) -> bytes:
    """Give records the ids of others."""
    found = re.findall(rb'"(?:uuid|id|parentUuid|parentId|call_id|sessionId)":\s*("[^"]*")', written) or [
        b'"x"'
    ]

    def changed(match: re.Match[bytes]) -> bytes:
        return match.group(1) + chance.choice(found) if chance.random() < 0.2 else match.group()

    return re.sub(rb'("(?:uuid|id|parentUuid|parentId|call_id|sessionId)":\s*)"[^"]*"', changed, written)


def nested(written: bytes, chance: random.Random) -> bytes:
    """Nest a value too deeply to be read, or to be written again."""
    depth = chance.choice((400, 900, 3_000, 100_000))
    deep = b"[" * depth + b"]" * depth
    found = list(_VALUE.finditer(written))
    if not found:
        return deep + written
    at = chance.choice(found)
    return written[: at.start()] + b":" + deep + written[at.end() :]


TEXT_SPOILS: Final[tuple[Spoil, ...]] = (
    bytes_flipped, lines_shuffled, cut_off, zeros, other_values, other_values, other_ids, nested,
)  # fmt: skip


def pages_spoiled(written: bytes, chance: random.Random) -> bytes:
    """Empty pages, exchange them, or lose the end."""
    content = bytearray(written)
    pages = max(2, len(content) // 4_096)
    for _ in range(chance.choice((1, 3, 10))):
        at = 4_096 * chance.randrange(1, pages)
        content[at : at + 4_096] = chance.choice((bytes(4_096), chance.randbytes(4_096)))
    return bytes(content[: chance.randrange(4_096, len(content))] if chance.random() < 0.2 else content)


def cells_spoiled(path: Path, chance: random.Random) -> None:
    """Put values of other types into cells, and spoil the JSON in others."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for _ in range(chance.choice((3, 30, 300))):
            table = chance.choice([one for one in tables if not one.startswith("sqlite_")])
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
            row = connection.execute(f'SELECT rowid, * FROM "{table}" ORDER BY random() LIMIT 1').fetchone()
            if row is None:
                continue
            at = chance.randrange(len(columns))
            old = row[at + 1]
            value: Any = chance.choice((None, "", b"\xff\xfe", -1, 2**62, 1e300, "[", "{}", "null", "\0"))
            if isinstance(old, str) and old.startswith(("{", "[")) and chance.random() < 0.8:
                value = chance.choice(TEXT_SPOILS)(old.encode(), chance).decode("utf-8", "replace")
            try:
                statement = f'UPDATE OR IGNORE "{table}" SET "{columns[at]}" = ? WHERE rowid = ?'
                connection.execute(statement, (value, row[0]))
            except sqlite3.Error:
                continue


def spoil_home(home: Path, chance: random.Random) -> str:
    """Spoil one or some files of a home; return what was done."""
    databases = [one for one in home.rglob("*.db") if one.is_file()]
    if databases:
        kind = chance.choice(("bytes", "pages", "cells", "cells", "cells"))
        if kind == "cells":
            cells_spoiled(databases[0], chance)
        else:
            written = databases[0].read_bytes()
            spoiled = (bytes_flipped if kind == "bytes" else pages_spoiled)(written, chance)
            databases[0].write_bytes(spoiled)
        return kind
    files = sorted(one for one in home.rglob("*.json*") if one.is_file() and one.stat().st_size)
    spoil = chance.choice(TEXT_SPOILS)
    for file in chance.sample(files, min(len(files), chance.choice((1, 1, 3, 20)))):
        file.write_bytes(spoil(file.read_bytes(), chance))
    return spoil.__name__


def homes_to_spoil(folder: Path, scratch: Path) -> Mapping[str, tuple[Path, Path]]:
    """Return by name each home of a corpus, and what is imported of it; those of older releases are written.

    Raises:
        UnusableTruthError: the corpus cannot be used.
    """
    found = {str(truth["agent"]): (home, path) for home, path, truth in find_homes(folder)}
    for name, writing in (("opencode", _opencode_files), ("goose", _goose_files)):
        if name in found:
            home = scratch / f"{name}-files"
            found[f"{name}, files"] = (home, writing(found[name][1], home))
    return found


def _opencode_files(place: Path, home: Path) -> Path:
    target = home / ".local/share/opencode"
    with closing(sqlite3.connect(f"file:{_database(place)}?mode=ro", uri=True)) as connection:
        for one, directory, title, created in connection.execute(
            "SELECT id, directory, title, time_created FROM session"
        ):
            times = {"created": created, "updated": created}
            value = {"id": one, "directory": directory, "title": title, "time": times, "version": "1.0.1"}
            _write(target / "storage/session/global" / f"{one}.json", json.dumps(value))
        for one, session, data in connection.execute("SELECT id, session_id, data FROM message"):
            _write(target / "storage/message" / session / f"{one}.json", data)
        for one, message, data in connection.execute("SELECT id, message_id, data FROM part"):
            _write(target / "storage/part" / message / f"{one}.json", data)
    return target


def _goose_files(place: Path, home: Path) -> Path:
    target = home / ".local/share/goose/sessions"
    asked = "SELECT role, content_json, created_timestamp FROM messages WHERE session_id = ? ORDER BY id"
    with closing(sqlite3.connect(f"file:{_database(place)}?mode=ro", uri=True)) as connection:
        for (session,) in connection.execute("SELECT id FROM sessions").fetchall():
            lines = [json.dumps({"working_dir": "/home/u/w", "description": session})]
            for role, content, created in connection.execute(asked, (session,)):
                lines.append(json.dumps({"role": role, "content": json.loads(content), "created": created}))
            _write(target / f"{session}.jsonl", "\n".join(lines) + "\n")
    return target


def _database(place: Path) -> Path:
    return place if place.is_file() else next(iter(sorted(place.glob("*.db"))))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def copy_home(home: Path, path: Path, target: Path) -> Path:
    """Copy a home; return where in the copy that is which is imported."""
    shutil.copytree(home, target)
    return target / path.relative_to(home)
