"""What the user decides: pins, tags, trash, forgetting, masking, and undo for it."""
