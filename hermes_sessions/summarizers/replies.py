"""The text in a chat completion, also where a proxy answers in a shape of its own. Pure."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hermes_sessions.errors import SummaryFailedError

_REFUSING: Final = ("content_filter", "refusal", "safety")


def read_reply(body: bytes) -> str:
    """Return the text of a response body.

    Understood are chat completions (text or parts), legacy completions, the Responses
    shape, Ollama's and Anthropic's, and an event stream that nobody asked for.

    Raises:
        SummaryFailedError: `malformed`, `empty`, `refused`; `other` for an error with status 200.
    """
    text = body.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if text.startswith(("data:", "event:", ":")):
        return _required("".join(_streamed(text)))
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        shown = " ".join(text[:120].split())
        raise SummaryFailedError(f"the server answered no JSON: {shown!r}", kind="malformed") from None
    if isinstance(answer, list) and answer:
        answer = answer[0]
    if not isinstance(answer, Mapping):
        raise SummaryFailedError("the server answered JSON that is not an object", kind="malformed")
    if answer.get("error"):
        raise SummaryFailedError(f"the server answered an error: {str(answer['error'])[:200]}", kind="other")
    return _required(_from_object(answer))


def _from_object(answer: Mapping[str, Any]) -> str:
    choices = answer.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return _from_choice(choices[0])
    for key in ("message", "output_text", "response", "content", "output", "text"):
        if text := _text(answer.get(key)):
            return text
    if choices is None and not {"message", "output_text", "response", "content", "output", "text"} & set(
        answer
    ):
        raise SummaryFailedError(f"the answer has no text: {', '.join(sorted(answer)[:8])}", kind="malformed")
    return ""


def _from_choice(choice: Mapping[str, Any]) -> str:
    message = choice.get("message") or choice.get("delta")
    refusal = message.get("refusal") if isinstance(message, Mapping) else None
    text = _text(message) or _text(choice.get("text"))
    if refusal or (not text and choice.get("finish_reason") in _REFUSING):
        raise SummaryFailedError(f"the model refused: {str(refusal or 'filtered')[:160]}", kind="refused")
    return text


def _text(value: Any, depth: int = 0) -> str:
    """Text in a string, a part, a message, or a list of these; reasoning parts left out."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth < 4:
        return "".join(_text(item, depth + 1) for item in value)
    if isinstance(value, Mapping) and depth < 4 and value.get("type") not in ("reasoning", "thinking"):
        return _text(value.get("content"), depth + 1) or _text(value.get("text"), depth + 1)
    return ""


def _streamed(text: str) -> Iterator[str]:
    for line in text.splitlines():
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        if not data or data == "[DONE]":
            continue
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, Mapping):
            if event.get("error"):
                raise SummaryFailedError(
                    f"the server answered an error: {str(event['error'])[:200]}", kind="other"
                )
            yield _from_object({"text": "", **event})


def _required(text: str) -> str:
    if not text.strip():
        raise SummaryFailedError("the server answered without text", kind="empty")
    return text
