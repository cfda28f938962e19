"""Sessions of Goose: a SQLite database, in older releases files of JSON lines."""
