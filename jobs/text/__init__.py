"""Words, stems and signs in texts: what filters and scores look at."""
