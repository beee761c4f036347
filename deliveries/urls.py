"""Addresses of the deliveries app; the two of health.py are answered before any are looked up."""

from django.conf import settings
from django.urls import URLPattern, path

from deliveries.pages import cron, example, never, previewing, thumbs, welcome, why_not
from deliveries.pages import my_jobs as my_jobs_page
from deliveries.pages import my_mail as my_mail_page
from deliveries.pages import outbox as outbox_pages
from deliveries.pages import preferences as preferences_page

urlpatterns: list[URLPattern] = [
    path("example/", example.example_alert, name="example-alert"),
    path("jobs/", my_jobs_page.my_jobs, name="my-jobs"),
    path("jobs/near/", my_jobs_page.near, name="near-misses"),
    path("jobs/never/", never.never, name="never"),
    path("jobs/never/undo/", never.undo, name="never-undo"),
    path("jobs/thumb/", thumbs.on_my_job, name="thumb-job"),
    path("jobs/taste/", thumbs.my_taste, name="my-taste"),
    path("why/", why_not.why_not, name="why"),
    path("t/<str:token>/", thumbs.by_link, name="thumb-link"),
    path("mail/", my_mail_page.my_mail, name="my-mail"),
    path("preferences/", preferences_page.preferences, name="preferences"),
    path("preferences/preview/", previewing.of_searches, name="preview"),
    path("welcome/", welcome.welcome, {"name": "who"}, name="welcome"),
    path("welcome/work/", welcome.welcome, {"name": "work"}, name="welcome-work"),
    path("welcome/mail/", welcome.welcome, {"name": "mail"}, name="welcome-mail"),
    path("welcome/preview/<str:name>/", welcome.preview_of_step, name="welcome-preview"),
    path("cron/scan", cron.run, {"kind": "scan"}, name="cron-scan"),
    path("cron/digest", cron.run, {"kind": "digest"}, name="cron-digest"),
]
if settings.DEBUG and settings.EMAIL_BACKEND == "deliveries.outbox.EmailBackend":
    urlpatterns += [
        path("outbox/", outbox_pages.folder, name="outbox"),
        path("outbox/<str:name>/", outbox_pages.mail, name="outbox-mail"),
        path("outbox/<str:name>/body/", outbox_pages.body, name="outbox-body"),
    ]
