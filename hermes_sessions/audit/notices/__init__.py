"""What a reader should look at in a handoff, and what of it is certain enough to be an accusation. Pure."""
