"""Load what earlier audits found and kept: where facts are, and how handoffs were judged."""

from sqlalchemy.orm import Session as DbSession

from hermes_sessions.audit.fact_notes import FactNotes
from hermes_sessions.audit.judgements.kept_judgements import KeptJudgements
from hermes_sessions.audit.measure import Reader
from hermes_sessions.audit.rules import RULES_VERSION
from hermes_sessions.store.keeping.fact_notes import facts_version, load_notes
from hermes_sessions.store.keeping.judgements import judging_version, load_judgements


def load_reader(db: DbSession, conversation_id: int, compaction_id: int | None = None) -> Reader:
    """Return a reader of a conversation that knows what is kept of it.

    Args:
        compaction_id: of handoffs, this one's alone is judged.
    """
    notes = FactNotes(facts_version(), load_notes(db, conversation_id))
    version = f"{RULES_VERSION}:{judging_version()}"
    return Reader(notes, KeptJudgements(version, load_judgements(db, conversation_id, compaction_id)))
