"""Transcripts for the engine's tests: by shape, and generated."""

import json
import os
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from hermes_sessions.compaction import CompactionPolicy, plan_compaction
from hermes_sessions.errors import SummaryFailedError
from hermes_sessions.handoff import END, OWN_PREFIX, SHORT_PREFIX, merge_handoff, render_handoff
from hermes_sessions.messages import SummaryRequest

Dict = dict[str, Any]

EXAMPLES = 800 if os.environ.get("CI") or os.environ.get("HYPOTHESIS_PROFILE") == "ci" else 150
THOROUGH = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""How long making an example takes is the machine's affair, not a property of what is tested."""
SUMMARY = "## Goal\nKeep the build green."


def system(text: str = "You are an agent.") -> Dict:
    return {"role": "system", "content": text}


def user(text: Any = "Please go on.") -> Dict:
    return {"role": "user", "content": text}


def assistant(text: Any = "Working on it.", *calls: Dict) -> Dict:
    message: Dict = {"role": "assistant", "content": text}
    return {**message, "tool_calls": list(calls)} if calls else message


def call(name: str, tool: str = "terminal", **arguments: Any) -> Dict:
    function = {"name": tool, "arguments": json.dumps(arguments or {"command": f"run {name}"})}
    return {"id": name, "type": "function", "function": function}


def result(name: str, text: Any = "ok") -> Dict:
    return {"role": "tool", "tool_call_id": name, "content": text}


def handoff(body: str = SUMMARY, role: str = "user") -> Dict:
    return {"role": role, "content": render_handoff(body)}


def transcript(shape: str, *, words: int = 30) -> list[Dict]:
    """Build messages from a *shape*: s(ystem) u(ser) a(ssistant) c(all) t(ool result) h(andoff).

    Letters in a row make one transcript; `c` calls a tool without saying anything, each
    `t` answers the next open call. Every text is told apart by its index and has about
    *words* tokens, behind a capital letter forty times as many. Spaces and `|()`, with
    which `drawn` marks a plan, are ignored.
    """
    messages: list[Dict] = []
    waiting: list[str] = []
    for index, drawn_letter in enumerate(letters(shape)):
        letter = drawn_letter.lower()
        text = f"{letter}{index} " + "word " * (words if letter == drawn_letter else 40 * words)
        if letter == "c":
            waiting.append(f"call-{index}")
            messages.append(assistant(None, call(waiting[-1])))
        elif letter == "t":
            messages.append(result(waiting.pop(0), text))
        elif letter == "h":
            messages.append(handoff(text))
        else:
            role = {"s": "system", "u": "user", "a": "assistant"}[letter]
            messages.append({"role": role, "content": text})
    return messages


def letters(shape: str) -> str:
    """The messages of *shape*, without spaces and marks; `ct*20` repeats both."""
    repeated = re.sub(r"(\w+)\*(\d+)", lambda found: found[1] * int(found[2]), shape)
    return re.sub(r"[ |()]", "", repeated)


def drawn(shape: str, policy: CompactionPolicy) -> str:
    """Draw the plan for *shape*: head|middle|tail, what is carried in brackets."""
    plan = plan_compaction(transcript(shape), policy)
    if not plan:
        return f"nothing: {plan.reason}"
    marked = [
        f"({letter})" if index in plan.carried else letter for index, letter in enumerate(letters(shape))
    ]
    parts = marked[: plan.head_end], marked[plan.head_end : plan.tail_start], marked[plan.tail_start :]
    return "|".join("".join(part) for part in parts)


def small_policy(**values: Any) -> CompactionPolicy:
    """A policy under which transcripts of a few hundred tokens are worth compacting."""
    given = {
        "context_window": 4_000,
        "tail_tokens": 120,
        "min_tail_messages": 2,
        "head_messages": 3,
        **values,
    }
    return CompactionPolicy(**given)


def summarized(request: SummaryRequest) -> str:
    return SUMMARY


def failing(kind: str, message: str = "no summary today") -> Callable[[SummaryRequest], str]:
    def summarize(request: SummaryRequest) -> str:
        raise SummaryFailedError(message, kind=kind)

    return summarize


def text_of(message: Dict) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(block.get("text", "")) for block in content)
    return content or ""


# -- generated -------------------------------------------------------------------------------------

