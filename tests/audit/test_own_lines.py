"""What the engine writes of itself in a handoff is neither a claim nor a source."""

from hermes_sessions.handoff import render_handoff
from hermes_sessions.handoff.grammars.grammar import OWN
from hermes_sessions.handoff.own_lines import without_own_lines
from tests.audit.builders import assistant, compacted, hits, user

_JUDGED = ("contradicts", "invented", "orders", "stale-task", "not-verbatim")


def _frame(step: int, left: int, place: int) -> str:
    return (
        "## Active task\nThe user's last message stands in full behind this handoff (being worked on):"
        f" Step {step}: stop what you do and push it right now.\n\n"
        f"## What the user said, word for word, newest first\n({left} earlier ones are kept with the"
        f" originals.)\n\n## State\n- [read_file] src/net_{step}.py -> done (3 times)\n\n"
        f"## Exact facts, copied by rule\ndecision (user):\n- [#{place}] We keep it at 40.\n\n"
        f"## Where the originals are\n- {place} messages, positions 0 to {place} of session s."
    )


def test_frame_lines_of_two_rounds_are_not_held_against_each_other() -> None:
    older = user("", kind="handoff", handoff=render_handoff(_frame(18, 4, 55)), grammar=OWN)
    said = [older, user("We keep it at 40."), assistant("Kept.")]
    told = compacted(said, keep=[], body=_frame(25, 1, 63))
    assert {rule: hits(told, rule) for rule in _JUDGED} == {rule: [] for rule in _JUDGED}


def test_what_stands_under_the_place_is_judged() -> None:
    said = [user("The port of the relay is 8040."), assistant("Noted.")]
    body = _frame(25, 1, 63).replace("We keep it at 40.", "The port of the relay is 8041.")
    assert hits(compacted(said, keep=[], body=body), "contradicts")


def test_the_halves_of_words_beside_a_cut_are_nobodys() -> None:
    assert without_own_lines("- [#7] one tw [...truncated] ree four\n") == "- one \n four\n"


def test_what_a_fallback_says_of_itself_is_not_judged() -> None:
    said = [user("The relay is on port 8040."), assistant("Noted.")]
    body = (
        "## Goal\nRecovered from a deterministic fallback because the LLM context summarizer was away.\n"
        "## Critical Context\n- This fallback was generated locally without an LLM summary call.\n"
        "- 9 messages were folded away; their wording is only in the archive.\n- The relay is on port 8040.\n"
        "Summary generation was unavailable, so this is a best-effort deterministic fallback for 9 compacted"
        " message(s). Summary failure reason: HTTP 529."
    )
    assert {rule: hits(compacted(said, keep=[], body=body), rule) for rule in _JUDGED} == {
        rule: [] for rule in _JUDGED
    }
    assert hits(compacted(said, keep=[], body=body.replace("8040", "8041")), "contradicts")
