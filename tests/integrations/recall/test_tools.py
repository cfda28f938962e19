"""What each tool answers on a store with a planted loss."""

import json
from pathlib import Path
from typing import Any

import pytest

from hermes_sessions.handoff import render_handoff
from hermes_sessions.integrations.recall import compactions
from hermes_sessions.integrations.recall.answering import ANSWERS
from hermes_sessions.integrations.recall.answers import ANSWER_CHARS, OWN_WORD, QUOTED
from hermes_sessions.integrations.recall.service import RecallService
from hermes_sessions.integrations.recall.tools import TOOLS
from hermes_sessions.operations.auditing.audit_conversations import run_audit
from hermes_sessions.operations.imports.import_origin import ImportOptions, import_path
from hermes_sessions.store.opening.database import Database
from hermes_sessions.store.queries.stored_audits import FindingListing
from tests.agents.hermes.hermes_builder import row, session, state_db
from tests.integrations.recall.conftest import Ask, refusal
from tests.integrations.recall.planted import DECISION, NEW, NOW, OLD, RULE, SECRET, SUMMARY


def texts(answer: dict[str, Any]) -> list[str]:
    return [one["text"] for one in answer["messages"]]


def test_every_tool_has_an_answer() -> None:
    assert list(ANSWERS) == list(TOOLS)


# -- lost, then expand -----------------------------------------------------------------------------


def test_lost_names_the_rule_that_the_summary_left_out_and_its_message(ask: Ask) -> None:
    lost = ask("lost", conversation=NEW)
    [rule] = [one for one in lost["lost"] if "5433" in one["text"]]
    assert lost["compaction"] == 1
    assert rule["kind"] == "constraint"
    found = ask("expand", conversation=NEW, around=rule["message"], limit=2)
    assert RULE in texts(found)


def test_lost_names_what_the_summary_kept_nowhere(ask: Ask) -> None:
    lost = ask("lost", conversation=OLD, compaction=1)["lost"]
    assert [one for one in lost if "amount_cents" in one["text"]]
    assert not [one for one in lost if "export button" in one["text"]], "the request was carried over"


def test_a_conversation_without_a_compaction_has_lost_nothing(service: RecallService) -> None:
    assert "was not compacted" in refusal(service, "lost", conversation="20260603_other")


# -- search ----------------------------------------------------------------------------------------


def test_search_finds_what_was_archived_and_says_where(ask: Ask) -> None:
    [hit] = ask("search", query="amount_cents")["hits"]
    assert (hit["conversation"], hit["session"], hit["role"]) == (OLD, OLD, "assistant")
    assert hit["labels"] == ["archived"]
    assert "integer column called amount_cents" in hit["snippet"]


def test_search_looks_at_the_context_when_asked_to(ask: Ask) -> None:
    assert ask("search", query="Sardinia")["hits"] == []
    [hit] = ask("search", query="Sardinia", scope="all")["hits"]
    assert hit["conversation"] == "20260603_other"


def test_search_leaves_out_what_recall_was_asked_and_said(ask: Ask) -> None:
    found = ask("search", query="port 5433", scope="all")["hits"]
    assert {one["session"] for one in found} == {OLD}


def test_search_narrows_to_a_conversation(ask: Ask) -> None:
    found = ask("search", query="port", scope="all", conversation="20260603_other")["hits"]
    assert {one["conversation"] for one in found} == {"20260603_other"}


def test_a_long_query_is_cut_and_the_answer_says_so(ask: Ask) -> None:
    notes = ask("search", query="amount_cents " + " " * 990 + "nowhere at all")["notes"]
    assert "The query was cut after 1,000 characters." in notes


def test_search_gives_pages(ask: Ask) -> None:
    whole = [one["message"] for one in ask("search", query="role:assistant", scope="all", limit=20)["hits"]]
    paged, cursor = [], None
    while True:
        page = ask("search", query="role:assistant", scope="all", limit=2, cursor=cursor)
        paged += [one["message"] for one in page["hits"]]
        cursor = page.get("next")
        if cursor is None:
            break
    assert paged == whole
    assert len(whole) > 3


# -- expand ----------------------------------------------------------------------------------------


