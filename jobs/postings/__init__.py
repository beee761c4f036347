"""From what a source said, in whatever shape, to clean postings."""
