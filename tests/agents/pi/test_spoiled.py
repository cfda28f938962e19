"""Files that something spoiled: whatever is in them, the rest is read, and what is refused has a reason."""

import random

import pytest

from hermes_sessions.agents.pi.importer import IMPORTER
from tests.agents.spoiling import SPOILS, read_spoiled_home

SEEDS = 25


@pytest.mark.parametrize("spoil", SPOILS)
def test_a_spoiled_file_is_read_as_far_as_it_can_be(home, spoil):
    for name in ("a", "b"):
        talk = home.talk(name)
        for at in range(6):
            kept = talk.ask(f"question {at}")
            talk.call(f"t{at}", path="x")
            talk.result(f"t{at}", "out")
            if at % 3 == 2:
                talk.compact("short", kept)
                talk.leaf = talk.leaf if at == 2 else kept
        talk.write()
    written = home.file().read_bytes()
    for seed in range(SEEDS):
        home.file().write_bytes(spoil(random.Random(seed), written))
        found = read_spoiled_home(IMPORTER, home.path)
        assert found.rows["b"] == 20
        assert found.damage == []
