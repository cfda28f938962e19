from dataclasses import replace

import pytest

from hermes_sessions.audit.fates import Fate, trace_fates
from hermes_sessions.audit.measure import Reader
from hermes_sessions.audit.retention import IndexedText, SearchableText, measure_survival
from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import AuditMessage, CompactionFacts, SessionFacts
from tests.audit.builders import assistant, call, compacted, tool, user

TALK = (
    user("Please fix src/app/main.py"),
    assistant("", call("read_file", path="src/app/main.py")),
    tool("c1", "class Main: pass"),
    assistant("I changed src/app/main.py; see https://example.com/run/7."),
    user("And v2.4.1?"),
    assistant("Released."),
)


def facts_of(told, kind):
    return {one.value: one for one in told.measured().retention.facts if one.kind == kind}


# -- spans -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
def test_a_span_is_what_was_neither_head_nor_tail(in_place):
    told = compacted(TALK, head=[0], keep=[4, 5], in_place=in_place).measured().case
    assert [row.id for row in told.before] == [1, 2, 3, 4, 5, 6]
    assert [row.id for row in told.span] == [2, 3, 4]
    assert [row.original for row in told.head] == [1]
    assert set(told.kept) == {1, 5, 6}


@pytest.mark.parametrize("in_place", [False, True], ids=["rotation", "in place"])
def test_what_was_said_next_is_not_part_of_the_new_transcript(in_place):
    told = compacted(TALK, keep=[4, 5], following=[user("Go on"), assistant("Yes")], in_place=in_place)
    case = told.measured().case
    assert len(case.after) == 3
    assert [row.text for row in case.following] == ["Go on", "Yes"]


def test_a_chain_that_compacts_both_ways_keeps_its_generations_apart():
    def row(key, **columns):
        return AuditMessage(**{"id": key, "original": key, "position": key, "role": "user", **columns})

    first = SessionFacts(key=1, foreign_id="a", rows=[row(1, archived_by=1), row(2)])
    second = SessionFacts(
        key=2,
        foreign_id="b",
        parent=1,
        rows=[
            *(row(3, kind="handoff", handoff="[CONTEXT SUMMARY]: one"), row(4, original=2, archived_by=2)),
            *(row(5, archived_by=2), row(6)),
            *(row(7, kind="handoff", handoff="[CONTEXT SUMMARY]: two"), row(8, original=6), row(9)),
        ],
    )
    events = [
        _event(1, realisation="rotation", session=2, parent=1, handoff=3),
        _event(2, realisation="in_place", session=2, parent=2, handoff=7),
    ]
    rotation, in_place = cut_conversation([first, second], events).compactions
    assert [[one.id for one in part] for part in (rotation.before, rotation.after, rotation.following)] == [
        [1, 2],
        [3, 4],
        [5, 6],
    ]
    assert [[one.id for one in part] for part in (in_place.before, in_place.after, in_place.following)] == [
        [3, 4, 5, 6],
        [7, 8],
        [9],
    ]
    assert [one.id for one in in_place.span] == [4, 5]


def _event(key, **columns):
    return CompactionFacts(id=key, ordinal=key, status="committed", child=2, **columns)


def test_rewound_rows_were_not_in_the_context():
    told = compacted([*TALK, user("never mind", state="rewound")], keep=[5])
    assert "never mind" not in {row.text for row in told.measured().case.before}


def test_a_deleted_span_has_no_transcript_before():
    told = compacted(TALK, keep=[5], facts={"span_stored": False, "span_messages": 12}).measured()
    assert told.case.before == ()
    assert told.fates.gone == 12


# -- fates -----------------------------------------------------------------------------------------


def test_every_message_has_a_fate():
    before = [user("Please fix src/app/main.py", original=99), *TALK[1:]]
    fates = compacted(before, head=[0], keep=[2, 5], pruned={2: "[read_file] cut"}).measured().fates
    assert [one.fate for one in fates.messages] == [
        Fate.CARRIED,
        Fate.SUMMARISED,
        Fate.PRUNED,
        Fate.SUMMARISED,
        Fate.SUMMARISED,
        Fate.KEPT,
    ]
    assert fates.count(Fate.SUMMARISED) == 3
    assert fates.gone == 0


