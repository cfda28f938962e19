"""What rows of a compacted session mean, for any agent: copies, handoffs, compactions. Names no agent."""
