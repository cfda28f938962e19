"""Summaries that say nothing, secrets in words, small contexts, roles, and the machine's own counts."""

import pytest

from hermes_sessions.audit.words.emptiness import is_placeholder, why_summary_is_empty
from hermes_sessions.handoff.frames import without_own_counts
from hermes_sessions.messages import Severity
from tests.audit.builders import assistant, call, compacted, hits, tool, user
from tests.audit.test_rules import LONG, TALK, well

EMPTY = [
    ("I'm sorry, but I can't help with that.", "refusal"),
    ("I cannot summarize this conversation. Please try again.", "refusal"),
    ("There is no conversation to summarize.", "refusal"),
    ("Please provide the conversation you want me to summarise.", "refusal"),
    ("Es tut mir leid, dabei kann ich nicht helfen.", "refusal"),
    ("Je suis désolé, je ne peux pas vous aider.", "refusal"),
    ("Lo siento, no puedo ayudarte con eso.", "refusal"),
    ("Desculpe, não posso ajudar com isso.", "refusal"),
    ("抱歉，我无法提供帮助。", "refusal"),
    ("申し訳ありませんが、お手伝いできません。", "refusal"),
    ("Извините, я не могу помочь с этим.", "refusal"),
    ("## Goal\n[To be filled]\n\n## Files\n- [list the files here]", "template"),
    ("## Goal\nTBD\n\n## Next\n<insert next steps>", "template"),
    ("**Goal:** [Describe the goal]\n**Files:** {{files}}", "template"),
    ("## 目标\n[待填写]\n\n## 文件\n待补充", "template"),
    ("## Ziel\n(to be completed)\n\n## Dateien\n...", "template"),
    ("You are a summarization agent. Write only the summary body. Use this exact structure.", "instructions"),
    ("The assistant was asked to summarize the conversation.", "instructions"),
    ("Fasse das Gespräch zusammen. Erstelle eine ausführliche Zusammenfassung.", "instructions"),
    ("总结以下对话。", "instructions"),
    ("## Goal\nNone.", "nothing"),
]
TOLD = [
    "The user is sorry that the build broke; src/a.py was fixed.",
    "## Goal\nShip the parser.\n\n## Files\n[To be filled]",
    "The parser cannot read nested quotes. I'm unable to reproduce it on 3.12.",
    "The user asked to summarise the conversation with Ana in notes.md, which was written.",
    "See [the docs](https://example.org) and [redacted:password].",
    "- [ ] write the parser\n- [x] read src/a.py",
    "The prompt of the support agent says to be concise; prompts/support.md was changed.",
    "抱歉这个词出现在 src/a.py 的错误信息里，已经修改。",
]


@pytest.mark.parametrize(("body", "why"), EMPTY)
def test_a_summary_that_says_nothing_is_empty(body: str, why: str) -> None:
    [found] = hits(well(body=body), "empty-summary")
    assert found.evidence["why"] == why


@pytest.mark.parametrize("body", TOLD)
def test_a_summary_that_says_something_is_not(body: str) -> None:
    assert hits(well(body=body), "empty-summary") == []


def test_a_long_summary_that_begins_with_regret_says_something() -> None:
    claims = ["Unfortunately, I could not push.", *(f"File {at} was read." for at in range(9))]
    assert why_summary_is_empty(claims) == ""


@pytest.mark.parametrize(
    ("claim", "expected"), [("[x]", False), ("[#12] kept", False), ("…", True), ("x", False)]
)
def test_a_placeholder_is_known_by_its_brackets(claim: str, expected: bool) -> None:
    assert is_placeholder(claim) is expected


# -- secrets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "Das Kennwort lautet Sommer2026!",
        "Le mot de passe est Soleil2026!",
        "La contraseña es Verano2026!",
        "A senha é Verao2026!",
        "密码是 Abc12345!",
        "パスワードは pass1234! です",
        "Пароль: Qwerty123!",
        "비밀번호는 abcd1234! 입니다",
    ],
)
def test_a_password_in_words_is_a_secret_in_any_language(said: str) -> None:
    [found] = hits(well(body=f"The parser was looked at. {said}"), "secret-in-handoff")
    assert found.evidence == {"secrets": {"password": 1}}


@pytest.mark.parametrize("said", ["Das Kennwort wurde geändert.", "密码已经修改。"])
def test_talk_about_a_password_is_no_secret(said: str) -> None:
    assert hits(well(body=said), "secret-in-handoff") == []


# -- sizes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [(1_999, 1_990, Severity.INFO), (2_000, 1_990, Severity.WARNING), (90_000, 89_000, Severity.WARNING)],
)
def test_a_small_context_that_stays_is_only_a_note(before: int, after: int, severity: Severity) -> None:
    [found] = hits(well(facts={"tokens_before": before, "tokens_after": after}), "ineffective")
    assert found.severity is severity


@pytest.mark.parametrize(("before", "severity"), [(None, Severity.INFO), (5_000, Severity.WARNING)])
def test_a_summary_longer_than_a_small_span_is_only_a_note(before: int | None, severity: Severity) -> None:
    told = compacted([user("Hi"), *TALK[2:]], keep=[1, 2], body=LONG, facts={"tokens_before": before})
    assert hits(told, "summary-larger")[0].severity is severity


# -- roles -----------------------------------------------------------------------------------------


def test_an_order_that_was_answered_is_only_stored_so() -> None:
    [asked] = hits(well(role="assistant"), "role-order")
    [answered] = hits(well(role="assistant", following=[user("Next."), assistant("Sure.")]), "role-order")
    assert (asked.severity, asked.evidence["order"]) == (Severity.WARNING, "refused by strict providers")
    assert (answered.severity, answered.evidence["order"]) == (Severity.INFO, "only stored so")


# -- the machine's own counts ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("[terminal] ran `make test` -> exit 0, 5 lines output", "[terminal] ran `make test` -> exit 0, "),
        ("9 messages folded.", "."),
        ("... 1,204 more lines omitted", "... "),
        ("(truncated 3400 characters)", "()"),
        ("The file has 5 lines.", "The file has 5 lines."),
        ("9 messages were sent to Ana.", "9 messages were sent to Ana."),
    ],
)
def test_what_the_machine_counts_of_itself_is_left_out(line: str, left: str) -> None:
    assert without_own_counts(line) == left


def test_the_fallbacks_own_counts_are_not_invented() -> None:
    rows = [user("Run it."), assistant("", call("ls")), tool("c1", "a"), assistant("It ran.")]
    body = "`ls` was run: 5 lines output. 9 messages folded."
    assert hits(compacted(rows, keep=[3], body=body), "invented") == []
