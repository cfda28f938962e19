"""Conversations that pages are tested on, as rows a real import would leave."""

import base64
import json
import struct
import zlib
from typing import Any

from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.handoff import BRACKET, DELIM, END, PRIOR
from hermes_sessions.store.schema.models import Conversation, Message, Session
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session

PREFIX = BRACKET + " Earlier turns were summarised; use them as background instead of repeating work:"
SUMMARY = (
    "## Goal\nMove the invoices to the new ledger.\n\n## Done\n- read `ledger.py`\n- wrote the migration"
)
REPLY = "The migration is ready. **Shall I run it** on the copy first?"
LATE_REPLY = "All 412 invoices arrived, none is missing."


def standalone(body: str = SUMMARY) -> str:
    return f"{PREFIX}\n{body}\n\n{END}"


def merged(reply: str, body: str = SUMMARY) -> str:
    """The reply behind the end marker."""
    return f"{PREFIX}\n{body}\n\n{END}\n\n{reply}"


def prior(reply: str, body: str = SUMMARY) -> str:
    """The reply between the prior-context brackets."""
    return f"{PRIOR}\n{reply}\n\n{DELIM}\n{PREFIX}\n{body}"


def call(name: str, arguments: Any, id: str = "call_1") -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}


def calls(*items: dict[str, Any]) -> str:
    return json.dumps(list(items))


def png(width: int = 48, height: int = 24) -> str:
    """A small picture as a data URL."""
    row = b"\0" + b"".join(bytes((40, 90 + 3 * x, 150)) for x in range(width))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row * height))
    return "data:image/png;base64," + base64.b64encode(picture + chunk(b"IEND", b"")).decode()


def swallowed_reply(db: OrmSession, *, shape: str = "after", **columns: Any) -> dict[str, Message]:
    """A user reads a reply; a compaction merges its summary into that very message.

    The child's row holds handoff and reply; the reply was first said in the parent.

    Args:
        db: open session.
        shape: "after" (reply behind the end marker) or "prior" (reply before the summary).
    """
    given = {"id": f"invoices-{shape}", "title": "Move the invoices", **columns}
    conversation = a_conversation(db, **given)
    root = db.get_one(Session, conversation.root_id)
    root.end_reason = "compression"
    asked = a_message(db, root, "Please move the invoices to the new ledger.\nKeep `legacy_id`!")
    reply = a_message(db, root, REPLY, role="assistant")
    child = a_session(db, conversation, id=f"invoices-{shape}-2", title="Move the invoices #2")
    text = merged(REPLY) if shape == "after" else prior(REPLY)
    carrier = a_message(db, child, text, role="assistant", kind="merged", copy_of=reply.id)
    answer = a_message(db, child, "Yes, on the copy first.")
    last = a_message(db, child, LATE_REPLY, role="assistant")
    a_compaction(
        db, child, handoff=carrier, summary=SUMMARY, span_messages=1, tokens_before=91_000, tokens_after=8_400
    )
    return {"asked": asked, "reply": reply, "carrier": carrier, "answer": answer, "last": last}


def own_reply(db: OrmSession) -> dict[str, Message]:
    """A merged row whose reply stands nowhere else: it is shown right there, apart from the handoff."""
    conversation = a_conversation(db, id="own-reply", title="Only inside the handoff's row")
    root = db.get_one(Session, conversation.root_id)
    a_message(db, root, "Sum up the week.")
    child = a_session(db, conversation, id="own-reply-2")
    carrier = a_message(db, child, merged("A reply of its own."), role="assistant", kind="merged")
    a_compaction(db, child, handoff=carrier, summary=SUMMARY)
    return {"carrier": carrier}


