"""One question each, put to a handoff and to its source; what they find is a note, and no more. Pure."""
