"""Sessions of Pi: trees of entries in files of JSON lines, read as an origin."""
