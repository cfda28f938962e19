"""A value that a handoff cannot tell is seen fast; one that it tells is never refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_sessions.audit.checking.handoff_index import HandoffIndex
from hermes_sessions.facts.compare import Likeness
from hermes_sessions.facts.values import FactKind

VALUES = (
    *("3757", "812", "1,048,576", "1.048.576", "1.2M", "616ms", "0.6 s", "90 s", "1.5 min", "3 retries"),
    *(
        "three retries",
        "45 cents",
        "0.45 €",
        "€1,234.50",
        "1234.5",
        "12 %",
        "12 passed",
        "12 tests are green",
    ),
    *("1718000000000", "1e3", "20k", "20.000", "-7", "٣٧", "37", "9" * 20, "0", "half", "5"),
    *("src/gate/route_a.py", "./gate/route_a.py", "route_a.py:12:3", "gate", "a/b", ".env", "C:\\gate\\x.py"),
    *("Route_A", "route_a()", "POOL_DEPTH", "07f03e361858", "sha256:07f03e3", "DATA-30397", "data-30397"),
    *(
        "v1.2.3",
        "1.2.3",
        "Postgres 16",
        "PostgreSQL 16",
        "3 pm",
        "15:00",
        "June 3",
        "3 June 2026",
        "2026-06-03",
    ),
    *(
        "http://a.example/x",
        "a.example",
        "www.a.example/x/",
        "pytest -v -x",
        "pytest -x -v",
        "ls -l src/gate",
    ),
    *("größe", "Straße 5", "247 行", "不动", "it's \u201cquoted\u201d", "x", "ab"),
)
BODIES = st.lists(
    st.tuples(st.sampled_from(("- ", "port ", "The limit is ", "see ", "on ", "")), st.sampled_from(VALUES)),
    max_size=6,
).map(lambda parts: "\n".join("".join(one) for one in parts))
ASKED = st.sampled_from(VALUES) | st.from_regex(r"[1-9][0-9]{0,5}( ms| %|k)?", fullmatch=True)


@settings(max_examples=400, deadline=None)
@given(BODIES, st.lists(ASKED, max_size=12))
def test_what_is_told_is_never_refused(body: str, asked: list[str]) -> None:
    handoff = HandoffIndex([body])
    for kind in FactKind:
        likely = handoff.which_it_may_say(kind, asked)
        for value in asked:
            is_told = handoff.says(kind, value).likeness is not Likeness.ABSENT
            assert value in likely or not is_told, (kind, value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("identifier", "probe_cache"), ("port", "9000"), ("hash", "ffff361858")),
        *(("path", "src/other/probe.py"), ("path", "gate/src/set.py"), ("identifier", "gate_src")),
    ],
)
def test_what_has_nothing_of_a_handoff_is_refused(kind: str, value: str) -> None:
    handoff = HandoffIndex(["Port 8123 is set in src/gate/route_a.py by route_a, commit 07f03e361858."])
    assert not handoff.which_it_may_say(kind, [value])
