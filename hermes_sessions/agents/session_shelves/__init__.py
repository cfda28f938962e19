"""Many sessions in one database or one tree of files: found, read and concluded alike. Names no agent."""
