"""Recall for agents: what was said before a compaction, as tools of an MCP server. Reads, never prints."""
