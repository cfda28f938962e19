"""The words of lines: what binds, chooses, assigns, is new, names a thing or only tells of a call. Pure."""
