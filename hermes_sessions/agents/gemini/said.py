"""A message of a file to messages of ours: what was said, and a message for each result of a tool. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.gemini.records import time_of
from hermes_sessions.agents.parsed_values import dict_of, text_of
from hermes_sessions.agents.session_files.told import FreshKeys, count_of
from hermes_sessions.agents.told_messages import TokenUsage, ToldMessage, call_row, digest_of, dumped
from hermes_sessions.handoff.grammars.gemini import GRAMMAR
from hermes_sessions.messages import Role

_ROLES: Final = {"user": Role.USER, "gemini": Role.ASSISTANT}
_DONE: Final = "success"


class GivenBack(NamedTuple):
    """What a tool gave back.

    Attributes:
        key: the call's id, or its number in the message.
    """

    key: str
    call: Mapping[str, Any]
    text: str
    blocks: Sequence[Any] | None


def messages_of(
    message: Mapping[str, Any], key: str, place: int, digest: bytes, *, summary: bool, note: bool
) -> Iterator[ToldMessage]:
    """Yield a message and the results of its calls.

    Args:
        place: of the first of them in the session.
        summary: it is a compaction's.
        note: it is what the agent writes beside one.
    """
    wrote = message.get("type")
    role = Role.SESSION_META if note else _ROLES.get(str(wrote), Role.SESSION_META)
    parts = parts_of(message.get("content"))
    calls = calls_of(message)
    shown = text_in(parts_of(message.get("displayContent")))
    text = text_in(parts)
    yield ToldMessage(
        key=key,
        at=place,
        role=role,
        time=time_of(message),
        text=text,
        digest=digest_of(digest + key.encode("utf-8", "surrogatepass")),
        blocks=_blocks(parts),
        calls=[call_row(one.get("id"), one.get("name"), one.get("args")) for one in calls],
        reasoning=_thoughts(message, parts),
        extra=_extra(message, role, shown if shown != text else ""),
        usage=_usage(message.get("tokens")) if role is Role.ASSISTANT else None,
        model=text_of(message.get("model")),
        summary=summary,
    )
    for at, output in enumerate(outputs_of(calls), start=1):
        yield _result(message, output, f"{key}/{output.key}", place + at, digest)


def _result(
    message: Mapping[str, Any], output: GivenBack, key: str, place: int, digest: bytes
) -> ToldMessage:
    status = text_of(output.call.get("status"))
    return ToldMessage(
        key=key,
        at=place,
        role=Role.TOOL,
        time=time_of(output.call) or time_of(message),
        text=output.text,
        digest=digest_of(digest + key.encode("utf-8", "surrogatepass")),
        blocks=output.blocks,
        answers=text_of(output.call.get("id")),
        tool_name=text_of(output.call.get("name")),
        extra={"is_error": True, "status": status} if status not in (None, _DONE) else None,
    )


def is_snapshot(message: Mapping[str, Any]) -> bool:
    """Return whether a message begins as a compaction's summary does."""
    return GRAMMAR.starts(text_in(parts_of(message.get("content"))))


def calls_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the calls of tools in a message."""
    found = message.get("toolCalls")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def outputs_of(calls: Sequence[Mapping[str, Any]]) -> Iterator[GivenBack]:
    """Yield what calls gave back, in their order; nothing for those that gave nothing back yet."""
    keys = FreshKeys()
    for at, call in enumerate(calls):
        key = keys.fresh(text_of(call.get("id")) or str(at))
        if call.get("result") is not None:
            parts = parts_of(call["result"])
            yield GivenBack(key, call, "\n".join(filter(None, map(_given_back, parts))), _blocks(parts))


def parts_of(content: Any) -> list[Any]:
    """Return content as a list of parts: text, objects."""
    if content is None:
        return []
    return list(content) if isinstance(content, list) else [content]


def text_in(parts: Sequence[Any]) -> str:
    """Return the text of parts, without thoughts."""
    return "\n".join(text for one in parts if (text := _text(one)))


def _text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    found = part.get("text") if isinstance(part, dict) and part.get("thought") is not True else None
    return found if isinstance(found, str) else None


def _given_back(part: Any) -> str | None:
    response = dict_of(part).get("functionResponse")
    if response is None:
        return _text(part)
    given = dict_of(response).get("response")
    for name in ("output", "error"):
        found = dict_of(given).get(name)
        if isinstance(found, str):
            return found
    return None if given is None else dumped(given)


def _blocks(parts: Sequence[Any]) -> list[Any] | None:
    """Return parts as blocks, where some of them are no text: images in the form of others."""
    if all(isinstance(one, str) or _is_plain(one) for one in parts):
        return None
    kept = [one for one in parts if isinstance(one, str | dict)]
    return [{"type": "text", "text": text} if (text := _text(one)) else _seen(one) for one in kept]


def _is_plain(part: Any) -> bool:
    return (
        not isinstance(part, dict) or _text(part) is not None or "functionResponse" in part or _thought(part)
    )


def _thought(part: Mapping[str, Any]) -> bool:
    return part.get("thought") is True


def _seen(part: Any) -> Any:
    inline = dict_of(dict_of(part).get("inlineData"))
    data, kind = inline.get("data"), str(inline.get("mimeType") or "")
    if not isinstance(data, str) or not kind.startswith("image/"):
        return part
    return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}


def _thoughts(message: Mapping[str, Any], parts: Sequence[Any]) -> str | None:
    found: list[str] = []
    told = message.get("thoughts")
    for one in told if isinstance(told, list) else []:
        names = (dict_of(one).get("subject"), dict_of(one).get("description"))
        found.append(": ".join(name for name in names if isinstance(name, str) and name))
    found += [str(one.get("text") or "") for one in parts if isinstance(one, dict) and _thought(one)]
    return "\n".join(filter(None, found)) or None


def _extra(message: Mapping[str, Any], role: Role, shown: str) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    if role is Role.SESSION_META:
        kept["type"] = message.get("type")
    if shown:
        kept["shown"] = shown
    return kept


def _usage(told: Any) -> TokenUsage | None:
    found = dict_of(told)
    if not found:
        return None
    cached = count_of(found.get("cached"))
    return TokenUsage(
        input=max(0, count_of(found.get("input")) - cached) + count_of(found.get("tool")),
        output=count_of(found.get("output")),
        cache_read=cached,
        reasoning=count_of(found.get("thoughts")),
    )
