"""Which places of a transcript have what a handoff says of a figure, and which have it of another one."""
