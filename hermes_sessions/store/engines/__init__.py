"""Where a store is, and how its engine is reached: connections, locks, bulk rows, copies. No questions."""
