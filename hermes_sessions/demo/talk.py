"""A conversation as a demo agent lives it: turns, tools, compactions, branches.

Each method writes the rows that a Hermes release writes at that moment; the stories
say which words.

Source: Hermes session rotation (since schema 1) and `archive_and_compact` (since 16);
here the copies are written at once, there by the flush at the end of the turn.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from hermes_sessions.demo import handoffs
from hermes_sessions.demo.agent_record import Ledger, Row
from hermes_sessions.late_patterns import late_pattern

Shape = Literal["user", "open", "before", "after", "none"]
"""A row of its own with or without end marker, ahead of or behind a reply, or no row at all."""

_USER: Final = "» "
_NUMBER: Final = late_pattern(r" #\d+$")
_JSON_SENTINEL: Final = "\0json:"


@dataclass(frozen=True, slots=True, kw_only=True)
class StorySetting:
    """Where a conversation takes place.

    Attributes:
        title: as the user sees it.
        days_ago: how long before now it began.
        source: the front end.
        columns: more columns of its session.
    """

    title: str | None
    days_ago: float
    source: str = "cli"
    model: str = "claude-sonnet-4.5"
    cwd: str | None = None
    columns: Mapping[str, Any] | None = None


class Talk:
    """One line of sessions, from a root to where it stands now."""

    def __init__(self, ledger: Ledger, setting: StorySetting, *, parent: Row | None = None) -> None:
        self.ledger = ledger
        self.setting = setting
        self.clock = ledger.now - setting.days_ago * 86_400
        self.session = self._open(parent, setting.title, dict(setting.columns or {}))
        self.compactions = 0

    # -- turns -------------------------------------------------------------------------------------

    def tell(self, script: str) -> Self:
        """Write a dialogue: a line that begins with `» ` is the user's, the rest the agent's."""
        for user, text in parse_script(script):
            if user:
                self.user(text)
            else:
                self.agent(text)
        return self

    def user(self, content: Any) -> Row:
        """Write what the user says; a list is structured content."""
        self.wait(20, 160)
        return self._add("user", content)

    def agent(self, content: Any, **columns: Any) -> Row:
        """Write what the agent answers."""
        self.wait(3, 25)
        return self._add("assistant", content, **{"finish_reason": "stop"} | columns)

    def tools(self, *calls: tuple[str, Mapping[str, Any], str], text: str = "") -> tuple[str, ...]:
        """Write tool calls made at once as (name, arguments, result), and their results."""
        ids = tuple(f"call_{self.ledger.chance.randrange(16**10):010x}" for _ in calls)
        listed = [
            {
                "id": call_id,
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for call_id, (name, arguments, _) in zip(ids, calls, strict=True)
        ]
        self.agent(text, tool_calls=json.dumps(listed), finish_reason="tool_calls")
        self.session["tool_call_count"] += len(calls)
        for call_id, (name, _, result) in zip(ids, calls, strict=True):
            self.wait(0.2, 6)
            self._add("tool", result, tool_call_id=call_id, tool_name=name)
        return ids

    def wait(self, least: float, most: float) -> None:
        """Let time pass, but never past the present."""
        step = self.ledger.chance.uniform(least, most)
        self.clock = min(self.clock + step, self.ledger.now - 1)

    def undo(self, rows: int) -> None:
        """Take the last *rows* back, as `/undo` does."""
        for row in self.ledger.live_rows(self.session)[-rows:]:
            row["active"] = 0
        self.session["rewind_count"] = self.session.get("rewind_count", 0) + 1

    def end(self, reason: str) -> None:
        """Close the current session."""
        self.session["ended_at"] = self.clock
        self.session["end_reason"] = reason

    # -- compactions -------------------------------------------------------------------------------

    def rotate(self, body: str, *, shape: Shape = "user", tail: int = 3, head: int = 0, **facts: Any) -> Self:
        """Compact into a new session: *head* and *tail* rows are copied, the rest is *body*.

        Args:
            body: the summary.
            shape: which row carries the handoff.
            tail: rows copied from the end; one of them carries a merged handoff.
            head: rows copied from the start.
            facts: what the log says differently about this one.
        """
        parent, rows = self.session, self.ledger.live_rows(self.session)
        self.end("compression")
        self.compactions += 1
        self.ledger.log_compaction(parent, self.clock, **{"split_status": "rotated"} | facts)
        self.clock += 0.001
        self.session = self._open(parent, self._next_title(), self._inherited())
        self._write_compacted(rows[:head], body, rows[len(rows) - tail :], shape)
        return self

    def compact_in_place(self, body: str, *, shape: Shape = "user", tail: int = 3, clones: int = 0) -> Self:
        """Compact within the session: old rows are archived, a handoff and the tail inserted.

        Args:
            body: the summary.
            shape: which row carries the handoff.
            tail: rows carried over, with their times.
            clones: how many of them a faulty release wrote twice.
        """
        rows = self.ledger.live_rows(self.session)
        self.compactions += 1
        self.ledger.log_compaction(self.session, self.clock, split_status="in_place_committed")
        for row in rows:
            row["active"], row["compacted"] = 0, 1
        kept = rows[len(rows) - tail :]
        self._write_compacted([], body, kept, shape)
        for row in kept[:clones]:
            self._copy(row)
        self.session["message_count"] = len(self.ledger.live_rows(self.session))
        return self

    def break_off(self) -> None:
        """Begin a compaction that never ends: closed, no continuation, the lock left behind."""
        self.end("compression")
        self.ledger.log_compaction(
            self.session, self.clock, event="started", commit_status=None, failure_class="process_exit"
        )
        self.ledger.locks.append(
            {
                "session_id": self.session["id"],
                "holder": "pid:48213",
                "acquired_at": self.clock,
                "expires_at": self.clock + 300,
            }
        )

    def stale_sibling(self, body: str) -> None:
        """Write a second continuation of the same parent that nobody ever used."""
        parent_id = self.session["parent_session_id"]
        parent = next(row for row in self.ledger.sessions if row["id"] == parent_id)
        sibling = self.ledger.add_session(
            self.session["started_at"] + 2, parent_session_id=parent["id"], **self._inherited()
        )
        self.ledger.add_message(
            sibling, sibling["started_at"], role="user", content=handoffs.standalone(body)
        )

    # -- other lines -------------------------------------------------------------------------------

    def branch(self, title: str) -> "Talk":
        """Leave this line by `/branch`: a new one that begins with copies of what is live."""
        parent = self.session
        rows = self.ledger.live_rows(parent)
        self.end("branched")
        marker = json.dumps({"_branched_from": parent["id"]})
        child = Talk(self.ledger, self._setting_now(title, model_config=marker), parent=parent)
        for row in rows:
            child._copy(row)
        return child

    def delegate(self, goal: str) -> "Talk":
        """Start a subagent with *goal* as its first message."""
        marker = json.dumps({"_delegate_from": self.session["id"], "max_iterations": 30})
        setting = self._setting_now(None, source="subagent", model_config=marker)
        child = Talk(self.ledger, setting, parent=self.session)
        child.user(goal)
        return child

    def reset(self, title: str) -> "Talk":
        """End this line by `/new` and start over in the same chat."""
        self.end("session_reset")
        kept = {name: self.session[name] for name in ("session_key", "chat_id") if name in self.session}
        return Talk(self.ledger, self._setting_now(title, **kept), parent=self.session)

    # -- inside ------------------------------------------------------------------------------------

    def _setting_now(self, title: str | None, *, source: str | None = None, **columns: Any) -> StorySetting:
        return StorySetting(
            title=title,
            days_ago=(self.ledger.now - self.clock) / 86_400,
            source=source or self.setting.source,
            model=self.setting.model,
            cwd=self.setting.cwd,
            columns=columns,
        )

    def _open(self, parent: Row | None, title: str | None, columns: Row) -> Row:
        return self.ledger.add_session(
            self.clock,
            **{
                "source": self.setting.source,
                "model": self.setting.model,
                "cwd": self.setting.cwd,
                "title": title,
                "parent_session_id": None if parent is None else parent["id"],
                "system_prompt": SYSTEM_PROMPT,
            }
            | columns,
        )

    def _inherited(self) -> Row:
        names = ("source", "model", "cwd", "model_config", "session_key", "chat_id", "git_branch")
        return {name: self.session[name] for name in names if name in self.session}

    def _next_title(self) -> str | None:
        if self.setting.title is None:
            return None
        return f"{_NUMBER.sub('', self.setting.title)} #{self.compactions + 1}"

    def _write_compacted(self, head: Sequence[Row], body: str, tail: Sequence[Row], shape: Shape) -> None:
        for row in head:
            self._copy(row)
        self.clock += 0.002
        rest = list(tail)
        if shape in ("user", "open"):
            text = handoffs.standalone(body, closed=shape == "user")
            self._add("user", text, _compressed_summary=1)
        elif shape != "none":
            self._merge(rest.pop(0), body, shape)
        for row in rest:
            self._copy(row)

    def _merge(self, row: Row, body: str, shape: Shape) -> None:
        put = handoffs.before_reply if shape == "before" else handoffs.after_reply
        self._copy(row, content=put(body, row.get("content") or ""), _compressed_summary=1)

    def _copy(self, row: Row, **changed: Any) -> None:
        kept = {name: value for name, value in row.items() if name not in _OWN_COLUMNS}
        self.ledger.add_message(self.session, row["timestamp"], **kept | changed)

    def _add(self, role: str, content: Any, **columns: Any) -> Row:
        text = _JSON_SENTINEL + json.dumps(content) if isinstance(content, list) else content
        return self.ledger.add_message(self.session, self.clock, role=role, content=text, **columns)


def parse_script(script: str) -> list[tuple[bool, str]]:
    """Return the turns of a dialogue as (is the user's, text)."""
    turns: list[tuple[bool, list[str]]] = []
    for line in script.strip().splitlines():
        user = line.startswith(_USER)
        text = line.removeprefix(_USER)
        if turns and turns[-1][0] == user:
            turns[-1][1].append(text)
        else:
            turns.append((user, [text]))
    return [(user, "\n".join(lines).strip()) for user, lines in turns]


_OWN_COLUMNS: Final = ("id", "session_id", "timestamp", "active", "compacted", "_compressed_summary")

SYSTEM_PROMPT: Final = (
    "You are a careful assistant with a shell, a file system and a browser. Say what you did and what you"
    " did not check. Ask before anything that cannot be taken back."
)
