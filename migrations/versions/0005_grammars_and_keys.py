"""Know a message by its key at its origin, its conversation, and the grammar that framed a handoff.

`origin_key` becomes the row's number as text. Handoffs get `own` where our engine wrote them
(their compaction has a policy, or their session was made here), else `hermes`, which until now
was the one agent; what repeats a handoff gets the grammar of what it repeats. Messages and tags
get the conversation of their session. Downgrading loses the keys and the names; rows whose key
is no number are new to the next sync.

Messages are many, so they are filled before the revision runs: by `prepare`, in steps that are
transactions of their own. A kill between two of them loses nothing, the next run goes on there.
"""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

BATCH = 10_000
REACHED = "upgrade.0005"
"""The setting that holds the key of the last message that is filled."""

Big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

settings = sa.table("settings", *map(sa.column, ["name", "value"]))
messages = sa.table("messages", *map(sa.column, ["id"]))

FILL = sa.text("""
UPDATE messages SET
  origin_key = CAST(origin_row_id AS TEXT),
  conversation_id = (SELECT s.conversation_id FROM sessions s WHERE s.id = messages.session_id)
WHERE id > :after AND id <= :reached
""")
FILL_AGAIN = """
UPDATE messages SET
  origin_key = CAST(origin_row_id AS TEXT),
  conversation_id = (SELECT s.conversation_id FROM sessions s WHERE s.id = messages.session_id)
WHERE origin_key IS DISTINCT FROM CAST(origin_row_id AS TEXT)
  OR conversation_id <> (SELECT s.conversation_id FROM sessions s WHERE s.id = messages.session_id)
"""
"""What a program of the version before wrote between two steps."""

DROP_DOUBLES = """
UPDATE messages SET origin_key = NULL WHERE id IN (
  SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY session_id, origin_row_id ORDER BY id) AS place
    FROM messages WHERE origin_row_id IS NOT NULL
  ) AS numbered WHERE place > 1
)
"""
TAGS = """
UPDATE session_tags SET conversation_id =
  (SELECT s.conversation_id FROM sessions s WHERE s.id = session_tags.session_id)
"""
NAME_GRAMMARS = """
UPDATE messages SET handoff_grammar = (
  SELECT CASE
    WHEN o.kind = 'local' OR EXISTS (
      SELECT 1 FROM compactions c WHERE c.handoff_id = messages.id AND c.policy IS NOT NULL
    ) THEN 'own'
    ELSE 'hermes'
  END
  FROM sessions s JOIN origins o ON o.id = s.origin_id WHERE s.id = messages.session_id
)
WHERE kind IN ('handoff', 'merged')
"""
REPEAT_GRAMMARS = """
UPDATE messages SET handoff_grammar = (SELECT m.handoff_grammar FROM messages m WHERE m.id = messages.copy_of)
WHERE kind = 'handoff' AND EXISTS (
  SELECT 1 FROM messages m WHERE m.id = messages.copy_of AND m.handoff_grammar IS NOT NULL
)
"""


def prepare(connection: sa.Connection) -> Iterator[tuple[int, int]]:
    """Fill the messages, step by step, from where an earlier run was stopped.

    Yields:
        After each step, for the caller to commit: how far it is, of how many.
    """
    reached = connection.scalar(sa.select(settings.c.value).where(settings.c.name == REACHED))
    if reached is None:
        operations = Operations(MigrationContext.configure(connection))
        operations.add_column("messages", sa.Column("origin_key", Text))
        operations.add_column("messages", sa.Column("handoff_grammar", Text))
        operations.add_column(
            "messages", sa.Column("conversation_id", Big, nullable=False, server_default="0")
        )
        connection.execute(settings.insert().values(name=REACHED, value="0"))
    after = int(reached or 0)
    last = connection.scalar(sa.select(sa.func.max(messages.c.id))) or 0
    while after < last:
        part = sa.select(messages.c.id).where(messages.c.id > after).order_by(messages.c.id).limit(BATCH)
        following = connection.scalar(sa.select(sa.func.max(part.subquery().c.id))) or last
        connection.execute(FILL, {"after": after, "reached": following})
        connection.execute(settings.update().where(settings.c.name == REACHED).values(value=str(following)))
        after = following
        yield after, last


def upgrade() -> None:
    connection = op.get_bind()
    for _ in prepare(connection):
        pass
    op.add_column("session_tags", sa.Column("conversation_id", Big, nullable=False, server_default="0"))
    for statement in (FILL_AGAIN, DROP_DOUBLES, NAME_GRAMMARS, REPEAT_GRAMMARS, TAGS):
        op.execute(statement)
    if connection.dialect.name == "postgresql":
        # Rows changed twice are checked at the end, and a table with checks ahead takes no index.
        op.execute("SET CONSTRAINTS ALL IMMEDIATE")
        op.execute("SET CONSTRAINTS ALL DEFERRED")
        for table in ("messages", "session_tags"):
            op.alter_column(table, "conversation_id", server_default=None)
    op.execute(settings.delete().where(settings.c.name == REACHED))
    op.drop_index("ix_messages_origin_row_id", table_name="messages")
    op.create_index("uq_messages_origin_key", "messages", ["session_id", "origin_key"], unique=True)


def downgrade() -> None:
    op.drop_index("uq_messages_origin_key", table_name="messages")
    op.create_index("ix_messages_origin_row_id", "messages", ["session_id", "origin_row_id"])
    op.drop_column("session_tags", "conversation_id")
    for name in ("conversation_id", "handoff_grammar", "origin_key"):
        op.drop_column("messages", name)
