"""A conversation in which a summary leaves something out, as the agent's own database has it.

Two sessions: the first was compacted into the second. The rule about port 5433 and the decision for
Postgres are in the first alone; the summary has neither.
"""

from pathlib import Path
from typing import Any

from hermes_sessions.handoff import render_handoff
from hermes_sessions.integrations.recall.reach import Reach
from hermes_sessions.integrations.recall.service import RecallService
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from tests.agents.hermes.hermes_builder import calls, row, session, state_db

NOW = 1_790_000_000.0
RULE = "Never connect to the database on port 5432: it is production. Always use port 5433."
DECISION = "We decided to store the invoices as cents in an integer column called amount_cents."
SECRET = "sk-proj-" + "a1B2c3D4" * 5
OLD, NEW = "20260601_first", "20260602_second"
RECALLED = '{"recallquote":"x","hits":[{"snippet":"Always use port 5433"}]}'
SUMMARY = "## Goal\nThe invoices page is being built.\n\n## Progress\nThe list of customers was read."


def sessions() -> list[dict[str, Any]]:
    return [
        session(OLD, title="Invoices", end_reason="compression", ended_at=1_780_000_500.0),
        session(NEW, parent=OLD, title="Invoices #2", started_at=1_780_000_500.001),
        session("20260603_other", title="Holidays", started_at=1_780_090_000.0),
    ]


def messages() -> list[dict[str, Any]]:
    """The first three rows of the second session are what the compaction left: handoff, request, answer."""
    request = row(OLD, "user", "Now add the export button to the invoices page.", timestamp=1_780_000_300.0)
    answer = row(OLD, "assistant", "The export button is next.", timestamp=1_780_000_310.0)
    return [
        row(OLD, "user", RULE),
        row(OLD, "assistant", "Understood, 5433 it is."),
        row(OLD, "user", f"The key for the mail service is {SECRET}, keep it out of the logs."),
        row(OLD, "assistant", DECISION),
        row(OLD, "user", "Read the list of customers."),
        row(OLD, "assistant", "", tool_calls=calls(("call_1", "read_file", {"path": "src/customers.py"}))),
        row(OLD, "tool", "def customers():\n    return []\n", tool_call_id="call_1", tool_name="read_file"),
        row(OLD, "assistant", "There are none yet."),
        request,
        answer,
        row(NEW, "user", render_handoff(SUMMARY), timestamp=1_780_000_500.002),
        {**request, "session_id": NEW},
        {**answer, "session_id": NEW},
        row(NEW, "user", "Which port was it for the database?", timestamp=1_780_000_600.0),
        row(NEW, "assistant", "", tool_calls=_recall_call(), timestamp=1_780_000_601.0),
        row(NEW, "tool", RECALLED, timestamp=1_780_000_602.0,
            tool_call_id="call_2", tool_name="mcp__hermes-sessions__search"),
        row(NEW, "assistant", "Port 5432, I think.", timestamp=1_780_000_603.0),
        row("20260603_other", "user", "Two weeks in Sardinia, port of Olbia.", timestamp=1_780_090_001.0),
        row("20260603_other", "assistant", "Noted.", timestamp=1_780_090_002.0),
    ]  # fmt: skip


def _recall_call() -> str:
    return calls(("call_2", "mcp__hermes-sessions__search", {"query": "port 5433"}))


def plant(folder: Path) -> Path:
    """Write the agent's database."""
    folder.mkdir(parents=True, exist_ok=True)
    return state_db(folder / "state.db", sessions=sessions(), messages=messages())


def import_planted(database: Database, folder: Path, **options: Any) -> Path:
    """Write the agent's database and import it."""
    path = plant(folder)
    import_path(database, path, ImportOptions(clock=lambda: NOW, **options))
    return path


def service_of(url: str, **reach: Any) -> RecallService:
    return RecallService(url, Reach(**reach))
