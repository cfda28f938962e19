"""The first example of the page about compaction runs as it stands."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "compaction.md"


def test_the_first_example_compacts_and_remembers_it() -> None:
    example = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert example is not None
    names: dict[str, object] = {}
    exec(example[1], names)
    [attempt] = names["history"]  # type: ignore[misc]
    assert not attempt.failed
    assert attempt.tokens_after < attempt.tokens_before
