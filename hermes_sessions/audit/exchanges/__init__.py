"""What a handoff exchanges for something else: sides, people, days, units, parts, order. Pure."""
