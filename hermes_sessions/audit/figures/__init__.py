"""Figures as people write them: rounded, in other units, in words, worked out. Pure."""
