"""Whatever an agent of some version hands to its engine, nothing is raised, and the engine works on."""

import inspect
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.integrations.hermes.plugin.engine import SessionsEngine, make_engine
from hermes_sessions.integrations.hermes.plugin.entry import keep_account
from hermes_sessions.integrations.hermes.plugin.journal import recent_lines
from hermes_sessions.integrations.hermes.plugin.settings import EngineSettings
from tests.integrations.hermes.talks import talk

ODD: list[Any] = [
    None, "", "abc", -1, 0, 10**400, float("nan"), float("inf"), [], {}, [None], [{"role": 3}], b"x", True,
    object(), {"prompt_tokens": "x"}, {"prompt_tokens": 10**400}, {"prompt_tokens": float("inf")},
]  # fmt: skip
METHODS = [
    "clone_for_agent", "update_model", "update_from_response", "should_defer_preflight_to_real_usage",
    "should_compress", "should_compress_info", "should_compress_preflight", "has_content_to_compress",
    "get_active_compression_failure_cooldown", "compress", "on_session_start", "bind_session_state",
    "on_session_end", "on_session_reset", "get_tool_schemas", "handle_tool_call", "get_status",
    "prune_tool_results_only", "select_context", "on_turn_complete",
]  # fmt: skip
"""All that the agent calls."""


def started(home: Path) -> SessionsEngine:
    made = make_engine(EngineSettings(summarizer="rule"))
    made.update_model("some-model", 12_000)
    made.on_session_start("first", hermes_home=str(home))
    return made


def test_these_are_all_of_the_engines_methods() -> None:
    found = {name for name, _ in inspect.getmembers(SessionsEngine, inspect.isfunction) if name[0] != "_"}
    assert found == set(METHODS)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
@pytest.mark.parametrize("name", METHODS)
def test_an_odd_argument_raises_nothing(tmp_path: Path, name: str, odd: Any) -> None:
    engine = started(tmp_path)
    parameters = list(inspect.signature(getattr(engine, name)).parameters.values())
    names = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    for wanted in names or [""]:
        usual = {
            "model": "m",
            "context_length": 12_000,
            "session_id": "first",
            "messages": talk(1),
            "name": "x",
        }
        usual |= {"request_messages": [], "rough_tokens": 5}
        getattr(engine, name)(**{one: odd if one == wanted else usual.get(one) for one in names})
        engine.compress(talk(1))
    engine = started(tmp_path) if name == "update_model" else engine
    assert len(engine.compress(talk(), current_tokens=20_000)) < len(talk())
    engine.should_compress(engine.threshold_tokens)
    engine.get_status()


class Unspeakable:
    """A value of which not even a text can be made."""

    def __str__(self) -> str:
        raise RuntimeError("broken")


@pytest.mark.parametrize(
    "odd",
    [3, [], {}, {"kind": Unspeakable(), "outcome": "committed"}, Unspeakable()],
    ids=["a number", "a list", "nothing", "a value in it", "unspeakable"],
)
def test_an_odd_account_of_the_agent_raises_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: Any
) -> None:
    monkeypatch.setattr("hermes_sessions.integrations.hermes.plugin.host.home_folder", lambda: tmp_path)
    keep_account(record=odd)
    keep_account(kind=odd, outcome="committed", session_id="a")
    keep_account(kind="summarize", outcome="committed", session_id="a")
    [*_, last] = recent_lines(tmp_path)
    assert last["record"] == {"kind": "summarize", "outcome": "committed", "session_id": "a"}


@pytest.mark.parametrize(
    "odd", [{"boundary_reason": "compression"}, {"old_session_id": []}, {"hermes_home": 3}]
)
def test_an_odd_start_of_a_session_raises_nothing(tmp_path: Path, odd: dict[str, Any]) -> None:
    engine = started(tmp_path)
    engine.on_session_start("second", **odd)
    assert len(engine.compress(talk(), current_tokens=20_000)) < len(talk())
