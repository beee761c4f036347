"""The deliveries app."""

from django.apps import AppConfig


class DeliveriesConfig(AppConfig):
    """Django's handle on the deliveries app."""

    name = "deliveries"
