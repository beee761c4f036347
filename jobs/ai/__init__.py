"""Verdicts by language models of any provider: bounded in money, time and trust."""
