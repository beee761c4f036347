"""Jobs that others send to us: who may send, what they said, and where it waits for a scan."""
