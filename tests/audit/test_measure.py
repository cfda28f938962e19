from dataclasses import replace

import pytest

from hermes_sessions.audit.fates import Fate, trace_fates
from hermes_sessions.audit.measure import Reader
from hermes_sessions.audit.retention import measure_survival
from hermes_sessions.audit.searchable_text import IndexedText, SearchableText
from hermes_sessions.audit.spans import cut_conversation
from hermes_sessions.audit.values import AuditedSession, AuditMessage, CompactionFacts
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


@pytest.mark.parametrize("handoff_first", [True, False], ids=["handoff first", "handoff last"])
@pytest.mark.parametrize("taken", [(1, 3), (1, 2)], ids=["scattered", "together"])
def test_what_a_compaction_kept_before_its_handoff_is_in_what_comes_after_it(taken, handoff_first):
    rows = [
        AuditMessage(id=at, original=at, position=at, role="user", archived_by=1 if at in taken else None)
        for at in range(1, 5)
    ]
    rows.append(AuditMessage(id=5, original=5, position=5, role="user", kind="handoff", handoff="what was"))
    rows.append(AuditMessage(id=6, original=6, position=6, role="user", text="and then"))
    facts = CompactionFacts(
        id=1,
        ordinal=1,
        realisation="native",
        status="committed",
        session=1,
        handoff=5,
        head=0 if handoff_first else 2,
        tail=2 if handoff_first else 0,
        summary="what was",
    )
    case = cut_conversation([AuditedSession(key=1, foreign_id="a", rows=rows)], [facts]).compactions[0]
    kept = [at for at in range(1, 5) if at not in taken]
    assert [row.id for row in case.after] == ([5, *kept] if handoff_first else [*kept, 5])
    assert [row.id for row in case.head] == ([] if handoff_first else kept)
    assert [row.id for row in case.following] == [6]


def test_what_an_earlier_compaction_kept_is_kept_by_the_next_one_too():
    taken = {2: 1, 3: 2, 4: 2, 5: 2}

    def row(at, **columns):
        columns |= {"kind": "handoff", "handoff": "what was"} if at in (3, 7) else {}
        return AuditMessage(
            id=at, original=at, position=at, role="user", archived_by=taken.get(at), **columns
        )

    def event(at, handoff):
        return CompactionFacts(
            id=at, ordinal=at, realisation="native", status="committed", session=1, handoff=handoff, tail=1
        )

    session = AuditedSession(key=1, foreign_id="a", rows=[row(at) for at in range(1, 9)])
    _, case = cut_conversation([session], [event(1, 3), event(2, 7)]).compactions
    assert [one.id for one in case.after] == [7, 1, 6]


def test_a_chain_that_compacts_both_ways_keeps_its_generations_apart():
    def row(key, **columns):
        return AuditMessage(**{"id": key, "original": key, "position": key, "role": "user", **columns})

    first = AuditedSession(key=1, foreign_id="a", rows=[row(1, archived_by=1), row(2)])
    second = AuditedSession(
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
    before = [assistant("See src/app/main.py."), tool("c1", "open src/app/main.py"), user("Go on")]
    told = compacted(before, keep=[2])
    assert facts_of(told, "path")["src/app/main.py"].messages == (1, 2)


def test_an_open_request_is_a_fact():
    before = [*TALK, user("Now rename src/app/old.py to src/app/new.py")]
    [told] = facts_of(
        compacted(before, body="Next: rename src/app/old.py to src/app/new.py"), "request"
    ).values()
    [lost] = facts_of(compacted(before, body="The parser was mended."), "request").values()
    assert told.in_handoff
    assert lost.is_lost


def test_an_answered_request_is_not_lost():
    assert facts_of(compacted(TALK, keep=[5], body="Nothing."), "request") == {}


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        pytest.param("GATEWAY_PORT=8123", {"8123"}, id="replaced"),
        pytest.param("ADMIN_PORT=8123", {"8080", "8123"}, id="another slot"),
    ],
)
def test_a_replaced_value_is_not_counted(later, expected):
    before = [user("GATEWAY_PORT=8080"), assistant("Yes."), user(later), assistant("Done.")]
    facts = compacted(before, body="Ports.").measured().retention.facts
    assert {one.value for one in facts} & {"8080", "8123"} == expected


def test_an_error_that_was_mended_is_of_no_further_use():
    failed = tool("c1", "E   ValueError: bad entry\n1 failed, 2 passed in 0.2s")
    mended = [assistant("I look."), failed, assistant("Mended."), tool("c2", "3 passed in 0.2s"), user("Go")]
    still = [*mended[:3], tool("c2", "1 failed, 2 passed in 0.2s"), user("Go")]
    assert facts_of(compacted(mended, keep=[4]), "error") == {}
    assert facts_of(compacted(still, keep=[4]), "error")
    assert set(facts_of(compacted(mended, keep=[4]), "test_result")) == {"3 passed"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Never touch the payments database. Use port 8123.", "of 2 facts that matter 2 survive"),
        ("Use port 8123.", "of 2 facts that matter 1 survives"),
        ("Nothing.", "of 2 facts that matter none survives"),
    ],
)
def test_one_figure_says_what_survived(body, expected):
    before = [user("Never touch the payments database. The port is 8123."), assistant("Yes."), user("Go")]
    assert compacted(before, keep=[2], body=body).measured().retention.matter.in_words == expected


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
    before = [
        assistant("提交 abc1234f 耗时 45 ms"),
        assistant("修改了 src/pkg/a.py 文件。见 https://ex.org/a，好"),
    ]
    told = compacted(before, body="Commit abc1234f: src/pkg/a.py, 耗时45 ms左右, https://ex.org/a")
    assert [one.value for one in told.measured().retention.facts if one.is_lost] == []
    assert told.measured().deviations == ()


def test_what_stood_there_in_colours_is_not_invented():
    before = [user("Run it."), tool("c1", "\x1b[32msrc/a.py\x1b[0m passed"), assistant("Done.")]
    assert compacted(before, keep=[2], body="src/a.py passed").measured().inventions == ()


def test_a_survival_curve_falls_as_facts_drop_out_of_sight():
    first = compacted([assistant("src/one/a.py and src/two/b.py")], body="src/one/a.py src/two/b.py")
    second = compacted([assistant("src/three/c.py")], body="src/one/a.py")
    cases = [first.measured().case, second.measured().case]
    curves = [list(curve) for curve in measure_survival(cases)]
    assert curves == [pytest.approx([1.0, 1 / 2]), [0.0]]


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


# -- sizes --------------------------------------------------------------------------------------------


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
