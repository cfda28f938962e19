"""How people set rules in their own words, and what only sounds like one."""