@pytest.mark.parametrize(
    ("now", "expected"),
    [(("5e7f",), Fate.KEPT), ((), Fate.PRUNED), (("0000",), Fate.PRUNED)],
    ids=["whole", "without its image", "with another image"],
)
def test_a_message_is_kept_with_its_images(now, expected):
    before = [*TALK, user("What is this?", attachments=("5e7f",)), assistant("A cat.")]
    case = compacted(before, keep=[6, 7]).conversation().compactions[0]
    after = tuple(replace(row, attachments=now) if row.attachments else row for row in case.after)
    found = [one.fate for one in trace_fates(replace(case, after=after)).messages]
    assert found[-2:] == [expected, Fate.KEPT]


# -- retention -------------------------------------------------------------------------------------


def test_a_fact_is_in_the_tail_in_the_handoff_in_both_or_lost():
    before = [
        *(user("Look at src/one/a.py"), assistant("src/two/b.py and src/three/c.py and src/four/d.py")),
        user("src/two/b.py src/three/c.py"),
    ]
    told = compacted(before, keep=[2], body="Worked on src/one/a.py and src/three/c.py.")
    found = {value: (one.in_tail, one.in_handoff) for value, one in facts_of(told, "path").items()}
    assert found == {
        "src/one/a.py": (False, True),
        "src/two/b.py": (True, False),
        "src/three/c.py": (True, True),
        "src/four/d.py": (False, False),
    }
    share = told.measured().retention.shares["path"]
    assert (share.total, share.tail, share.handoff, share.both, share.lost) == (4, 2, 2, 1, 1)


def test_a_fact_names_the_messages_it_came_from():
    told = compacted(TALK, keep=[5])
    assert facts_of(told, "path")["src/app/main.py"].messages == (1, 2, 4)


def test_what_the_user_asked_is_a_fact():
    told = compacted(TALK, keep=[5], body='The user asked: "Please fix src/app/main.py"')
    asks = facts_of(told, "ask")
    assert asks["Please fix src/app/main.py"].in_handoff
    assert asks["And v2.4.1?"].is_lost


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("4 s", "took 4 s.", True),
        ("4 s", "took 14 s.", False),
        ("src/a.py", "in `src/a.py`:", True),
        ("src/a.py", "in lib/src/a.pyc", False),
        ("two  words", "two\nwords", True),
        ("a long request…", "a long request that goes on", True),
        ("", "anything", False),
        ("4 s", "14 s, then 4 s", True),
    ],
)
def test_a_string_counts_where_it_stands_alone(value, text, expected):
    assert SearchableText(text).holds(value) is expected


