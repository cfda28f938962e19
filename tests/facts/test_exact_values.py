"""Exact values: what of a tool's output is typed into a search to the letter."""

import pytest

from hermes_sessions.facts.exact_values import exact_values


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("src/app/main.py", "wrote src/app/main.py, then"),
        ("https://ex.org/a", "see https://ex.org/a."),
        ("9fceb02d0ae5", "HEAD is now at 9fceb02d0ae5"),
        ("v2.3.1", "tag v2.3.1 pushed"),
        ("PostgreSQL 16", "runs PostgreSQL 16"),
        ("db-3.internal", "db-3.internal is up"),
        ("10.0.3.17", "from 10.0.3.17:6379"),
        ("10482", "order 10482 was sent"),
        ("ghcr.io/acme/api:1.4.2", "pull ghcr.io/acme/api:1.4.2"),
        ("OSError: disk is full", "line\nOSError: disk is full\nline"),
        ("load_rows", "import os\n\ndef load_rows(path):\n    return path\n"),
        ("config.py", "import os\nx = 1  # see config.py\nfrom a import b\n"),
    ],
)
def test_a_value_is_found_once_and_whole(value: str, text: str) -> None:
    assert list(exact_values(f"{text}\n{text}")).count(value) == 1


def test_speech_and_amounts_are_not_searched_to_the_letter() -> None:
    assert list(exact_values("We decided to wait 45 s. Please go on.")) == []
