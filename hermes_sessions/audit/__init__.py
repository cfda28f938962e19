"""What a compaction kept, lost and invented: pure values and functions, no model, no I/O."""
