"""Files of JSON lines that somebody else writes: bounded lines, torn ends, known again. Names no agent."""
