"""Claude Code: where its transcripts are, and what their records mean."""
