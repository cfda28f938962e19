"""What users of several agents reported, in own words: each is found by its rule, and only by it."""

from hermes_sessions.audit.values import AuditMessage
from hermes_sessions.messages import Severity
from tests.audit.builders import Compacted, assistant, call, compacted, findings, tool, user

WATCHED = {"orders", "stale-task", "rule-lost", "ghost-response", "work-repeated", "empty-summary"}


def rules(told: Compacted) -> set[str]:
    return {one.rule for one in findings(told)} & WATCHED


def worked(*talk: AuditMessage, body: str, following: tuple[AuditMessage, ...] = ()) -> Compacted:
    return compacted(talk, keep=[len(talk) - 1], body=body, following=following)


CHANGELOG = (
    user("Summarise the April changelog."),
    assistant("", call("write_file", path="april.md", content="# April")),
    tool("c1"),
    assistant("Done: the April changelog is summarised in april.md, twelve entries."),
)


def test_the_finished_first_task_stands_as_the_active_one() -> None:
    talk = (
        *CHANGELOG,
        user("List all skills with descriptions."),
        assistant("", call("ls", "c2")),
        tool("c2"),
    )
    assert rules(worked(*talk, body="## Active Task\nSummarise the April changelog.")) == {"stale-task"}


def test_a_handoff_of_history_is_answered_like_a_request() -> None:
    again = assistant("", call("write_file", path="april.md", content="# April"))
    body = (
        "## Historical Task Snapshot\nSummarise the April changelog.\n\n## Historical Remaining Work\nNone."
    )
    assert rules(worked(*CHANGELOG, body=body, following=(again,))) >= {"ghost-response"}
    assert "stale-task" not in rules(worked(*CHANGELOG, body=body, following=(again,)))


def test_the_user_turned_away_and_the_handoff_goes_on() -> None:
    talk = (
        user("Refactor the i18n module."),
        assistant("I have begun with the loader."),
        user("Stop the i18n refactor and just verify the diff. Then debug the Grafana panel."),
        assistant("", call("ls")),
        tool("c1"),
    )
    body = "## Active Task\nFinish the i18n refactor\n\n## Next Steps\n- Debug the Grafana panel"
    [found] = [one for one in findings(worked(*talk, body=body)) if one.rule == "stale-task"]
    assert [one["value"] for one in found.evidence["tasks"]] == ["Finish the i18n refactor"]


def test_the_summary_invents_a_request_in_the_users_voice() -> None:
    talk = (user("Is the server up?"), assistant("It is up."))
    body = "Status: the server is up.\nUser: analyse these three wallets and trace the transfers."
    assert rules(worked(*talk, body=body)) == {"orders"}


def test_the_optional_next_step_of_a_summary_is_a_plan() -> None:
    talk = (user("Plan the refactoring, change nothing yet."), assistant("Here is the plan in four steps."))
    body = (
        "7. Pending Tasks:\n   - The plan awaits a decision\n8. Current Work:\n   The plan was written."
        "\n9. Optional Next Step:\n   Split src/app.py once the user agrees. Change nothing yet."
    )
    assert rules(worked(*talk, body=body)) == set()


def test_an_agents_request_to_go_on_is_not_the_summarys() -> None:
    closing = "Continue if you have next steps, or stop and ask for clarification if you are unsure."
    talk = (user("Is the server up?"), assistant("It is up."))
    assert rules(worked(*talk, body=f"The server is up.\n\n{closing}")) == set()


def test_a_rule_of_the_project_is_forgotten_and_broken() -> None:
    talk = (
        user("Never commit without asking me. Look at the parser."),
        assistant("I will ask. The parser is fine."),
        user("And the lexer?"),
        assistant("The lexer is fine as well."),
    )
    done = assistant("", call("bash", command="git add -A && git commit -m 'parser'"))
    told = worked(*talk, body="Parser and lexer are fine.", following=(user("Fix the docs."), done))
    [found] = [one for one in findings(told) if one.rule == "rule-lost"]
    assert found.severity is Severity.ERROR


def test_the_summariser_answers_instead_of_summarising() -> None:
    talk = (user("Is the server up?"), assistant("It is up."))
    assert rules(worked(*talk, body="I'm sorry, but I can't assist with that request.")) == {"empty-summary"}


def test_a_message_is_sent_twice_because_the_first_is_forgotten() -> None:
    mail = call("send_message", to="ana", text="The report is ready.")
    talk = (user("Tell Ana."), assistant("", mail), tool("c1", "sent"), assistant("Ana was told."))
    following = (user("What is left?"), assistant("", mail), tool("c1", "sent"))
    assert rules(worked(*talk, body="The report is ready.", following=following)) == {"work-repeated"}
