"""Outcomes and deeds that a handoff reports, held against the words that were used before: notes only."""
