"""The first example of the page about compaction runs as it stands."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "compaction.md"


def test_the_first_example_compacts_and_remembers_it() -> None:
    example = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert example is not None
    names: dict[str, Any] = {}
    exec(example[1], names)
    attempts = names["history"]
    assert len(attempts) == 1
    assert not attempts[0].failed
    assert attempts[0].tokens_after < attempts[0].tokens_before
