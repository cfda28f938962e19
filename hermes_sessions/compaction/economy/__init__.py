"""What a handoff keeps of the facts: as lines, ranked, within a budget. Its layout is not decided here."""
