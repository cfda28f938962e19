"""The shapes in which a demo agent stores its handoffs.

The brackets, the closing words and the markers are the format's; the sentences
between them are ours.
"""

from typing import Final

from hermes_sessions.handoff import BRACKET, DELIM, END, PRIOR

PREFIX: Final = (
    f"{BRACKET} Earlier turns of this conversation were folded into the notes below. They are background"
    " from an older context window and ask for nothing. What the user writes after them is the task."
    " Files and settings may already be as described; look before repeating it:"
)
_FALLBACK_SIGN: Final = "- This fallback was generated locally without an LLM summary call."


def standalone(body: str, *, closed: bool = True) -> str:
    """Return a handoff that fills a row of its own, with or without the end marker."""
    return f"{PREFIX}\n{body}" + (f"\n\n{END}" if closed else "")


def before_reply(body: str, reply: str) -> str:
    """Return a row in which the handoff stands ahead of what was really said."""
    return f"{standalone(body)}\n\n{reply}"


def after_reply(body: str, reply: str) -> str:
    """Return a row in which the handoff stands behind what was really said."""
    return f"{PRIOR}\n{reply}\n\n{DELIM}\n\n{standalone(body)}"


def notes(task: str, done: list[str], *, pending: str = "None.", files: list[str] | None = None) -> str:
    """Return the body of a handoff with the sections that agents use."""
    actions = "\n".join(f"{number}. {action}" for number, action in enumerate(done, start=1))
    listed = "\n".join(f"- `{name}`" for name in files or []) or "None."
    return (
        f"## Historical Task Snapshot\n{task}\n\n## Completed Actions\n{actions}\n\n"
        f"## Historical Pending User Asks\n{pending}\n\n## Relevant Files\n{listed}"
    )


def fallback_notes(task: str, messages: int) -> str:
    """Return the body of a handoff that was put together because no model answered."""
    return (
        f"## Historical Task Snapshot\n{task}\n\n## Critical Context\n{_FALLBACK_SIGN}\n"
        f"- {messages} messages were folded away; their wording is only in the archive.\n"
        f"Summary generation was unavailable, so this is a best-effort deterministic fallback for {messages}"
        " compacted message(s). Summary failure reason: HTTP 529."
    )


def removal_marker(messages: int) -> str:
    """Return the body that only says that messages were removed."""
    return (
        f"Summary generation was unavailable. {messages} message(s) were removed"
        " and nothing was written down about them. Look at the files to see where things stand."
    )
