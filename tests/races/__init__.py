"""Whatever may run at once, side against side."""
