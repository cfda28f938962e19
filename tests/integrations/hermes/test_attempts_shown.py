"""From an attempt of the engine in the agent to the ledger and the page of the compaction."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.integrations.hermes.plugin import engine as module
from hermes_sessions.integrations.hermes.plugin.engine import make_engine
from hermes_sessions.integrations.hermes.plugin.entry import keep_account
from hermes_sessions.integrations.hermes.plugin.settings import EngineSettings
from hermes_sessions.messages import SummaryRequest
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.web import create_app
from tests.agents.hermes.hermes_builder import START, row, session, state_db
from tests.integrations.hermes.talks import talk
from tests.web.html import read


def refuse(request: SummaryRequest) -> str:
    raise SummaryFailedError("the model failed: <no> key", "auth")


def attempted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the engine meet a model that refuses the key, as in the session `first`."""
    monkeypatch.setattr(module, "ExtractiveSummarizer", lambda: refuse)
    engine = make_engine(EngineSettings(summarizer="rule"))
    engine.update_model("some-model", 12_000)
    engine.on_session_start("first", hermes_home=str(home))
    assert engine.compress(talk(), current_tokens=20_000) == talk()


def imported(home: Path, database: Database) -> FlaskClient:
    messages = [row("first", "user", "Migrate it."), row("first", "assistant", "Done.")]
    state_db(home / "state.db", sessions=[session("first")], messages=messages)
    import_path(database, home, ImportOptions(clock=lambda: START))
    return create_app(database).test_client()


def cells(client: FlaskClient) -> list[str]:
    rows = read(client.get("/compactions").text).by_tag("tbody")[0].by_tag("tr")
    return [" ".join(one.text.split()) for one in rows]


@pytest.mark.sqlite_only
def test_an_attempt_without_a_key_is_in_the_ledger_and_has_its_page(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempted(tmp_path, monkeypatch)
    client = imported(tmp_path, database)
    [listed] = cells(client)
    assert f"aborted the model failed: <no> key engine {module.ENGINE}" in listed
    found: Any = client.get("/api/compactions?status=aborted").json
    [one] = found["compactions"]
    assert (one["status"], one["error"]) == ("aborted", "the model failed: <no> key")
    assert one["engine"] == module.ENGINE
    page = client.get(f"/compactions/{one['id']}")
    assert page.status_code == 200
    assert "the model failed: &lt;no&gt; key" in page.text
    assert "<no>" not in page.text
    assert f"engine {module.ENGINE}" in page.text


@pytest.mark.sqlite_only
def test_results_that_the_agent_pruned_are_listed_as_a_prune(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hermes_sessions.integrations.hermes.plugin.host.home_folder", lambda: tmp_path)
    record = {"kind": "prune_tool_results", "outcome": "committed", "session_id": "first", "attempt_id": "a"}
    keep_account(**record, tool_results_pruned=9, tokens_before=60_000, tokens_after=31_000)
    client = imported(tmp_path, database)
    found: Any = client.get("/api/compactions").json
    [one] = found["compactions"]
    assert (one["method"], one["span"]["messages"], one["tokens_before"]) == ("prune", 9, 60_000)
    assert client.get(f"/compactions/{one['id']}").status_code == 200
