"""The WSGI application, for gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scout_project.settings")
application = get_wsgi_application()
