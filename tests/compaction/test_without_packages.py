"""The engine runs with nothing installed: an agent's plugin may have the standard library only."""

import subprocess
import sys

SCRIPT = """
import sys
before = {name.partition(".")[0] for name in sys.modules}
class Barred:
    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        if root not in sys.stdlib_module_names and root != "hermes_sessions":
            raise ModuleNotFoundError(f"barred: {name}", name=name)
sys.meta_path.insert(0, Barred())
sys.path = [place for place in sys.path if "site-packages" not in place]
sys.path.insert(0, sys.argv[1])
from hermes_sessions.compaction import (
    CompactionContext, CompactionPolicy, compact_transcript, context_tokens, should_compact,
)
from hermes_sessions.facts.extract import extract_facts
from hermes_sessions.handoff import split_handoff
from hermes_sessions.redact import redact
from hermes_sessions.summarizers import ExtractiveSummarizer
from hermes_sessions.tokens import token_counter
import hermes_sessions.errors, hermes_sessions.messages
messages = [{"role": "system", "content": "You are an agent."}]
for number in range(500):
    function = {"name": "terminal", "arguments": '{"command": "pytest -q"}'}
    call = {"id": f"c{number}", "type": "function", "function": function}
    messages += [
        {"role": "user", "content": f"Please mend src/part{number}.py; the port is {8000 + number}."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": "1 failed in 0.3 s"},
        {"role": "assistant", "content": f"Part {number} is mended."},
    ]
policy = CompactionPolicy(40_000)
assert should_compact(policy, context_tokens(messages))
context = CompactionContext(pointer="look there")
found = compact_transcript(messages, policy=policy, summarize=ExtractiveSummarizer(), context=context)
assert found.status == "committed", found.reason
assert messages[-1] in found.messages and messages[-4] in found.messages
assert split_handoff(found.handoff)[0].kind == "handoff"
loaded = {name.partition(".")[0] for name in sys.modules} - before - set(sys.stdlib_module_names)
print(len(messages), found.tokens_method, sorted(loaded))
"""


def test_two_thousand_messages_are_compacted_with_nothing_installed() -> None:
    import hermes_sessions

    root = str(next(iter(hermes_sessions.__path__)).removesuffix("/hermes_sessions"))
    ran = subprocess.run(
        [sys.executable, "-I", "-c", SCRIPT, root], capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split()[:2] == ["2001", "estimate:bytes"]
    assert ran.stdout.endswith("['hermes_sessions']\n"), ran.stdout
