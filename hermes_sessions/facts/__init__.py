"""Exact facts found by rule, and whether another text says the same.

`unwrap` takes a message apart, `extract` finds its facts, `exact_values` those that an index needs,
`slots` says which of them are superseded, `compare` whether a text holds one.
"""

from hermes_sessions.facts.lines import WORD_CHARS, shorten_line, without_escapes

__all__ = ["WORD_CHARS", "shorten_line", "without_escapes"]
