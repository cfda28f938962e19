"""Homes of a corpus as they were before something happened to them, and that it happens.

A home is put into an earlier state, imported, brought to the state that its truth is about, and imported
again: whatever happened in between, the store must say what the truth says. Files of lines and lists are
changed as files, databases by their tables.
"""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from backports import zstd

_TABLES: Final = {"opencode.db": ("message", "part"), "sessions.db": ("messages",)}
_IDS: Final = {"message": "id", "part": "id", "messages": "id"}
_CONTENT: Final = {"message": "data", "part": "data", "messages": "content_json"}

Change = Callable[[Path, Path, random.Random], None]
"""Called with the home as it is to end, a copy of it to put into an earlier state, and chance."""


def append(home: Path, copy: Path, chance: random.Random) -> None:
    """Sessions were shorter."""
    for file in _lines(copy):
        whole = (home / file.relative_to(copy)).read_bytes()
        lines = whole.splitlines(keepends=True)
        file.write_bytes(b"".join(lines[: chance.randrange(1, len(lines) + 1)]))
    for file in _lists(copy):
        _shorten(file, chance)
    _take_rows(copy, chance)


def torn_end(home: Path, copy: Path, chance: random.Random) -> None:
    """The last line that was written was not complete."""
    for file in _lines(copy):
        whole = (home / file.relative_to(copy)).read_bytes()
        first = whole.find(b"\n") + 1
        file.write_bytes(whole[: chance.randrange(first, len(whole) + 1)])
    for file in _lists(copy):
        file.write_bytes(file.read_bytes()[: -chance.randrange(1, 40)])
    _take_rows(copy, chance)


def rewrite(home: Path, copy: Path, chance: random.Random) -> None:
    """What was said was something else."""
    for file in (*_lines(copy), *_lists(copy)):
        words = json.dumps(chance.choice(["other words", "and others"])).encode()[1:-1]
        written = file.read_bytes()
        for name in (
            b'"text": "',
            b'"text":"',
            b'"content": "',
            b'"content":"',
            b'"message":"',
            b'"output":"',
        ):
            at = written.find(name, chance.randrange(len(written)))
            if at >= 0:
                written = written[: at + len(name)] + words + b" " + written[at + len(name) :]
        file.write_bytes(written)
    for database, tables in _databases(copy):
        for table in tables:
            column = _CONTENT[table]
            changed = f'replace({column}, \'"text":"\', \'"text":"other words \')'
            _run(database, f"UPDATE {table} SET {column} = {changed} WHERE {_some(table, chance)}")


def truncation(home: Path, copy: Path, chance: random.Random) -> None:
    """Sessions were longer: some lines of another file, or of theirs under other ids, came after them."""
    for file in _lines(copy):
        lines = file.read_bytes().splitlines(keepends=True)
        if not lines[-1].endswith(b"\n"):
            continue
        again = lines[-chance.randrange(1, 9) :]
        file.write_bytes(b"".join(lines) + b"".join(_under_other_ids(one) for one in again))
    for file in _lists(copy):
        _lengthen(file)
    for database, tables in _databases(copy):
        for table in tables:
            _copy_rows(database, table)


def deletion(home: Path, copy: Path, chance: random.Random) -> None:
    """There were more sessions, which repeat nothing of the others."""
    for file in (*_lines(copy), *_lists(copy)):
        other = _beside(file)
        other.parent.mkdir(parents=True, exist_ok=True)
        ids = {value: f"x{value[1:]}" for value in _ids_in(file)}
        written = file.read_text("utf-8", "surrogateescape")
        for old, new in ids.items():
            written = written.replace(old, new)
        other.write_text(written, "utf-8", "surrogateescape")
    for database, tables in _databases(copy):
        session = "session" if "session" in _tables(database) else "sessions"
        _copy_rows(database, session)
        del tables


def archive_move(home: Path, copy: Path, chance: random.Random) -> None:
    """Files were in another folder in which the agent keeps such files."""
    for file in _lines(copy):
        parts = file.relative_to(copy).parts
        if "archived_sessions" in parts:
            target = copy / parts[0] / "sessions" / "2026" / "05" / "15" / file.name
        elif "sessions" in parts and parts[0] == ".codex":
            target = copy / parts[0] / "archived_sessions" / file.name
        elif "subagents" in parts or file.parent.parent.name not in ("projects", "sessions"):
            continue
        else:
            target = file.parent.with_name(f"{file.parent.name}-other") / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(file, target)


def compression(home: Path, copy: Path, chance: random.Random) -> None:
    """Rollouts were not compressed, or the other way round; of some both forms are there now."""
    for number, file in enumerate(_lines(copy)):
        if file.name.startswith("rollout-"):
            packed = file.with_name(f"{file.name}.zst")
            packed.write_bytes(zstd.compress(file.read_bytes()))
            if number % 3:
                file.unlink()


CHANGES: Final[dict[str, Change]] = {
    "append": append,
    "torn end completed": torn_end,
    "rewrite": rewrite,
    "truncation": truncation,
    "deletion": deletion,
    "archive move": archive_move,
    "compression": compression,
}


