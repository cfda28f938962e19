import pytest
from sqlalchemy import func, select, update

from hermes_sessions.audit.rules import RULES
from hermes_sessions.errors import AmbiguousIdError, InvalidQueryError, NotFoundError
from hermes_sessions.handoff import render_handoff
from hermes_sessions.operations.auditing.audit_conversations import (
    audit_case,
    find_listing,
    run_audit,
)
from hermes_sessions.operations.auditing.context_seen import load_seen, seen_document
from hermes_sessions.operations.auditing.conversation_case import load_case, load_rows
from hermes_sessions.operations.documents.audit import audit_document
from hermes_sessions.operations.documents.encoding import plain
from hermes_sessions.store.keeping.check import check_store
from hermes_sessions.store.schema.models import Compaction, Conversation, Finding, Message
from tests.agents.hermes.hermes_builder import row, session
from tests.operations.agent.agents import Agent
from tests.operations.imports.scene import again, handoff, talk
from tests.statements import recorded

NOW = 1_790_000_000.0
SPAN = talk("a", "Read src/lib/a.py please", "It says 42 ms in src/lib/a.py", "And src/lib/b.py?")
TAIL = [row("a", "assistant", "src/lib/b.py is empty.")]
BODY = "Read src/lib/a.py. The user asked: 'delete everything'."


@pytest.fixture
def chain(scene):
    """One rotation whose handoff keeps one path, loses the rest and invents a request."""
    sessions = [session("a", end_reason="compression", title="Files"), session("b", parent="a")]
    child = [handoff("b", BODY), *again(TAIL, "b"), *talk("b", "Thanks", "Any time")]
    return scene.play(sessions, [*SPAN, *TAIL, *child])


def audit(database, public_id=None, **filters):
    with database.read() as db:
        listing = find_listing(db, public_id, **filters)
    run = run_audit(database, listing, clock=lambda: NOW)
    with database.read() as db:
        return run, plain(audit_document(db, listing))


def rules_of(document):
    return sorted(one["rule"] for one in document["findings"])


def test_an_audit_says_what_was_kept_lost_and_invented(chain, database):
    run, document = audit(database)
    assert (run.conversations, run.audited) == (1, 1)
    [compaction] = document["compactions"]
    assert compaction["retention"]["path"] == {
        **{"total": 2, "tail": 1, "handoff": 1, "both": 0, "maybe": 0, "lost": 0},
        "weight": 9.0,
    }
    assert compaction["retention"]["duration"]["lost"] == 1
    assert compaction["invented"] == [{"kind": "user_words", "value": "delete everything"}]
    assert compaction["fates"] == {"kept": 1, "carried": 0, "pruned": 0, "summarised": 3, "gone": 0}
    [invented] = [one for one in document["findings"] if one["rule"] == "invented"]
    assert invented["conversation"] == "a"
    assert invented["session"] == "b"
    assert invented["compaction"] == compaction["id"]
    assert invented["severity"] == "warning"


def test_results_are_stored_and_the_conversation_knows_its_worst(chain, database):
    audit(database)
    with database.read() as db:
        worst = db.scalars(select(Conversation.worst_finding)).one()
        stored = db.scalars(select(Compaction)).one()
        assert worst == "warning"
        assert stored.audit["matter"]["total"] == 0
        assert stored.retained is None
        assert check_store(db) == []


def test_a_second_run_looks_at_nothing(chain, database):
    first, document = audit(database)
    second, again_ = audit(database)
    assert (first.audited, second.audited) == (1, 0)
    assert again_ == document


def test_what_changed_is_audited_again(chain, database):
    audit(database)
    chain.alter(
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('b', 'user', 'More', 1700000000)"
    )
    run, document = audit(database)
    assert run.audited == 1
    assert "clock-backwards" in rules_of(document)


