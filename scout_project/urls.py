"""Where each address leads."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from jobs.pages import inbox

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("accounts.urls")),
    path("", include("deliveries.urls")),
    path("inbox/jobs", inbox.jobs, name="inbox-jobs"),
    path("admin/", admin.site.urls),
]
