from pathlib import Path

import pytest

from hermes_sessions.audit.guide import with_rules

GUIDE = Path(__file__).parents[2] / "docs" / "audit.md"


def test_the_documented_rules_are_the_ones_in_the_code():
    text = GUIDE.read_text("utf-8")
    assert with_rules(text) == text, "run `python -m bench.audit_rules`"


def test_a_document_without_a_place_for_the_rules_is_refused():
    with pytest.raises(ValueError, match="no place"):
        with_rules("# Something else")
