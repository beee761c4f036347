"""Knowing a post again."""
