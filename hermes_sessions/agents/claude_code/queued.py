"""What is typed while the agent works: it waits in a queue, and is said where the agent takes it in.

The queue's records are written at once, the others a little later: what was said before a prompt was taken in
may stand behind its record. Newer releases write the prompt once more, as an attachment, in its place.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from hermes_sessions.agents.claude_code.records import TalkRecord
from hermes_sessions.agents.parsed_values import text_of
from hermes_sessions.handoff import asks_nothing
from hermes_sessions.late_patterns import late_pattern

_COMMAND: Final = late_pattern(r"/[\w:.-]+(?:\s|$)")


class TakenPrompt(NamedTuple):
    """A prompt where the agent took it in.

    Attributes:
        at: its place.
        records: the first has its key; those it is made of.
        content: as the agent has it: text or blocks.
    """

    at: int
    records: list[TalkRecord]
    content: Any


class PromptQueue:
    """The prompts that wait, while the records of a session go by.

    Attributes:
        missing: a record took in what was typed before the first of them.
    """

    def __init__(self) -> None:
        self.missing = False
        self._waiting: list[TalkRecord] = []
        self._taken: list[TalkRecord] = []
        self._alone: list[str] = []
        self._keys: set[str] = set()
        self._last: str | None = None
        self._end = 0

    @property
    def waits(self) -> bool:
        """Whether a prompt waits that the agent has not taken in."""
        return any(not asks_nothing(_typed(one)) for one in self._waiting)

    def before(self, record: TalkRecord) -> Sequence[TakenPrompt]:
        """Return what the agent had taken in before a record."""
        if record.kind == "user":
            self._drop(record)
        found = self._settled(record.at) if self._taken and self._settles(record) else []
        if record.kind == "queue-operation":
            self._change(record)
        self._last, self._end = record.uuid or self._last, record.end
        return found

    def prompt_of(self, record: TalkRecord) -> TakenPrompt | None:
        """Return the prompt that a record repeats in its place; None for other records."""
        told = record.value.get("attachment")
        if record.kind != "attachment" or not isinstance(told, dict) or not _is_prompt(told):
            return None
        content = told.get("prompt")
        for one in list(self._taken):
            if _typed(one) == content or not isinstance(content, str):
                self._taken.remove(one)
                return TakenPrompt(record.at, [one, record], content)
        if content in self._alone:
            self._alone.remove(content)
            return None
        self.missing = True
        return TakenPrompt(record.at, [record], content)

    def rest(self) -> Sequence[TakenPrompt]:
        """Return what was taken in at the end."""
        return self._settled(self._end)

    def _change(self, record: TalkRecord) -> None:
        """Come to a record of the queue itself."""
        operation, content = record.value.get("operation"), record.value.get("content")
        if operation == "enqueue":
            self._waiting.append(record)
        elif operation == "popAll":  # the user took it back
            named = next((one for one in self._waiting if _typed(one) == content), None)
            self._waiting = [one for one in self._waiting if named is not None and one is not named]
        elif operation in ("remove", "dequeue"):
            found = self._next(content)
            if found is None:
                self.missing = self.missing or operation == "remove"
            elif operation == "remove":
                self._take(found, record)

    def _next(self, content: Any) -> TalkRecord | None:
        """Take out what is named, else the first that was typed: notices are often left in the queue."""
        named = (one for one in self._waiting if content is not None and _typed(one) == content)
        typed = (one for one in self._waiting if not asks_nothing(_typed(one)))
        found = next(named, None) or next(typed, None) or next(iter(self._waiting), None)
        if found is not None:
            self._waiting.remove(found)
        return found

    def _take(self, found: TalkRecord, record: TalkRecord) -> None:
        text = _typed(found)
        key = _key(found)
        if not text.strip() or asks_nothing(text) or _COMMAND.match(text) or key in self._keys:
            return  # a command is the client's: it was run, or its own records follow
        self._keys.add(key)
        value = {**found.value, "timestamp": record.value.get("timestamp"), "parentUuid": self._last}
        self._taken.append(found._replace(uuid=key, value=value))

    def _drop(self, record: TalkRecord) -> None:
        """Forget what a message of the user's own says."""
        if not (self._waiting or self._taken):
            return
        content = record.message.get("content")
        blocks = content if isinstance(content, list) else [content]
        texts = (one.get("text") if isinstance(one, dict) else one for one in blocks)
        said = "\n".join(one for one in texts if isinstance(one, str)).strip()
        if said:
            self._waiting = [one for one in self._waiting if _typed(one).strip() != said]
            self._taken = [one for one in self._taken if _typed(one).strip() != said]

    def _settles(self, record: TalkRecord) -> bool:
        """Return whether a record was written after everything that was taken in."""
        if record.is_boundary:
            return True
        at, taken = record.time, [one.time for one in self._taken]
        if record.kind not in ("user", "assistant") or at is None:
            return False
        return all(one is None or one <= at for one in taken)

    def _settled(self, place: int) -> list[TakenPrompt]:
        taken, self._taken = self._taken, []
        self._alone += map(_typed, taken)
        first = place - len(taken)
        return [TakenPrompt(first + at, [one], _typed(one)) for at, one in enumerate(taken)]


def _is_prompt(told: dict[str, Any]) -> bool:
    """Return whether a queued command is the user's, not a notice or another agent's."""
    if told.get("type") != "queued_command" or told.get("commandMode") != "prompt":
        return False
    origin = told.get("origin")
    human = not isinstance(origin, dict) or origin.get("kind") in (None, "human")
    content = told.get("prompt")
    known = isinstance(content, list) or (isinstance(content, str) and not asks_nothing(content))
    return known and bool(content) and human and told.get("isMeta") is not True


def _typed(record: TalkRecord) -> str:
    return text_of(record.value.get("content")) or ""


def _key(record: TalkRecord) -> str:
    """Return what a prompt is found again by, in a fork's file too: when it was typed, and its text."""
    told = f"{record.value.get('timestamp')}\0{_typed(record)}"
    return "queued:" + blake2b(told.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