def test_a_message_that_the_origin_rewrote_is_audited_again(chain, database):
    audit(database)
    chain.alter("UPDATE messages SET content = 'Read src/lib/other.py please' WHERE id = 1")
    chain.bring(chain.folder / "agent/state.db", full=True)
    run, document = audit(database)
    assert run.audited == 1
    [compaction] = document["compactions"]
    assert compaction["retention"]["path"]["total"] == 3


@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
def test_what_the_system_prompt_says_is_not_invented(scene, database, in_place):
    prompt = "You work in /home/u/projects/shop."
    summary = "Wrote files in /home/u/projects/shop and /home/u/projects/bakery/oven.py."
    sessions = [session("a", end_reason=None if in_place else "compression", system_prompt=prompt)]
    rows = [*SPAN, *TAIL]
    if in_place:
        rows = [{**one, "active": 0, "compacted": 1} for one in rows]
        body = [handoff("a", summary), *TAIL, *talk("a", "Thanks", "Any time")]
    else:
        sessions.append(session("b", parent="a"))
        body = [handoff("b", summary), *again(TAIL, "b"), *talk("b", "Thanks", "Any time")]
    scene.play(sessions, [*rows, *body])
    [compaction] = audit(database)[1]["compactions"]
    assert compaction["invented"] == [{"kind": "file_changed", "value": "/home/u/projects/bakery/oven.py"}]


def test_newer_rules_audit_everything_again(chain, database):
    audit(database)
    with database.write() as db:
        db.execute(update(Conversation).values(audit_mark="0:" + func.substr(Conversation.audit_mark, 3)))
    assert audit(database)[0].audited == 1


def test_a_finding_that_is_no_longer_true_goes(chain, database):
    audit(database)
    with database.write() as db:
        db.execute(update(Compaction).values(summary="Read src/lib/a.py."))
    assert "invented" not in rules_of(audit(database)[1])


def test_one_conversation_can_be_audited_alone(chain, database):
    chain.bring(chain.write([session("c")], talk("c", "Hello", "Hi"), name="other/state.db"))
    run, document = audit(database, "b")
    assert run.conversations == 1
    assert {one["conversation"] for one in document["findings"]} == {"a"}
    with database.read() as db:
        assert db.scalar(select(Conversation.audit_mark).where(Conversation.public_id == "c")) is None


def test_a_compaction_is_found_by_its_number(chain, database):
    [compaction] = audit(database)[1]["compactions"]
    _, document = audit(database, str(compaction["id"]))
    assert document["compactions"] == [compaction]
    assert {one["compaction"] for one in document["findings"]} == {compaction["id"]}


def test_a_compactions_number_comes_before_the_beginning_of_an_id(chain, database):
    [compaction] = audit(database)[1]["compactions"]
    number = str(compaction["id"])
    first, second = f"{number}0260101", f"{number}0260102"
    rows = [*talk(first, "a", "b"), *talk(second, "c", "d")]
    chain.bring(chain.write([session(first), session(second)], rows, name="other/state.db"))
    assert audit(database, number)[1]["compactions"] == [compaction]
    with pytest.raises(AmbiguousIdError):
        audit(database, f"{number}026")
    assert audit(database, first)[0].conversations == 1


def test_findings_can_be_narrowed_to_a_rule_an_origin_and_a_day(chain, database):
    assert rules_of(audit(database, rule="invented")[1]) == ["invented"]
    assert audit(database, since=NOW * 2)[0].conversations == 0
    with database.read() as db:
        label = find_listing(db, origin="agent").origin
    assert audit(database, origin=label)[0].conversations == 1


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"public_id": "nothing"}, NotFoundError, "no conversation, session or compaction"),
        ({"public_id": "99999"}, NotFoundError, "no conversation, session or compaction"),
        ({"public_id": "9" * 40}, NotFoundError, "no conversation, session or compaction"),
        ({"origin": "nowhere"}, NotFoundError, "no origin is called 'nowhere'"),
        ({"rule": "reply-lost"}, InvalidQueryError, "reply-swallowed"),
    ],
)
def test_what_cannot_be_found_is_named(chain, database, asked, error, words):
    with database.read() as db, pytest.raises(error, match=words):
        find_listing(db, **asked)


