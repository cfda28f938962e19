"""Names, numbers and settings that a handoff gives to something else than its source: notes only. Pure."""
