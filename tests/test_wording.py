"""What users read is plain English: no phrase that makes a reader stop."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hermes_sessions import paths
from hermes_sessions.cli import main
from tests.test_documents import PAGES, ROOT

REFUSED = {
    r"\bstands?\b|\bstood\b|\bstanding\b(?! line)": "is, was, appears",
    r"\bbehind\b(?! (a|the|one|some) (reverse )?proxy|-proxy| TLS)": "after",
    r"\bahead of\b": "before",
    r"\btold\b": "reported, said",
    r"(?<!there )\b(is|are) no (?!longer|more\b)": "is not a, are not",
    r"\bgo(es|ing)? on\b": "continue",
    r"\bgoes? behind\b": "comes after",
    r"; so it is\b": "the default",
    r"\bwhat there is\b": "the list",
    r"\bscales how\b": "scaling",
    r"\bhangs? on\b": "depends on, belongs to",
    r"\bmade anew\b": "made again, rebuilt",
}
"""What is refused -> what a native writer would say."""
CASES = [pytest.param(pattern, id=usual) for pattern, usual in REFUSED.items()]


def commands(command: click.Command, context: click.Context) -> Iterator[str]:
    """The help of a command and of those below it."""
    yield command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, click.Context(below, info_name=name, parent=context))


def plain(text: str) -> str:
    """A document or template without code, markup and what is quoted to the letter."""
    text = re.sub(r"```.*?```|\{[#%].*?[#%]\}|\{\{.*?\}\}|<style.*?</style>", " ", text, flags=re.DOTALL)
    return re.sub(r"`[^`]*`|<[^<>]*>|\]\([^)]*\)", " ", text)


def found(pattern: str, text: str) -> list[str]:
    matches = re.finditer(pattern, text, re.IGNORECASE)
    return [" ".join(text[max(0, one.start() - 40) : one.end() + 30].split()) for one in matches]


@pytest.mark.parametrize("pattern", CASES)
def test_the_help_of_every_command_is_plain(pattern: str) -> None:
    whole = "\n".join(commands(main, click.Context(main, info_name="hermes-sessions")))
    assert len(whole) > 20_000
    assert found(pattern, whole) == []


@pytest.mark.parametrize("pattern", CASES)
def test_the_words_of_the_pages_are_plain(pattern: str) -> None:
    pages = sorted(paths.templates().rglob("*.html"))
    assert [
        (page.name, hits) for page in pages if (hits := found(pattern, plain(page.read_text("utf-8"))))
    ] == []


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name != "CHANGELOG.md"],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_the_documents_are_plain(page: Path) -> None:
    text = plain(page.read_text("utf-8"))
    assert [hit for pattern in REFUSED for hit in found(pattern, text)] == []