def tool_work(db: OrmSession) -> Conversation:
    """Calls with results, a failed one, broken JSON, reasoning, a long output, an image, copies."""
    conversation = a_conversation(db, id="tool-work", title="Fix the failing build", source="telegram")
    root = db.get_one(Session, conversation.root_id)
    a_message(db, root, "The build fails, can you look?")
    a_message(
        db,
        root,
        "I will run it.",
        role="assistant",
        reasoning="The log should say which step broke.",
        tool_calls=calls(
            call("terminal", {"command": "make build"}), call("read_file", {"path": "a.py"}, "c2")
        ),
    )
    failed = json.dumps({"output": "\x1b[31merror: no rule to make target\x1b[0m", "exit_code": 2})
    a_message(db, root, failed, role="tool", tool_call_id="call_1")
    a_message(db, root, "x = 1\n" * 2_000, role="tool", tool_call_id="c2")
    a_message(
        db, root, None, role="assistant", tool_calls=calls(call("write_file", '{"path": "a.py", "te', "c3"))
    )
    a_message(db, root, "ok", role="tool", tool_call_id="c3")
    blocks = [
        {"type": "text", "text": "This is what I see"},
        {"type": "image_url", "image_url": {"url": png()}},
        {"type": "image_url", "image_url": {"url": "https://pictures.example/x.png"}},
    ]
    a_message(db, root, "This is what I see", blocks=json.dumps(blocks))
    fixed = a_message(db, root, "Fixed:\n\n```python\ndef build() -> None:\n    ...\n```", role="assistant")
    a_message(db, root, "broken", role="assistant", tool_calls='[{"id": "c4", "function"')
    a_message(
        db,
        root,
        "Fixed:\n\n```python\ndef build() -> None:\n    ...\n```",
        role="assistant",
        copy_of=fixed.id,
    )
    a_message(db, root, "never mind", state="rewound")
    return conversation


def hostile(db: OrmSession) -> Conversation:
    """Script attempts in every field that a page shows."""
    attack = '<img src=x onerror="window.fired=1"><script>window.fired=1</script>'
    links = "[go](javascript:window.fired=1) ![p](javascript:window.fired=1) <svg/onload=window.fired=1>"
    conversation = a_conversation(
        db,
        id='hostile/../"><script>window.fired=1</script>',
        title=attack,
        source=attack,
        model=attack,
        cwd=attack,
    )
    root = db.get_one(Session, conversation.root_id)
    a_message(db, root, attack + links, role="user")
    a_message(
        db, root, f"{attack}\n\n{links}\n\n```html\n{attack}\n```\n\n|{attack}|\n|-|\n|x|", role="assistant",
        reasoning=attack, tool_calls=calls(call(attack, {attack: attack}, attack)),
    )  # fmt: skip
    a_message(db, root, json.dumps({"output": attack, attack: attack}), role="tool", tool_call_id=attack)
    a_message(db, root, attack, role="tool", tool_name=attack, tool_call_id="other")
    edit = call("Edit", {"file_path": attack, "old_string": attack, "new_string": f"{attack}\n{links}"}, "e")
    shell = call("terminal", {"command": attack, attack: attack}, "s")
    a_message(db, root, f"$$\n{attack}\n$$ and ${attack}$", role="assistant", tool_calls=calls(edit, shell))
    coloured = (
        f"\x1b[31m{attack}\x1b]8;;javascript:window.fired=1\x07go\x1b]8;;\x07\x1b[0m\x1b]0;{attack}\x07"
    )
    a_message(db, root, coloured, role="tool", tool_call_id="s")
    svg = "data:image/svg+xml;base64," + base64.b64encode(b"<svg onload='window.fired=1'/>").decode()
    blocks = [{"type": "image_url", "image_url": {"url": svg}}, {"type": attack}]
    a_message(db, root, attack, blocks=json.dumps([{"type": "text", "text": attack}, *blocks]), role=attack)
    child = a_session(db, conversation, id=attack, title=attack, end_reason=attack)
    carrier = a_message(db, child, standalone(attack + links), kind="handoff")
    a_compaction(db, child, handoff=carrier, summary=attack, error=attack, trigger=attack)
    return conversation


