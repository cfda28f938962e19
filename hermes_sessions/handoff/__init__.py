"""Recognise, split and render a handoff: the summary as it stands in a transcript.

Every format literal lives here. A handoff begins with a bracket; a real reply may
share its row, before the bracket (between PRIOR and DELIM) or after END.

Source: Hermes agent/context_compressor.py SUMMARY_PREFIX, _SUMMARY_END_MARKER,
_MERGED_*; it cuts at the first DELIM and recognises half of its own prefixes.
"""

from hermes_sessions.handoff.grammar import (
    BRACKET,
    DELIM,
    END,
    OWN_NOTE,
    OWN_PREFIX,
    PRIOR,
    has_known_prefix,
    is_synthetic,
    starts_handoff,
)
from hermes_sessions.handoff.reading import (
    HandoffFacts,
    Section,
    handoff_facts,
    handoff_sections,
    is_corroborated,
)
from hermes_sessions.handoff.render import merge_handoff, render_handoff
from hermes_sessions.handoff.split import Part, parts_around, split_at_length, split_handoff

__all__ = [
    "BRACKET",
    "DELIM",
    "END",
    "OWN_NOTE",
    "OWN_PREFIX",
    "PRIOR",
    "HandoffFacts",
    "Part",
    "Section",
    "handoff_facts",
    "handoff_sections",
    "has_known_prefix",
    "is_corroborated",
    "is_synthetic",
    "merge_handoff",
    "parts_around",
    "render_handoff",
    "split_at_length",
    "split_handoff",
    "starts_handoff",
]
