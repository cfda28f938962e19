"""Configurations for other programs, and a skill for the agents in them: one text each. No code."""
