"""Files that something spoiled: whatever is in them, the rest is read, and what is refused has a reason."""

import random
import re

import pytest

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.claude_code.importer import IMPORTER
from hermes_sessions.agents.contract import OpenOptions

ODD = [b":null", b":[]", b":{}", b":1e999", b":-1", b":true", b":" + b"9" * 30, b':{"a":"\\ud83d"}']


def flipped(chance, written):
    spoiled = bytearray(written)
    for _ in range(chance.randrange(1, 100)):
        spoiled[chance.randrange(len(spoiled))] = chance.randrange(256)
    return bytes(spoiled)


def shuffled(chance, written):
    lines = written.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines * 2)


def with_zeros(chance, written):
    at = chance.randrange(len(written))
    return written[:at] + bytes(9000) + written[at:]


def of_other_types(chance, written):
    return re.sub(
        rb':"[^"]*"', lambda found: found.group() if chance.random() < 0.8 else chance.choice(ODD), written
    )


def with_one_id(chance, written):
    return re.sub(rb'"uuid": "[^"]*"', lambda found: chance.choice([found.group(), b'"uuid": "x"']), written)


def nested(chance, written):
    deep = b'{"type":"user","message":{"content":' + b"[" * 3000 + b"]" * 3000 + b"}}\n"
    return deep + written


SPOILS = (flipped, shuffled, with_zeros, of_other_types, with_one_id, nested)


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("seed", range(5))
def test_a_spoiled_file_is_read_as_far_as_it_can_be(home, spoil, seed):
    for name in ("a", "b"):
        talk = home.talk(name)
        for at in range(6):
            talk.ask(f"question {at}")
            talk.call(f"t{at}", path="x")
            talk.result(f"t{at}", [{"type": "text", "text": "out"}])
            if at % 3 == 2:
                talk.compact("Summary:\nshort", preservedMessages={"uuids": [talk.parent]})
        talk.write()
    path = home.talk("a").path
    path.write_bytes(spoil(random.Random(seed), path.read_bytes()))
    with IMPORTER.open(home.path, None, OpenOptions(now=0.0)) as opened:
        source = CheckedSource(opened)
        read = {one: 0 for one in source.entries}
        for ids in source.families():
            for session, rows in source.read(ids).batches():
                read[session] += len(rows)
        assert read["b"] == 20
        assert all(one.id and one.reason for one in source.rejected)
        assert source.damage == []
