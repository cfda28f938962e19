"""An entry to the message that it says. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.agents.pi.entries import BRANCH, COMPACTION, CUSTOM, MESSAGE, PiEntry, exact_extra
from hermes_sessions.agents.session_files.told import count_of, price_of
from hermes_sessions.agents.told_messages import TokenUsage, ToldMessage, call_row, digest_of
from hermes_sessions.messages import Role

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "toolResult": Role.TOOL}
_SUMMARIES: Final = ("branchSummary", "compactionSummary")
_ELSEWHERE: Final = ("thinking", "toolCall")
"""Blocks that have a column of their own."""
_SHELL: Final = ("exitCode", "cancelled", "truncated", "fullOutputPath")


def said_of(entry: PiEntry, key: str) -> ToldMessage | None:
    """Return the message of an entry; None where it is none."""
    if entry.kind == MESSAGE:
        return _message(entry, key)
    if entry.kind in (COMPACTION, BRANCH):
        return _summary(entry, key, entry.value)
    if entry.kind == CUSTOM:
        return _note(entry, key, entry.value)
    return None


def _message(entry: PiEntry, key: str) -> ToldMessage | None:
    message = entry.message
    wrote = message.get("role")
    if wrote in _SUMMARIES:
        return _summary(entry, key, message)
    if wrote == "bashExecution":
        return _shell(entry, key, message)
    role = _ROLES.get(wrote) if isinstance(wrote, str) else None
    if role is None:
        return _note(entry, key, message)
    blocks = _blocks(message.get("content"))
    calls = [one for one in blocks if isinstance(one, dict) and one.get("type") == "toolCall"]
    reply = role is Role.ASSISTANT
    return ToldMessage(
        key=key,
        at=entry.at,
        role=role,
        time=entry.time,
        text=_text(blocks),
        digest=digest_of(entry.digest),
        blocks=_other(blocks),
        calls=[call_row(one.get("id"), one.get("name"), one.get("arguments")) for one in calls],
        reasoning=_thoughts(blocks),
        answers=text_of(message.get("toolCallId")) if role is Role.TOOL else None,
        tool_name=text_of(message.get("toolName")) if role is Role.TOOL else None,
        finish=text_of(message.get("stopReason")) if reply else None,
        extra=_extra(entry, message),
        usage=_usage(message.get("usage")) if reply else None,
        model=text_of(message.get("model")) if reply else None,
    )


def _summary(entry: PiEntry, key: str, value: Mapping[str, Any]) -> ToldMessage | None:
    text = text_of(value.get("summary"))
    if text is None:
        return None
    kept = exact_extra(entry)
    return ToldMessage(
        key, entry.at, Role.USER, entry.time, text, digest_of(entry.digest), extra=kept, summary=True
    )


def _shell(entry: PiEntry, key: str, message: Mapping[str, Any]) -> ToldMessage:
    """Return a command that the user ran, as the model is shown it."""
    command, output = text_of(message.get("command")) or "", text_of(message.get("output"))
    text = f"Ran `{command}`\n```\n{output}\n```" if output else f"Ran `{command}`\n(no output)"
    kept = {name: message[name] for name in _SHELL if message.get(name) is not None}
    hidden = message.get("excludeFromContext") is True
    role = Role.SESSION_META if hidden else Role.USER
    extra = {**exact_extra(entry), "shell": {"command": command, **kept}}
    return ToldMessage(key, entry.at, role, entry.time, text, digest_of(entry.digest), extra=extra)


def _note(entry: PiEntry, key: str, value: Mapping[str, Any]) -> ToldMessage:
    """Return what an extension put into the talk: kept, and not shown."""
    blocks = _blocks(value.get("content"))
    told = {name: one for name in ("role", "customType") if (one := text_of(value.get(name))) is not None}
    return ToldMessage(
        key=key,
        at=entry.at,
        role=Role.SESSION_META,
        time=entry.time,
        text=_text(blocks),
        digest=digest_of(entry.digest),
        blocks=_other(blocks),
        extra={**exact_extra(entry), **told},
    )


def _extra(entry: PiEntry, message: Mapping[str, Any]) -> dict[str, Any]:
    kept = exact_extra(entry)
    if message.get("isError") is True:
        kept["is_error"] = True
    wrong = text_of(message.get("errorMessage"))
    if wrong is not None:
        kept["error"] = wrong
    return kept


def _usage(told: Any) -> TokenUsage | None:
    found = dict_of(told)
    if not found:
        return None
    return TokenUsage(
        input=count_of(found.get("input")),
        output=count_of(found.get("output")),
        cache_read=count_of(found.get("cacheRead")),
        cache_write=count_of(found.get("cacheWrite")),
        cost=price_of(dict_of(found.get("cost")).get("total")),
    )


def _blocks(content: Any) -> list[Any]:
    if content is None:
        return []
    return list(content) if isinstance(content, list) else [content]


def _text(blocks: Sequence[Any]) -> str:
    texts = (one if isinstance(one, str) else _text_in(one) for one in blocks)
    return "\n".join(text for text in texts if text)


def _text_in(block: Any) -> str | None:
    return text_of(block.get("text")) if isinstance(block, dict) and block.get("type") == "text" else None


def _thoughts(blocks: Sequence[Any]) -> str | None:
    found = [one.get("thinking") for one in blocks if isinstance(one, dict) and one.get("type") == "thinking"]
    return "\n".join(one for one in found if isinstance(one, str) and one) or None


def _other(blocks: Sequence[Any]) -> list[Any] | None:
    """Return the content as blocks, where some of it is neither text, thought nor call."""
    kept = [
        {"type": "text", "text": one} if isinstance(one, str) else _seen(one)
        for one in blocks
        if isinstance(one, str) or (isinstance(one, dict) and one.get("type") not in _ELSEWHERE)
    ]
    return kept if any(_text_in(one) is None for one in kept) else None


def _seen(block: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an image in the form in which others write images; any other block as it is."""
    data, kind = block.get("data"), block.get("mimeType")
    if block.get("type") != "image" or not isinstance(data, str):
        return block
    return {"type": "image", "source": {"type": "base64", "media_type": str(kind or ""), "data": data}}
