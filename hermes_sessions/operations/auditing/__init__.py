"""Audit stored conversations: load a case, ask the rules, keep or report the answers."""
