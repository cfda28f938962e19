"""Handoffs that other agents framed, framed as Hermes does, so that it recognises them. Pure."""

from collections.abc import Sequence
from typing import Any

from hermes_sessions.agents.contract import Columns
from hermes_sessions.errors import ExportError
from hermes_sessions.handoff import Part, merge_handoff
from hermes_sessions.handoff.grammars.bracketed import BRACKETED
from hermes_sessions.handoff.grammars.hermes import GRAMMAR
from hermes_sessions.handoff.grammars.plain import WholeGrammar
from hermes_sessions.handoff.grammars.registry import grammar_named
from hermes_sessions.messages import Content, MessageKind, Role

SPEAKERS = (Role.USER, Role.ASSISTANT)
"""Only their rows are looked at for a handoff."""


def framed_content(columns: Columns, content: Content) -> Content:
    """Return the content of a row, its handoff in a frame that Hermes knows.

    Raises:
        ExportError: a handoff shares its row with a message, and nobody knows where either ends.
    """
    name = columns["handoff_grammar"]
    if columns["kind"] == MessageKind.MESSAGE or name in BRACKETED:
        return content
    parts = _parts(columns, content)
    said = [part.content for part in parts if part.kind == "message"]
    apart = [block for part in parts if part.kind == "handoff" for block in _not_text(part.content)]
    body = "\n\n".join(part.text for part in parts if part.kind == "handoff")
    framed = GRAMMAR.frame(body)
    if framed is None:
        raise ExportError(f"message {columns['id']}: a state.db has no frame for its handoff ({name!r})")
    if not said and not apart and columns["kind"] != MessageKind.MERGED:
        return framed
    return merge_handoff(framed, _joined([*said, apart] if apart else said))


def _parts(columns: Columns, content: Content) -> tuple[Part, ...]:
    grammar = grammar_named(columns["handoff_grammar"])
    reply = (columns["reply_start"], columns["reply_end"])
    if isinstance(content, str) and None not in reply:
        return grammar.split_around(content, reply)
    if isinstance(grammar, WholeGrammar) and columns["kind"] == MessageKind.MERGED:
        raise ExportError(
            f"message {columns['id']}: its handoff is framed by {grammar.name!r}, which is not known here:"
            " what in it is the handoff and what is the message cannot be told"
        )
    return grammar.split(content)


def _not_text(content: Content) -> list[Any]:
    if content is None or isinstance(content, str):
        return []
    return [
        block for block in content if not isinstance(block, str) and not isinstance(block.get("text"), str)
    ]


def _joined(contents: Sequence[Content]) -> Content:
    texts = [one for one in contents if isinstance(one, str)]
    if len(texts) == len(contents):
        return "\n\n".join(texts)
    found: list[Any] = []
    for one in contents:
        found += [{"type": "text", "text": one}] if isinstance(one, str) else one or ()
    return found
