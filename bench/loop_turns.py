"""Turns of a conversation as agents of both forms send them, broken ones among them."""

import json
import random
from collections.abc import Iterator
from itertools import count
from typing import Any

Dict = dict[str, Any]

_SENTENCE = "the parser reads src/net/retry.py and fails with exit code 2 on port 8123 until it is fixed"
_WORDS = _SENTENCE.split()
TODO = "[Your active task list was preserved across context compression]\n- [ ] write the tests"
_IMAGE = {"openai": {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}}
_IMAGE["anthropic"] = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"},
}


def turns(form: str, chance: random.Random, window: int) -> Iterator[list[Dict]]:
    """Yield the opening, then turns without end; *window* says what a large result is."""
    speaker = _Speaker(form, chance, window)
    yield speaker.opening()
    while True:
        yield speaker.turn()


class _Speaker:
    def __init__(self, form: str, chance: random.Random, window: int) -> None:
        self.blocks = form == "anthropic"
        self.form = form
        self.chance = chance
        self.window = window
        self.number = count(1)

    def opening(self) -> list[Dict]:
        kind = self.chance.random()
        if self.blocks or kind < 0.2:
            return [] if kind < 0.1 else [self.user()]
        system = {"role": "system", "content": f"You are an agent. {self.text(8)}"}
        return [system] if kind < 0.6 else [system, self.user()]

    def turn(self) -> list[Dict]:
        kind = self.chance.random()
        if kind < 0.25:
            return [self.user()]
        if kind < 0.31:
            return [self.user(), self.user()]
        if kind < 0.46:
            return [self.assistant(self.text(20))]
        if kind < 0.50:
            return [self.odd()]
        if kind < 0.54 and not self.blocks:
            return [{"role": self.chance.choice(["system", "developer"]), "content": f"Rule: {self.text(6)}"}]
        return self.calls()

    def text(self, words: int) -> str:
        said = " ".join(self.chance.choice(_WORDS) for _ in range(self.chance.randint(1, words)))
        return f"No. {next(self.number)}: {said}."

    def content(self, text: str) -> Any:
        kind = self.chance.random()
        if self.blocks and kind < 0.7:
            return [{"type": "text", "text": text}]
        return [{"type": "text", "text": text}, _IMAGE[self.form]] if kind > 0.985 else text

    def user(self) -> Dict:
        return {"role": "user", "content": self.content(self.text(25))}

    def assistant(self, text: str) -> Dict:
        thought = [{"type": "thinking", "thinking": "hm", "signature": "s"}]
        if self.blocks and self.chance.random() < 0.1:
            return {"role": "assistant", "content": [*thought, {"type": "text", "text": text}]}
        return {"role": "assistant", "content": self.content(text)}

    def odd(self) -> Dict:
        """A host's note, an empty message, or a result that answers nothing."""
        kind = self.chance.random()
        if kind < 0.3:
            return {"role": "user", "content": TODO}
        if kind < 0.6:
            empty: Any = self.chance.choice(["", None, []] if self.blocks else ["", None])
            return {"role": self.chance.choice(["user", "assistant"]), "content": empty}
        return self.results([(f"stray-{next(self.number)}", "nobody asked")])[0]

    def calls(self) -> list[Dict]:
        names = [f"call-{next(self.number)}" for _ in range(self.chance.choice([1, 1, 1, 2, 3]))]
        narration = self.text(6) if self.chance.random() < 0.5 else ""
        answered = names if self.chance.random() < 0.93 else names[: self.chance.randint(0, len(names) - 1)]
        results = self.results(
            [(name, self.output()) for name in self.chance.sample(answered, len(answered))]
        )
        if results and self.chance.random() < 0.06:
            results.insert(self.chance.randint(0, len(results)), self.user())
        return [self.caller(names, narration), *results]

    def caller(self, names: list[str], narration: str) -> Dict:
        given = {"path": f"src/part{len(names)}.py", "why": self.text(4)}
        if self.blocks:
            said = [{"type": "text", "text": narration}] if narration else []
            used = [{"type": "tool_use", "id": name, "name": "read", "input": given} for name in names]
            return {"role": "assistant", "content": [*said, *used]}
        function = {"name": "read", "arguments": json.dumps(given)}
        calls = [{"id": name, "type": "function", "function": function} for name in names]
        return {"role": "assistant", "content": narration or None, "tool_calls": calls}

    def output(self) -> str:
        kind = self.chance.random()
        lines = 2 if kind < 0.5 else 25
        if kind > 0.97:
            lines = self.window // 4
        return "\n".join(
            f"{line}: {self.chance.choice(_WORDS)} {self.chance.choice(_WORDS)}" for line in range(lines)
        )

    def results(self, answers: list[tuple[str, str]]) -> list[Dict]:
        if not self.blocks:
            return [{"role": "tool", "tool_call_id": name, "content": text} for name, text in answers]
        found = [
            {"type": "tool_result", "tool_use_id": name, "content": self.content(text)}
            for name, text in answers
        ]
        if not found:
            return []
        said = [{"type": "text", "text": self.text(12)}] if self.chance.random() < 0.1 else []
        return [{"role": "user", "content": [*found, *said]}]
