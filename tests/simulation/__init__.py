"""The whole pipeline on real PostgreSQL, with faults at every boundary and time in our hands."""
