"""Sessions of OpenCode: a SQLite database, in older releases a tree of JSON files."""
