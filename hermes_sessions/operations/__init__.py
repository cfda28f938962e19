"""Use cases: join store, agents, engine and audit; own the transactions."""
