"""Ask texts and their facts for values: as they are written, in other words, less exactly. Pure."""
