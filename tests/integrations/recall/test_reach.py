"""What a narrowed server gives away: nothing of what is out of reach, not even that it is there."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import select

from hermes_sessions.integrations.recall.service import RecallService
from hermes_sessions.integrations.recall.tools import TOOLS
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.schema.models import Origin
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.integrations.recall.conftest import asking, refusal
from tests.integrations.recall.planted import NEW, NOW, OLD, service_of

Narrowed = Callable[..., RecallService]


@pytest.fixture
def narrowed(planted_url: str, database: Database, tmp_path: Any) -> Iterator[Narrowed]:
    """Makes services over a store of two origins: `work`, which has the planted conversation, and `home`."""
    (tmp_path / "home").mkdir()
    path = state_db(
        tmp_path / "home" / "state.db",
        sessions=[session("20260604_private"), session("20260604_branch", parent=OLD)],
        messages=[
            row("20260604_private", "user", "My port of call is the bank, account 4711."),
            row("20260604_private", "assistant", "Noted, port of call."),
        ],
    )
    import_path(database, path, ImportOptions(clock=lambda: NOW, label="home"))
    opened: list[RecallService] = []

    def make(**reach: Any) -> RecallService:
        opened.append(service_of(planted_url, **reach))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def all_told(service: RecallService, conversation: str) -> str:
    """What every tool says about a conversation, one text."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "port", "scope": "all"}),
        ("search", {"query": "port", "scope": "all", "conversation": conversation}),
        ("search", {"query": f"port conv:{conversation}", "scope": "all"}),
        ("search", {"query": "port -conv:202606", "scope": "all"}),
        ("search", {"query": "port origin:home OR origin:work", "scope": "all"}),
        ("search", {"query": "port origin:home source:nowhere", "scope": "all"}),
        ("search", {"query": "port in:title", "scope": "all"}),
        ("search", {"query": conversation, "scope": "all"}),
        ("expand", {"conversation": conversation, "around": 1}),
        *(("expand", {"conversation": conversation[:8], "around": one}) for one in range(1, 25)),
        *((name, {"conversation": conversation}) for name in ("lost", "compactions", "lineage")),
        *(("seen", {"conversation": conversation, "message": one}) for one in range(1, 25)),
        ("list", {"limit": 50}),
    ]
    return "\n".join(service.reply(TOOLS[name], arguments).text for name, arguments in asked)


def test_everything_is_read_without_narrowing(narrowed: Narrowed) -> None:
    assert "account 4711" in all_told(narrowed(), "20260604_private")


@pytest.mark.parametrize(
    "reach", [{"only": (NEW,)}, {"origin": "state"}, {"only": (OLD,), "origin": "state"}], ids=str
)
def test_what_is_out_of_reach_is_not_read(
    narrowed: Narrowed, database: Database, reach: dict[str, Any]
) -> None:
    if "origin" in reach:
        reach = {**reach, "origin": _label(database)}
    told = all_told(narrowed(**reach), "20260604_private")
    assert "4711" not in told
    assert "bank" not in told
    assert "20260604" not in told.replace("'20260604_private'", "").replace("'20260604'", "")
    assert "home" not in told


def test_only_keeps_other_conversations_of_the_same_origin_out(narrowed: Narrowed) -> None:
    told = all_told(narrowed(only=(NEW,)), "20260603_other")
    assert "Sardinia" not in told
    assert "Holidays" not in told


def test_what_is_within_reach_is_answered(narrowed: Narrowed) -> None:
    ask = asking(narrowed(only=(NEW,)))
    assert [one["conversation"] for one in ask("list")["conversations"]] == [OLD]
    assert ask("search", query="amount_cents")["hits"]
    assert ask("lost", conversation=OLD[:10])["lost"]


def test_what_is_out_of_reach_is_refused_in_the_words_for_what_is_not_there(narrowed: Narrowed) -> None:
    service = narrowed(only=(NEW,))
    there = refusal(service, "lost", conversation="20260603_other")
    nowhere = refusal(service, "lost", conversation="20260603_never")
    assert there.replace("_other", "") == nowhere.replace("_never", "")


def test_only_means_a_whole_id(narrowed: Narrowed) -> None:
    assert asking(narrowed(only=("202606",)))("list")["conversations"] == []


def _label(database: Database) -> str:
    with database.read() as db:
        return next(one for one in db.scalars(select(Origin.label)) if one != "home")
