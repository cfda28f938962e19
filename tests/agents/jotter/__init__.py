"""A small agent that exists for the tests: JSON lines, a file per session, keys and a frame of its own."""
