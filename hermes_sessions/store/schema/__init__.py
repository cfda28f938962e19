"""The tables: columns, types, constraints. No queries, no transactions."""
