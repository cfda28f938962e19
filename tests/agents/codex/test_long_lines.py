"""Lines of compactions that are longer than other lines may be: they repeat what goes on, with pictures."""

import json

import pytest

from hermes_sessions.agents.codex import records
from tests.agents.codex.rollout_builder import OPENING, encrypted, user_item

LONG = 17_000_000


def pictures(size):
    image = {"type": "input_image", "image_url": "data:image/png;base64," + "A" * size}
    return {"type": "message", "role": "user", "content": [image]}


def a_home(home, *entries, **payload):
    talk = home.talk()
    talk.turn()
    talk.ask("first")
    talk.reply("one")
    talk.compact(replacement_history=[user_item("first"), *entries], **payload)
    talk.ask("second")
    talk.write()
    return talk


def texts(found):
    return [row.text for row in found.rows["a"]]


def test_a_compaction_with_pictures_of_many_megabytes_is_read(home):
    a_home(home, pictures(LONG), encrypted())
    found = home.read()
    [event] = found.compactions
    assert (event.claim, event.span_messages, event.head_messages) == (
        {"summary": "encrypted", "encrypted_bytes": 11},
        2,
        1,
    )
    assert texts(found) == ["first", "one", "second"]
    assert found.rejected == []


def test_its_readable_summary_is_the_handoff(home):
    a_home(home, pictures(LONG), message=f"{OPENING}Summary:\nall of it")
    found = home.read()
    assert [one.summary for one in found.compactions] == ["Summary:\nall of it"]


def test_one_that_is_longer_still_is_named(home, monkeypatch):
    monkeypatch.setattr(records, "LONGEST_COMPACTED", LONG)
    a_home(home, pictures(LONG + 1_000_000), encrypted())
    found = home.read()
    [told] = found.rejected
    assert told.reason.endswith("bytes long; at most 17,000,000 are read")
    assert texts(found) == ["first", "one", "second"]
    [event] = found.compactions
    assert event.claim is None


@pytest.mark.parametrize("said", ["text", "type"])
def test_what_only_speaks_of_one_is_bounded_as_before(home, said):
    talk = home.talk()
    talk.ask("first")
    talk.add("response_item", "message", role="user", content=[], **{said: '"type":"compacted"' + "x" * LONG})
    talk.ask("second")
    talk.write()
    found = home.read()
    assert [told.reason.partition(" long; ")[2] for told in found.rejected] == ["at most 16,000,000 are read"]
    assert texts(found) == ["first", "second"]


@pytest.mark.parametrize(
    ("spoiled", "reason"),
    [
        (json.dumps([[]] * 3_000_000), "with too many values for that"),
        ('"' + "x" * LONG + "\udcff" + '"', "and not JSON in UTF-8"),
    ],
)
def test_what_would_take_many_times_its_length_is_named(home, spoiled, reason):
    talk = a_home(home, {"type": "HERE"})
    written = talk.path.read_text().replace('"HERE"', spoiled + " " * LONG)
    talk.path.write_bytes(written.encode("utf-8", "surrogateescape"))
    found = home.read()
    assert [told.reason.partition(" long, ")[2] for told in found.rejected] == [reason]
    assert texts(found) == ["first", "one", "second"]