def replace_home(home: Path, copy: Path) -> None:
    """Bring *copy* to the state of *home*: files that changed are written, others are left as they are."""
    wanted = {one.relative_to(home) for one in home.rglob("*") if one.is_file()}
    for one in [one for one in copy.rglob("*") if one.is_file()]:
        if one.relative_to(copy) not in wanted:
            one.unlink()
    for name in wanted:
        target, written = copy / name, (home / name).read_bytes()
        if not target.exists() or target.read_bytes() != written:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(written)


# -- files -----------------------------------------------------------------------------------------


def _lines(copy: Path) -> list[Path]:
    found = (one for one in copy.rglob("*.jsonl") if one.name != "session_index.jsonl")
    return sorted(one for one in found if one.stat().st_size)


def _lists(copy: Path) -> list[Path]:
    found = [*copy.rglob("api_conversation_history.json"), *copy.rglob("chats/session-*.json")]
    return sorted(found)


def _shorten(file: Path, chance: random.Random) -> None:
    value = json.loads(file.read_bytes())
    items = value if isinstance(value, list) else value["messages"]
    del items[chance.randrange(1, len(items) + 1) :]
    file.write_text(json.dumps(value))


def _lengthen(file: Path) -> None:
    value = json.loads(file.read_bytes())
    items = value if isinstance(value, list) else value["messages"]
    last = dict(items[-1])
    last |= {name: f"{last[name]}-later" for name in ("id",) if name in last}
    last |= {"ts": last["ts"] + 1000} if isinstance(last.get("ts"), int) else {}
    items.append(last)
    file.write_text(json.dumps(value))


def _under_other_ids(line: bytes) -> bytes:
    try:
        value = json.loads(line)
    except ValueError:
        return line
    for name in ("uuid", "id"):
        if isinstance(value, dict) and isinstance(value.get(name), str):
            value[name] += "-later"
    return json.dumps(value).encode() + b"\n"


def _ids_in(file: Path) -> set[str]:
    """Return the ids that a file's records have, and what its session is called."""
    found = {file.parent.name if file.suffix == ".json" and file.name.startswith("api") else ""}
    for line in file.read_bytes().splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        inner = value.get("payload") if isinstance(value, dict) else None
        for one in (value, inner):
            if isinstance(one, dict):
                named = (one.get(name) for name in ("uuid", "id", "sessionId", "turn_id"))
                found |= {name for name in named if isinstance(name, str) and len(name) > 6}
    return found - {""}


def _beside(file: Path) -> Path:
    if file.name == "api_conversation_history.json":
        return file.parent.with_name(f"x{file.parent.name[1:]}") / file.name
    if file.name.startswith("rollout-"):
        return file.with_name(f"{file.name[:28]}x{file.name[29:]}")
    if "subagents" in file.parts:
        session = file.parent.parent
        return session.with_name(f"x{session.name[1:]}") / "subagents" / file.name
    return file.with_name(
        f"x{file.name[1:]}" if file.name[0] in "0123456789abcdef" else f"{file.stem}x{file.suffix}"
    )


# -- databases -------------------------------------------------------------------------------------


def _databases(copy: Path) -> list[tuple[Path, tuple[str, ...]]]:
    return [(one, _TABLES[one.name]) for one in sorted(copy.rglob("*.db")) if one.name in _TABLES]


def _run(database: Path, statement: str) -> list[Any]:
    with closing(sqlite3.connect(database)) as connection, connection:
        return connection.execute(statement).fetchall()


def _tables(database: Path) -> set[str]:
    return {name for (name,) in _run(database, "SELECT name FROM sqlite_master WHERE type = 'table'")}


def _some(table: str, chance: random.Random) -> str:
    return f"(rowid * 7 + {chance.randrange(5)}) % 5 = 0"


def _take_rows(copy: Path, chance: random.Random) -> None:
    """Take the last messages of each session away."""
    for database, tables in _databases(copy):
        count = chance.randrange(1, 7)
        table = tables[0]
        ranked = f"SELECT id, row_number() OVER (PARTITION BY session_id ORDER BY id DESC) AS n FROM {table}"
        gone = f"SELECT id FROM ({ranked}) WHERE n <= {count}"
        if "part" in tables:
            _run(database, f"DELETE FROM part WHERE message_id IN ({gone})")
        _run(database, f"DELETE FROM {table} WHERE id IN ({gone})")


def _copy_rows(database: Path, table: str) -> None:
    """Copy some rows of a table under other ids, behind all others."""
    columns = [row[1] for row in _run(database, f"PRAGMA table_info({table})")]
    kinds = {row[1]: row[2].upper() for row in _run(database, f"PRAGMA table_info({table})")}
    told = {name: f'"{name}"' for name in columns}
    numbered = kinds["id"].startswith("INT")
    told["id"] = "NULL" if numbered else "id || 'zz'"
    if "message_id" in told and table == "messages":
        told["message_id"] = "message_id || 'zz'"
    names = ", ".join(f'"{name}"' for name in columns)
    _run(
        database,
        f"INSERT INTO {table} ({names}) SELECT {', '.join(told.values())} FROM {table} WHERE rowid % 4 = 1",
    )
