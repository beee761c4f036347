"""The WSGI application, for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scout_project.settings")
application = get_wsgi_application()

from scout_project.warming import warm_up  # noqa: E402 -- models can be imported from here on

warm_up()
