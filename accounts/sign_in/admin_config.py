"""The admin app, with our site in the place of the stock one."""

from django.contrib.admin.apps import AdminConfig


class GuardedAdminConfig(AdminConfig):
    """Django's handle on the admin; read before models are, so the site is only named."""

    default_site = "accounts.sign_in.admin_site.GuardedAdminSite"
