"""A correction never gives the agent what the user forbade, denied or replaced."""

import pytest

from hermes_sessions.audit.checking.deviation import Grade
from tests.audit.builders import assistant, call, compacted, tool, user
from tests.audit.verdict.test_verdict import verdict


def after(*said):
    rows = [row for text in said for row in (user(text), assistant("Ok."))]
    return [*rows, user("What is next?"), assistant("Next is the test run.")]


def told(said, body):
    """Return what the block for the agent says instead, and what is to be checked."""
    said = (said,) if isinstance(said, str) else said
    rows = after(*said, "Write the notes.")
    lines = verdict(body, rows, keep=[len(rows) - 2, len(rows) - 1]).tell.splitlines()
    corrected = [line for line in lines if "Correction" in line]
    return [line.partition("but “")[2].partition("”")[0] for line in corrected], [
        line for line in lines if line.startswith("- Check")
    ]


@pytest.mark.parametrize(
    ("said", "body", "instead"),
    [
        (
            "Write the output to /data/out.csv. Never write to /data/old.csv.",
            "Output was written to /data/olt.csv.",
            "/data/out.csv",
        ),
        (
            "Read /data/in.csv and write to /data/out.csv. Never write to /data/old.csv.",
            "The output was written to /data/olt.csv.",
            "/data/out.csv",
        ),
        (
            "Work on branch feature-7. Never commit to branch release-7.",
            "Committed to branch release-9.",
            "feature-7",
        ),
        (
            ("Use port 5432.", "Port 5433 is not allowed, the other team has it."),
            "Database port: 5434.",
            "5432",
        ),
        ("Ship version 3.1.0. Do not ship version 3.0.9.", "Ship version 3.0.8.", "3.1.0"),
        ("The version is 2.4.1, not 2.4.0.", "Tagged version 2.4.7.", "2.4.1"),
        (
            "The admin email is ops@example.com. Never write to old@example.com.",
            "Report sent to odl@example.com.",
            "ops@example.com",
        ),
        ("Set LIMIT=200, for example not LIMIT=2000.", "LIMIT=20000.", "200"),
        (
            "Use host alpha1.example.com instead of alpha2.example.com.",
            "Use host alpha3.example.com.",
            "alpha1.example.com",
        ),
        (
            "Deploy to prod-a.example.com. The host prod-b.example.com is no longer in use.",
            "Deployed to prod-c.example.com.",
            "prod-a.example.com",
        ),
        ("Edit src/app/main.py. Don't touch src/app/mail.py.", "Edited src/app/mall.py.", "src/app/main.py"),
        ("Ask Maria about it. Don't ask Marta.", "Ask Marla about it.", "Maria"),
        ("Never use ports 8081, 8082 or 8083. Use port 8090.", "The service uses port 8084.", "8090"),
        ("We changed the port from 8081 to 9090.", "The port is 8082.", "9090"),
        ("The timeout was 30 s and is now 45 s.", "The timeout is 31 s.", "45 s"),
        ("Use image app:1.4.2, image app:1.4.1 is forbidden.", "Deployed image app:1.4.3.", "app:1.4.2"),
        ("Nimm Port 8080 statt 8081.", "Der Dienst läuft auf Port 8082.", "8080"),
        (
            "Schreib nach /data/out.csv. Schreib nicht nach /data/old.csv.",
            "Ausgabe nach /data/olt.csv geschrieben.",
            "/data/out.csv",
        ),
        (
            "Escribe en /datos/salida.csv. Nunca escribas en /datos/viejo.csv.",
            "Escrito en /datos/vieja.csv.",
            "/datos/salida.csv",
        ),
        (
            "Utilise le port 8080. N'utilise jamais le port 8081.",
            "Le service tourne sur le port 8082.",
            "8080",
        ),
        ("Используй порт 8080. Никогда не используй порт 8081.", "Сервис работает на порту 8082.", "8080"),
        ("Użyj portu 8080 zamiast 8081.", "Usługa działa na porcie 8082.", "8080"),
        ("请使用端口8080。不要使用端口8081。", "服务运行在端口8082。", "8080"),
        (
            "ポート8080を使ってください。ポート8081は使わないでください。",
            "サービスはポート8082で動く。",
            "8080",
        ),
        (
            "포트 8080을 사용하세요. 포트 8081은 사용하지 마세요.",
            "서비스는 포트 8082에서 실행됩니다.",
            "8080",
        ),
        ("استخدم المنفذ 8080. لا تستخدم المنفذ 8081.", "الخدمة تعمل على المنفذ 8082.", "8080"),
    ],
)
def test_a_correction_says_what_was_demanded(said, body, instead):
    assert told(said, body) == ([instead], [])


@pytest.mark.parametrize(
    ("said", "body"),
    [
        ("Never use port 8081.", "Run the service on port 8082."),
        ("Use port 8080 or port 8090. Never use port 8081.", "It runs on 8080 or 8090. Database port: 8082."),
    ],
)
def test_where_nothing_else_was_demanded_the_value_is_to_be_checked(said, body):
    corrected, checked = told(said, body)
    assert corrected == []
    assert "Check “8082” in “" in checked[0]


