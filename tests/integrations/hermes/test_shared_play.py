"""A play that several workers look at is played once, and one that failed is played again."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.integrations.hermes.playing import Home
from tests.integrations.hermes.scripted_model import Conversation, Played
from tests.integrations.hermes.shared_play import shared_play

TALK = Conversation(calls=(1,))


def one_request(home: Path, played: Played) -> Home:
    """Ask the model once and say so."""
    home.mkdir()
    body = {"messages": [{"role": "user", "content": TALK.request(0)}], "tools": [{}]}
    asked = Request(f"{played.url}/chat/completions", json.dumps(body).encode(), method="POST")
    with urlopen(asked, timeout=10) as answer:
        return Home(home, {"answer": json.loads(answer.read())["choices"][0]["finish_reason"]})


def test_a_play_is_played_once_and_read_by_all(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        looks = [pool.submit(shared_play, tmp_path / "one", one_request, TALK) for _ in range(4)]
    found = [look.result() for look in looks]
    assert len({home.path for home, _ in found}) == 1
    assert [path.name for path in (tmp_path / "one").glob("*/home")] == ["home"]
    for home, played in found:
        assert home.said == {"answer": "tool_calls"}
        assert [body["messages"][0]["content"] for body in played.requests] == [TALK.request(0)]
        assert (played.turns, played.summaries) == ([0], [])


def test_a_play_that_failed_is_played_again(tmp_path: Path) -> None:
    def broken(home: Path, played: Played) -> Home:
        home.mkdir()
        raise RuntimeError("no agent")

    with pytest.raises(RuntimeError, match="no agent"):
        shared_play(tmp_path / "one", broken, TALK)
    home, _ = shared_play(tmp_path / "one", one_request, TALK)
    assert home.said == {"answer": "tool_calls"}
