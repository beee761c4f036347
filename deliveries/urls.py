"""Addresses of the deliveries app."""

from django.conf import settings
from django.urls import URLPattern, path

from deliveries import outbox_pages

urlpatterns: list[URLPattern] = []
if settings.EMAIL_BACKEND == "deliveries.outbox.EmailBackend":
    urlpatterns += [
        path("outbox/", outbox_pages.folder, name="outbox"),
        path("outbox/<str:name>/", outbox_pages.mail, name="outbox-mail"),
        path("outbox/<str:name>/body/", outbox_pages.body, name="outbox-body"),
    ]
