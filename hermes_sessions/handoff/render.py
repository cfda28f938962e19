"""Render a handoff in the current format, alone or merged into a message."""

from typing import Final

from hermes_sessions.handoff.grammars.own import END, END_MARK, OWN_PREFIX
from hermes_sessions.messages import Content

_QUOTED_END: Final = "(end marker of an older handoff)"


def render_handoff(body: str, prefix: str = "") -> str:
    """Return *body* as a standalone handoff in the current format, behind *prefix* or ours.

    An end marker quoted in *body* is broken, so that the one behind it is the only one.
    """
    shown = END_MARK.sub(_QUOTED_END, body).strip()
    return f"{prefix or OWN_PREFIX}\n{shown}\n\n{END}" if shown else f"{prefix or OWN_PREFIX}\n\n{END}"


def merge_handoff(handoff: str, content: Content) -> Content:
    """Put *handoff* (from `render_handoff`) ahead of *content* in one message.

    `split_handoff` gives both back exactly. None and '' give a handoff alone.
    """
    if content is None or isinstance(content, str):
        return f"{handoff}\n\n{content or ''}"
    return [{"type": "text", "text": f"{handoff}\n\n"}, *content]
