"""Addresses that answer for the jobs app."""