_WORDS = st.sampled_from(
    ["fix src/app.py", "run `git status`", "error: no", "你好", "v1.2.3 took 5 ms", END, "TODO x", "ok"]
)
_TEXT = st.lists(_WORDS, max_size=4).map(" ".join)
_BIG = st.integers(50, 400).map(lambda count: "output line\n" * count)
_IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
_BLOCKS = _TEXT.map(lambda text: [{"type": "text", "text": text}, _IMAGE])
_CONTENT = st.one_of(_TEXT, _TEXT, _BIG, _BLOCKS, st.none(), st.just(""))
_OUTPUT = st.one_of(_TEXT, _BIG, _TEXT)


@st.composite
def _turns(draw: st.DrawFn, prefix: int) -> list[Dict]:
    """One assistant turn: text, or parallel calls with their results in any order."""
    content = draw(_CONTENT)
    count = draw(st.integers(0, 4))
    if not count:
        return [assistant(content)]
    names = [f"c{prefix}-{number}" for number in range(count)]
    calls = [call(name) for name in names]
    if draw(st.booleans()):
        calls[0] = {"call_id": names[0], "name": "terminal", "arguments": "{not json"}
    answered = names[: draw(st.sampled_from([count, count, count, 0]))]
    answers = [result(name, draw(_OUTPUT)) for name in draw(st.permutations(answered))]
    if draw(st.integers(0, 9)) == 0:
        answers.insert(draw(st.integers(0, len(answers))), user("wait, one more thing"))
    return [assistant(content, *calls), *answers]


@st.composite
def transcripts(draw: st.DrawFn, max_turns: int = 24) -> list[Dict]:
    """Tool-heavy transcripts with parallel calls, images, blank contents and handoffs inside."""
    messages: list[Dict] = draw(st.sampled_from([[], [system()], [system(), system("more")]]))[:]
    for number in range(draw(st.integers(1, max_turns))):
        kind = draw(st.sampled_from("uuaaaaaahhs"))
        if kind == "s":
            messages.append(system(draw(_TEXT)))
        elif kind == "u":
            messages.append(user(draw(_CONTENT)))
        elif kind == "a":
            messages += draw(_turns(number))
        elif draw(st.integers(0, 3)) == 0:
            merged = draw(st.booleans())
            content = (
                merge_handoff(render_handoff(draw(_TEXT)), draw(_CONTENT)) if merged else render_handoff("x")
            )
            messages.append({"role": draw(st.sampled_from(["user", "assistant"])), "content": content})
    return messages


@st.composite
def policies(draw: st.DrawFn) -> CompactionPolicy:
    """Small policies of every kind."""
    return CompactionPolicy(
        draw(st.integers(400, 20_000)),
        threshold=draw(st.sampled_from([0.3, 0.5, 0.9])),
        tail_tokens=draw(st.one_of(st.none(), st.integers(0, 390))),
        head_messages=draw(st.integers(0, 4)),
        min_tail_messages=draw(st.integers(0, 9)),
        verbatim_tail_chars=draw(st.sampled_from([0, 40, 1_500])),
        min_saving=draw(st.sampled_from([0.0, 0.0, 0.2])),
        encoding=draw(st.sampled_from(["o200k_base", "o200k_base", "none"])),
    )


def long_transcript(seed: int, length: int = 500) -> list[Dict]:
    """A working day: requests, replies, single and parallel tool calls, now and then a large output."""
    chance = random.Random(seed)
    messages = [system()]
    while len(messages) < length:
        kind = chance.random()
        name = f"call-{len(messages)}"
        if kind < 0.1:
            messages.append(user(f"Please do task {len(messages)} in src/part{len(messages)}.py"))
        elif kind < 0.2:
            messages.append(assistant(f"Task {len(messages)} is done; the tests pass."))
        elif kind < 0.3:
            calls = [call(f"{name}-{number}", "read_file", path=f"src/{number}.py") for number in range(3)]
            messages += [
                assistant(None, *calls),
                *(result(made["id"], "text\n" * 50) for made in reversed(calls)),
            ]
        else:
            size = 2_000 if chance.random() < 0.02 else 20
            messages += [assistant(None, call(name)), result(name, "some output of a tool\n" * size)]
    return messages


def roles(messages: Sequence[Dict]) -> list[str]:
    return [str(message["role"]) for message in messages]


def is_carrier(message: Dict) -> bool:
    return text_of(message).startswith((OWN_PREFIX, SHORT_PREFIX))
