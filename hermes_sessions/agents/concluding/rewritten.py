"""Join what an agent deleted with what it wrote instead, from rows that a store still has of both. Pure.

Nothing of the conversation is lost then: rows that were written again are where they
were, and those that a compaction replaced are its span.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from hermes_sessions.agents.concluding.alignment import head_pairs
from hermes_sessions.agents.concluding.parent_alignment import SessionInput
from hermes_sessions.agents.concluding.reconstruction import reconstruct
from hermes_sessions.agents.concluding.row_facts import RowFacts, read_call_ids, row_facts
from hermes_sessions.agents.values import CompactionRow, MessageRow, Verdict
from hermes_sessions.handoff.grammars.grammar import HandoffGrammar
from hermes_sessions.lineage import SessionEvidence
from hermes_sessions.messages import Content, MessageKind, MessageState, Realisation

_SESSION = "it"


class StoredRow(NamedTuple):
    """A row as a store has it.

    Attributes:
        row: its id is the store's key.
        content: its text or blocks.
        kind: what it was concluded to be.
        copy_of: key of the row that it repeats.
    """

    row: MessageRow
    content: Content
    kind: MessageKind
    copy_of: int | None

    @property
    def key(self) -> int:
        """The store's key."""
        return self.row.ref

    @property
    def original(self) -> int:
        """Key of the first row that says this."""
        return self.key if self.copy_of is None else self.copy_of


class Rejoined(NamedTuple):
    """What is now known of the rows of both.

    Attributes:
        states: of deleted rows.
        summarised: those of them that the compaction summarised.
        copies: what new rows are that repeat deleted ones; `copy_of` is the first such row.
        event: the compaction, its span included; None where rows were only taken back.
    """

    states: Mapping[int, MessageState]
    summarised: Collection[int]
    copies: Mapping[int, Verdict]
    event: CompactionRow | None


def join_taken_back(old: Sequence[StoredRow], new: Sequence[StoredRow], grammar: HandoffGrammar) -> Rejoined:
    """Rows written again are where they were first; what was not is taken back.

    Args:
        new: what was written since the *old* rows were there, and nothing that was there before.
    """
    pairs = head_pairs([_deleted(one, grammar) for one in old], [_present(one, grammar) for one in new])
    return Rejoined(
        states={old[source].key: MessageState.SUPERSEDED for _, source in pairs},
        summarised=(),
        copies={new[at].key: Verdict(new[at].kind, copy_of=old[source].original) for at, source in pairs},
        event=None,
    )


def join_compacted(
    old: Sequence[StoredRow], new: Sequence[StoredRow], grammar: HandoffGrammar
) -> Rejoined | None:
    """The deleted rows become what a compaction summarised, as if it had archived them.

    Returns:
        None where nothing says that the agent compacted.
    """
    archived = [_deleted(one, grammar)._replace(state=MessageState.COMPACTED) for one in old]
    rows = [*archived, *(_present(one, grammar) for one in new)]
    concluded = reconstruct({_SESSION: SessionInput(SessionEvidence(id=_SESSION), parent=None, rows=rows)})
    event = next((one for one in concluded.compactions if one.realisation is Realisation.IN_PLACE), None)
    if event is None:
        return None
    by_key = {one.key: one for one in old}
    verdicts = {one.key: concluded.verdicts.get(one.key, Verdict()) for one in (*old, *new)}
    return Rejoined(
        states=dict.fromkeys(by_key, MessageState.COMPACTED),
        summarised={key for key in by_key if verdicts[key].archived_by == event.key},
        copies={
            one.key: Verdict(known.kind, copy_of=by_key[known.copy_of].original, reply=known.reply)
            for one in new
            if (known := verdicts[one.key]).copy_of is not None and known.copy_of in by_key
        },
        event=event,
    )


def _deleted(one: StoredRow, grammar: HandoffGrammar) -> RowFacts:
    # A handoff that was deleted is one of an earlier compaction: nothing to find again.
    return row_facts(one.row, one.content, read_call_ids(one.row.tool_calls), flagged=False, grammar=grammar)


def _present(one: StoredRow, grammar: HandoffGrammar) -> RowFacts:
    flagged = one.kind is not MessageKind.MESSAGE
    return row_facts(
        one.row, one.content, read_call_ids(one.row.tool_calls), flagged=flagged, grammar=grammar
    )
