"""What a call does: command lines are parsed, arguments compared as values."""

import json

import pytest

from hermes_sessions.audit.effects.calls import read_actions
from hermes_sessions.facts.effects.command_lines import read_command
from hermes_sessions.facts.effects.values import Effect
from hermes_sessions.messages import ToolCall
from tests.audit.builders import call

EFFECTS = [
    ("git status", "reads"),
    ("git log --oneline -5", "reads"),
    ("git branch", "reads"),
    ("git branch -D old", "deletes"),
    ("git stash list", "reads"),
    ("git push origin main", "publishes"),
    ("git push origin --delete old", "deletes"),
    ("git -C /srv/app push", "publishes"),
    ("sudo -u www FOO=1 rm -rf /srv/x", "deletes"),
    ("make test", "checks"),
    ("make deploy", "publishes"),
    ("npm run deploy:prod", "publishes"),
    ("npm run lint", "checks"),
    ("npm publish --dry-run", "reads"),
    ("./scripts/release.sh 1.2", "publishes"),
    ("python -m pytest -q", "checks"),
    ("uv run mypy", "checks"),
    ("timeout 60 twine upload dist/*", "publishes"),
    ("curl -s https://example.org/x", "reads"),
    ("curl -X POST https://api.example.org/messages -d @m.json", "sends"),
    ("curl -X POST http://localhost:8000/try", "runs"),
    ("curl -X DELETE https://api.example.org/items/3", "deletes"),
    ("mail -s hi ana@example.org < body.txt", "sends"),
    ("psql -c 'select 1'", "reads"),
    ("psql -c 'DROP TABLE x'", "deletes"),
    ("sqlite3 a.db 'update t set x = 1'", "writes"),
    ("sed -n 1,40p a.py", "reads"),
    ("sed -i s/a/b/ a.py", "writes"),
    ("echo hi > out.txt", "writes"),
    ("ls 2>/dev/null", "reads"),
    ("kubectl get pods", "reads"),
    ("kubectl delete pod x", "deletes"),
    ("terraform apply", "publishes"),
    ("aws s3 ls s3://x", "reads"),
    ("aws s3 rm s3://x/y", "deletes"),
    ("gh pr merge 3", "publishes"),
    ("gh pr view 3", "reads"),
    ("some-unknown-tool --now", "runs"),
]


@pytest.mark.parametrize(("line", "effect"), EFFECTS)
def test_a_command_has_the_effect_of_its_program(line: str, effect: str) -> None:
    [action] = read_command(line)
    assert action.effect == effect


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("cd /srv && git push", [("git", "push")]),
        (
            "git add -A; git commit -m 'a; b' && git push",
            [("git", "add", "-A"), ("git", "commit", "-m", "a; b"), ("git", "push")],
        ),
        ("bash -lc 'cd repo && npm publish'", [("npm", "publish")]),
        ("docker exec -it web rm /tmp/x", [("rm", "/tmp/x")]),
        ("ssh -p 22 host 'systemctl restart nginx'", [("systemctl", "restart", "nginx")]),
        ("cat a.py | head -5", [("cat", "a.py"), ("head", "-5")]),
        ("cat <<'EOF' > a.py\nrm -rf /\nEOF\nls", [("cat",), ("ls",)]),
        ("for f in a b\ndo\nrm $f\ndone", [("rm", "$f")]),
        ("echo 'never closed", [("echo", "'never", "closed")]),
        ("", []),
    ],
)
def test_a_command_line_is_taken_apart(line: str, words: list[tuple[str, ...]]) -> None:
    assert [action.words for action in read_command(line)] == words


def test_what_is_fed_to_a_command_belongs_to_it() -> None:
    one, other = ("cat <<E > a\n1\nE", "cat <<E > a\n2\nE")
    assert read_command(one)[0].key != read_command(other)[0].key


@pytest.mark.parametrize(
    ("line", "opened", "changed"),
    [
        ("cat src/a.py", ("src/a.py",), ()),
        ("cd src && sed -n '1,9p' a.py", ("src/a.py",), ()),
        ("cd /x && rm b.txt", (), ("/x/b.txt",)),
        ("grep -rn foo src/", (), ()),
        ("tee ./out.log", (), ("out.log",)),
    ],
)
def test_files_are_named_from_where_the_command_runs(
    line: str, opened: tuple[str, ...], changed: tuple[str, ...]
) -> None:
    [action] = read_command(line)
    assert (action.opened, action.changed) == (opened, changed)


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("read_file", "reads"),
        ("get_or_create", "writes"),
        ("mcp__slack__post_message", "sends"),
        ("list_messages", "reads"),
        ("deletePage", "deletes"),
        ("TodoWrite", "reads"),
        ("update_plan", "reads"),
        ("publish_post", "sends"),
        ("execute_code", "runs"),
    ],
)
def test_other_tools_are_known_by_their_names(name: str, effect: str) -> None:
    [action] = read_actions(call(name, path="a"))
    assert action.effect == effect


def test_a_tool_with_several_deeds_is_known_by_the_one_asked_for() -> None:
    assert read_actions(call("message", action="send"))[0].effect is Effect.SENDS
    assert read_actions(call("message", action="list"))[0].effect is Effect.READS


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ('{"a": 1, "b": 2}', '{"b":2,"a":1.0}', True),
        ('{"a": 1, "timeout": 5}', '{"a": 1, "timeout": 9}', True),
        ('{"a": 1}', '{"a": "1"}', False),
        ('{"a": [1, 2]}', '{"a": [2, 1]}', False),
        ("not json", "not  json", True),
    ],
)
def test_arguments_are_compared_as_values(one: str, other: str, same: bool) -> None:
    keys = [read_actions(ToolCall(("c1",), "edit_file", text))[0].key for text in (one, other)]
    assert (keys[0] == keys[1]) is same


@pytest.mark.parametrize(
    "given",
    [{"command": ["bash", "-lc", "git push"]}, {"cmd": "git push"}, {"command": "git push", "workdir": "/x"}],
)
def test_every_agents_terminal_is_read(given: dict[str, object]) -> None:
    [action] = read_actions(ToolCall(("c1",), "shell", json.dumps(given)))
    assert (action.effect, action.words) == (Effect.PUBLISHES, ("git", "push"))
    assert action.folder == given.get("workdir", "")


@pytest.mark.parametrize(
    "text", ["(" * 30_000, "'" * 30_001, "a;" * 20_000, "<<E\n" * 5_000, "\\" * 9_999, "x=" * 9_000]
)
def test_hostile_lines_are_read_in_bounded_time(text: str) -> None:
    assert isinstance(read_command(text), tuple)