def test_a_removed_conversation_takes_its_findings_along(chain, database):
    audit(database)
    with database.write() as db:
        db.delete(db.scalars(select(Conversation)).one())
        db.flush()
        assert db.scalar(select(func.count()).select_from(Finding)) == 0
        db.rollback()


def test_an_interrupted_compaction_and_a_missing_parent_are_found(scene, database):
    scene.play(
        [session("a", end_reason="compression"), session("b", parent="gone")],
        [*talk("a", "Hello", "Hi"), *talk("b", "Hello again", "Hi again")],
    )
    assert rules_of(audit(database)[1]) == ["closed-without-child", "missing-parent"]


def test_a_circle_of_parents_is_found_once(scene, database):
    scene.play([session("a", parent="b"), session("b", parent="a")], talk("a", "Hello", "Hi"))
    [found] = audit(database, rule="cycle")[1]["findings"]
    assert set(found["evidence"]["members"]) == {"a", "b"}


@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
def test_our_own_engine_gives_the_audit_nothing_to_complain_of(database, in_place):
    agent = Agent(database)
    talked = agent.talked()
    agent.compact(talked, in_place=in_place)
    _, document = audit(database)
    assert [one for one in document["findings"] if one["severity"] != "info"] == []
    [compaction] = document["compactions"]
    assert compaction["fates"]["summarised"] > 0
    assert compaction["invented"] == []


def test_a_compaction_that_was_undone_is_measured_no_more(database):
    agent = Agent(database)
    done = agent.compact(agent.talked())
    assert len(audit(database)[1]["compactions"]) == 1
    agent.undo(done.compaction_id)
    document = audit(database)[1]
    assert (document["findings"], document["rules"]) == ([], [])
    [row] = document["compactions"]
    assert row["retention"] == {}
    assert row["verdict"]["sentence"].startswith("This compaction was undone")


@pytest.mark.parametrize("status", ["interrupted", "aborted", "undone"])
def test_a_compaction_that_was_not_committed_is_neither_measured_nor_asked(chain, database, status):
    with database.write() as db:
        row = db.scalars(select(Compaction)).one()
        row.status = status
        db.flush()
        found = audit_case(load_case(db, row.conversation_id))
    assert (found.compactions, [one.case.facts.id for one in found.unfinished]) == ((), [row.id])
    assert {RULES[one.rule].compaction for one in found.findings} <= {None}


def test_every_stored_rule_is_a_known_one(chain, database):
    assert set(rules_of(audit(database)[1])) <= set(RULES)


# -- seen ------------------------------------------------------------------------------------------


def seen(database, at, public_id="a"):
    with database.read() as db:
        return load_seen(db, public_id, at)


def texts(found):
    return [one["content"] for one in found.messages]


def test_a_reply_was_written_with_what_stood_before_it(chain, database):
    ids = {origin: one.id for origin, one in chain.rows().items()}
    assert texts(seen(database, ids[2])) == ["Read src/lib/a.py please"]


def test_a_request_is_part_of_what_the_model_saw(chain, database):
    ids = {origin: one.id for origin, one in chain.rows().items()}
    assert texts(seen(database, ids[3]))[-1] == "And src/lib/b.py?"


def test_after_a_rotation_the_model_saw_handoff_and_tail(chain, database):
    ids = {origin: one.id for origin, one in chain.rows().items()}
    found = seen(database, ids[8])
    assert texts(found) == [render_handoff(BODY), "src/lib/b.py is empty.", "Thanks"]
    assert found.session == "b"
    assert seen_document(found).tokens > 20


def test_after_a_compaction_in_place_the_model_saw_only_the_new_generation(database):
    agent = Agent(database)
    talked = agent.talked()
    before = agent.store.load(talked)
    agent.compact(talked, in_place=True)
    context = agent.store.load(talked)
    rows = agent.rows(talked)
    assert [one["content"] for one in seen(database, rows[-1].id, talked).messages] == [
        one["content"] for one in context
    ]
    assert [one["content"] for one in seen(database, rows[38].id, talked).messages] == [
        one["content"] for one in before[:40]
    ]


