"""Addresses of the accounts app."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("u/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
