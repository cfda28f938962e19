"""Grammars by name: a stored handoff is read by the one that framed it."""

import importlib.metadata
from collections.abc import Iterator
from typing import Any

import pytest

from hermes_sessions.audit.rules import RULES
from hermes_sessions.handoff import merge_handoff, render_handoff, split_handoff
from hermes_sessions.handoff.grammars import registry
from hermes_sessions.handoff.grammars.grammar import HandoffGrammar
from hermes_sessions.handoff.grammars.registry import GROUP, grammar_named
from tests.notebook import GRAMMAR as NOTEBOOK

PAGE = "<notebook>\nGoal: ship.\n</notebook>"
IMAGE = {"type": "image_url", "image_url": {"url": "data:,x"}}


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The notebook as another package brings it, beside one that cannot be loaded."""
    entries = [
        importlib.metadata.EntryPoint("notebook", "tests.notebook:GRAMMAR", GROUP),
        importlib.metadata.EntryPoint("broken", "tests.nowhere:GRAMMAR", GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries if group == GROUP else [])
    registry.forget_grammars()
    yield
    registry.forget_grammars()


def parts(grammar: HandoffGrammar, content: Any) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in grammar.split(content)]


@pytest.mark.parametrize("name", ["own", "hermes"])
def test_ours_and_the_first_agents_split_as_the_text_alone_does(name: str) -> None:
    merged = merge_handoff(render_handoff("Goal: ship."), "go on")
    assert grammar_named(name).name == name
    assert grammar_named(name).split(merged) == split_handoff(merged)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(PAGE, [("handoff", "Goal: ship.")], id="alone"),
        pytest.param(f"{PAGE}\n\ngo on", [("handoff", "Goal: ship."), ("message", "go on")], id="merged"),
        pytest.param(
            [{"type": "text", "text": f"{PAGE}\n\nlook"}, IMAGE],
            [("handoff", "Goal: ship."), ("message", "look")],
            id="blocks",
        ),
        pytest.param("go on", [("message", "go on")], id="a message"),
        pytest.param(None, [], id="nothing"),
    ],
)
def test_a_grammar_that_a_package_brings_splits_its_handoffs(content: Any, expected: Any) -> None:
    assert parts(grammar_named("notebook"), content) == expected


@pytest.mark.usefixtures("installed")
def test_raws_joined_are_the_content() -> None:
    content: Any = [{"type": "text", "text": f" {PAGE}\n\nlook"}, IMAGE]
    raws = [part.raw for part in grammar_named("notebook").split(content)]
    blocks = [block for raw in raws for block in raw]  # type: ignore[union-attr]
    assert "".join(block.get("text", "") for block in blocks) == f" {PAGE}\n\nlook"  # type: ignore[union-attr]
    assert blocks[-1] == IMAGE


@pytest.mark.parametrize("name", ["", None, "nobody", "../own", "grammar", "registry", "broken"])
@pytest.mark.parametrize("content", [render_handoff("Goal: ship."), PAGE, "x"])
@pytest.mark.usefixtures("installed")
def test_a_handoff_of_an_unknown_grammar_is_one_handoff_as_it_is(name: str | None, content: str) -> None:
    grammar = grammar_named(name)
    assert parts(grammar, content) == [("handoff", content.strip())]
    assert not grammar.starts(content)
    assert grammar.frame("body") is None
    assert grammar.facts(content).sections


def test_a_body_is_found_again_in_its_frame() -> None:
    framed = NOTEBOOK.frame("Goal: ship.")
    assert framed is not None
    assert [part.text for part in NOTEBOOK.split(framed)] == ["Goal: ship."]
    assert NOTEBOOK.frame("</notebook>") is None


@pytest.mark.parametrize("code", ["end-marker-missing", "stale-directive", "nested-handoff"])
def test_rules_about_one_kind_of_frame_leave_others_alone(code: str) -> None:
    assert [RULES[code].is_about(name) for name in ("own", "hermes", "notebook")] == [True, True, False]
