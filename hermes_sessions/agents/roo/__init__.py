"""Tasks of Roo Code: files that are one list, rewritten whole, read as an origin."""