@pytest.mark.parametrize(
    ("said", "body", "instead"),
    [
        pytest.param(
            "Never write to /data/old.csv.",
            "## Constraints\n- Never write to /data/olt.csv.",
            "/data/old.csv",
            id="the ban itself is altered",
        ),
        pytest.param(
            "The service runs on port 8080. Do not change port 8080.",
            "The service runs on port 8081.",
            "8080",
            id="what may not be changed holds",
        ),
        pytest.param(
            "Never stop the service on port 8080. The admin runs on port 9090.",
            "Service on port 8081.",
            "8080",
            id="what may not be stopped is there",
        ),
        pytest.param(
            "Don't change src/app/mail.py.", "Read src/app/mall.py.", "src/app/mail.py", id="it may be read"
        ),
        pytest.param(
            "The host db1.example.com does not answer.",
            "The host db2.example.com is down.",
            "db1.example.com",
            id="a report denies, and bans nothing",
        ),
        pytest.param(
            "Don't deploy anything but version 3.1.0.", "Deploy version 3.1.1.", "3.1.0", id="nothing but"
        ),
        pytest.param(
            ("Never use port 8081.", "You may use port 8081 now."),
            "Run the service on port 8082.",
            "8081",
            id="allowed since",
        ),
    ],
)
def test_what_is_not_ruled_out_is_still_said_instead(said, body, instead):
    assert told(said, body) == ([instead], [])


@pytest.mark.parametrize(
    ("said", "body", "instead"),
    [
        (
            ("Use port 8080 for the service.", "No, make it 9090 instead."),
            "Run the service on port 8081.",
            "9090",
        ),
        (("Set the retry limit to 5.", "Actually set the retry limit to 8."), "Retry limit is 6.", "8"),
        (
            ("Use port 8080 for the service.", "Set the port of the admin page to 9090."),
            "Run the service on port 8081.",
            "8080",
        ),
    ],
)
def test_a_correction_has_what_the_user_said_last(said, body, instead):
    assert told(said, body)[0] == [instead]


def test_a_finding_names_no_banned_value_either():
    rows = after("Never use port 8081.", "Start it.")
    found = compacted(rows, body="The service runs on port 8082.", keep=[len(rows) - 1]).measured()
    wrong = [one for one in found.deviations if one.grade is Grade.CONTRADICTS]
    assert [(one.value, one.source) for one in wrong] == [("8082", "")]


def test_a_question_that_was_answered_no_rules_its_value_out():
    rows = after("Is the port 8081?")
    rows[1] = assistant("No, it is not.")
    found = verdict("The port is 8082.", rows, keep=[2, 3])
    assert "8081" not in "".join(line for line in found.tell.splitlines() if "Correction" in line)


def test_an_amount_is_corrected_with_its_unit_and_told_once():
    rows = after("The budget is 4,500 euros and the deadline is 14 March.")
    found = verdict("Budget: 5,400 euros. Deadline: 14 May.", rows, keep=[2, 3])
    assert "not “5,400 euros” but “4,500 euros”" in found.tell
    assert found.tell.count("4,500") == 1
    assert found.lost == ()


def test_what_is_contradicted_is_not_perhaps_there_in_other_words():
    rows = after("The budget is 4,500 euros and the deadline is 14 March.")
    found = verdict("Budget: 5,400 euros. Deadline: 14 May.", rows, keep=[2, 3])
    assert found.maybe_lost == ()
    assert "none survives" in found.sentence


def test_a_number_is_corrected_once_with_its_unit():
    rows = after("The timeout is 45 seconds.")
    found = verdict("Timeout 54 seconds.", rows, keep=[2, 3])
    assert [(line.handoff, line.source) for line in found.contradicted] == [("54 seconds", "45 seconds")]


RUN = [
    user("Run the tests."),
    assistant("", call("terminal", command="pytest -q")),
    tool("c1", "2 failed, 38 passed in 3.2s"),
    assistant("Two tests fail: test_login and test_logout."),
    user("What is next?"),
    assistant("Next is the test run."),
]


def test_a_result_that_is_turned_is_quoted_whole():
    found = verdict("Ran the tests: all 40 passed.", RUN, keep=[4, 5])
    assert "not “40 passed” but “2 failed, 38 passed”" in found.tell
    assert "its source has “2 failed, 38 passed”" in found.sentence


@pytest.mark.parametrize(
    ("run", "whole"),
    [
        ("Tests:       2 failed, 38 passed, 40 total", "2 failed, 38 passed, 40 total"),
        ("Tests  2 failed | 38 passed (40)", "2 failed | 38 passed"),
        ("=== 3 failed, 35 passed, 2 skipped in 4.1s ===", "3 failed, 35 passed, 2 skipped"),
        ("38 passed, 2 errors in 3.2s", "38 passed, 2 errors"),
    ],
)
def test_a_result_is_quoted_whole_as_its_tool_prints_it(run, whole):
    found = verdict("All 40 tests passed.", [*RUN[:2], tool("c1", run), *RUN[3:]], keep=[4, 5])
    assert [line.source for line in found.contradicted] == [whole]


def test_of_a_result_that_tells_of_failures_the_wrong_count_is_quoted():
    found = verdict("Ran the tests: 7 failed, 38 passed.", RUN, keep=[4, 5])
    assert [(line.handoff, line.source) for line in found.contradicted] == [("7 failed", "2 failed")]


@pytest.mark.parametrize(
    ("said", "answer", "line"),
    [
        (
            "Pay 4,500 euros to Alder. In no case pay 5,400 euros.",
            "Ok.",
            "- Ruled out: “In no case pay 5,400 euros.”",
        ),
        (
            "Is the deadline 3 May?",
            "No, the deadline is 5 May.",
            "- Date 5 May: “No, the deadline is 5 May.”",
        ),
        ("Is the deadline 3 May?", "I will ask Ana.", "- Asked: “Is the deadline 3 May? → I will ask Ana.”"),
        ("The deadline is 3 May.", "Ok.", "- Date 3 May: “The deadline is 3 May.”"),
    ],
)
def test_a_lost_value_is_told_as_what_it_is(said, answer, line):
    rows = [user(said), assistant(answer), *after("Write the notes.")]
    assert line in verdict("Pay 4,500 euros to Alder.", rows, keep=[4, 5]).tell.splitlines()
