"""What a handoff says of a fact in shorter words, in another form or in another language."""
