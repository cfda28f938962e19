"""How agents frame a summary in a transcript: one file per grammar. Pure."""
