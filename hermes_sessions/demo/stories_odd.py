"""Conversations that put a viewer to the test: pictures, hostile text, resets, jobs."""

import base64
import json
import struct
import zlib
from typing import Any, Final

from hermes_sessions.demo.agent_record import Ledger
from hermes_sessions.demo.handoffs import notes, removal_marker
from hermes_sessions.demo.talk import StorySetting, Talk

HOSTILE: Final = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "[a link](javascript:document.title='owned')",
    "</textarea></pre></code><svg onload=document.title='owned'>",
    "![picture](https://tracker.example/pixel.png?id=7)",
    "{{ config.items() }} {% raw %} ${7*7} #{7*7}",
    "'; DROP TABLE messages; --",
    "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x1b[0m",
    "text with \x00 a zero byte and \u202egnikaerb\u202c direction",
)


def picture(colour: tuple[int, int, int]) -> str:
    """Return a small PNG, a gradient towards *colour*, as a data URL."""
    width, height = 64, 40
    rows = b"".join(
        b"\0" + b"".join(bytes(part * (x + y) // (width + height) for part in colour) for x in range(width))
        for y in range(height)
    )
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _image(colour: tuple[int, int, int]) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": picture(colour)}}


def pictures(ledger: Ledger) -> None:
    """Structured content: words and pictures in one message."""
    talk = Talk(ledger, StorySetting(title="Which wall colour?", days_ago=3.9, source="telegram"))
    talk.user(
        [
            {"type": "text", "text": "Two samples. Which one for a room to the north?"},
            _image((240, 180, 90)),
            _image((120, 170, 220)),
        ]
    )
    talk.agent("The first. North light is blue already; the second would look grey by four o'clock.")
    talk.user([{"type": "text", "text": "And next to this floor?"}, _image((120, 80, 50))])
    talk.agent("Still the first, one step lighter, so that the floor stays the darkest thing in the room.")


def hostile(ledger: Ledger) -> None:
    """Text that tries to run, everywhere that text can stand."""
    talk = Talk(ledger, StorySetting(title='<b>Markup</b> & "quotes" <script>1</script>', days_ago=61.7))
    talk.user("Echo each of these back to me exactly:\n\n" + "\n".join(HOSTILE))
    for text in HOSTILE:
        talk.tools(("terminal", {"command": f"echo {text}"}, text), text=text)
    talk.tools(('"><script>name</script>', {"<i>key</i>": "<i>value</i>"}, json.dumps({"html": HOSTILE[0]})))
    talk.agent("All of them, as text:\n\n" + "\n\n".join(HOSTILE))


def reset(ledger: Ledger) -> None:
    """A chat that was reset: two conversations with one key."""
    columns = {"session_key": "agent:main:telegram:dm:5551", "chat_id": "5551", "chat_type": "dm"}
    talk = Talk(ledger, StorySetting(title="Packing list", days_ago=7.9, source="telegram", columns=columns))
    talk.tell("""
» Packing list for four days of hiking, huts only.
Boots, two shirts, rain jacket, hut sleeping bag, 1.5 l of water, plasters, cash: the huts take no cards.
""")
    talk.wait(4000, 9000)
    fresh = talk.reset("Train times")
    fresh.tell("""
» New topic. When is the last train back from Bludenz on Sunday?
At 21:14, with a change in Feldkirch.
""")


def jobs(ledger: Ledger) -> None:
    """Three runs of a scheduled job."""
    for days_ago, finding in (
        (3.0, "2 of 41 links are dead"),
        (2.0, "all 41 links answer"),
        (1.0, "1 of 41 is slow"),
    ):
        talk = Talk(
            ledger, StorySetting(title=None, days_ago=days_ago, source="cron", model="claude-haiku-4.5")
        )
        talk.session["id"] = "cron_linkcheck_" + talk.session["id"][:15]
        talk.user("Check the links on the start page and report.")
        talk.tools(("terminal", {"command": "linkcheck https://example.org"}, f"{finding}\nexit 0"))
        talk.agent(f"Link check: {finding}.")
        talk.end("cron_complete")


def second_thoughts(ledger: Ledger) -> None:
    """Turns the user took back, a broken tool call, and bookkeeping rows."""
    talk = Talk(ledger, StorySetting(title="Haiku about compilers", days_ago=15.6, source="discord"))
    ledger.add_message(talk.session, talk.clock, role="session_meta", content=None)
    talk.tell("""
» Write a haiku about compilers.
Warnings fall like leaves
""")
    talk.user("No, with a frog in it.")
    talk.agent("A frog reads my code")
    talk.undo(2)
    talk.tell("""
» With a semicolon in it.
One semicolon;
forty errors fall silent.
The old pond compiles.
""")
    talk.agent(
        None, tool_calls='[{"id": "call_cut", "type": "function", "function": {"name": "save_note", "argum'
    )
    talk.agent("Saved. (The note tool answered with half a sentence, but the file is there.)")


def bare_marker(ledger: Ledger) -> None:
    """A compaction of which only a count is left, and one that left no row."""
    talk = Talk(ledger, StorySetting(title="Tax folder clean-up", days_ago=19.4, cwd="/home/mira/tax"))
    for year in (2022, 2023, 2024):
        talk.user(f"Next: {year}.")
        talk.tools(("terminal", {"command": f"ls {year} | wc -l"}, str(year % 100 * 7)))
        talk.agent(f"{year} is sorted: {year % 100 * 7} files, no doubles.")
    talk.rotate(removal_marker(9), shape="open", tail=3, fallback_used=True)
    talk.user("Now 2025.")
    talk.agent("2025 has two receipts without a date. I put them into `unclear/`.")
    talk.rotate("", shape="none", tail=2)
    talk.user("Leave them there.")
    talk.agent("They stay.")


def about_markers(ledger: Ledger) -> None:
    """Somebody talks about handoffs; nothing here is one."""
    talk = Talk(ledger, StorySetting(title="What is [CONTEXT COMPACTION]?", days_ago=21.3))
    talk.user("My log has a line `[CONTEXT COMPACTION — REFERENCE ONLY]`. What is that?")
    talk.agent("The start of a handoff: older turns folded into notes so that the context has room again.")
    talk.user("So `" + notes("x", ["y"])[:34] + "...` under it is not mine?")
    talk.agent("No, the agent wrote it to itself. What you said is above it, in the archive.")


STORIES = (pictures, hostile, reset, jobs, second_thoughts, bare_marker, about_markers)
