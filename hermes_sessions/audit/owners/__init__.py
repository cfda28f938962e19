"""Who does, has or decides what: the people of a handoff held against those of its source."""
