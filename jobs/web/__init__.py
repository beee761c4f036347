"""Asking other people's servers: where to, how long and how much, and what their answers mean."""
