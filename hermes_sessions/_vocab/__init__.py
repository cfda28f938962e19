"""Token vocabularies as package data; see NOTICE for their origin. No code."""
