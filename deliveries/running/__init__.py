"""Who starts the work: commands, schedules, any cron; and is it being done."""
