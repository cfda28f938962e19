"""Read somebody else's SQLite file without touching it: live, at rest or damaged. Names no agent."""
