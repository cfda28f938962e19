"""Figures, days and names of a handoff that its source has in no form. Pure."""
