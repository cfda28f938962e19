"""Play a conversation with the real agent: a home folder made, the agent run in it, what came of it read."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermes_sessions.integrations.hermes.plugin_folder import install
from tests.integrations.hermes import agent_driver_path
from tests.integrations.hermes.scripted_model import MODEL, TOOL, Played

CONFIG = """\
model:
  default: {model}
  provider: custom
  base_url: {url}
  api_key: none
  context_length: 90000
compression:
  enabled: true
  in_place: {in_place}
auxiliary:
  compression:
    provider: custom
    model: {model}
    base_url: {url}
    api_key: none
    timeout: 2
context:
  engine: {engine}
plugins:
  enabled: [hermes-sessions, scripted]
  entries: {{hermes-sessions: {{settings: {{summary_seconds: 2}}}}}}
"""
TOOLS = """
import json

SIZE = {size}
ERRORS = {errors}


def look_up(args, **more):
    turn, number = int(args["turn"]), int(args["number"])
    head = ERRORS[turn] if number == 3 else f"record {{turn}}-{{number}}: ok"
    row = 0
    lines = [head]
    while sum(map(len, lines)) < SIZE:
        row += 1
        value = (turn * 7919 + number * 104729 + row) % 99991
        lines.append(f"row {{row}} of record {{turn}}-{{number}}: value {{value}}")
    return "\\n".join(lines)


def register(ctx):
    text, number = {{"type": "string"}}, {{"type": "integer"}}
    given = {{"type": "object", "properties": {{"path": text, "turn": number, "number": number}}}}
    schema = {{"name": "{tool}", "description": "Look a record up.", "parameters": given}}
    ctx.register_tool("{tool}", "scripted", schema, look_up)
"""


@dataclass(frozen=True)
class Home:
    """The agent's home after a run, and what the driver said."""

    path: Path
    said: dict[str, Any]

    @property
    def journal(self) -> list[dict[str, Any]]:
        path = self.path / "hermes-sessions" / "compactions.jsonl"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        return [json.loads(line) for line in lines]


def play(
    python: Path,
    home: Path,
    played: Played,
    *,
    in_place: bool,
    engine: str = "hermes-sessions",
    recall: list[Any] | None = None,
) -> Home:
    """Run every turn of the conversation with the agent of *python* in *home*."""
    home.mkdir(exist_ok=True)
    talk = played.conversation
    turns = range(len(talk.calls))
    (home / "config.yaml").write_text(
        CONFIG.format(model=MODEL, url=played.url, in_place=str(in_place).lower(), engine=engine)
    )
    install(home)
    tools = home / "plugins" / "scripted"
    tools.mkdir(exist_ok=True)
    (tools / "plugin.yaml").write_text("name: scripted\nversion: '1'\ndescription: a tool\n")
    errors = [talk.error(turn) for turn in turns]
    (tools / "__init__.py").write_text(TOOLS.format(size=talk.result_chars, errors=errors, tool=TOOL))
    answer, plan = home / "answer.json", home / "plan.json"
    requests = [talk.request(turn) for turn in turns]
    given = {"url": played.url, "model": MODEL, "requests": requests, "answer": str(answer), "recall": recall}
    plan.write_text(json.dumps(given))
    environment = {
        "HERMES_HOME": str(home),
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "NO_PROXY": "127.0.0.1",
    }
    told = subprocess.run(
        [python, agent_driver_path(), plan],
        capture_output=True, text=True, check=False, timeout=900, env=environment, cwd=home,
    )  # fmt: skip
    assert answer.exists(), told.stderr[-3000:] + told.stdout[-1000:]
    return Home(home, json.loads(answer.read_text("utf-8")))
