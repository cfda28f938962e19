"""What the user set in the agent's configuration, and what cannot be used of it."""

from typing import Any

import pytest

from hermes_sessions.integrations.hermes.plugin.settings import EngineSettings, policy_for, threshold_tokens


def read(**settings: Any) -> EngineSettings:
    return EngineSettings.from_config({"plugins": {"entries": {"us": {"settings": settings}}}}, "us")


def test_settings_of_another_plugin_are_not_ours() -> None:
    config = {"plugins": {"entries": {"them": {"settings": {"threshold": 0.9}}}}}
    assert EngineSettings.from_config(config, "us") == EngineSettings()


def test_the_agents_threshold_counts_where_ours_is_not_set() -> None:
    assert EngineSettings.from_config({"compression": {"threshold": 0.7}}, "us").threshold == 0.7
    assert read(threshold=0.6).threshold == 0.6


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        pytest.param({"threshold": 7}, "threshold: must be above 0 and below 1", id="share"),
        pytest.param({"summarizer": "oracle"}, "summarizer: must be model or rule", id="summarizer"),
        pytest.param({"tail_token": 1}, "tail_token: is not a setting", id="unknown"),
        pytest.param({"tail_tokens": -1}, "tail_tokens must not be negative", id="policy"),
        pytest.param({"summary_seconds": 0}, "summary_seconds: must be above 0", id="seconds"),
        pytest.param({"tools": "yes"}, "tools: must be true or false", id="flag"),
    ],
)
def test_what_cannot_be_used_is_named(settings: dict[str, Any], problem: str) -> None:
    found = read(**settings)
    assert found.problems == (problem,)
    assert found.policy == {}


def test_a_configuration_of_any_shape_is_read() -> None:
    shapes: tuple[dict[str, Any], ...] = (
        {},
        {"plugins": 3},
        {"plugins": {"entries": []}},
        {"compression": "off"},
    )
    for odd in shapes:
        assert EngineSettings.from_config(odd, "us") == EngineSettings()


@pytest.mark.parametrize(
    ("window", "tokens"), [(400_000, 200_000), (100_000, 64_000), (64_000, 54_400), (8_000, 6_800)]
)
def test_the_threshold_is_the_agents_own(window: int, tokens: int) -> None:
    assert threshold_tokens(window, 0.5) == tokens


def test_fields_that_do_not_fit_the_window_are_left_out() -> None:
    settings = read(tail_tokens=90_000)
    assert policy_for(settings, window=400_000, threshold=200_000, overhead=0).tail_tokens == 90_000
    assert policy_for(settings, window=64_000, threshold=54_000, overhead=0).tail_tokens is None


def test_overhead_leaves_room_for_a_transcript() -> None:
    assert policy_for(read(), window=64_000, threshold=54_000, overhead=60_000).overhead_tokens == 25_600
