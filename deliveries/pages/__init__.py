"""Pages that show deliveries, and the address any cron may call."""
