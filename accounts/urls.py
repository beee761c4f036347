"""Addresses of the accounts app; where allauth looks a page up, it has allauth's name."""

from allauth.account import views as allauth_views
from django.urls import path

from accounts import legal, views
from accounts.sign_in import pages as sign_in_pages
from accounts.sign_in import second_factor_pages as factor

urlpatterns = [
    path("", sign_in_pages.front, name="front"),
    path("sign-in/", sign_in_pages.sign_in, name="account_login"),
    path("sign-in/code/", sign_in_pages.enter_code, name="account_confirm_login_code"),
    path("sign-in/second-factor/", factor.authenticate, name="mfa_authenticate"),
    path("sign-in/inactive/", sign_in_pages.inactive, name="account_inactive"),
    path("sign-out/", sign_in_pages.sign_out, name="account_logout"),
    path("privacy/", legal.privacy, name="privacy"),
    path("terms/", legal.terms, name="terms"),
    path("u/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("second-factor/", factor.overview, name="mfa_index"),
    path("second-factor/enrol/", factor.enrol, name="mfa_activate_totp"),
    path("second-factor/remove/", factor.remove, name="mfa_deactivate_totp"),
    path("second-factor/again/", factor.again, name="mfa_reauthenticate"),
    path("second-factor/recovery/", factor.recovery_codes, name="mfa_view_recovery_codes"),
    path(
        "second-factor/recovery/new/",
        factor.new_recovery_codes,
        name="mfa_generate_recovery_codes",
    ),
    path(
        "second-factor/recovery/codes.txt",
        factor.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
    path(
        "second-factor/mail/",
        allauth_views.request_reauthentication_code,
        name="account_request_reauthentication_code",
    ),
    path(
        "second-factor/mail/code/",
        allauth_views.confirm_reauthentication_code,
        name="account_confirm_reauthentication_code",
    ),
]