def test_expand_quotes_all_that_a_compaction_summarised(ask: Ask) -> None:
    found = ask("expand", conversation=NEW, compaction=1)
    assert texts(found)[0] == RULE
    assert DECISION in texts(found)
    assert '[call read_file] {"path": "src/customers.py"}' in texts(found)
    assert not [one for one in texts(found) if "export button" in one], "that is the tail"
    assert found.get("next") is None


def test_expand_goes_page_by_page(ask: Ask) -> None:
    whole = texts(ask("expand", conversation=NEW, compaction=1))
    paged, offset = [], None
    while True:
        page = ask("expand", conversation=NEW, compaction=1, limit=3, offset=offset)
        paged += texts(page)
        offset = page.get("next")
        if offset is None:
            break
    assert paged == whole


def test_expand_quotes_from_one_message_to_another(ask: Ask) -> None:
    numbers = [one["message"] for one in ask("expand", conversation=NEW, compaction=1)["messages"]]
    found = ask("expand", conversation=NEW, **{"from": numbers[1], "to": numbers[3]})
    assert [one["message"] for one in found["messages"]] == numbers[1:4]


def test_expand_of_a_copy_quotes_what_it_repeats(ask: Ask) -> None:
    seen = ask("seen", conversation=NEW, message=_last(ask))["context"]
    [copied] = [one["message"] for one in seen if one["begins"] == "The export button is next."]
    found = ask("expand", conversation=NEW, around=copied, limit=1)
    assert texts(found) == ["The export button is next."]


@pytest.mark.parametrize("ways", [{}, {"compaction": 1, "around": 1}, {"to": 3}], ids=str)
def test_expand_wants_one_way_to_name_messages(service: RecallService, ways: dict[str, int]) -> None:
    assert "one of `compaction`, `around`, or `from`" in refusal(service, "expand", conversation=NEW, **ways)


def test_a_message_longer_than_an_answer_is_continued(ask: Ask, database: Database, tmp_path: Path) -> None:
    words = "".join(f'line {number} "quoted"\n' for number in range(12_000))
    (tmp_path / "long").mkdir()
    path = state_db(
        tmp_path / "long" / "state.db",
        sessions=[session("long-one")],
        messages=[row("long-one", "user", words)],
    )
    import_path(database, path, ImportOptions(clock=lambda: NOW))
    [hit] = ask("search", query='"line 7"', scope="all")["hits"]
    message = hit["message"]
    found, offset, answers = "", None, 0
    while True:
        answer = ask("expand", conversation="long-one", around=message, limit=1, offset=offset)
        [one] = answer["messages"]
        assert len(json.dumps(answer, ensure_ascii=False)) <= ANSWER_CHARS
        assert one.get("from_character", 0) == len(found)
        found += one["text"]
        offset = answer.get("next")
        answers += 1
        if offset is None:
            break
        assert one["cut"]
    assert found == words
    assert answers > 10


# -- the others ------------------------------------------------------------------------------------


def test_compactions_have_a_share_and_a_verdict(ask: Ask) -> None:
    [one] = ask("compactions", conversation=OLD)["compactions"]
    assert (one["compaction"], one["session"], one["parent"]) == (1, NEW, OLD)
    assert one["realisation"] == "rotation"
    assert one["kept"] < 1
    assert "gone" in one["verdict"]


def test_compactions_say_the_same_once_an_audit_is_stored(ask: Ask, database: Database) -> None:
    fresh = ask("compactions", conversation=OLD)["compactions"][0]
    run_audit(database, FindingListing(), clock=lambda: 1.0)
    stored = ask("compactions", conversation=OLD)["compactions"][0]
    assert (stored["kept"], stored["verdict"]) == (fresh["kept"], fresh["verdict"])


