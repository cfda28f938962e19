"""Our compaction engine inside Hermes: a folder plugin, and the commands that put it there."""