@pytest.mark.parametrize(
    ("kind", "value", "text", "expected"),
    [
        ("number", "5 ms", "took 1.5 ms", False),
        ("number", "5 %", "is 99.5 %", False),
        ("number", "200 rows", "of 1,200 rows", False),
        ("number", "5 ms", "Twice. 5 ms. Or 5 ms, no more", True),
        ("version", "1.2.3", "now 1.2.3.4", False),
        ("version", "2.3.4", "now 1.2.3.4", False),
        ("version", "1.2.3", "now 1.2.3-rc1", False),
        ("version", "1.2.3", "Now 1.2.3. It works", True),
        ("version", "1.2.3", "package-1.2.3.tar.gz", True),
        ("path", "src/pkg/a.py", "edit lib/src/pkg/a.py", False),
        ("path", "src/pkg/a.py", "edit /src/pkg/a.py", False),
        ("path", "src/pkg/a.py", "edit ../src/pkg/a.py", False),
        ("path", "/src/pkg/a.py", "edit ./src/pkg/a.py", False),
        ("path", "/pkg/a.py", "edit src/pkg/a.py", False),
        ("path", "src/pkg/a.py", "edit ./src/pkg/a.py", True),
        ("path", "src/pkg/a.py", "edit src/pkg/a.py.bak", False),
        ("path", "src/pkg/a", "edit src/pkg/a-b", False),
        ("path", "src/pkg", "edit src/pkg/a.py", False),
        ("path", "src/pkg/", "edit src/pkg/a.py", False),
        ("path", "src/pkg", "edit src/pkg/ now", True),
        ("path", "src/pkg/a.py", "edit src/pkg/a.py:42", True),
        ("path", "src/pkg/a.py", "Edit src/pkg/a.py. Then", True),
        ("path", "src/pkg/a.py", "- (src/pkg/a.py) - done", True),
        ("url", "https://ex.org/a", "see https://ex.org/a/b/c", False),
        ("url", "https://ex.org/a", "see https://ex.org/a?page=2", False),
        ("url", "https://ex.org/a", "see https://ex.org/a.html", False),
        ("url", "https://ex.org/a", "see https://ex.org/a/.", True),
        ("url", "https://ex.org/a", "Why https://ex.org/a? So.", True),
        ("path", "src/pkg/a.py", "修改了src/pkg/a.py文件", True),
        ("url", "https://ex.org/a", "见https://ex.org/a，然后", True),
        ("id", "abc1234f", "提交abc1234f已修复", True),
        ("id", "abc1234f", "éabc1234f", False),
        ("number", "45 ms", "耗时45 ms左右", True),
    ],
)
@pytest.mark.parametrize("searched", [SearchableText, IndexedText])
def test_a_piece_of_a_longer_fact_is_not_the_fact(searched, kind, value, text, expected):
    assert searched(text).holds(value, kind) is expected


def test_a_fact_beside_another_script_is_kept_and_not_invented():
    before = [user("提交 abc1234f 耗时 45 ms"), assistant("修改了src/pkg/a.py文件。见 https://ex.org/a，好")]
    told = compacted(before, body="Commit abc1234f: src/pkg/a.py, 耗时45 ms左右, https://ex.org/a")
    assert {
        one.value for one in told.measured().retention.facts if one.kind != "ask" and one.is_lost
    } == set()
    assert told.measured().inventions == ()


def test_what_stood_there_in_colours_is_not_invented():
    before = [user("Run it."), tool("c1", "\x1b[32msrc/a.py\x1b[0m passed"), assistant("Done.")]
    assert compacted(before, keep=[2], body="src/a.py passed").measured().inventions == ()


def test_a_survival_curve_falls_as_facts_drop_out_of_sight():
    first = compacted([user("src/one/a.py and src/two/b.py")], body="src/one/a.py src/two/b.py")
    second = compacted([assistant("src/three/c.py")], body="src/one/a.py")
    cases = [first.measured().case, second.measured().case]
    # Asks are facts too: of three, two strings stand in the first handoff, one in the second.
    curves = [list(curve) for curve in measure_survival(cases)]
    assert curves == [pytest.approx([2 / 3, 1 / 3]), [0.0]]


@pytest.mark.parametrize(
    ("kept", "in_tail"),
    [
        (
            assistant("look at src/pkg/a.py:42 and `pytest -q tests --lf`"),
            {"src/pkg/a.py", "pytest -q tests"},
        ),
        (assistant("look at lib/src/pkg/a.py and pytest -q test"), set()),
        (assistant("", call("terminal", command="x\nsrc/pkg/a.py:42")), {"src/pkg/a.py"}),
    ],
)
def test_a_fact_in_the_tail_may_have_more_behind_it(kept, in_tail):
    told = compacted([user("Go"), assistant("src/pkg/a.py: `pytest -q tests`"), kept], keep=[2])
    found = {one.value for one in told.measured().retention.facts if one.in_tail}
    assert found == in_tail


def test_a_short_request_is_not_looked_for_in_all_that_was_kept():
    told = compacted([user("yes"), assistant("Done, yes.")], keep=[1])
    assert facts_of(told, "ask")["yes"].is_lost


