"""An older handoff that stands beside a newer one: its notes are sent, its words, facts and pointers stay."""

from typing import Any

import pytest

from hermes_sessions.compaction import CompactionPolicy, CompactionResult, compact_transcript
from hermes_sessions.handoff import render_handoff
from hermes_sessions.messages import SummaryRequest
from hermes_sessions.summarizers import ExtractiveSummarizer
from tests.compaction.builders import Dict, assistant, failing, transcript, user


def rendered(name: str) -> str:
    return render_handoff(
        f"## Goal\n- goal {name}\n\n"
        f"## What the user said, word for word, newest first\n<user_said>words {name}</user_said>\n\n"
        f"## Exact facts, copied by rule\n- path: src/{name}.py\n- path: src/both.py\n\n"
        f"## Where the originals are\n- 40 messages, positions 0 to 39 of session {name}; read them with: x"
    )


OLD, NEW = rendered("old"), rendered("new")
BOTH = {
    "newer merged": [user(OLD), assistant("ok"), user(f"{NEW}\n\nplease go on")],
    "newer alone": [user(OLD), assistant("ok"), user(NEW)],
    "older merged": [user(f"{OLD}\n\nplease begin"), assistant("ok"), user(NEW)],
    "both merged": [user(f"{OLD}\n\nplease begin"), assistant("ok"), user(f"{NEW}\n\nplease go on")],
    "one in the other": [user(f"{OLD}\n\n{NEW}\n\nplease go on")],
}


def compacted(first: list[Dict], summarize: Any) -> tuple[CompactionResult, list[SummaryRequest]]:
    seen: list[SummaryRequest] = []

    def asked(request: SummaryRequest) -> str:
        seen.append(request)
        return str(summarize(request))

    policy = CompactionPolicy(20_000, tail_tokens=300)
    messages = [*first, assistant("yes"), *transcript("uA" * 8, words=5)]
    found = compact_transcript(messages, policy=policy, summarize=asked)
    assert found.status == "committed", found.reason
    return found, seen


@pytest.mark.parametrize("shape", BOTH)
def test_the_newest_is_updated_and_the_older_is_sent_once(shape: str) -> None:
    _, seen = compacted(BOTH[shape], ExtractiveSummarizer())
    assert seen[0].previous == "## Goal\n- goal new"
    assert [entry.text for entry in seen[0].entries if entry.kind == "summary"] == ["## Goal\n- goal old"]
    assert seen[0].prompt.count("goal new") == 1


@pytest.mark.parametrize("shape", BOTH)
@pytest.mark.parametrize("summarize", [ExtractiveSummarizer(), failing("timeout")])
def test_notes_words_facts_and_pointers_of_both_stay(shape: str, summarize: Any) -> None:
    found, _ = compacted(BOTH[shape], summarize)
    for name in ("old", "new"):
        told = (f"- goal {name}", f"<user_said>words {name}<", f"of session {name};")
        assert [text for text in told if text not in found.handoff] == []
    assert "path (assistant):\n- src/{both,new,old}.py\n" in found.handoff


def test_the_same_handoff_twice_is_no_older_one() -> None:
    found, seen = compacted([user(NEW), assistant("ok"), user(NEW)], ExtractiveSummarizer())
    assert not [entry for entry in seen[0].entries if entry.kind == "summary"]
    assert found.handoff.count("<user_said>words new") == 1
