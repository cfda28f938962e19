"""The tools as agents see them: names, what they do, what they take. Loads nothing that answers."""

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from hermes_sessions.integrations.recall.arguments import (
    CompactionsArguments,
    ExpandArguments,
    LineageArguments,
    ListArguments,
    LostArguments,
    SearchArguments,
    SeenArguments,
    ToolArguments,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallTool:
    """A tool: what it is called, what it does, what it takes."""

    name: str
    title: str
    about: str
    arguments: type[ToolArguments]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        _, components = msgspec.json.schema_components([self.arguments])
        found: dict[str, Any] = components[self.arguments.__name__]
        return {key: value for key, value in found.items() if key not in ("title", "description")}


TOOLS: Final = {
    tool.name: tool
    for tool in (
        RecallTool(
            name="search",
            title="Search earlier messages",
            about=(
                "Find messages, newest first; by default those that a compaction took out of the context."
                " Use few words: all of them must occur. Then `expand` around a message."
            ),
            arguments=SearchArguments,
        ),
        RecallTool(
            name="expand",
            title="Quote messages",
            about=(
                "Quote messages word for word: those that compaction N of a conversation summarised, those"
                " around a message, or from one to another. Secrets are masked."
            ),
            arguments=ExpandArguments,
        ),
        RecallTool(
            name="lost",
            title="What a compaction lost",
            about=(
                "List what is in neither the summary nor the messages kept by a compaction (requests, rules,"
                " decisions, errors, files, values), each with the message that holds it; also what the"
                " summary says wrongly. Without `compaction`: the newest one."
            ),
            arguments=LostArguments,
        ),
        RecallTool(
            name="compactions",
            title="Compactions of a conversation",
            about=(
                "List the compactions of a conversation, newest first: when, how many messages, which share"
                " of what matters was kept, the worst finding, and a verdict in a sentence."
            ),
            arguments=CompactionsArguments,
        ),
        RecallTool(
            name="seen",
            title="What was in the context",
            about=(
                "List the messages that were in the model's context at a message, and their tokens: to find"
                " out whether something was still known when an answer was written."
            ),
            arguments=SeenArguments,
        ),
        RecallTool(
            name="lineage",
            title="Related sessions",
            about=(
                "List the sessions that belong to a conversation: continuations after compactions, branches,"
                " resets, delegates, each with its id and parent."
            ),
            arguments=LineageArguments,
        ),
        RecallTool(
            name="list",
            title="Newest conversations",
            about="List conversations, newest activity first. The first is usually this one.",
            arguments=ListArguments,
        ),
    )
}
