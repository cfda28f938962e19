"""What a handoff puts into another relation: order, choice, condition, person, done or not. Pure."""
