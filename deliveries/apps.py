"""The deliveries app."""

from django.apps import AppConfig


class DeliveriesConfig(AppConfig):
    """Django's handle on the deliveries app."""

    name = "deliveries"
    verbose_name = "Ledger and mail"

    def ready(self) -> None:
        """Register the start-up checks."""
        from deliveries import checks, checks_site  # noqa: F401 -- importing registers them
