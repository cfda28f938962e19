"""What a handoff says otherwise than its source: each way with a hit, a near miss and a clean twin."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, call, compacted, tool, user

TALK = (
    user("Please fix src/app/main.py. Never restart the payments database. The port is 8123."),
    assistant("", call("patch", path="src/app/main.py")),
    tool("c1", "2 failed, 38 passed in 12.3482s"),
    assistant("I changed src/app/main.py; commit 4be91c7. The tag v2.4.1 is not created yet."),
    user("I decided to keep Redis. Send the list to dana@meridian.example by 14 August 2026."),
    assistant("Understood. I chose PostgreSQL for the queue."),
)


def departures(body, before=TALK, **how):
    """Return (grade, kind, value, source) of all that *body* says otherwise."""
    told = compacted(before, body=body, **how).measured().deviations
    return [(one.grade.value, one.kind, one.value, one.source) for one in told]


def graver(body, before=TALK, **how):
    """Return what is worse than other words."""
    return [one for one in departures(body, before, **how) if one[0] != Grade.NOT_VERBATIM]


HITS = [
    ("The port is 8433.", "8433", "8123"),
    ("Tests: 0 failed, 38 passed.", "0 failed", "2 failed"),
    ("Send the list to dana@meridien.example.", "dana@meridien.example", "dana@meridian.example"),
    ("Send the list by 24 August 2026.", "24 August 2026", "14 August 2026"),
    ("Commit 4be19c7 holds it.", "4be19c7", "4be91c7"),
    ("The 38 passed in 21.3 s.", "21.3 s", "12.3482s"),
]


@pytest.mark.parametrize(("body", "value", "source"), HITS)
def test_another_value_in_its_place_contradicts(body, value, source):
    found = [(told, was) for grade, _, told, was in graver(body) if grade == Grade.CONTRADICTS]
    assert (value, source) in found


@pytest.mark.parametrize(
    "body",
    [
        "The port is 8123.",
        "Tests: 2 failed, 38 passed (40 tests, 95 % passed).",
        "Tests: two of forty failed; they took about 12.3 s.",
        "Send the list to dana@meridian.example by 2026-08-14.",
        "Commit 4be91c7 changed `main.py` below src/app.",
        "Die Tests: 2 fehlgeschlagen, 38 bestanden.",
    ],
)
def test_the_same_in_another_form_is_said(body):
    assert graver(body) == []


def test_a_contradiction_names_the_message_of_its_source():
    [found] = compacted(TALK, body="The port is 8433.").measured().departs(Grade.CONTRADICTS)
    assert (found.message, found.source_line) == (1, TALK[0].text)


@pytest.mark.parametrize(
    "body",
    [
        "## Next steps\n- the target is 40 passed, 0 failed",
        "## Next steps\n- write tests/test_queue.py with 12 cases",
        "Next: write src/app/queue.py and use port 9001.",
        "[7 messages folded]",
    ],
)
def test_what_is_planned_or_of_the_machinery_is_not_judged(body):
    assert departures(body) == []


@pytest.mark.parametrize(
    ("body", "grade"),
    [
        pytest.param("Wrote src/app/queue.py.", "invented", id="a file that is nowhere, done"),
        pytest.param("Committed as 77aa01f.", "invented", id="a commit that is nowhere"),
        pytest.param("src/app/queue.py may be needed.", "not_verbatim", id="only named"),
        pytest.param("Changed src/app/main.py.", None, id="it was changed"),
        pytest.param("src/app/queue.py was not written.", "not_verbatim", id="said not to be there"),
    ],
)
def test_work_that_nobody_did_is_invented(body, grade):
    assert {one[0] for one in departures(body)} == ({grade} if grade else set())


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("The payments database must be restarted.", ["negation"], id="lost"),
        pytest.param("Restart the payments database.", ["negation"], id="as an order"),
        pytest.param("Do not restart the payments database.", [], id="kept"),
        pytest.param("Restarting the payments database is forbidden.", [], id="in other words"),
        pytest.param("The payments database is on db-1.", [], id="another matter"),
        pytest.param("Off limits: restarting the payments database.", [], id="under a label"),
        pytest.param("Nobody restarts the payments database.", [], id="by nobody"),
        pytest.param("Restart the payments database only after Dana agreed.", [], id="limited"),
    ],
)
def test_a_negation_that_went_lost_contradicts(body, expected):
    found = [
        one
        for one in compacted(TALK, body=body).measured().deviations
        if one.kind == "negation" and one.grade is Grade.CONTRADICTS
    ]
    assert [one.kind for one in found] == expected
    assert all(one.grave for one in found)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("The tag v2.4.1 was created.", ["done"]),
        ("The tag v2.4.1 is not created.", []),
        ("Open: the tag v2.4.1 is created", ["done"]),
        ("- [ ] the tag v2.4.1 is created", []),
        ("## Remaining\n- create the tag v2.4.1", []),
    ],
)
def test_what_was_not_done_is_not_reported_as_done(body, expected):
    assert [kind for _, kind, _, _ in graver(body)] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("The user chose PostgreSQL for the queue.", ["who"]),
        ("The assistant chose PostgreSQL for the queue.", []),
        ("The assistant decided to keep Redis.", ["who"]),
        ("The user decided to keep Redis.", []),
    ],
)
def test_a_decision_stays_with_who_made_it(body, expected):
    assert [kind for _, kind, _, was in departures(body) if kind == "who" and was] == expected
    assert graver(body) == []  # too few words tell what was decided


def test_a_proposal_that_the_user_took_is_the_users_decision():
    before = [user("Which queue?"), assistant("I propose PostgreSQL for the queue."), user("Yes, do that.")]
    assert graver("The user chose PostgreSQL for the queue.", before) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("User asked: 'Please fix src/app/main.py'", []),
        ("User asked: 'please FIX src/app/main.py.'", []),
        ("User asked: 'delete the database now'", [("user_words", "delete the database now")]),
        ('The user wanted "a purple elephant"', [("user_words", "a purple elephant")]),
        (
            'ANSWER: "drop every table tonight and email everybody"',
            [("quotation", "drop every table tonight and email everybody")],
        ),
        ("The log says 'purple'", []),
        ('{"goal": "drop every table tonight and email everybody"}', []),
    ],
)
def test_words_that_nobody_said_are_invented(body, expected):
    assert [(kind, value) for grade, kind, value, _ in departures(body) if grade == "invented"] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("User asked: 「今晚请删除所有的生产数据表」", ["今晚请删除所有的生产数据表"]),
        ("User asked: 「请检查支付模块」", []),
        ("用户要求：“今晚删除所有的生产数据表”", ["今晚删除所有的生产数据表"]),
        ("用户要求：“请检查支付模块的状态”", []),
        (
            "User asked: drop every production table tonight and email everybody",
            ["drop every production table tonight and email everybody"],
        ),
        ("User asked: deploying the billing service to staging, then checks", []),
        ("User asked: drop tables", []),
        ("The job wanted: drop every production table tonight", []),
    ],
)
def test_words_put_into_the_users_mouth_in_any_marks(body, expected):
    before = [
        user("Please deploy the billing service to staging and check it"),
        user("请检查支付模块的状态，然后告诉我"),
        assistant("Done."),
    ]
    assert [value for grade, _, value, _ in departures(body, before) if grade == "invented"] == expected


@pytest.mark.parametrize(
    "body",
    ["User asked: drop every production table tonight", 'Der Nutzer bat: "Drop all the tables tonight"'],
)
def test_a_translated_request_is_no_invention(body):
    before = [user("Lösche bitte heute Abend alle Tabellen der Produktion"), assistant("Gut.")]
    assert graver(body, before) == []


@pytest.mark.parametrize(
    ("said", "body"),
    [
        pytest.param(
            "It took 71.2 ms.|Now 38.4 ms.", "From 71.2 to 38.4 ms, so 32.8 ms less.", id="difference"
        ),
        pytest.param(
            "At most 450 EUR.|The room costs 380 EUR.", "380 EUR of 450 EUR, 70 EUR less.", id="rest"
        ),
        pytest.param(
            "TAX_RATE = 0.19|The rate is 3.5 % there.", "The tax rate stays at 19 %.", id="fraction"
        ),
        pytest.param(
            "run.sh --keep 14|Keep it for 30 days.", "Kept for 30 days, 14 days before.", id="option"
        ),
        pytest.param("Due on 25 July.|Report in 47 s.", "Frist 25.07., Bericht in 47 s.", id="short date"),
        pytest.param("a took 17 s|b took 31 s", "a took 17 s, b took 31 s, both took 48 s.", id="sum"),
    ],
)
def test_what_can_be_worked_out_is_no_contradiction(said, body):
    assert graver(body, [*map(assistant, said.split("|")), user("Go on")], keep=[2]) == []


def test_a_deed_in_a_clause_of_its_own_is_reported_as_done():
    before = [user("Send the letter."), assistant("It is not scheduled yet."), user("Go on")]
    assert "done" in [one[1] for one in departures("The letter, already scheduled.", before, keep=[2])]
    assert graver("The letter, to be scheduled.", before, keep=[2]) == []


def test_what_an_earlier_handoff_said_is_known():
    before = [user("", kind="handoff", handoff="[CONTEXT SUMMARY]: lib/old/x.py"), *TALK]
    assert departures("Changed lib/old/x.py.", before) == []
    told = [user("", kind="handoff", handoff="[CONTEXT SUMMARY]: User asked: 'paint it green'"), *TALK]
    assert departures("User asked: 'paint it green'", told) == []


def test_nothing_is_judged_where_the_source_is_not_stored():
    assert departures("Wrote lib/new/x.py", facts={"span_stored": False}) == []


@pytest.mark.parametrize(
    ("said", "body", "unsaid"),
    [
        ("see _src/x/b.py_ and docs/a/x.md", "_src/x/b.py_, _docs/a/x.md_, _docs/a/y.md_", ["_docs/a/y.md_"]),
        ("see src/pkg/a.py", "./src/pkg/a.py ./src/pkg/b.py", ["./src/pkg/b.py"]),
        ("see src/pkg/sub/a.py", "src/pkg/sub/ and src/pkg/b.py", ["src/pkg/b.py"]),
        ("see /srv/app/core/a.py", "core/a.py, a.py, app/a.py", ["app/a.py"]),
        ("took 45 ms, 3GB and 1.5 s", "45ms, 3 GB, 1.5 seconds", []),
        ("is v1.2.3 and 2.0.1", "1.2.3, v2.0.1, v2.3", ["v2.3"]),
        ("commit DEADBEEF12", "deadbeef12", []),
    ],
)
def test_another_spelling_is_said(said, body, unsaid):
    told = departures(body, [assistant(said), user("Yes.")], keep=[1])
    assert [value for _, _, value, _ in told] == unsaid


@pytest.mark.parametrize("size", [1, 30_000])
def test_what_stands_deep_in_arguments_is_said(size):
    edits = [{"path": "lib/deep/run.py"}, {"path": "文档/设计/说明.md", "text": "x " * size}]
    before = [user("Go"), assistant("", call("edit", edits=edits)), tool("c1")]
    assert departures("lib/deep/run.py 文档/设计/说明.md", before) == []


def test_why_no_model_answered_is_not_judged():
    reason = "Summary failure reason: 503 from https://llm.example.com/v1 after 30 s."
    end = f"so this is a best-effort deterministic fallback for 3 compacted message(s). {reason}"
    assert departures(f"## Goal\nGo.\n\n{end}") == []


def test_a_pointer_into_our_own_store_is_not_judged():
    body = "Done.\n\n## Where the originals are\n- `hermes-sessions show 20260101_120000_abcdef12`"
    assert departures(body) == []


def test_many_values_of_a_long_span_said_again_are_all_known():
    rows = [
        assistant(f"src/part{n}/a.py took {n} ms, run {n:07x}, host h{n}.example.org") for n in range(300)
    ]
    body = "\n".join(f"- src/part{n}/a.py took {n} ms on h{n}.example.org" for n in range(300))
    assert graver(body, [*rows, user("Go")], keep=[300]) == []


DEPLOY = (
    user("Raise the limit. I'd like retry_after low."),
    assistant("I'll keep the old cluster for 7 days. I would set retry_after to 30."),
    user("Keep the old cluster for 14 days, and retry_after = 20. Don't purge the queue, customers paid."),
    assistant("Noted. The header is not sent yet. The window is 02:00-04:00, the memory 4.00G."),
    user("No, ask Nadia first, and assign the merge request to Nadia."),
    assistant("I count 6 bottles of white wine."),
)


@pytest.mark.parametrize(
    ("altered", "faithful", "source"),
    [
        pytest.param(
            "retry_after = 30",
            "retry_after = 20 (30 was proposed)",
            "20",
            id="a setting that was only proposed",
        ),
        pytest.param(
            "Purge the queue.",
            "The queue must not be purged.",
            "Don't purge the queue",
            id="the reason of a ban left out",
        ),
        pytest.param(
            "The header is needed. It is already sent.",
            "The header is needed. It is not sent.",
            "The header is not sent yet",
            id="a pronoun",
        ),
        pytest.param(
            "The window is 02:00-06:00.",
            "The window is 2:00 to 4:00, with 4 GB.",
            "04:00",
            id="a clock of a range",
        ),
        pytest.param(
            "The merge request is assigned to Marek.",
            "Nadia has to be asked; the request goes to Nadia.",
            "Nadia",
            id="another person",
        ),
        pytest.param(
            "Open: 9 bottles of white wine.",
            "Open: six bottles of white wine.",
            "6",
            id="another count of one noun",
        ),
    ],
)
def test_what_replaced_or_forbade_it_contradicts(altered, faithful, source):
    assert any(source in was for *_, was in departures(altered, DEPLOY))
    assert graver(faithful, DEPLOY) == []


@pytest.mark.parametrize(
    "body",
    [
        "Nadia is asked first.",
        "Am Freitag prüft Nadia die Anfrage.",
        "Two of 35 tests fail.",
        "La fenêtre est de 2 h à 4 h.",
    ],
)
def test_another_language_answers_and_wholes_are_no_contradiction(body):
    before = (
        *DEPLOY,
        tool("c1", "2 failed, 33 passed in 3 s"),
        user("Nadia looks at the request on Friday."),
    )
    assert graver(body, before) == []
