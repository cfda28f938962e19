"""How much a text says: numbers, amounts with units, lengths of time, in the scripts that people write. Pure."""
