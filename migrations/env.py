"""Run the migrations on a connection that the caller opened (see store.opening.migrate)."""

from alembic import context
from alembic.runtime.environment import NameFilterParentNames, NameFilterType

from hermes_sessions.store.schema.organising import SessionTag


def include_name(name: str | None, kind: NameFilterType, parents: NameFilterParentNames) -> bool:
    """Leave the full-text index and its shadow tables alone."""
    return not (kind == "table" and name is not None and name.startswith("messages_fts"))


connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("run `hermes-sessions db upgrade`; the migrations need an open store")

context.configure(
    connection=connection,
    target_metadata=SessionTag.metadata,
    include_name=include_name,
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
    transactional_ddl=True,
    on_version_apply=context.config.attributes.get("on_version_apply"),
)
context.run_migrations()
