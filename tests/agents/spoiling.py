"""Ways to spoil a file of JSON, for tests that read on."""

import random
import re
from collections.abc import Callable

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
