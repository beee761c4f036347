"""The jobs app."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Django's handle on the jobs app."""

    name = "jobs"
