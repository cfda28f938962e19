"""A conversation of two compactions; the first has a handoff that says otherwise than the user did."""

from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Compaction, Session
from tests.builders import a_compaction, a_conversation, a_message, a_session
from tests.web.stories import standalone

SAID = "The bakery opens at 6:40, and the oven is never left alone."
TOLD = "The bakery opens at 8:15. Wrote `menu/rye.md`."
THEN = "The bakery opens at 8:15. The shop is closed on Mondays."


def bakery(db: OrmSession, *, told: str = TOLD, extra: str = "Understood.") -> Compaction:
    """Return the first of the compactions; what the assistant said before it is *extra*."""
    conversation = a_conversation(db, id="bakery")
    root = db.get_one(Session, conversation.root_id)
    rows = [a_message(db, root, SAID), a_message(db, root, extra, role="assistant")]
    second = a_session(db, conversation, id="bakery-2")
    first = a_compaction(
        db, second, handoff=a_message(db, second, standalone(told), kind="handoff"), summary=told
    )
    said = [a_message(db, second, "And on Mondays?"), a_message(db, second, "Closed.", role="assistant")]
    third = a_session(db, conversation, id="bakery-3")
    last = a_compaction(
        db, third, handoff=a_message(db, third, standalone(THEN), kind="handoff"), summary=THEN
    )
    a_message(db, third, "Thanks.")
    for row, by in (*((row, first.id) for row in rows), *((row, last.id) for row in said)):
        row.archived_by = by
    db.commit()
    return first
