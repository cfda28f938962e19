"""The documents lead everywhere, and what is drawn in them is what the code says."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.api_tables import PAGE, with_tables
from bench.diagrams import DOCS, DRAWINGS
from bench.room_diagram import VALUES
from bench.room_table import room_rules, with_room_table
from tests import test_architecture

ROOT = DOCS.parent
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])


def targets(page: Path) -> Iterator[Path]:
    """The files that a page links."""
    for link in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if "://" not in link:
            yield (page.parent / link).resolve()


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    assert not [target for target in targets(page) if not target.exists()]


def test_the_index_leads_to_every_page() -> None:
    index = DOCS / "index.md"
    assert {*DOCS.rglob("*.md")} - {index} <= {*targets(index)}
    assert index in {*targets(ROOT / "README.md")}


@pytest.mark.parametrize("drawing", DRAWINGS)
def test_a_diagram_shows_what_the_code_says(drawing: str) -> None:
    assert (DOCS / "images" / drawing).read_text("utf-8") == DRAWINGS[drawing](), (
        "run `python -m bench.diagrams`"
    )


def test_the_table_of_rooms_is_what_the_packages_say() -> None:
    text = (DOCS / "architecture.md").read_text("utf-8")
    assert with_room_table(text) == text, "run `python -m bench.diagrams`"


def test_the_tables_of_the_api_are_what_its_documents_say() -> None:
    text = PAGE.read_text("utf-8")
    assert with_tables(text) == text, "run `python -m bench.api_tables`"


def test_every_heading_that_a_page_links_in_itself_is_there() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        headings = {
            re.sub(r"[^\w\- ]", "", one).strip().lower().replace(" ", "-")
            for one in re.findall(r"^#+ (.+)$", text, re.M)
        }
        assert not set(re.findall(r"\]\(#([^)]+)\)", text)) - headings, page


@pytest.mark.parametrize(("room", "rule"), room_rules().items())
def test_every_package_says_its_rule_in_one_line(room: str, rule: str) -> None:
    assert re.fullmatch(r"[A-Z].{20,}\.", rule), f"the docstring of {room}/__init__.py"


def test_the_diagram_draws_the_values_that_the_layers_may_import() -> None:
    assert {*VALUES} == test_architecture.VALUES | {"errors"}
