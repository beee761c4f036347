"""Addresses of the deliveries app; the two of health.py are answered before any are looked up."""

from django.conf import settings
from django.urls import URLPattern, path

from deliveries.pages import cron, example, thumbs
from deliveries.pages import my_jobs as my_jobs_page
from deliveries.pages import my_mail as my_mail_page
from deliveries.pages import outbox as outbox_pages
from deliveries.pages import preferences as preferences_page

urlpatterns: list[URLPattern] = [
    path("example/", example.example_alert, name="example-alert"),
    path("jobs/", my_jobs_page.my_jobs, name="my-jobs"),
    path("jobs/thumb/", thumbs.on_my_job, name="thumb-job"),
    path("jobs/taste/", thumbs.my_taste, name="my-taste"),
    path("t/<str:token>/", thumbs.by_link, name="thumb-link"),
    path("mail/", my_mail_page.my_mail, name="my-mail"),
    path("preferences/", preferences_page.preferences, name="preferences"),
    path("cron/scan", cron.run, {"kind": "scan"}, name="cron-scan"),
    path("cron/digest", cron.run, {"kind": "digest"}, name="cron-digest"),
]
if settings.DEBUG and settings.EMAIL_BACKEND == "deliveries.outbox.EmailBackend":
    urlpatterns += [
        path("outbox/", outbox_pages.folder, name="outbox"),
        path("outbox/<str:name>/", outbox_pages.mail, name="outbox-mail"),
        path("outbox/<str:name>/body/", outbox_pages.body, name="outbox-body"),
    ]
