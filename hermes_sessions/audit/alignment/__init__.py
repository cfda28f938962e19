"""Clauses of a handoff held against the clauses of the transcript that speak of the same. Pure."""