def test_measuring_many_compactions_ends_in_time_and_continues(
    ask: Ask, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"part-{number}" for number in range(4)]
    found, rows = [], []
    for place, name in enumerate(names):
        start = 1_780_000_000.0 + place * 1_000
        parent: dict[str, Any] = {"parent": names[place - 1]} if place else {}
        ended: dict[str, Any] = {"end_reason": "compression", "ended_at": start + 999} if place < 3 else {}
        found.append(session(name, started_at=start, **parent, **ended))
        if place:
            rows.append(row(name, "user", render_handoff(SUMMARY), timestamp=start + 0.1))
        rows += [
            row(name, "user", f"Open port {8_000 + place}.", timestamp=start + 1),
            row(name, "assistant", f"Port {8_000 + place} is open.", timestamp=start + 2),
        ]
    (tmp_path / "chain").mkdir()
    path = state_db(tmp_path / "chain" / "state.db", sessions=found, messages=rows)
    import_path(database, path, ImportOptions(clock=lambda: NOW))
    whole = ask("compactions", conversation="part-0")
    assert ([one["compaction"] for one in whole["compactions"]], whole.get("next")) == ([3, 2, 1], None)
    monkeypatch.setattr(compactions, "MEASURING_SECONDS", 0.0)
    pages = [ask("compactions", conversation="part-0", offset=offset) for offset in (0, 1, 2)]
    assert [page["compactions"] for page in pages] == [[one] for one in whole["compactions"]]
    assert [page.get("next") for page in pages] == [1, 2, None]


def test_seen_shows_that_the_rule_was_out_of_sight(ask: Ask) -> None:
    seen = ask("seen", conversation=NEW, message=_last(ask))
    begins = " ".join(one["begins"] for one in seen["context"])
    assert "Never connect to the database" not in begins
    assert "Which port was it" in begins
    assert seen["messages_in_context"] == len(seen["context"])
    assert seen["tokens"] > 10


def test_lineage_names_the_sessions(ask: Ask) -> None:
    lines = ask("lineage", conversation=NEW)["sessions"]
    assert [(one["session"], one.get("parent"), one["relation"]) for one in lines] == [
        (OLD, None, "root"),
        (NEW, OLD, "compaction"),
    ]


def test_list_gives_the_newest_first_a_page_at_a_time(ask: Ask) -> None:
    first = ask("list", limit=1)
    second = ask("list", limit=1, cursor=first["next"])
    names = [one["conversation"] for one in (*first["conversations"], *second["conversations"])]
    assert names == ["20260603_other", OLD]
    assert second.get("next") is None


# -- all of them -----------------------------------------------------------------------------------


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "5433"}),
    ("expand", {"conversation": NEW, "compaction": 1}),
    ("lost", {"conversation": NEW}),
    ("compactions", {"conversation": NEW}),
    ("seen", {"conversation": NEW, "message": 3}),
    ("lineage", {"conversation": NEW}),
    ("list", {}),
]


def test_every_answer_says_that_it_is_quoted(ask: Ask) -> None:
    assert {name for name, _ in CALLS} == {*TOOLS}
    for name, arguments in CALLS:
        answer = ask(name, **arguments)
        assert next(iter(answer.items())) == (OWN_WORD, QUOTED)


def test_no_answer_holds_a_secret(service: RecallService) -> None:
    asked = [*CALLS, ("search", {"query": "mail service key", "scope": "all"}), ("search", {"query": SECRET})]
    told = [service.reply(TOOLS[name], arguments).text for name, arguments in asked]
    assert not [text for text in told if SECRET[:20] in text]
    assert "[redacted:" in told[1]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search", {}, "missing required field `query`"),
        ("search", {"query": ""}, "Expected `str` of length >= 1"),
        ("search", {"query": "x", "limit": 21}, "`int` <= 20"),
        ("search", {"query": "x", "querry": "y"}, "unknown field `querry`"),
        ("search", {"query": "!!!"}, "type a word"),
        ("search", {"query": "port", "cursor": "zzz"}, "not one of ours"),
        ("search", {"query": "port", "conversation": "nowhere"}, "has the id 'nowhere'"),
        ("expand", {"conversation": NEW, "compaction": 7}, "has no compaction 7"),
        ("expand", {"conversation": NEW, "around": 99999}, "has no message 99999"),
        ("expand", {"conversation": NEW, "around": 3, "offset": "x"}, "not one of ours"),
        ("seen", {"conversation": NEW, "message": 2**53}, "has no message"),
        ("list", {"cursor": "zzz"}, "not one of ours"),
    ],
)
def test_what_cannot_be_answered_is_one_line(
    service: RecallService, tool: str, arguments: dict[str, Any], told: str
) -> None:
    assert told in refusal(service, tool, **arguments)


def _last(ask: Ask) -> int:
    [hit] = ask("search", query='"Port 5432, I think"', scope="all")["hits"]
    number: int = hit["message"]
    return number
