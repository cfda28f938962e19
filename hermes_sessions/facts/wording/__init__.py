"""The words and shapes that kinds of facts are found by, in the languages we read. Values only."""
