"""Files that something spoiled: whatever is in them, the rest is read, and what is refused has a reason."""

import random
import re

import pytest

from hermes_sessions.agents.claude_code.importer import IMPORTER
from tests.agents.spoiling import ODD, flipped, read_spoiled_home, shuffled, with_zeros


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
    found = read_spoiled_home(IMPORTER, home.path)
    assert found.rows["b"] == 20
    assert found.damage == []
