"""What goes wrong at the agent's model, named as the engine knows it."""

from types import SimpleNamespace
from typing import Any

import pytest

from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.integrations.hermes.plugin.summarizing import HostSummarizer
from hermes_sessions.messages import SummaryRequest

ASKED = SummaryRequest(
    instructions="how", prompt="what", entries=(), facts=(), previous="", focus="", max_tokens=100
)


class StatusError(Exception):
    def __init__(self, status: int) -> None:
        super().__init__("refused")
        self.status_code = status


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        pytest.param(StatusError(401), "auth", id="401"),
        pytest.param(StatusError(500), "other", id="500"),
        pytest.param(RuntimeError("No LLM provider configured"), "auth", id="no provider"),
        pytest.param(TimeoutError(), "timeout", id="no answer in time"),
        pytest.param(ConnectionRefusedError("connection refused"), "connection", id="nobody there"),
        pytest.param(ValueError("odd"), "other", id="anything"),
    ],
)
def test_a_failure_has_a_kind(error: Exception, kind: str) -> None:
    def call(**_: Any) -> Any:
        raise error

    with pytest.raises(SummaryFailedError) as failed:
        HostSummarizer(call, {})(ASKED)
    assert failed.value.kind == kind


@pytest.mark.parametrize("message", [{"content": "a"}, SimpleNamespace(content=[{"text": "a"}]), "a"])
def test_an_answer_of_any_shape_is_read(message: Any) -> None:
    asked: dict[str, Any] = {}

    def call(**given: Any) -> Any:
        asked.update(given)
        return SimpleNamespace(choices=[SimpleNamespace(message=message)], model="m")

    assert HostSummarizer(call, {"model": "main"})(ASKED) == "a"
    assert (asked["task"], asked["main_runtime"]) == ("compression", {"model": "main"})


def test_no_text_is_a_failure() -> None:
    with pytest.raises(SummaryFailedError) as failed:
        HostSummarizer(lambda **_: SimpleNamespace(choices=[]), {})(ASKED)
    assert failed.value.kind == "empty"


def test_a_secret_that_the_cut_goes_through_is_masked() -> None:
    def call(**_: Any) -> Any:
        raise RuntimeError("x " * 120 + "OPENAI_API_KEY=" + "kq7Rz" * 7)

    with pytest.raises(SummaryFailedError) as failed:
        HostSummarizer(call, {})(ASKED)
    assert "kq7Rz" not in str(failed.value)
