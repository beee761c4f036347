"""The way out: one message to one person, and what became of it."""
