"""How text is cut into words, and what a query means. Pure: no SQL, no engine."""
