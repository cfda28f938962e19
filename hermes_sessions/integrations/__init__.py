"""Servers and plugins that live inside other programs: thin edges over what `operations/` answers."""
