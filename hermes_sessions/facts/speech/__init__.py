"""Facts in what people say: requests, rules, decisions, open work. Pure."""