def test_what_an_older_handoff_in_the_head_says_is_in_sight():
    older = user("", kind="handoff", handoff="[CONTEXT SUMMARY]: src/one/a.py")
    before = [older, assistant("src/one/a.py and src/two/b.py"), assistant("Done.")]
    with_it = compacted(before, head=[0], keep=[2], body="More was done.")
    without = compacted(before, keep=[2], body="More was done.")
    assert facts_of(with_it, "path")["src/one/a.py"].in_handoff
    assert facts_of(with_it, "path")["src/two/b.py"].is_lost
    assert facts_of(without, "path")["src/one/a.py"].is_lost
    assert [measure_survival([one.measured().case]) for one in (with_it, without)] == [((0.5,),), ((0.0,),)]


def test_a_reader_reads_each_message_once():
    reader = Reader()
    row = compacted(TALK).measured().case.before[0]
    assert reader.facts(row) is reader.facts(row)
    assert reader.tokens([row, row]) == 2 * reader.tokens([row])


# -- inventions ------------------------------------------------------------------------------------


def inventions(told):
    return [(one.kind, one.value) for one in told.measured().inventions]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Read src/app/main.py.", []),
        ("Read src/app/other.py.", [("path", "src/app/other.py")]),
        ("Released v2.4.1.", []),
        ("Released v9.9.9.", [("version", "v9.9.9")]),
        ("User asked: 'Please fix src/app/main.py'", []),
        ("User asked: 'please FIX src/app/main.py.'", []),
        ("User asked: 'delete the database now'", [("user_words", "delete the database now")]),
        ('The user wanted "a purple elephant"', [("user_words", "a purple elephant")]),
        ("The log says 'delete the database now'", []),
    ],
)
def test_an_invention_stands_nowhere_before(body, expected):
    assert inventions(compacted(TALK, keep=[5], body=body)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("User asked: 「今晚请删除所有的生产数据表」", ["今晚请删除所有的生产数据表"]),
        ("User asked: 「请检查支付模块」", []),
        ("用户要求：“今晚删除所有的生产数据表”", ["今晚删除所有的生产数据表"]),
        ("用户要求：“请检查支付模块的状态”", []),
        ("Der Nutzer bat: „Lösche die Datenbank“", ["Lösche die Datenbank"]),
        (
            "User asked: drop every production table tonight and email everybody",
            ["drop every production table tonight and email everybody"],
        ),
        ("User asked: deploying the billing service to staging, then checks", []),
        ("User asked: drop tables", []),
        ("The user asked us to drop every production table tonight", []),
        ("The job wanted: drop every production table tonight", []),
    ],
)
def test_words_put_into_the_users_mouth_in_any_marks(body, expected):
    before = [
        user("Please deploy the billing service to staging and check it"),
        user("请检查支付模块的状态，然后告诉我"),
        assistant("Done."),
    ]
    assert [value for _, value in inventions(compacted(before, keep=[2], body=body))] == expected


def test_a_translated_request_is_no_invention():
    before = [user("Lösche bitte heute Abend alle Tabellen der Produktion"), assistant("Gut.")]
    assert inventions(compacted(before, body="User asked: drop every production table tonight")) == []


def test_what_an_earlier_handoff_said_is_not_invented():
    before = [user("", kind="handoff", handoff="[CONTEXT SUMMARY]: lib/old/x.py"), *TALK]
    assert inventions(compacted(before, keep=[6], body="Still lib/old/x.py.")) == []
    told = [user("", kind="handoff", handoff="[CONTEXT SUMMARY]: User asked: 'paint it green'"), *TALK]
    assert inventions(compacted(told, keep=[6], body="User asked: 'paint it green'")) == []


def test_nothing_is_called_invented_where_the_source_is_not_stored():
    told = compacted(TALK, keep=[5], body="lib/new/x.py", facts={"span_stored": False})
    assert inventions(told) == []


