"""The rules of a conversation, and what became of each in every compaction."""
