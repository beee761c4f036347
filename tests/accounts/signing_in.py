"""What tests of the sign-in share."""

import re
from html import unescape

from django.test import Client

CODE = re.compile(r"\b\d{4}-\d{4}\b")


def browser(**options) -> Client:
    """A browser, over https as in production."""
    return Client(headers={"x-forwarded-proto": "https"}, **options)


def ask(client, email="ana@example.com", **more):
    """Post the first form."""
    return client.post("/sign-in/", {"email": email, **more})


def enter(client, code, **more):
    """Post the second form."""
    return client.post("/sign-in/code/", {"code": code, **more})


def newest_code(mails):
    """The code in the newest mail."""
    return CODE.search(mails[-1].subject)[0]


def sign_in(client, mails, email="ana@example.com", **more):
    """Both forms; the answer to the second."""
    assert ask(client, email, **more)["Location"].startswith("/sign-in/code/")
    return enter(client, newest_code(mails), **more)


def error_beside(response, field_id):
    """The error that the field names as its description."""
    page = response.content.decode()
    tag = re.search(rf'<(?:input|textarea|select)[^>]*\bid="{field_id}"[^>]*>', page)[0]
    assert 'aria-invalid="true"' in tag
    assert f'{field_id}_error"' in tag or f"{field_id}_error " in tag
    found = re.search(rf'<ul class="errorlist" id="{field_id}_error">(.*?)</ul>', page)[1]
    return unescape(re.sub("<.*?>", " ", found)).strip()


def who(client):
    """Whom the client's session is of."""
    return client.session.get("_auth_user_id")
