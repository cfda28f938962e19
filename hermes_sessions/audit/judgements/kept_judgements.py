"""The judgements of handoffs, made once: again they are read from what was kept of them."""

from collections.abc import Callable, Mapping

from hermes_sessions.audit.checking.deviation import Deviation
from hermes_sessions.audit.checking.handoff_index import HandoffIndex
from hermes_sessions.audit.judgements.quoted_secrets import quotes_secret
from hermes_sessions.audit.judgements.written_judgement import (
    digest_judged,
    read_judgement,
    write_judgement,
)
from hermes_sessions.audit.values import CompactionCase

_Deviations = tuple[Deviation, ...]


class KeptJudgements:
    """Judgements that were kept, and those that were made since.

    One counts only for the digest of everything that a handoff is judged by: what was changed,
    or would be judged by other rules, is judged anew. One that quotes a secret is not kept.
    """

    def __init__(self, version: str = "", kept: Mapping[int, str] | None = None) -> None:
        """Take the version of the rules that judge, and what was kept, by compaction."""
        self._version = version
        self._kept: Mapping[int, str] = {} if kept is None else kept
        self._made: dict[int, tuple[str, CompactionCase, _Deviations]] = {}

    def judge(
        self, case: CompactionCase, handoff: HandoffIndex, check: Callable[[], _Deviations]
    ) -> _Deviations:
        """Return where the handoff of *case* departs from its source: what was kept, else what *check* finds.

        Args:
            handoff: the handoffs that the compaction left in the context; *check* reads it.
        """
        key = case.facts.id
        digest = digest_judged(self._version, case, handoff)
        known = read_judgement(self._kept.get(key, ""), digest)
        if known is not None:
            return known
        found = check()
        self._made[key] = (digest, case, found)
        return found

    @property
    def fresh(self) -> dict[int, str | None]:
        """What is to be kept from now on of what was judged anew, by compaction; None for nothing at all."""
        return {
            key: None if quotes_secret(case, found) else write_judgement(digest, found)
            for key, (digest, case, found) in self._made.items()
        }
