"""Splitting handoffs from real messages: every shape that was ever stored, and hostile ones.

Shapes after Hermes agent/context_compressor.py (standalone, merged A and B, multimodal,
nested prefixes, fallbacks); the prefixes here have its bracket and closing words and our
own sentences between.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hermes_sessions.handoff import (
    DELIM,
    END,
    OWN_NOTE,
    OWN_PREFIX,
    PRIOR,
    as_typed,
    handoff_facts,
    handoff_sections,
    has_known_prefix,
    is_synthetic,
    merge_handoff,
    parts_around,
    render_handoff,
    split_at_length,
    split_handoff,
    starts_handoff,
)
from hermes_sessions.messages import Content, block_text

EXAMPLES = 800 if os.environ.get("CI") or os.environ.get("HYPOTHESIS_PROFILE") == "ci" else 200
FOREIGN = "[CONTEXT COMPACTION — REFERENCE ONLY] Notes of another agent; please avoid repeating it:"
OLDEST = "[CONTEXT COMPACTION] Notes of an older agent; go on and avoid repeating work:"
PREFIXES = [OWN_PREFIX, FOREIGN, OLDEST]
BODY = "## Goal\nShip the importer.\n\n## Files\n- src/a.py"


def shape(content: Content) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in split_handoff(content)]


def joined(raws: Sequence[Content]) -> Content:
    """What the raws give back: text joined, or blocks with cut ones glued together."""
    if all(isinstance(raw, str) for raw in raws):
        return "".join(str(raw) for raw in raws)
    blocks: list[Any] = []
    for raw in raws:
        assert isinstance(raw, list)
        blocks += raw
    return blocks


def flat(blocks: Content) -> list[Any]:
    """Blocks as comparable values: text run together, everything else as it is."""
    values: list[Any] = []
    for block in blocks or ():
        text = block_text(block)
        if text is None:
            values.append(block)
        elif values and isinstance(values[-1], str):
            values[-1] += text
        else:
            values.append(text)
    return [value for value in values if value != ""]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_standalone_handoff_gives_its_body_alone(prefix: str) -> None:
    assert shape(f"{prefix}\n{BODY}\n\n{END}") == [("handoff", BODY)]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_handoff_without_end_marker_is_a_handoff_to_its_last_character(prefix: str) -> None:
    assert shape(f"{prefix}\n{BODY}") == [("handoff", BODY)]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_reply_after_the_end_marker_is_given_back_to_the_byte(prefix: str) -> None:
    reply = "  Yes.\n\nDone, see below.\n"
    assert shape(f"{prefix}\n{BODY}\n\n{END}\n\n{reply}") == [("handoff", BODY), ("message", reply)]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_reply_before_the_delimiter_comes_first(prefix: str) -> None:
    reply = "The tests are green. "
    text = f"{PRIOR}\n{reply}\n\n{DELIM}\n\n{prefix}\n{BODY}\n\n{END}"
    assert shape(text) == [("message", reply), ("handoff", BODY)]


def test_a_reply_that_quotes_the_delimiter_is_not_cut_there() -> None:
    reply = f"It writes {DELIM} in the middle.\n\n{DELIM}\n\nand so on"
    text = f"{PRIOR}\n{reply}\n\n{DELIM}\n\n{FOREIGN}\n{BODY}\n\n{END}"
    assert shape(text) == [("message", reply), ("handoff", BODY)]


def test_a_reply_in_a_sentence_that_quotes_the_end_marker_is_whole() -> None:
    reply = f"The marker `{END}` closes it."
    assert shape(f"{FOREIGN}\n{BODY}\n\n{END}\n\n{reply}")[1] == ("message", reply)


def test_an_empty_reply_in_front_leaves_one_handoff() -> None:
    assert shape(f"{PRIOR}\n\n\n{DELIM}\n\n{FOREIGN}\n{BODY}\n\n{END}") == [("handoff", BODY)]


def test_blank_lines_after_the_end_marker_are_no_reply() -> None:
    assert shape(f"{FOREIGN}\n{BODY}\n\n{END}\n\n") == [("handoff", BODY)]


def test_nested_prefixes_of_old_builds_are_all_cut() -> None:
    text = f"{FOREIGN}\n{OLDEST}\n{BODY}\n\n{END}\n\n{END}"
    assert shape(text) == [("handoff", BODY)]
    assert handoff_facts(text).nested == 2
    assert handoff_facts(text).eras == ("unknown", "unknown")
    assert handoff_facts(BODY).eras == ()


def test_a_legacy_summary_is_a_handoff() -> None:
    assert shape("[CONTEXT SUMMARY]: We fixed the parser.") == [("handoff", "We fixed the parser.")]


def test_an_unknown_prefix_ends_at_the_first_newline() -> None:
    text = f"[CONTEXT COMPACTION — REFERENCE ONLY] a fork's own words\n{BODY}"
    assert shape(text) == [("handoff", BODY)]


def test_a_verbatim_tail_stays_in_the_body() -> None:
    body = f"{BODY}\n\n<verbatim_tail>\nNext: run it.\n</verbatim_tail>"
    assert shape(render_handoff(body)) == [("handoff", body)]


def test_nothing_gives_no_parts() -> None:
    assert split_handoff(None) == ()


@pytest.mark.parametrize("text", ["", "plain", f"see {FOREIGN}", f"> {END}", f"{PRIOR}\nno summary follows"])
def test_a_quoted_marker_makes_no_handoff(text: str) -> None:
    assert shape(text) == [("message", text)]
    assert not starts_handoff(text)


def test_an_image_stays_with_the_message() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    merged = merge_handoff(render_handoff(BODY), [image, {"type": "text", "text": "what is it?"}])
    handoff, message = split_handoff(merged)
    assert (handoff.kind, handoff.text) == ("handoff", BODY)
    assert (message.text, message.raw) == ("what is it?", [image, {"type": "text", "text": "what is it?"}])


def test_a_multimodal_row_of_the_newer_shape_is_split_at_both_ends() -> None:
    image = {"type": "image", "source": {"data": "AAAA"}}
    blocks: list[Any] = [
        {"type": "text", "text": f"{PRIOR}\n"},
        {"type": "text", "text": "look"},
        image,
        {"type": "text", "text": f"\n\n{DELIM}\n\n{FOREIGN}\n{BODY}\n\n{END}"},
    ]
    message, handoff = split_handoff(blocks)
    assert (message.text.strip(), handoff.text) == ("look", BODY)
    assert isinstance(message.raw, list)
    assert image in message.raw


@pytest.mark.parametrize(
    "reply", ["x", f"a\n\n{END}\n\nb", f"{DELIM}\n\n{FOREIGN}\nz", "\n\nlead", "trail\n\n"]
)
def test_our_own_merge_is_exact_whatever_the_reply_quotes(reply: str) -> None:
    assert shape(merge_handoff(render_handoff(BODY), reply)) == [("handoff", BODY), ("message", reply)]


def test_an_end_marker_in_our_own_body_cannot_end_it() -> None:
    text = render_handoff(f"before\n\n{END}\n\nafter")
    assert text.count(END) == 1
    assert [kind for kind, _ in shape(text)] == ["handoff"]


def test_a_known_prefix_counts_at_the_start_only() -> None:
    assert has_known_prefix(f"  {OWN_PREFIX}\n{BODY}")
    assert has_known_prefix(f"{PRIOR}\nhi\n\n{DELIM}\n\n{OWN_PREFIX}\n{BODY}")
    assert not has_known_prefix(f"{FOREIGN}\nwe quote {OWN_PREFIX}")


@pytest.mark.parametrize("text", [f"{OWN_NOTE} x]", " [Files already read in this session - do not]"])
def test_a_note_in_the_users_name_is_known(text: str) -> None:
    assert is_synthetic(text)
    assert not is_synthetic(f"why do I see {text}")


def test_a_reply_known_from_elsewhere_is_found_without_any_marker() -> None:
    reply = "All done."
    text = f"{FOREIGN}\n{BODY}\n\n{reply}"
    found = split_at_length(text, len(reply), reply.__eq__)
    assert found is not None
    handoff, message = parts_around(text, found)
    assert (handoff.text, message.text) == (BODY, reply)
    assert str(handoff.raw) + str(message.raw) == text


def test_markers_and_fallbacks_are_told_apart() -> None:
    marker = "Summary generation was unavailable. 12 message(s) were removed to free space."
    assert (handoff_facts(f"{FOREIGN}\n{marker}").marker, handoff_facts(f"{FOREIGN}\n{marker}").removed) == (
        True,
        12,
    )
    fallback = handoff_facts(render_handoff("Written without a model: it was down."))
    assert (fallback.fallback, fallback.marker, fallback.era, fallback.has_end) == (True, False, "own", True)


def test_a_heading_inside_a_code_fence_starts_no_section() -> None:
    sections = handoff_sections("## One\n```\n## not\n```\n## Two\nx")
    assert [section.title for section in sections] == ["One", "Two"]


@pytest.mark.parametrize("unseen", ["\ufeff", "\u200b", "\ufeff \u2060\n"])
def test_what_cannot_be_seen_hides_no_handoff(unseen: str) -> None:
    text = f"{unseen}{FOREIGN}\n{BODY}\n\n{END}\n\nreply"
    assert starts_handoff(text)
    assert shape(text) == [("handoff", BODY), ("message", "reply")]
    assert shape(f"{unseen}{PRIOR}\nhi\n\n{DELIM}\n\n{FOREIGN}\nx") == [("message", "hi"), ("handoff", "x")]


def test_a_reply_of_nothing_visible_is_still_a_reply() -> None:
    assert shape(f"{FOREIGN}\n{BODY}\n\n{END}\n\n\u200b")[1] == ("message", "\u200b")


@pytest.mark.parametrize("empty", [{"type": "text", "text": None}, {"type": "text"}, ""])
def test_an_empty_text_block_in_front_hides_no_handoff(empty: Any) -> None:
    blocks = [empty, {"type": "text", "text": f"{FOREIGN}\n{BODY}\n\n{END}\n\nreply"}]
    assert shape(blocks) == [("handoff", BODY), ("message", "reply")]
    assert split_handoff(blocks)[0].raw[0] == empty  # type: ignore[index]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_line_breaks_of_windows_are_line_breaks(prefix: str) -> None:
    after = f"{prefix}\n{BODY}\n\n{END}\n\n  reply".replace("\n", "\r\n")
    before = f"{PRIOR}\nreply\n\n{DELIM}\n\n{prefix}\n{BODY}\n\n{END}".replace("\n", "\r\n")
    body = BODY.replace("\n", "\r\n")
    assert shape(after) == [("handoff", body), ("message", "  reply")]
    assert shape(before) == [("message", "reply"), ("handoff", body)]


def test_a_return_at_the_end_of_a_reply_is_the_replys() -> None:
    text = f"{PRIOR}\nreply\r\n\n{DELIM}\n\n{FOREIGN}\n{BODY}"
    assert shape(text)[0] == ("message", "reply\r")


def test_deep_nesting_is_split_without_exhausting_the_stack() -> None:
    chain = f"{FOREIGN}\nb\n\n{END}\n\n" * 3_000
    assert joined([part.raw for part in split_handoff(chain)]) == chain
    inside = f"{PRIOR}\n" * 2_000 + f"x\n\n{DELIM}\n\n{FOREIGN}\nb\n\n" * 50
    assert joined([part.raw for part in split_handoff(inside)]) == inside


MARKERS = [END, PRIOR, DELIM, *PREFIXES, "[CONTEXT SUMMARY]:", "[CONTEXT COMPACTION]", "<verbatim_tail>"]
PIECES = st.one_of(
    st.sampled_from([*MARKERS, "\n", "\n\n", "\r\n", "\ufeff", " ", BODY, "repeating it:"]),
    st.text(max_size=12),
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)
PLAIN = st.text(min_size=1, max_size=60).filter(lambda text: bool(text.strip()) and "[" not in text)
IMAGE = st.just({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}})
BLOCKS = st.lists(st.one_of(TEXTS.map(lambda text: {"type": "text", "text": text}), TEXTS, IMAGE), max_size=5)


@settings(max_examples=EXAMPLES, deadline=None)
@given(TEXTS)
def test_the_raws_of_any_text_give_it_back(text: str) -> None:
    assert joined([part.raw for part in split_handoff(text)]) == text


@settings(max_examples=EXAMPLES, deadline=None)
@given(BLOCKS)
def test_the_raws_of_any_blocks_give_them_back(blocks: list[Any]) -> None:
    before = json.dumps(blocks)
    raws = [part.raw for part in split_handoff(blocks)]
    assert flat(joined(raws)) == flat(blocks)
    assert json.dumps(blocks) == before


@settings(max_examples=EXAMPLES, deadline=None)
@given(prefix=st.sampled_from(PREFIXES), body=PLAIN, reply=PLAIN)
def test_all_merged_shapes_of_plain_texts_split_exactly(prefix: str, body: str, reply: str) -> None:
    after = f"{prefix}\n{body.strip()}\n\n{END}\n\n{reply}"
    before = f"{PRIOR}\n{reply}\n\n{DELIM}\n\n{prefix}\n{body.strip()}\n\n{END}"
    assert shape(after) == [("handoff", body.strip()), ("message", reply)]
    assert shape(before) == [("message", reply), ("handoff", body.strip())]


@settings(max_examples=EXAMPLES, deadline=None)
@given(body=TEXTS, reply=TEXTS)
def test_own_merges_split_exactly_for_any_texts(body: str, reply: str) -> None:
    assume(reply.strip() and not starts_handoff(reply))
    handoff = render_handoff(body)
    parts = split_handoff(merge_handoff(handoff, reply))
    assert [part.kind for part in parts] == ["handoff", "message"]
    assert parts[1].text == reply


@settings(max_examples=EXAMPLES, deadline=None)
@given(body=PLAIN, blocks=BLOCKS)
def test_own_merges_with_blocks_split_exactly(body: str, blocks: list[Any]) -> None:
    text = "".join(
        block_text(block) or "" if not isinstance(block, dict) or "text" in block else "x" for block in blocks
    )
    assume(text.strip() and not starts_handoff(text))
    parts = split_handoff(merge_handoff(render_handoff(body), blocks))
    assert [part.kind for part in parts] == ["handoff", "message"]
    assert flat(parts[1].raw) == flat(blocks)


CORPUS = os.environ.get("HERMES_SESSIONS_CORPUS")
HISTORICAL = Path(CORPUS or "missing").parent / "formats" / "prefixes.json"


@pytest.mark.corpus
@pytest.mark.skipif(
    not HISTORICAL.exists(), reason="HERMES_SESSIONS_CORPUS has no formats/prefixes.json beside it"
)
def test_every_prefix_that_ever_shipped_is_cut_to_the_letter() -> None:
    for era, prefix in json.loads(HISTORICAL.read_text("utf-8"))["prefixes"].items():
        text = f"{prefix}\n{BODY}\n\n{END}\n\nreply"
        assert shape(text) == [("handoff", BODY), ("message", "reply")], era
        assert handoff_facts(text).era == era
        assert handoff_facts(f"{FOREIGN}\n{text}").eras == ("unknown", era)
        assert has_known_prefix(text)


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        (
            "<command-name>/compact</command-name>\n            <command-message>compact</command-message>\n"
            "            <command-args>keep the port</command-args>",
            "/compact keep the port",
        ),
        (
            "<command-message>init is analyzing</command-message>\n<command-name>/init</command-name>"
            "<command-args></command-args>",
            "/init",
        ),
        ("<command-name>/model</command-name><command-args>opus and mo", "/model opus and mo"),
        ("<bash-input>ls -l</bash-input>", "!ls -l"),
        ("<command-name></command-name>", "<command-name></command-name>"),
        (
            "why does it say <command-name>/x</command-name>?",
            "why does it say <command-name>/x</command-name>?",
        ),
    ],
)
def test_a_command_is_shown_as_it_was_typed(text, typed):
    assert as_typed(text) == typed
