"""What the agent does after a compaction, judged by effect."""

import pytest

from hermes_sessions.audit.values import FindingValue
from hermes_sessions.facts.effects.values import is_same_file
from hermes_sessions.messages import ToolCall
from tests.audit.builders import assistant, call, compacted, hits, tool, user

SAID = "It is done, and here is a long enough sentence about what was done."


def run(line: str, key: str = "c1") -> ToolCall:
    return call("terminal", key, command=line)


def repeated(
    before: str, after: str, *, asked: str = "Go on.", result: str = "ok", between: str = ""
) -> list[FindingValue]:
    rows = [user("Please do it."), assistant("", run(before)), tool("c1", result), assistant(SAID)]
    extra = [assistant("", run(between, "c2")), tool("c2")] if between else []
    told = compacted(
        rows, keep=[3], following=[user(asked), *extra, assistant("", run(after, "c3")), tool("c3")]
    )
    return hits(told, "work-repeated")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("git push", "git push", 1),
        ("git push", "cd /srv/app && git push", 1),
        ("git push origin main", "sudo git push origin main", 1),
        ("git push origin main", "git push origin next", 0),
        ("git status", "git status", 0),
        ("make test", "make test", 0),
        ("npm publish", "npm publish", 1),
        ("rm -rf build", "rm -rf build", 1),
        (
            "curl -X POST https://hooks.example.org/x -d '{}'",
            "curl -X POST https://hooks.example.org/x -d '{}'",
            1,
        ),
        ("curl https://example.org/x", "curl https://example.org/x", 0),
        ("psql -c 'select 1'", "psql -c 'select 1'", 0),
        ('psql -c "insert into t values (1)"', 'psql -c "insert into t values (1)"', 1),
        ("git add -A && git commit -m one && git push", "git commit -m one", 1),
        ("cat <<E > a\n1\nE", "cat <<E > a\n2\nE", 0),
    ],
)
def test_a_command_is_repeated_where_its_effect_is(before: str, after: str, expected: int) -> None:
    assert len(repeated(before, after)) == expected


def test_what_failed_before_may_be_tried_again() -> None:
    assert repeated("git push", "git push", result='{"output": "rejected", "exit_code": 1}') == []


@pytest.mark.parametrize(
    "asked", ["Push it again.", "Bitte nochmal pushen.", "再推送一次。", "Please push the branch."]
)
def test_what_the_user_asks_for_again_is_no_repetition(asked: str) -> None:
    assert repeated("git push", "git push", asked=asked) == []


def test_a_push_after_new_work_is_another_push() -> None:
    assert repeated("git push", "git push", between="git commit -m two") == []


def test_arguments_are_compared_as_values() -> None:
    rows = [
        user("Send it."),
        assistant("", call("send_message", to="ana", text="hi")),
        tool("c1"),
        assistant(SAID),
    ]
    again = call("send_message", "c2", text="hi", to="ana")
    told = compacted(rows, keep=[3], following=[user("Go on."), assistant("", again)])
    [found] = hits(told, "work-repeated")
    assert found.evidence["effects"] == ["sends"]


# -- unasked ---------------------------------------------------------------------------------------


def ghosts(
    done: ToolCall, *, request: str = "Look at the parser.", reply: str = "The parser is fine."
) -> list[FindingValue]:
    rows = [user(request), assistant(reply)]
    return hits(compacted(rows, keep=[1], following=[assistant("", done)]), "ghost-response")


@pytest.mark.parametrize(
    ("done", "expected"),
    [
        (call("send_message", to="ana", text="The parser is fine."), 1),
        (run("git push origin main"), 1),
        (run("rm -rf build"), 1),
        (run("git status"), 0),
        (call("read_file", path="a.py"), 0),
        (run("pytest -q"), 0),
        (call("todo", items=[]), 0),
    ],
)
def test_a_new_action_that_nobody_asked_for_is_a_ghost(done: ToolCall, expected: int) -> None:
    found = ghosts(done)
    assert [one.evidence["new_actions"] for one in found] == [1] * expected


def test_looking_again_unasked_is_no_ghost() -> None:
    rows = [user("Look."), assistant("", run("git status")), tool("c1"), assistant("It is clean.")]
    assert (
        hits(compacted(rows, keep=[3], following=[assistant("", run("git status"))]), "ghost-response") == []
    )


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        ("Look at the parser and push the fix.", "The parser is fine."),
        ("Look at the parser.", "The parser is fine; I will push it now."),
        ("Prüfe den Parser und pushe ihn.", "Der Parser ist gut."),
        ("检查解析器，然后推送。", "解析器没问题。"),
    ],
)
def test_what_was_asked_for_or_announced_is_no_ghost(request_: str, reply: str) -> None:
    assert ghosts(run("git push"), request=request_, reply=reply) == []


# -- read again ------------------------------------------------------------------------------------


def read_again(before: str, *after: str) -> list[FindingValue]:
    rows = [user("Look."), assistant("", run(before)), tool("c1", "text"), assistant("Seen.")]
    calls = [assistant("", run(line, f"d{at}")) for at, line in enumerate(after)]
    return hits(compacted(rows, keep=[3], following=[user("Go on."), *calls]), "re-read-after-loss")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("cat src/a.py", ("cat src/a.py",), 1),
        ("cat src/a.py", ("cd src && sed -n 1,40p a.py",), 1),
        ("cat src/a.py", ("head -50 /srv/app/src/a.py",), 1),
        ("cat src/a.py", ("cat src/b.py",), 0),
        ("cat src/a.py", ("grep -n foo src/a.py",), 0),
        ("cat src/a.py", ("sed -i s/a/b/ src/a.py", "cat src/a.py"), 0),
        ("ls src", ("ls src",), 0),
    ],
)
def test_a_file_is_read_again_by_whatever_command(before: str, after: tuple[str, ...], expected: int) -> None:
    assert len(read_again(before, *after)) == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("src/a.py", "src/a.py", True),
        ("src/a.py", "/srv/app/src/a.py", True),
        ("a.py", "src/a.py", False),
        ("/src/a.py", "/srv/src/a.py", False),
        ("src/a.py", "lib/src2/src/a.py", True),
    ],
)
def test_a_file_may_be_named_from_another_folder(one: str, other: str, same: bool) -> None:
    assert is_same_file(one, other) is same