def family(db: OrmSession) -> Conversation:
    """A chain of three with a fork, an interrupted compaction, a branch and a delegate."""
    conversation = a_conversation(db, id="family", title="Plan the release", source="cli")
    root = db.get_one(Session, conversation.root_id)
    for number in range(4):
        a_message(db, root, f"Question {number}")
        a_message(db, root, f"Answer {number}", role="assistant")
    second = a_session(db, conversation, id="family-2", title="Plan the release #2")
    carrier = a_message(db, second, standalone(), kind="handoff")
    a_compaction(db, second, handoff=carrier, summary=SUMMARY, span_messages=6)
    a_message(db, second, "Go on.")
    stale = a_session(db, conversation, id="family-fork", parent=root, fork=True)
    a_message(db, stale, standalone("Another summary."), kind="handoff")
    third = a_session(db, conversation, id="family-3", title="Plan the release #3")
    a_compaction(db, third, summary="No row carries this.", method="none", span_stored=False)
    a_message(db, third, "And then?")
    a_message(db, third, "Then we ship.", role="assistant")
    a_compaction(db, third, realisation="in_place", status="interrupted", finished_at=None)
    branch = a_conversation(
        db, origin=None, id="family-branch", title="Plan the release, other way", relation="branch",
        parent_id=third.id, parent_session_id="family-3", inherited_count=2, started_at=NOON + 9_000,
    )  # fmt: skip
    branch_root = db.get_one(Session, branch.root_id)
    a_message(db, branch_root, "And then?")
    a_message(db, branch_root, "Then we ship.", role="assistant")
    a_message(db, branch_root, "What if we do not?")
    delegate = a_conversation(
        db, id="family-delegate", kind="delegate", relation="delegate", source="tool", parent_id=root.id,
        parent_session_id="family", started_at=NOON + 130,
    )  # fmt: skip
    a_message(db, db.get_one(Session, delegate.root_id), "Check the change log.")
    return conversation


def long(db: OrmSession, rows: int, *, id: str = "long") -> Conversation:
    """One session of many rows, added in bulk."""
    conversation = a_conversation(db, id=id, title="A very long conversation")
    session = db.get_one(Session, conversation.root_id)
    roles = ("user", "assistant")
    db.add_all(
        Message(
            conversation_id=session.conversation_id,
            session_id=session.id,
            position=number,
            role=roles[number % 2],
            kind="message",
            state="live",
            shown=True,
            created_at=NOON + 60 * number,
            text=f"Message number {number}. " + "Words. " * 40,
        )
        for number in range(rows)
    )
    session.message_count = session.shown_count = conversation.message_count = rows
    session.last_active_at = conversation.last_active_at = NOON + 60 * rows
    db.flush()
    return conversation


def chain(db: OrmSession, sessions: int) -> Conversation:
    """Many sessions of two new rows each, every one continuing after a compaction."""
    conversation = a_conversation(db, id="chain", title="A chain of many sessions")
    a_message(db, db.get_one(Session, conversation.root_id), "Start.")
    for number in range(1, sessions):
        session = a_session(db, conversation, id=f"chain-{number}")
        carrier = a_message(db, session, standalone(f"Summary {number}"), kind="handoff")
        a_message(db, session, f"Turn {number}")
        a_compaction(db, session, handoff=carrier, summary=f"Summary {number}")
    return conversation


def root_of(db: OrmSession, conversation: Conversation) -> Session:
    return db.get_one(Session, conversation.root_id)


def engine_note(db: OrmSession) -> Conversation:
    """Two requests with a note of our engine between them, in the assistant's name."""
    conversation = a_conversation(db, id="noted", title="A note between two requests")
    root = root_of(db, conversation)
    a_message(db, root, "Sum up the week.")
    note = "[Note by the compaction: between these two messages others were replaced by the handoff above.]"
    a_message(db, root, note, role="assistant")
    a_message(db, root, "And the month.")
    return conversation


def client_words(db: OrmSession) -> Conversation:
    """A request, and what a client wrote in the user's name."""
    conversation = a_conversation(db, id="client", title="What a client wrote")
    root = root_of(db, conversation)
    for text in (
        "Tidy the imports.",
        "[Request interrupted by user]",
        "<command-name>/review</command-name>\n<command-args>the parser</command-args>",
        "<bash-input>ls -la</bash-input>",
        "<bash-stdout>a.py</bash-stdout><bash-stderr>no b.py</bash-stderr>",
        "Stop hook feedback:\n[./check]: one is unused",
    ):
        a_message(db, root, text)
    return conversation


CLIENT_WORDS = [
    ("You", "Tidy the imports."),
    ("Client", "[Request interrupted by user]"),
    ("Command", "/review the parser"),
    ("Command", "!ls -la"),
    ("Client", "a.py\nno b.py"),
    ("Client", "Stop hook feedback:\n[./check]: one is unused"),
]
"""Who says what in `client_words`, as it is shown."""