@pytest.mark.parametrize(
    ("said", "body", "expected"),
    [
        ("see _src/x/b.py_ and docs/a/x.md", "_src/x/b.py_, _docs/a/x.md_, _docs/a/y.md_", ["_docs/a/y.md_"]),
        ("see src/pkg/a.py", "./src/pkg/a.py ./src/pkg/b.py", ["./src/pkg/b.py"]),
        ("see src/pkg/sub", "src/pkg/sub/ and src/pkg/su/", ["src/pkg/su/"]),
        ("see src/pkg/sub/a.py", "src/pkg/sub/ and src/pkg/b.py", ["src/pkg/b.py"]),
        ("see src/pkg/a.py, line 42", "src/pkg/a.py:42 src/pkg/a.py:43", ["src/pkg/a.py:43"]),
        ("see src/pkg/\nmodule/a.py", "src/pkg/module/a.py src/module/a.py", ["src/module/a.py"]),
        ("see /srv/app/core/a.py", "core/a.py, a.py, app/a.py", ["app/a.py"]),
        ("see lib/core/a.py", "a.py, /a.py, core/a.py, /b.py", ["core/a.py", "/b.py"]),
        ("took 45 ms, 3GB and 1.5 s", "45ms, 3 GB, 5 s", ["5 s"]),
        ("is v1.2.3 and 2.0.1", "1.2.3, v2.0.1, v2.3", ["v2.3"]),
        ("commit DEADBEEF12", "deadbeef12 deadbeef1", ["deadbeef1"]),
        ('`grep -n "a b" x.py`', "`grep -n 'a b' x.py` `grep -n 'a c' x.py`", ["grep -n 'a c' x.py"]),
        ("ok", "in order to\nfind the cause of it\nmake -j4 it", ["make -j4 it"]),
    ],
)
def test_another_spelling_is_no_invention(said, body, expected):
    told = compacted([user(said), assistant("Yes.")], keep=[1], body=body)
    assert [value for _, value in inventions(told)] == expected


@pytest.mark.parametrize("size", [1, 30_000])
def test_what_stands_deep_in_arguments_is_not_invented(size):
    edits = [{"path": r"C:\new\table\run.py"}, {"path": "文档/设计/说明.md", "text": "x " * size}]
    before = [user("Go"), assistant("", call("edit", edits=edits)), tool("c1")]
    assert inventions(compacted(before, body=r"C:\new\table\run.py 文档/设计/说明.md")) == []
    assert inventions(compacted(before, body=r"C:\new\run.py")) == [("path", r"C:\new\run.py")]


def test_a_quotation_of_what_stood_anywhere_is_not_put_into_the_users_mouth():
    before = [user("Why does it fail?"), tool("c1", "ConnectionResetError by peer"), assistant("Hm.")]
    told = compacted(before, body='The user asked why it fails with "connectionreseterror by peer".')
    assert inventions(told) == []
    told = compacted(before, body='The user asked why it fails with "timeout of the peer".')
    assert inventions(told) == [("user_words", "timeout of the peer")]


def test_why_no_model_answered_is_not_invented():
    reason = "Summary failure reason: 503 from https://llm.example.com/v1 after 30 s."
    end = f"so this is a best-effort deterministic fallback for 3 compacted message(s). {reason}"
    assert inventions(compacted(TALK, keep=[5], body=f"## Goal\nGo.\n\n{end}")) == []
    assert inventions(compacted(TALK, keep=[5], body=f"## Goal\n{reason}")) != []


def test_a_pointer_into_our_own_store_is_not_invented():
    body = "Done.\n\n## Where the originals are\n- `hermes-sessions show 20260101_120000_abcdef12`"
    assert inventions(compacted(TALK, keep=[5], body=body)) == []


def test_a_span_is_as_large_with_an_older_handoff_in_one_of_its_rows():
    alone = compacted(TALK, keep=[5]).measured().sizes
    old = f"[CONTEXT SUMMARY]: {'What was done long ago. ' * 80}"
    merged = [replace(TALK[0], kind="merged", handoff=old), *TALK[1:]]
    with_handoff = compacted(merged, keep=[5]).measured().sizes
    assert with_handoff.span == alone.span
    assert with_handoff.before > alone.before + 200
    kept = compacted(merged, keep=[0, 5]).measured().sizes
    assert kept.after > alone.after + 200


def test_sizes_are_estimated_and_say_so():
    sizes = compacted(TALK, keep=[5]).measured().sizes
    assert sizes.before > sizes.span > 0
    assert sizes.method == "estimate:bytes"
