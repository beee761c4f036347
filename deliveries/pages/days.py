"""How many jobs came in how many mails on each of somebody's days."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count
from django.db.models.functions import TruncDate

from deliveries.chart import DAYS, Chart, chart_of
from deliveries.models import Delivery


def chart_for(user_id: str, timezone: str, *, now: datetime) -> Chart | None:
    """The chart of the last days by the user's calendar, by one query; None when nothing came."""
    zone = ZoneInfo(timezone)
    today = now.astimezone(zone).date()
    return chart_of(_counts(user_id, zone, today), today)


def _counts(user_id: str, zone: ZoneInfo, today: date) -> dict[date, tuple[int, int]]:
    begin = datetime.combine(today - timedelta(days=DAYS - 1), time(), zone)
    rows = Delivery.objects.filter(user_id=user_id, status="sent", sent_at__gte=begin)
    by_day = rows.annotate(day=TruncDate("sent_at", tzinfo=zone)).values("day").order_by("day")
    counted = by_day.annotate(jobs=Count("pk"), mails=Count("mail", distinct=True))
    return {row["day"]: (row["jobs"], row["mails"]) for row in counted}
