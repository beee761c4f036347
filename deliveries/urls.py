"""Addresses of the deliveries app; the two of health.py are answered before any are looked up."""

from django.conf import settings
from django.urls import URLPattern, path

from deliveries import cron, outbox_pages

urlpatterns: list[URLPattern] = [
    path("cron/scan", cron.run, {"kind": "scan"}, name="cron-scan"),
    path("cron/digest", cron.run, {"kind": "digest"}, name="cron-digest"),
]
if settings.EMAIL_BACKEND == "deliveries.outbox.EmailBackend":
    urlpatterns += [
        path("outbox/", outbox_pages.folder, name="outbox"),
        path("outbox/<str:name>/", outbox_pages.mail, name="outbox-mail"),
        path("outbox/<str:name>/body/", outbox_pages.body, name="outbox-body"),
    ]
