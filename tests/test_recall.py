"""The exam asks what it says it asks: needles are found where they stand, and nowhere else."""

import random

import pytest

from bench.exam.baselines import BASELINES
from bench.exam.needles import LANGUAGES, Needle, NeedleMaker
from bench.exam.transcripts import TranscriptMaker, iter_texts
from bench.recall import Tally, proportion, run_chain, run_size
from hermes_sessions.tokens import token_counter


def needle(**changed: str) -> Needle:
    whole = {
        "key": "a", "kind": "port", "speaker": "user", "language": "en", "subject": "mailer-api-7",
        "value": "43210", "sentence": "mailer-api-7 listens on port 43210.", "question": "", **changed,
    }  # fmt: skip
    return Needle(**whole)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("- port of mailer-api-7: 43210", True),
        ("port 43210", False),
        ("mailer-api-7: 143210", False),
        ("mailer-api-7: 43210.5", False),
        (f"mailer-api-7 {'x ' * 200} 43210", False),
        ("mailer-api-7 was restarted", False),
    ],
)
def test_a_value_counts_beside_its_subject(text: str, kept: bool) -> None:
    assert needle().is_in(text) is kept


def test_a_rule_counts_as_a_whole_sentence() -> None:
    rule = needle(kind="rule", sentence="Never restart mailer-api-7 before Friday 18:00 in week 12.")
    assert rule.is_in("- Never restart mailer-api-7\n  before Friday 18:00 in week 12.")
    assert not rule.is_in("restart mailer-api-7 before Friday 18:00 in week 12")


def test_transcripts_hold_every_needle_once_in_one_message() -> None:
    maker = TranscriptMaker(3, token_counter().count)
    maker.grow(80_000)
    exam = maker.transcript()
    texts = list(iter_texts(exam.messages))
    assert len(exam.needles) > 40
    assert {one.language for _, one in exam.needles} == set(LANGUAGES)
    for index, one in exam.needles:
        assert one.is_in(texts[index])
        assert [place for place, text in enumerate(texts) if one.is_in(text)] == [index]
    assert not any(one.is_in(text) for one in exam.unsaid for text in texts)
    assert all(message.get("tool_call_id") or message["role"] != "tool" for message in exam.messages)


def test_what_replaces_a_value_speaks_of_the_same_subject() -> None:
    maker = NeedleMaker(random.Random(1))
    made = {one.key: one for one in (maker.make("user", "en") for _ in range(300))}
    replacing = [one for one in made.values() if one.replaces]
    assert len(replacing) > 20
    for one in replacing:
        old = made[one.replaces]
        assert (old.subject, old.kind) == (one.subject, one.kind)
        assert old.value != one.value
    assert maker.superseded() == {one.replaces for one in replacing}


def test_arms_stand_between_nothing_and_everything() -> None:
    tallies = run_size(15_000, 2, None, token_counter().count, search=True)
    assert tallies["nothing"].right == 0
    assert tallies["everything"].right == tallies["everything"].asked > 10
    assert 0 < tallies["engine"].right <= tallies["engine + search"].right
    small = run_size(15_000, 2, 500, token_counter().count, search=True)
    assert 0 < small["engine"].right < small["engine + search"].right
    assert len(tallies["engine"].failures) == tallies["engine"].asked - tallies["engine"].right
    for name in set(BASELINES) - {"nothing", "everything"}:
        assert tallies[name].tokens <= tallies["engine"].tokens


def test_a_chain_asks_for_the_first_span_after_each_round() -> None:
    first, second = run_chain(2, 20_000, 1, token_counter().count)
    assert 0 < second.asked <= first.asked
    assert second.right <= first.right


def test_the_interval_is_wilsons() -> None:
    assert proportion(0, 0) == (0.0, 0.0)
    share, spread = proportion(50, 100)
    assert (share, round(spread, 3)) == (0.5, 0.096)
    assert Tally().row().startswith("  0.0%")
