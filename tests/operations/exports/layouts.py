"""Generated conversations of many shapes, compacted by our engine: what an export has to carry.

play(agent, seed) talks, compacts, talks on, and returns any session of the conversation.
"""

import random
from collections.abc import Iterator
from typing import Any

from hermes_sessions import CompactionPolicy
from tests.operations.agent.agents import Agent, notes

Dict = dict[str, Any]
SHORT = ("continue", "go on", "yes", "ok")
QUOTED = "[CONTEXT COMPACTION — REFERENCE ONLY] what does this line in my terminal mean?"


class Talker:
    """One seeded talk.

    Some write many messages in one go, which then have one time; some use the ids of calls again.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.number = 0
        self.moving = self.random.random() < 0.8
        self.new_ids = not self.moving or self.random.random() < 0.85

    def turns(self, count: int) -> Iterator[Dict]:
        """Yield the messages of so many requests with what follows them."""
        for _ in range(count):
            yield from self._request()
            for _ in range(self._steps()):
                yield from self._step()
            if self.random.random() < 0.9:
                yield {"role": "assistant", "content": self._text("reply")}

    def _steps(self) -> int:
        kind = self.random.random()
        return 0 if kind < 0.45 else self.random.randint(1, 3) if kind < 0.85 else self.random.randint(6, 14)

    def _request(self) -> Iterator[Dict]:
        kind = self.random.random()
        if kind < 0.2:
            yield {"role": "user", "content": self.random.choice(SHORT)}
        elif kind < 0.28:
            image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{self.number:08}"}}
            yield {"role": "user", "content": [{"type": "text", "text": self._text("look")}, image]}
        elif kind < 0.31:
            yield {"role": "user", "content": ""}
        elif kind < 0.34:
            yield {"role": "user", "content": QUOTED}
        elif kind < 0.39:
            yield {"role": "system", "content": "Remember: answer briefly."}
            yield {"role": "user", "content": self._text("request")}
        else:
            yield {"role": "user", "content": self._text("request")}

    def _step(self) -> Iterator[Dict]:
        calls = [self._call() for _ in range(self.random.choice((1, 1, 1, 2, 3)))]
        content = self.random.choice((None, "", self._text("step")))
        yield {"role": "assistant", "content": content, "tool_calls": calls}
        for call in calls:
            if self.random.random() < 0.96:
                output = self.random.choice(("ok", "", self._text("output") * self.random.randint(1, 6)))
                yield {"role": "tool", "tool_call_id": call["id"], "content": output}
        if self.random.random() < 0.08:
            yield {"role": "assistant", "content": self._text("remark")}

    def _call(self) -> Dict:
        self.number += 1
        name = self.random.choice(("terminal", "read_file"))
        arguments = self.random.choice(('{"path": "a.py"}', f'{{"command": "make {self.number}"}}'))
        call_id = f"call_{self.number}" if self.new_ids else f"call_{self.number % 5}"
        return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}

    def _text(self, word: str) -> str:
        self.number += 1
        if self.random.random() < 0.1:
            return f"{word}: as before, once more."
        return f"{word} {self.number}: " + "please look at the next module " * self.random.randint(1, 8)


def play(agent: Agent, seed: int) -> str:
    """Talk and compact, in shapes that follow from *seed*; return the conversation's first session."""
    talker = Talker(seed)
    choose = talker.random
    prompt = "You are an agent." if choose.random() < 0.8 else None
    title = choose.choice((None, "Work", "Work #2"))
    root = session = agent.store.create_session(system_prompt=prompt, title=title)
    for _ in range(choose.randint(1, 4)):
        _talk(agent, session, talker, choose.randint(2, 14), moving=talker.moving)
        policy = CompactionPolicy(
            context_window=choose.choice((2_000, 4_000, 8_000)),
            head_messages=choose.randint(0, 4),
            tail_tokens=choose.choice((0, 60, 300, 900)),
            min_tail_messages=choose.randint(0, 6),
        )
        done = agent.store.compact(session, policy=policy, summarize=notes, in_place=choose.random() < 0.5)
        session = done.session_id
        agent.now += 60.0
    _talk(agent, session, talker, choose.randint(0, 4), moving=talker.moving)
    agent.check()
    return root


def _talk(agent: Agent, session: str, talker: Talker, count: int, *, moving: bool) -> None:
    messages = list(talker.turns(count))
    if not moving:
        agent.store.append_many(session, messages)
        return
    for message in messages:
        agent.now += 1.5
        agent.store.append(session, message)
