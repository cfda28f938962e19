"""Words for how a compaction came about."""

import pytest

from hermes_sessions.exporters.compaction_words import compaction_name, method_words, span_words


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (span_words(12, "model"), "12 messages summarised"),
        (span_words(1, "model"), "1 message summarised"),
        (span_words(9, "marker"), "9 messages left out without a summary"),
        (span_words(1, "none"), "1 message left out without a summary"),
        (span_words(2, "prune"), "2 results cleared"),
        (span_words(1200, "prune", "1,200"), "1,200 results cleared"),
        (span_words(0, "prune"), "results that are not stored cleared"),
        (compaction_name("prune", 2, 6), "Prune 2 of 6"),
        (compaction_name("model", 7, 6), "Compaction 7 of 7"),
        (compaction_name("fallback", 3), "Compaction 3"),
        (method_words("prune"), "results of tools cleared, nothing summarised"),
        (method_words("model"), None),
    ],
)
def test_what_became_of_a_span(words, told):
    assert words == told
