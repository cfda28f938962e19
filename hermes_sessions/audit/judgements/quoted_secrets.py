"""Whether a judgement quotes a secret, or a piece of one: then it is not kept."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from hermes_sessions.audit.checking.deviation import SECRET, Deviation
from hermes_sessions.audit.values import CompactionCase
from hermes_sessions.redact import KINDS, find_secrets, redact

_PIECE_CHARS: Final = 6
"""So many characters of a secret are a piece of it."""


def quotes_secret(case: CompactionCase, found: Sequence[Deviation]) -> bool:
    """Return whether anything that a judgement quotes looks like a secret, or is cut out of what does.

    A quotation is cut, and a piece of a secret is not recognised any more: so the texts that it is
    from are looked at as well.
    """
    texts = {text for one in found for text in _quoted(one)}
    if any(one.kind == SECRET for one in found) or any(redact(text).counts for text in texts):
        return True
    pieces = set(_pieces(_sources(case, found)))
    return any(
        text[at : at + _PIECE_CHARS] in pieces
        for text in (texts if pieces else ())
        for at in range(len(text) - _PIECE_CHARS + 1)
    )


def _quoted(one: Deviation) -> Iterator[str]:
    yield from (one.value, one.line, one.source, one.source_line, one.key)
    if one.key:
        yield from (f"{one.key}={one.value}", f"{one.key}={one.source}")


def _sources(case: CompactionCase, found: Sequence[Deviation]) -> Iterator[str]:
    """Yield the whole texts that are quoted: the summary, the instructions, requests, and messages."""
    if not found:
        return
    yield from (case.body, case.prompt, *case.known_requests)
    named = {one.message for one in found}
    for row in case.before:
        if row.id in named or row.handoff:
            yield from (row.text, row.handoff, *(call.arguments for call in row.calls))


def _pieces(texts: Iterable[str]) -> Iterator[str]:
    """Yield every piece of the secrets in *texts*."""
    for text in dict.fromkeys(texts):
        for start, end, _ in find_secrets(text, KINDS):
            secret = text[start:end]
            yield from (secret[at : at + _PIECE_CHARS] for at in range(len(secret) - _PIECE_CHARS + 1))
