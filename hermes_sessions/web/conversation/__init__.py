"""One conversation and the list of them: scroll, contents, messages, family, charts."""