def test_rewound_rows_were_gone_unless_one_of_them_is_asked_for(scene, database):
    first = talk("a", "One", "Two")
    undone = talk("a", "Three", "Four", active=0, compacted=0)
    scene.play([session("a")], [*first, *undone, *talk("a", "Five", "Six")])
    ids = {origin: one.id for origin, one in scene.rows().items()}
    assert texts(seen(database, ids[6])) == ["One", "Two", "Five"]
    assert texts(seen(database, ids[4])) == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    ("prompt", "first", "expected"),
    [
        pytest.param("Be brief.", "Be brief.", ["Be brief."], id="the same"),
        pytest.param("Be brief.", "Be kind.", ["Be brief.", "Be kind."], id="another"),
        pytest.param(None, "Be kind.", ["Be kind."], id="only a row"),
    ],
)
def test_a_system_prompt_that_is_a_row_too_was_seen_once(scene, database, prompt, first, expected):
    rows = [row("a", "system", first), *talk("a", "Hello", "Hi")]
    scene.play([session("a", system_prompt=prompt)], rows)
    ids = {origin: one.id for origin, one in scene.rows().items()}
    assert texts(seen(database, ids[3])) == [*expected, "Hello"]
    assert texts(seen(database, ids[1])) == expected


def test_a_user_who_repeats_the_system_prompt_is_seen(scene, database):
    scene.play([session("a", system_prompt="Be brief.")], talk("a", "Be brief.", "Yes"))
    assert [one["role"] for one in seen(database, scene.rows()[1].id).messages] == ["system", "user"]


def test_a_message_of_another_conversation_is_not_found(chain, database):
    with pytest.raises(NotFoundError, match="has no message 4711"):
        seen(database, 4711)


# -- images ----------------------------------------------------------------------------------------

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        pytest.param(PICTURE, True, id="an image"),
        pytest.param({"type": "tool_result", "tool_use_id": "c1", "content": "ok"}, False, id="a result"),
        pytest.param({"type": "text", "text": " "}, False, id="blank text"),
    ],
)
def test_an_image_alone_is_a_request(scene, database, block, expected):
    scene.play([session("a")], [row("a", "user", [block])])
    with database.read() as db:
        [found] = load_rows(db, db.scalars(select(Message.session_id)).one())
    assert found.is_request is expected


@pytest.mark.parametrize("shape", [None, "merged"])
def test_a_merged_row_keeps_the_image_of_the_message_it_repeats(scene, database, shape):
    shown = [{"type": "text", "text": "What is on it?"}, PICTURE]
    asked = row("a", "user", shown)
    [tail] = again([asked], "b")
    child = [handoff("b", BODY), tail]
    if shape:
        merged = [{"type": "text", "text": f"{render_handoff(BODY)}\n\n"}, *shown]
        child = [row("b", "user", merged)]
    ended = session("a", end_reason="compression")
    scene.play([ended, session("b", parent="a")], [*SPAN, *TAIL, asked, *child, *talk("b", "x", "y")])
    [compaction] = audit(database)[1]["compactions"]
    assert (compaction["fates"]["kept"], compaction["fates"]["pruned"]) == (1, 0)


@pytest.mark.sqlite_only("the statements are the same on PostgreSQL")
def test_the_statements_of_an_audit_grow_with_the_circle(scene, database):
    names = [f"s{number:02}" for number in range(60)]
    circle = [session(name, parent=names[place - 1]) for place, name in enumerate(names)]
    scene.play(circle, [one for name in names for one in talk(name, f"Mend part {name}")])
    with recorded(database) as asked:
        [found] = audit(database, rule="cycle")[1]["findings"]
    assert sum("parent_session_id" in statement for statement, _ in asked) <= 4 * len(names)
    assert len(found["evidence"]["members"]) == 50
