"""Files that something spoiled: whatever is in them, the rest is read, and what is refused has a reason."""

import random

import pytest

from hermes_sessions.agents.roo.importer import IMPORTER
from tests.agents.pipes import never_written
from tests.agents.spoiling import SPOILS, read_spoiled_home

SEEDS = 13


@pytest.mark.parametrize("name", ["api_conversation_history.json", "ui_messages.json"])
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_spoiled_task_is_read_as_far_as_it_can_be(home, spoil, name):
    for one in ("a", "b"):
        task = home.task(one)
        for at in range(6):
            task.ask(f"question {at}")
            task.call(f"t{at}", path="x")
            task.result(f"t{at}", "out")
            task.tell("api_req_started", text='{"tokensIn": 1}')
            if at % 3 == 2:
                task.condense("short", f"c{at}")
                task.truncate(2, f"t{at}")
        task.write()
    file = home.path / "tasks" / "a" / name
    written = file.read_bytes()
    for seed in range(SEEDS):
        file.write_bytes(spoil(random.Random(seed), written))
        found = read_spoiled_home(IMPORTER, home.path)
        assert found.rows["b"] == 22
        assert all(one.startswith("tasks/a/") for one in found.damage)


@pytest.mark.parametrize("name", ["history_item.json", "ui_messages.json"])
def test_a_pipe_beside_a_history_is_not_waited_for(home, name):
    task = home.task()
    task.ask("hello")
    with never_written(task.write() / name):
        read = home.read()
    assert read.texts("a") == ["hello"]
    told = [one.reason for one in read.warnings]
    assert told == (["ui_messages.json: not a regular file"] if name == "ui_messages.json" else [])
