"""Ways to spoil a file of JSON, and what is read of a home with one."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.contract import Importer, OpenOptions

ODD = [b":null", b":[]", b":{}", b":1e999", b":-1", b":true", b":" + b"9" * 30, b':{"a":"\\ud83d"}']


def flipped(chance: random.Random, written: bytes) -> bytes:
    spoiled = bytearray(written)
    for _ in range(chance.randrange(1, 100)):
        spoiled[chance.randrange(len(spoiled))] = chance.randrange(256)
    return bytes(spoiled)


def shuffled(chance: random.Random, written: bytes) -> bytes:
    lines = written.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines * 2)


def cut_off(chance: random.Random, written: bytes) -> bytes:
    return written[: chance.randrange(len(written))]


def with_zeros(chance: random.Random, written: bytes) -> bytes:
    at = chance.randrange(len(written))
    return written[:at] + bytes(9000) + written[at:]


def of_other_types(chance: random.Random, written: bytes) -> bytes:
    return re.sub(
        rb':\s*("[^"]*"|\d+|true|\[|\{)',
        lambda found: found.group() if chance.random() < 0.9 else chance.choice(ODD),
        written,
    )


def of_other_strings(chance: random.Random, written: bytes) -> bytes:
    return re.sub(
        rb':\s*"[^"]*"', lambda found: found.group() if chance.random() < 0.7 else chance.choice(ODD), written
    )


def with_one_id(chance: random.Random, written: bytes) -> bytes:
    ids = rb'"(id|parentId|ts|sessionId)":\s*("[^"]*"|\d+)'
    return re.sub(
        ids, lambda found: chance.choice([found.group(), b'"' + found.group(1) + b'": "x"']), written
    )


def nested(chance: random.Random, written: bytes) -> bytes:
    deep = b'{"type":"message","content":' + b"[" * 3000 + b"]" * 3000 + b"}\n"
    return deep + written


SPOILS: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    flipped, shuffled, cut_off, with_zeros, of_other_types, of_other_strings, with_one_id, nested,
)  # fmt: skip


class SpoiledReading(NamedTuple):
    """What was read of a home in which something is spoiled; `rows` is by session."""

    rows: Mapping[str, int]
    damage: Sequence[str]
    rejected: int


def read_spoiled_home(importer: Importer, home: Path) -> SpoiledReading:
    """Read everything as an import does; what is refused is named with a reason."""
    with importer.open(home, None, OpenOptions(now=0.0)) as opened:
        source = CheckedSource(opened)
        rows = dict.fromkeys(source.entries, 0)
        for ids in source.families():
            for session, batch in source.read(ids).batches():
                rows[session] += len(batch)
        assert all(one.id and one.reason for one in source.rejected)
        return SpoiledReading(rows, source.damage, len(source.rejected))
