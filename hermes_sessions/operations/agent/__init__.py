"""The agent's side of the store: append, compact, record, undo."""
