"""`manage.py demo`: the main job on sample data, shown step by step."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from deliveries.demo import DemoUser, add_demo_users, outcomes
from deliveries.digest import digest
from deliveries.scan import scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall


class Command(BaseCommand):
    """Sample users and posts in, scan, scan again, digest: who was mailed what, and why."""

    help = "Run the main job on sample data and show what each user was mailed, and why."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run it; again, and nothing new is mailed.  Development only."""
        if not settings.DEBUG:
            raise CommandError(
                "The demo makes sample users and mails them: unset DATABASE_URL and SITE_URL first."
            )
        settings.SCOUT_SOURCES = ["sample"]
        clock, console = Clock(), Console(stderr=False)
        console.print("[bold]Upwork Scout[/bold]: only the jobs that fit, each of them once.\n")
        users = add_demo_users(now=clock.now())
        console.print(f"  {'users':10} {len(users)}, invented")
        for name in ("scan", "scan again"):
            found = scan(clock, Wall(settings.SCOUT_MAX_SECONDS))
            if found.skipped:
                console.print(f"  {name:10} skipped: {found.skipped}; try again in ten minutes")
                continue
            console.print(
                f"  {name:10} {found.fetched} posts, {found.new_jobs} new;"
                f" {found.verdicts} verdicts; {found.mails_sent} alerts mailed"
                f" in {found.seconds:.1f} s"
            )
        tick = digest(clock, Wall(settings.SCOUT_MAX_SECONDS))
        console.print(f"  {'digest':10} {tick.mails_sent} mailed, with {tick.jobs_sent} jobs\n")
        console.print(_table(users))
        _where(console)


def _table(users: list[DemoUser]) -> Table:
    table = Table(
        box=SIMPLE, title="Who was mailed what, and why", title_justify="left", expand=True
    )
    table.add_column("fit", justify="right", min_width=3)
    table.add_column("job", ratio=5, no_wrap=True, overflow="ellipsis")
    table.add_column("why, above all", ratio=5, no_wrap=True, overflow="ellipsis")
    table.add_column("mail", min_width=6, no_wrap=True, overflow="ellipsis")
    for user in users:
        table.add_row("", Text(user.name, style="bold"), Text(user.how, style="dim"), "")
        for row in outcomes([user]):
            table.add_row(str(row.score), Text(row.title), Text(row.reason), row.what)
    return table


def _where(console: Console) -> None:
    site = settings.SITE_URL
    lines = {
        "The mails": f"{settings.OUTBOX_DIR}, one .eml each",
        "The site": f"./dev serve, then {site}; the mails are at {site}/outbox/",
        "As a user": f"sign in at {site}/sign-in/ as ana@example.com; the code is in the outbox",
        "As staff": "./dev manage add_user you@example.com --staff, sign in, set up a second"
        f" factor, then {site}/admin/",
        "Why": "./dev manage why ana@example.com sample:django-0001",
        "Again": "./dev demo once more: nothing new is mailed",
    }
    for name, line in lines.items():
        console.print(f"  {name:10} {line}", soft_wrap=True, highlight=False)
