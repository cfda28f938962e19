"""Families read in further processes while one writes: frames of bytes between them, the same rows."""
