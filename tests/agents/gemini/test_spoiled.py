"""Files that something spoiled: whatever is in them, the rest is read, and what is refused has a reason."""

import random

import pytest

from hermes_sessions.agents.gemini.importer import IMPORTER
from tests.agents.spoiling import SPOILS, read_spoiled_home

SEEDS = 13


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_spoiled_file_is_read_as_far_as_it_can_be(home, spoil, suffix):
    for name in ("a", "b"):
        talk = home.talk(name, suffix)
        for at in range(6):
            kept = talk.ask(f"question {at}")
            talk.call(f"t{at}", "out", path="x")
            if at % 3 == 2 and suffix == ".jsonl":
                talk.shorten("short", kept)
                talk.rewind(kept if at == 2 else "nobody")
        talk.write()
    written = home.file("a", suffix).read_bytes()
    for seed in range(SEEDS):
        home.file("a", suffix).write_bytes(spoil(random.Random(seed), written))
        found = read_spoiled_home(IMPORTER, home.path)
        assert found.rows["b"] == (18 if suffix == ".json" else 22)
        assert all(f"-a{suffix}: " in one for one in found.damage)
        assert suffix == ".json" or found.damage == []
