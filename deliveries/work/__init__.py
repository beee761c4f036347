"""What every run stands on: the clock, the wall, the lease, users in blocks."""
