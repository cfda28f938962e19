"""Ask the agent's auxiliary model for a summary, and name what goes wrong as the engine knows it."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, Final

from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.messages import CompactionMethod, SummaryRequest
from hermes_sessions.redact import redact

_AUTH_STATUS: Final = (401, 402, 403)
_AUTH_WORDS: Final = ("api key", "api_key", "unauthorized", "no llm provider", "no provider", "credential")
_TIMEOUT_WORDS: Final = ("timeout", "timed out")
_CONNECTION_WORDS: Final = ("connection", "connect", "unreachable", "name resolution")
_MOST_REASON: Final = 300


class HostSummarizer:
    """A summariser that calls the agent's own model.

    Args:
        call: `call_llm` of the agent.
        protect: gives a context in which a new message does not interrupt the call, or None.
        seconds: how long to wait; None: as long as the agent does.
        runtime: model, provider, base_url, api_key and api_mode of the agent's main model.
    """

    method = CompactionMethod.MODEL

    def __init__(
        self,
        call: Callable[..., Any],
        runtime: Mapping[str, Any],
        protect: Callable[[], Any] = lambda: None,
        seconds: float | None = None,
    ) -> None:
        self._call = call
        self._runtime = dict(runtime)
        self._protect = protect
        self._limits = {} if seconds is None else {"timeout": seconds}
        self.model = ""
        """The model that answered last, as its answer says."""

    def __call__(self, request: SummaryRequest) -> str:
        """Return the summary.

        Raises:
            SummaryFailedError: the model could not be asked, or gave no text.
        """
        messages = [
            {"role": "system", "content": request.instructions},
            {"role": "user", "content": request.prompt},
        ]
        try:
            with self._protect() or nullcontext():
                answer = self._call(
                    task="compression", main_runtime=self._runtime, messages=messages, **self._limits
                )
        # A provider's library may raise anything; all of it means that there is no summary.
        except Exception as error:
            raise SummaryFailedError(_described(error), failure_kind(error)) from error
        self.model = str(getattr(answer, "model", "") or "")[:200]
        text = answer_text(answer)
        if not text.strip():
            raise SummaryFailedError("the model answered without text", "empty")
        return text


def answer_text(answer: Any) -> str:
    """Return the text of a chat completion, whatever shape its message has; '' for none."""
    choices = getattr(answer, "choices", None)
    if not choices:
        return ""
    message = getattr(choices[0], "message", None)
    content = message.get("content") if isinstance(message, Mapping) else getattr(message, "content", message)
    if isinstance(content, list):
        return "".join(str(one.get("text") or "") for one in content if isinstance(one, Mapping))
    return content if isinstance(content, str) else ""


def failure_kind(error: BaseException) -> str:
    """Return which of the kinds of `SummaryFailedError` an error of a provider's library is."""
    status = getattr(error, "status_code", None)
    status = status or getattr(getattr(error, "response", None), "status_code", None)
    said = f"{type(error).__name__}: {error}".lower()
    if status in _AUTH_STATUS:
        return "auth"
    if isinstance(error, TimeoutError) or any(word in said for word in _TIMEOUT_WORDS):
        return "timeout"
    if status is None and any(word in said for word in _AUTH_WORDS):
        return "auth"
    if status is None and any(word in said for word in _CONNECTION_WORDS):
        return "connection"
    return "other"


def _described(error: BaseException) -> str:
    said = " ".join(f"the model failed: {type(error).__name__}: {error}".split())
    # Masked before it is cut: half a secret is not known as one.
    return redact(said).text[:_MOST_REASON]
