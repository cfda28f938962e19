"""Everything SQLAlchemy: engine, tables, questions, search index, state changes, migrations."""
