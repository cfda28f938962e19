"""Recognise, split and render a handoff: the summary as it appears in a transcript.

The names here are about the handoffs that our engine writes and those like them: a bracket
at the beginning, and a real reply that may share the row, before the bracket (between PRIOR
and DELIM) or after END. A stored handoff is read by the grammar it names: `grammars`.
"""

from hermes_sessions.handoff.grammars.own import (
    BRACKET,
    DELIM,
    END,
    ENGINE_NOTES,
    LEFT_OUT,
    MOST_OF_PREFIX,
    OWN_NOTE,
    OWN_PREFIX,
    PRIOR,
    SHORT_PREFIX,
    WENT_ON,
    has_known_prefix,
    is_engine_note,
    is_synthetic,
    starts_handoff,
)
from hermes_sessions.handoff.inspection import (
    HandoffFacts,
    Section,
    eras_from,
    handoff_facts,
    handoff_sections,
    is_corroborated,
)
from hermes_sessions.handoff.notes import NOTHING_TO_TELL, write_notes
from hermes_sessions.handoff.parts import Part
from hermes_sessions.handoff.render import merge_handoff, render_handoff
from hermes_sessions.handoff.split import parts_around, split_at_length, split_handoff
from hermes_sessions.handoff.unasked import (
    CLIENT_WORDS,
    as_shown,
    as_typed,
    asks_nothing,
    is_client_words,
    is_command,
)

__all__ = [
    "BRACKET",
    "CLIENT_WORDS",
    "DELIM",
    "END",
    "ENGINE_NOTES",
    "LEFT_OUT",
    "MOST_OF_PREFIX",
    "NOTHING_TO_TELL",
    "OWN_NOTE",
    "OWN_PREFIX",
    "PRIOR",
    "SHORT_PREFIX",
    "WENT_ON",
    "HandoffFacts",
    "Part",
    "Section",
    "as_shown",
    "as_typed",
    "asks_nothing",
    "eras_from",
    "handoff_facts",
    "handoff_sections",
    "has_known_prefix",
    "is_client_words",
    "is_command",
    "is_corroborated",
    "is_engine_note",
    "is_synthetic",
    "merge_handoff",
    "parts_around",
    "render_handoff",
    "split_at_length",
    "split_handoff",
    "starts_handoff",
    "write_notes",
]
