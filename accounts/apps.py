"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Django's handle on the accounts app."""

    name = "accounts"
    verbose_name = "People"
