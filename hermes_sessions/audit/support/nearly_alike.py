"""Which contradictions are accusations: of exact values, and of sentences nearly alike. Pure."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.handed_on.matter import matter_of, shared_part

_EXACT: Final = frozenset({
    *("misspelt", "only-value", "swapped", "superseded", "swapped-ends"),
    *("same-folder", "same-key", "same-line", "same-noun", "same-outcome", "same-sentence", "same-slot"),
    *("other-day", "other-line", "other-part", "other-unit", "said-of-another"),
    *("exists-nowhere", "exit-code", "nobody-said", "turned-result"),
})  # fmt: skip
"""How a value, a quotation or a result is noticed by itself, whatever the words around it."""
_BESIDE_ANOTHER: Final = frozenset({"figures-crossed"})
"""What is an accusation only where another way notices it, too: a part may be named before its whole."""
_NEVER_RECKONED: Final = frozenset({"date", "name", "hash", "value"})
"""Kinds of figures that nobody rounds, adds up or counts anew: a day, a person, a commit, a code."""
_NEARLY: Final = 0.75
"""So many of the words that name things in a handoff's sentence stand in the source's.

In summaries by strangers, sentences with fewer in common were accused wrongly as often as rightly.
"""
_HELPING: Final = frozenset({
    *("wird", "werd", "wurd", "word", "soll", "hat", "habe", "hab", "sei", "ist", "sind", "war", "bin"),
    *("sich", "man", "er", "esta", "estan", "estao", "fue", "fuero", "foi", "foram", "era", "han", "ha"),
    *("ja", "os", "as", "um", "uma", "une", "les", "des", "est", "sont", "ete", "deja", "zijn", "zal"),
    *("jest", "sa", "which", "that", "since", "becau"),
})  # fmt: skip
"""Stems that name nothing: what helps a verb, articles, links."""
_SENTENCE: Final = 4
"""A value of so many words, or of `_LONG` signs, is a sentence by itself."""
_LONG: Final = 25


def weighed(found: Sequence[Deviation]) -> list[Deviation]:
    """Return *found* with every accusation as a note that rests on words which are only alike.

    A free wording may mean what a reading by rule takes for its opposite. Such a finding stays an
    accusation where the handoff's sentence has nearly all its words from its source, or where it is
    noticed in two ways.
    """
    ways: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in found:
        if one.grade is not Grade.NOT_VERBATIM:
            ways[one.value, one.source].add(one.rule)
    return [
        one
        if one.grade is Grade.NOT_VERBATIM
        or one.rule in _EXACT
        or (one.rule == "of-another" and one.kind in _NEVER_RECKONED)
        or len(ways[one.value, one.source]) > 1
        or (one.rule not in _BESIDE_ANOTHER and is_nearly_alike(one))
        else one._replace(grade=Grade.NOT_VERBATIM, grave=False)
        for one in found
    ]


def is_nearly_alike(one: Deviation) -> bool:
    """Return whether a handoff's sentence has nearly all that it names from the sentence of its source."""
    told = matter_of(_sentence(one.value, one.line)) - _HELPING
    return shared_part(told, matter_of(_sentence(one.source, one.source_line))) >= _NEARLY


def _sentence(value: str, line: str) -> str:
    is_whole = len(value) > _LONG or len(value.split()) >= _SENTENCE
    return value if is_whole else line or value
