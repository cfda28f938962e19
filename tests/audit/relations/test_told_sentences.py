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


def test_sentences_are_found_by_a_text_in_them_once_each() -> None:
    told = ToldSentences(Statement(text, 1, "user") for text in ("ab 21 21", "nothing", "b 21", "21b"))
    assert told.holding("21") == [told[0], told[2], told[3]]
    assert told.holding("b 21") == [told[0], told[2]]
    assert told.holding("g b") == []
    assert ToldSentences().holding("21") == []
