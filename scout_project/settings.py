"""Django settings, read from the environment; README and docs/operating.md list the names.

Development is assumed only while both DATABASE_URL and SITE_URL are unset; DEBUG can be switched on
beside them, and then the secrets are needed all the same.
"""

import os
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env

from scout_project import logs, postgres

env = Env()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = postgres.var_dir()

# Core

DATABASE_URL = env.str("DATABASE_URL", "")
SITE_URL = env.str("SITE_URL", "").rstrip("/")
_ALONE = not (DATABASE_URL or SITE_URL)
DEBUG = env.bool("DEBUG", _ALONE)
SECRET_KEY = env.str("SECRET_KEY", "")
if _ALONE:
    SECRET_KEY = SECRET_KEY or "development-only-key-that-guards-nothing-at-all-0000000000"
# Former keys: what was made with one of them is still recognised.
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", [])
if DEBUG:
    SITE_URL = SITE_URL or "http://localhost:8000"
if missing := [name for name in ("SECRET_KEY", "SITE_URL") if not globals()[name]]:
    raise ImproperlyConfigured(
        f"{' and '.join(missing)} must be set, because DATABASE_URL or SITE_URL is: "
        "set them, or unset both for development."
    )
SITE_HOST = urlsplit(SITE_URL).hostname or ""
if urlsplit(SITE_URL).scheme not in ("http", "https") or not SITE_HOST:
    raise ImproperlyConfigured(
        f"SITE_URL is {SITE_URL!r}: set it to the site's address, such as https://scout.example."
    )
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", [SITE_HOST, *(["localhost", "127.0.0.1"] * DEBUG)])

INSTALLED_APPS = [
    "deliveries.apps.DeliveriesConfig",
    "jobs.apps.JobsConfig",
    "accounts.apps.AccountsConfig",
    "accounts.sign_in.admin_config.GuardedAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "anymail",
    "csp",
    "django_htmx",
    "django_q",
]

MIDDLEWARE = [
    "scout_project.logs.request_id",
    "deliveries.health.probes",
    "scout_project.odd_paths.no_nul",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "scout_project.urls"
WSGI_APPLICATION = "scout_project.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Database and cache

DATABASES: dict[str, Any] = {"default": dj_database_url.parse(DATABASE_URL or postgres.dsn())}
# A process that stops in the middle of a transaction must not hold the others up for ever.
DATABASES["default"].setdefault("OPTIONS", {}).setdefault(
    "options", "-c lock_timeout=30s -c idle_in_transaction_session_timeout=60s"
)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "django_cache",
        # Rate limits live here: a flood must not push them out.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

# Email

DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", f"Upwork Scout <scout@{SITE_HOST}>")
EMAIL_HOST = env.str("EMAIL_HOST", "localhost")
EMAIL_PORT = env.int("EMAIL_PORT", 25)
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = env.bool("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", 15)
EMAIL_BACKEND = env.str(
    "EMAIL_BACKEND",
    "deliveries.outbox.EmailBackend"
    if DEBUG and "EMAIL_HOST" not in os.environ
    else "django.core.mail.backends.smtp.EmailBackend",
)
OUTBOX_DIR = VAR_DIR / "outbox"
for _name, _value in os.environ.items():
    if _name.startswith("ANYMAIL_"):
        globals()[_name] = _value

# Globalisation and files

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = ["scout_project.formats"]  # times name their zone
STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "scout_project.static_files.StaticFiles"
    },
}

# Auth and security

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "my-jobs"
SESSION_COOKIE_AGE = 30 * 24 * 3600
CSRF_FAILURE_VIEW = "accounts.sign_in.stale_pages.csrf_failure"
# Ten searches with every list at its longest fit into one form.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6_000
SECURE_SSL_REDIRECT = not DEBUG and SITE_URL.startswith("https:")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# A caller that follows no redirect would take one for success.
SECURE_REDIRECT_EXEMPT = [r"^healthz", r"^cron/", r"^inbox/"]
SECURE_HSTS_SECONDS = 0 if DEBUG else 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = not DEBUG
SECURE_HSTS_PRELOAD = not DEBUG
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEBUG
# A page that shows a mail sends a policy of its own, with a sandbox.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "frame-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# Sign-in by code and second factor (allauth)

ACCOUNT_ADAPTER = "accounts.sign_in.allauth_adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"  # entering the mailed code is what verifies
ACCOUNT_SIGNUP_REDIRECT_URL = "welcome"
ACCOUNT_LOGIN_TIMEOUT = 20 * 60
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS = 5
ACCOUNT_LOGIN_BY_CODE_FORMAT = {"numeric": True, "length": 8}
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_REAUTHENTICATION_METHODS = ["code", "mfa"]
ACCOUNT_RATE_LIMITS = {
    "request_login_code": "20/m/ip,100/h/ip,5/10m/key,12/h/key",
    "confirm_login_code": "5/h/key",  # the key is one code's
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Upwork Scout"
MFA_TOTP_TOLERANCE = 1
# How many proxies of ours stand before the site; each adds an address to X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", 0 if DEBUG else 1)

# django-q2: a task longer than `retry` would be started again while it runs.

Q_CLUSTER = {
    "name": "scout",
    "orm": "default",
    "workers": 2,
    "bulk": 1,
    "queue_limit": 1,
    "timeout": 300,
    "retry": 3600,
    "max_attempts": 1,
    "ack_failures": True,
    "catch_up": False,
    "save_limit": 250,
}

# Logs

LOGGING = logs.configuration(people=DEBUG)

# Scout

SCOUT_SOURCES = [s.strip() for s in env.list("SCOUT_SOURCES", ["sample"]) if s.strip()]
SCOUT_FEED_HTTP = env.bool("SCOUT_FEED_HTTP", False)
SCOUT_FRESH_HOURS = env.int("SCOUT_FRESH_HOURS", 24)
SCOUT_RATES_URL = env.str(
    "SCOUT_RATES_URL", "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"
)
SCOUT_RETENTION_DAYS = env.int("SCOUT_RETENTION_DAYS", 180)
SCOUT_MAX_SECONDS = env.int("SCOUT_MAX_SECONDS", 270)
SCOUT_LEASE_SECONDS = env.int("SCOUT_LEASE_SECONDS", 600)
SCOUT_SCORER = env.str("SCOUT_SCORER", "local")
OPENAI_API_KEY = env.str("OPENAI_API_KEY", "").strip()
ANTHROPIC_API_KEY = env.str("ANTHROPIC_API_KEY", "").strip()
SCOUT_AI_MIN_SCORE = env.int("SCOUT_AI_MIN_SCORE", 40)
SCOUT_AI_SECONDS = env.int("SCOUT_AI_SECONDS", 30)
SCOUT_AI_DAILY_USD = env.decimal("SCOUT_AI_DAILY_USD", Decimal(1))
SCOUT_AI_USER_DAILY_USD = env.decimal("SCOUT_AI_USER_DAILY_USD", Decimal("0.25"))
SCOUT_AI_PRICES: list[str] = env.list("SCOUT_AI_PRICES", [])
SCOUT_AI_CEILING_PRICE = env.str("SCOUT_AI_CEILING_PRICE", "15/75")
CRON_SECRET = env.str("CRON_SECRET", "").strip()
SCOUT_CRON_SECRET_IN_QUERY = env.bool("SCOUT_CRON_SECRET_IN_QUERY", False)
HEARTBEAT_URL = env.str("HEARTBEAT_URL", "").strip()
