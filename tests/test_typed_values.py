"""Types read by many threads at once: none of them meets one that is half read."""

import subprocess
import sys

import msgspec
import pytest

from hermes_sessions.typed_values import read_as

MANY_AT_ONCE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Annotated
from msgspec import Meta, Struct, defstruct
from hermes_sessions.typed_values import read_as

sys.setswitchinterval(1e-6)
THREADS = 8
with ThreadPoolExecutor(THREADS) as pool:
    for number in range(60):
        fields = [(f"f{at}", Annotated[int, Meta(ge=0)] | None, at) for at in range(40)]
        inner = defstruct(f"Inner{number}", fields)
        outer = defstruct(f"Outer{number}", [("parts", list[inner]), ("one", inner)], namespace={})
        start = Barrier(THREADS)
        def read(_):
            start.wait()
            return read_as({"parts": [{"f3": 5}], "one": {}}, outer)
        assert {(made.parts[0].f3, made.one.f3) for made in pool.map(read, range(THREADS))} == {(5, 3)}
print("all read")
"""


class Place(msgspec.Struct):
    path: str
    line: int = 0


def test_what_is_new_is_read_by_many_threads_at_once() -> None:
    ran = subprocess.run([sys.executable, "-c", MANY_AT_ONCE], capture_output=True, text=True, timeout=300)
    assert (ran.returncode, ran.stdout.strip()) == (0, "all read"), ran.stderr[-2000:]


def test_what_is_none_of_the_type_says_where() -> None:
    for _ in range(2):
        with pytest.raises(msgspec.ValidationError, match=r"\$\.line"):
            read_as({"path": "a.py", "line": "7"}, Place)
    assert read_as({"path": "a.py", "line": "7"}, Place, strict=False) == Place("a.py", 7)
