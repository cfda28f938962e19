"""Show the notes of our engine to nobody, count them no more and find them no more.

They stand between two messages of one role, or in place of a call without a result; until now
they were shown and counted like the user's words or the assistant's. Downgrading shows them again,
and leaves them out of the index.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NOTES = """(
  role IN ('user', 'assistant') AND COALESCE(tool_calls, '') = '' AND copy_of IS NULL AND state <> 'rewound'
  AND text IN (
    '[Note by the compaction: between these two messages others were replaced by the handoff above.]',
    '[Note by the compaction: a tool call that never got a result is left out here.]'
  )
)"""


def upgrade() -> None:
    _show(False)


def downgrade() -> None:
    _show(True)


def _show(shown: bool) -> None:
    connection = op.get_bind()
    value = sa.true() if shown else sa.false()
    messages = sa.table("messages", *map(sa.column, ["session_id", "shown", "search_key"]))
    sessions = sa.table("sessions", *map(sa.column, ["id", "conversation_id", "shown_count", "fork"]))
    conversations = sa.table("conversations", *map(sa.column, ["id", "message_count"]))
    notes = sa.and_(sa.text(NOTES), messages.c.shown != value)
    counted = connection.execute(
        sa.select(messages.c.session_id, sa.func.count()).where(notes).group_by(messages.c.session_id)
    ).all()
    for session, count in counted:
        more = count if shown else -count
        found = sa.select(sessions.c.conversation_id, sessions.c.fork).where(sessions.c.id == session)
        conversation, fork = connection.execute(found).one()
        connection.execute(
            sessions.update()
            .where(sessions.c.id == session)
            .values(shown_count=sessions.c.shown_count + more)
        )
        if not fork:
            connection.execute(
                conversations.update()
                .where(conversations.c.id == conversation)
                .values(message_count=conversations.c.message_count + more)
            )
    more_values = {} if shown else {"search_key": None}
    connection.execute(messages.update().where(notes).values(shown=value, **more_values))
