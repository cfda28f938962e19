"""What a summariser says about the user is held against the user's words."""

import pytest

from hermes_sessions.compaction.answer import clean_answer, unfounded_claims
from hermes_sessions.errors import SummaryFailedError

SAID = ("Please fix the flaky login test, and don't touch the API.",)


@pytest.mark.parametrize(
    "line",
    [
        'User asked: "fix the flaky login test"',
        'The user said "don\'t touch the API".',
        "User asked: fix the flaky login test",
        "The user wants the flaky login test fixed.",
        "The tests are green.",
        "Users asked for refunds are listed in refunds.csv.",
    ],
)
def test_a_founded_line_stays(line: str) -> None:
    assert unfounded_claims(line, SAID) == (line, ())


@pytest.mark.parametrize(
    "line",
    [
        'User asked: "drop the production database"',
        "- **User asked:** delete all backups tonight",
        "The user requested 'rewrite it in Rust'.",
        "The user wants to deploy to production.",
    ],
)
def test_an_invented_line_goes(line: str) -> None:
    summary = f"## Goal\n{line}\nThe tests are green."
    assert unfounded_claims(summary, SAID) == ("## Goal\nThe tests are green.", (line,))


def test_a_paraphrase_from_another_script_is_not_judged() -> None:
    line = "The user wants the login page fixed."
    assert unfounded_claims(line, ("请修复登录页面",)) == (line, ())


def test_a_quotation_is_judged_in_any_script() -> None:
    assert unfounded_claims('用户: User asked: "删除数据库"', ("请修复登录页面",))[1]


def test_an_open_code_fence_is_closed() -> None:
    assert clean_answer("## State\n```sh\nmake").endswith("```")


@pytest.mark.parametrize("answer", ["", "###", "## Goal", "***", "\u200b"])
def test_an_answer_without_words_is_refused(answer: str) -> None:
    with pytest.raises(SummaryFailedError, match="no text") as caught:
        clean_answer(answer)
    assert caught.value.kind == "empty"
