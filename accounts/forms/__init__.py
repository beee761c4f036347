"""The forms over searches and preferences."""
