"""Files that something spoiled: whatever is in them, the rest is read, and what is refused has a reason."""

import random
import re

import pytest
from backports import zstd

from hermes_sessions.agents.checked import CheckedSource
from hermes_sessions.agents.codex.importer import IMPORTER
from hermes_sessions.agents.contract import OpenOptions
from tests.agents.codex.rollout_builder import OPENING, encrypted, user_item
from tests.agents.spoiling import ODD, flipped, read_spoiled_home, shuffled, with_zeros


def of_other_types(chance, written):
    return re.sub(
        rb': ("[^"]*"|\[|\{|\d+)',
        lambda found: found.group() if chance.random() < 0.9 else chance.choice(ODD),
        written,
    )


def values_of_other_types(chance, written):
    return re.sub(
        rb': ("[^"]*"|\d+)',
        lambda found: found.group() if chance.random() < 0.7 else chance.choice(ODD),
        written,
    )


def nested(chance, written):
    deep = (
        b'{"type":"response_item","payload":{"type":"message","content":'
        + b"[" * 3000
        + b"]" * 3000
        + b"}}\n"
    )
    return deep + written


def of_one_thread(chance, written):
    return written.replace(b'"id": "a"', b'"id": "b"')


SPOILS = (flipped, shuffled, with_zeros, of_other_types, values_of_other_types, nested, of_one_thread)


def a_home(home):
    for name in ("a", "b"):
        talk = home.talk(name)
        for at in range(6):
            talk.turn(at)
            talk.ask(f"question {at}")
            talk.think("hm")
            talk.call(f"t{at}", path="x")
            talk.count(1_000)
            talk.result(f"t{at}", [{"type": "input_text", "text": "out"}])
            if at % 3 == 1:
                talk.compact(replacement_history=[user_item("question 0"), encrypted()])
            if at % 3 == 2:
                talk.compact(message=f"{OPENING}short")
            if at == 4:
                talk.add("event_msg", "thread_rolled_back", num_turns=1)
        talk.write()
    return home.file("a")


def read_all(home, *, damage=""):
    found = read_spoiled_home(IMPORTER, home.path)
    assert all(damage and damage in str(one) for one in found.damage)
    return found.rows


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("seed", range(5))
def test_a_spoiled_file_is_read_as_far_as_it_can_be(home, spoil, seed):
    path = a_home(home)
    path.write_bytes(spoil(random.Random(seed), path.read_bytes()))
    assert read_all(home)["b"] >= 20


@pytest.mark.parametrize("seed", range(10))
def test_spoiled_compressed_data_are_read_as_far_as_they_can_be(home, seed):
    path = a_home(home)
    packed = path.with_name(path.name + ".zst")
    packed.write_bytes(flipped(random.Random(seed), zstd.compress(path.read_bytes())))
    path.unlink()
    assert read_all(home, damage="compressed data are damaged")["b"] == 20


def test_a_compressed_file_that_is_none_is_named(home):
    path = a_home(home)
    path.with_name(path.name.replace("rollout-2", "rollout-3") + ".zst").write_bytes(b"\x00 no zstd at all")
    with IMPORTER.open(home.path, None, OpenOptions(now=0.0)) as opened:
        source = CheckedSource(opened)
        assert len(source.entries) == 2
        [damage] = source.damage
        assert ".zst: compressed data are damaged" in str(damage)
        assert not source.complete


@pytest.mark.parametrize("depth", [450, 950, 3_000])
def test_a_line_that_could_not_be_written_again_is_named(home, depth):
    path = a_home(home)
    deep = b'{"timestamp":"2026-05-01T00:00:00Z","type":"response_item","payload":{"type":"message",'
    deep += b'"role":"user","content":' + b"[" * depth + b"]" * depth + b"}}\n"
    path.write_bytes(path.read_bytes() + deep)
    with IMPORTER.open(home.path, None, OpenOptions(now=0.0)) as opened:
        source = CheckedSource(opened)
        for ids in source.families():
            for _, rows in source.read(ids).batches():
                list(rows)
        assert ["nested too deeply" in one.reason for one in source.rejected] == [True]
