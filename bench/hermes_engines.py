"""Our engine in Hermes beside the agent's own: the same conversation, the same summariser, the real agent.

    python -m bench.hermes_engines [--version 0.19.0] [--summary mediocre|error] [--engine NAME]

Prints a row of a table for each play. The agent is installed into the user's cache first. The model
is a script on loopback, so what is compared is what a request still holds, not what a model makes of it.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Final

from hermes_sessions.integrations.hermes.config_file import BUILT_IN
from hermes_sessions.integrations.hermes.plugin.host import NAME
from tests.integrations.hermes.agent_environments import VERSIONS, agent_python
from tests.integrations.hermes.measured import Kept, kept_after, tokens_of
from tests.integrations.hermes.playing import play
from tests.integrations.hermes.scripted_model import Conversation, Played, scripted_model

SUMMARIES: Final = {"mediocre": "keeps nothing", "error": "answers 500"}
HEADINGS: Final = (
    "engine", "summariser", "compactions", "facts kept after each", "decisions", "errors", "tokens sent",
    "largest request", "replies",
)  # fmt: skip


def main() -> None:
    """Play what is asked for and print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", default=VERSIONS[0])
    parser.add_argument("--summary", choices=SUMMARIES, action="append")
    parser.add_argument("--engine", choices=(BUILT_IN, NAME), action="append")
    asked = parser.parse_args()
    print("| " + " | ".join(HEADINGS) + " |\n|" + "---|" * len(HEADINGS), flush=True)
    for summary in asked.summary or SUMMARIES:
        for engine in asked.engine or (BUILT_IN, NAME):
            print(played_row(asked.version, engine, summary), flush=True)


def played_row(version: str, engine: str, summary: str) -> str:
    """Play the conversation once and return its row."""
    with tempfile.TemporaryDirectory() as folder, scripted_model(Conversation(), summary) as played:
        home = play(agent_python(version), Path(folder) / "home", played, in_place=True, engine=engine)
        if home.said["engine"] != engine:
            raise RuntimeError(f"the agent used {home.said['engine']}, not {engine}")
        return _row(engine, played, home.said["replies"])


def _row(engine: str, played: Played, replies: list[str]) -> str:
    talk, kept = played.conversation, kept_after(played)
    sizes, asked = tokens_of(played.requests), tokens_of(played.summaries)
    right = sum(reply == talk.reply(turn) for turn, reply in enumerate(replies))
    cells = (
        engine,
        SUMMARIES[played.summary],
        str(len(kept)),
        _shares(kept, "facts"),
        _shares(kept, "decisions"),
        _shares(kept, "errors"),
        f"{sum(sizes) + sum(asked):,}",
        f"{max(sizes):,}",
        f"{right} of {len(talk.calls)}",
    )
    return "| " + " | ".join(cells) + " |"


def _shares(kept: list[Kept], name: str) -> str:
    found = [getattr(one, name) for one in kept]
    return ", ".join(f"{there}/{wanted}" for there, wanted in found if wanted) or "none"


if __name__ == "__main__":
    main()
