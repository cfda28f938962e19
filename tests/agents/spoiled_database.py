"""A database of an agent that something spoiled, read as an import would: again with the damage it met."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.contract import Importer, OpenOptions
from hermes_sessions.errors import SourceDamagedError, SourceError


def flipped(chance: random.Random, written: bytearray) -> None:
    for _ in range(chance.randrange(1, 200)):
        written[chance.randrange(100, len(written))] = chance.randrange(256)


def zeroed(chance: random.Random, written: bytearray) -> None:
    page = 4096 * chance.randrange(1, len(written) // 4096)
    written[page : page + 4096] = bytes(4096)


def cut_off(chance: random.Random, written: bytearray) -> None:
    del written[chance.randrange(4096, len(written)) :]


def with_other_words(chance: random.Random, written: bytearray) -> None:
    """Values of other types and keys of other names, all of the same length."""
    for old, new in (
        (b'"text"', b'"tex\xff"'),
        (b'"role"', b'"rule"'),
        (b'": {', b'": 7'),
        (b'": "', b'":[["'),
    ):
        at = written.find(old, chance.randrange(len(written)))
        while at >= 0 and chance.random() < 0.9:
            written[at : at + len(old)] = new
            at = written.find(old, at + 1)


SPOILS: tuple[Callable[[random.Random, bytearray], None], ...] = (flipped, zeroed, cut_off, with_other_words)


def spoil(path: Path, target: Path, seed: int) -> None:
    """Write a spoiled copy of the file at *path*."""
    written = bytearray(path.read_bytes())
    SPOILS[seed % len(SPOILS)](random.Random(seed), written)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(written)


def read_all(importer: Importer, path: Path) -> int | str:
    """Return how many messages can be read, or the one line that refuses the file."""
    damage: str | None = None
    for _ in range(3):
        try:
            return _read(importer, path, damage)
        except SourceDamagedError as error:
            damage = str(error)
        except SourceError as error:
            refused = str(error)
            break
    else:
        refused = ""
    if refused:
        assert str(path) in refused
        assert "\n" not in refused
        return refused
    raise AssertionError(f"{path}: damage again and again: {damage}")


def _read(importer: Importer, path: Path, damage: str | None) -> int:
    with importer.open(path, None, OpenOptions(now=0.0, damage=damage)) as opened:
        source = CheckedSource(opened)
        list(source.openings())
        count = sum(len(rows) for ids in source.families() for _, rows in source.read(ids).batches())
        assert all(one.id and one.reason for one in source.rejected)
        assert source.complete is not bool(source.damage)
    return count


def read_spoiled(importer: Importer, folder: Path, name: str, seed: int) -> int | str:
    """Spoil a copy of the database *name* in a folder, read it, and take it away again."""
    target = folder.with_name(f"spoiled-{seed}")
    spoil(folder / name, target / name, seed)
    try:
        return read_all(importer, target)
    finally:
        shutil.rmtree(target)
