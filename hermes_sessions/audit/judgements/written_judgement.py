"""A judgement as it is kept: JSON of a digest of what was judged, and of the fields of each deviation."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from hermes_sessions.audit.checking.deviation import Deviation, Grade
from hermes_sessions.audit.checking.handoff_index import HandoffIndex
from hermes_sessions.audit.values import AuditMessage, CompactionCase

_FIELDS: Final = len(Deviation._fields)
_DIGEST_BYTES: Final = 16


def digest_judged(version: str, case: CompactionCase, handoff: HandoffIndex) -> str:
    """Return a text that changes with all that decides where a handoff departs from its source.

    That is the summary, what the model had in front of it with the keys of its rows, the
    instructions, the requests that are known, and the handoffs that stand in the new context. What was said
    after the compaction is not among it, nor what became of the rows.

    Args:
        version: of the rules that judge.
        handoff: the handoffs that the compaction left in the context.
    """
    marker = "" if case.wording is None else str(case.wording.marker)
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in (
        *(version, marker, str(case.facts.summary is None), case.body, case.prompt),
        *_counted(case.known_requests),
        *_counted([text for _, text in handoff.texts]),
        *_counted([part for row in case.before for part in _parts(row)]),
    ):
        written = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(written))
        digest.update(written)
    return digest.hexdigest()


def write_judgement(digest: str, found: Iterable[Deviation]) -> str:
    """Return what is kept of a judgement of what has this digest."""
    return json.dumps([digest, [list(one) for one in found]], separators=(",", ":"))


def read_judgement(written: str, digest: str) -> tuple[Deviation, ...] | None:
    """Return the judgement of what has this digest; None where *written* is none, or of something else."""
    if not written.startswith(f'["{digest}",'):
        return None
    try:
        _, found = json.loads(written)
        return tuple(map(_read, found)) if isinstance(found, list) else None
    except (ValueError, RecursionError):
        return None


def _counted(texts: Sequence[str]) -> Iterator[str]:
    yield str(len(texts))
    yield from texts


def _parts(row: AuditMessage) -> Iterator[str]:
    """Yield what is read of a row: its key, who says what in it and when, what it calls, answers and shows."""
    yield from (str(row.id), row.role, row.kind, row.text, row.handoff, str(row.created_at))
    yield from _counted(row.attachments)
    yield from _counted(row.result_ids)
    yield str(len(row.calls))
    for call in row.calls:
        yield from _counted(call.ids)
        yield from (call.name, call.arguments)


def _read(fields: Any) -> Deviation:
    if not isinstance(fields, list) or len(fields) != _FIELDS:
        raise ValueError("no fields of a deviation")
    found = Deviation(Grade(fields[0]), *fields[1:])
    texts = (found.kind, found.value, found.line, found.rule, found.source, found.source_line, found.key)
    is_told = all(isinstance(text, str) for text in texts) and isinstance(found.grave, bool)
    if not is_told or not (found.message is None or type(found.message) is int):
        raise ValueError("fields of another kind")
    return found
