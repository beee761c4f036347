"""Staff at work in the admin, with all rights or with some: what they see and what they press."""

import re

from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from tests.staff import pass_factor, staff_client


def staff(*rights: str, email: str = "staff@example.com") -> Client:
    """A browser of a staff user with these rights, as `app.codename`; none makes a superuser."""
    user = User.objects.create_user(email, is_staff=True, is_superuser=not rights)
    for right in rights:
        app, _, codename = right.partition(".")
        user.user_permissions.add(
            Permission.objects.get(content_type__app_label=app, codename=codename)
        )
    return staff_client(user)


def entered(user: User) -> Client:
    """A browser in which this user is signed in as if a second factor had been passed."""
    client = Client(headers={"x-forwarded-proto": "https"})
    client.force_login(user)
    pass_factor(client, user)
    return client


def page(client: Client, view: str, *args: str, query: str = "") -> str:
    """The text of an admin page, which must be there."""
    response = client.get(reverse(f"admin:{view}", args=args) + query)
    assert response.status_code == 200, (view, response.status_code)
    return response.content.decode()


def listed(client: Client, model: str, query: str = "") -> list[str]:
    """The keys of the rows a list shows, in its order."""
    response = client.get(reverse(f"admin:{model}_changelist") + query)
    assert response.status_code == 200, (model, query, response.status_code)
    return [row.pk for row in response.context["cl"].result_list]


def act(client: Client, model: str, action: str, *ids: str, confirmed: bool = True) -> str:
    """Choose rows and carry an action out; the page after it."""
    data = {"action": action, "_selected_action": list(ids)}
    if confirmed:
        data["confirmed"] = "yes"
    response = client.post(reverse(f"admin:{model}_changelist"), data, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def messages(html: str) -> list[str]:
    """What a page tells at its top."""
    return re.findall(r'<li class="(?:success|warning|info|error)">(.*?)</li>', html, re.DOTALL)


def queries(client: Client, model: str) -> int:
    """How many queries a list takes."""
    with CaptureQueriesContext(connection) as caught:
        listed(client, model)
    return len(caught)
