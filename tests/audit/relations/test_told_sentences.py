"""Sentences of a transcript, found by what they are about."""

from hermes_sessions.audit.relations.statements import Statement, ToldSentences

TOLD = ToldSentences(
    Statement(text, at, "user")
    for at, text in enumerate(("restart the gateway", "the kettle boils", "push it", "the gateway restarts"))
)


def test_sentences_come_in_their_order_once_each() -> None:
    assert TOLD.sharing(["gateway", "restart"]) == [TOLD[0], TOLD[3]]
    assert TOLD.sharing(["gateway", "kettl", "push"]) == list(TOLD)


def test_sentences_with_too_little_in_common_are_left_out() -> None:
    assert TOLD.sharing(["gateway", "kettl"], 2) == []
    assert TOLD.sharing(["gateway", "restart", "kettl"], 2) == [TOLD[0], TOLD[3]]


def test_a_deed_is_found_by_its_concept() -> None:
    assert TOLD.doing("restart") == [TOLD[0], TOLD[3]]
    assert TOLD.doing("gateway") == []
