"""Use cases: join store, importers, engine and audit; own the transactions."""
