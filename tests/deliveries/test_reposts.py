"""A text that is posted twice is mailed once, and both `why` and the ledger's page say so."""

import pytest
from django.contrib.admin.utils import quote
from django.urls import reverse
from django.utils import timezone

from deliveries.models import Delivery
from deliveries.why import explain
from tests.admin_browser import page, staff
from tests.deliveries.market import WISHES, jobs_of
from tests.factories import person
from tests.jobs.fingerprints.texts import BODY

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = {"title": "Django shop in Texas", "description": BODY}
AGAIN = {"title": "Django shop in New York ($700)", "description": f"{BODY} Budget: $700."}


def test_at_once_a_repost_in_the_next_scan_is_not_mailed(market):
    person(**WISHES)
    market.show(1, **TEXT)
    market.scan()
    market.later(days=1)
    market.show(2, **AGAIN)
    market.show(3)
    assert market.scan().queued == 1
    assert jobs_of(market.arrived()) == [1, 3]
    before = list(Delivery.objects.order_by("pk").values())
    assert market.scan().queued == 0
    assert list(Delivery.objects.order_by("pk").values()) == before


def test_of_two_in_one_digest_one_is_there(market):
    person(**WISHES, mode="daily", digest_hour=13)
    market.show(1, **TEXT)
    market.show(2, **AGAIN)
    market.scan()
    market.later(hours=1, minutes=1)
    assert market.digest().jobs_sent == 1
    assert len(jobs_of(market.arrived())) == 1


def test_after_two_weeks_it_is_mailed_again(market):
    person(**WISHES)
    market.show(1, **TEXT)
    market.scan()
    market.later(days=15)
    market.show(2, **AGAIN)
    market.scan()
    assert jobs_of(market.arrived()) == [1, 2]


def test_who_asks_why_is_told_which_job_it_repeats(market):
    ana = person(**WISHES)
    market.show(1, **TEXT)
    market.scan()
    market.show(2, **AGAIN)
    market.scan()
    row = Delivery.objects.get(reason="repost")
    told = explain(ana.email, row.job_id, now=timezone.now())
    [ledger] = [step.sentence for step in told if step.name == "ledger"]
    assert ledger.startswith(
        f"expired, repost of {row.repeats_id}, the same text, route instant, queued "
    )
    html = page(staff(), "deliveries_delivery_change", row.pk)
    first = quote(f"{ana.pk}_{row.repeats_id}")
    assert reverse("admin:deliveries_delivery_change", args=[first]) in html
