"""A conversation with one rule: the first handoff tells it, the second does not."""

from typing import NamedTuple

from sqlalchemy.orm import Session as OrmSession

from hermes_sessions.store.schema.models import Session
from tests.builders import NOON, a_compaction, a_conversation, a_message, a_session
from tests.web.stories import standalone

RULE = "Never push to main without approval."


class Ruled(NamedTuple):
    """Keys of the message that sets the rule, and of both compactions."""

    said: int
    first: int
    second: int


def ruled_story(db: OrmSession) -> Ruled:
    """A rule, then two rotations, each with a reply that is kept."""
    conversation = a_conversation(db, id="ruled", title="A rule")
    session = db.get_one(Session, conversation.root_id)
    said = a_message(db, session, f"Look at the parser. {RULE}")
    last = a_message(db, session, "The parser is fine.", role="assistant")
    found, before = [], [said]
    for number, body in ((2, f"## Rules\n- {RULE}"), (3, "The lexer was looked at.")):
        session = a_session(db, conversation, id=f"ruled-{number}", started_at=NOON + 3_000 * number)
        handoff = a_message(db, session, standalone(body), kind="handoff")
        a_message(db, session, last.text or "", role="assistant", copy_of=last.id)
        made = a_compaction(db, session, handoff=handoff, summary=body, span_messages=len(before))
        for row in before:
            row.archived_by = made.id
        found.append(made.id)
        before = [handoff, a_message(db, session, "And the lexer?")]
        last = a_message(db, session, f"Answer {number}: the lexer is fine.", role="assistant")
    db.flush()
    return Ruled(said.id, *found)
