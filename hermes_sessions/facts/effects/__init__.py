"""What a command line does: reads, checks, writes, sends, deletes or publishes. Pure."""
