"""What a handoff tells the agent to do, held against what was said before."""
