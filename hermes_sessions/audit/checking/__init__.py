"""Hold what a handoff says against what came before it: values, sentences, quotations. Pure."""
