"""Where each address leads."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("accounts.urls")),
    path("", include("deliveries.urls")),
    path("admin/", admin.site.urls),
]
