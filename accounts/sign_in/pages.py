"""The pages to sign in and out by; a GET never does either."""

from typing import Final
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.utils import get_login_redirect_url
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.boundaries import commit
from accounts.sign_in.code_mail import MailDownError
from accounts.sign_in.forms import AddressForm, CodeForm
from accounts.sign_in.process import CodeProcess, may_ask

_TROUBLE: Final = {
    "old": "That code is no longer valid. Ask for a new one.",
    "tries": "These were too many wrong codes. Ask for a new one.",
}


@never_cache
@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """What this is, and where to begin."""
    if request.user.is_authenticated:
        return redirect(settings.LOGIN_REDIRECT_URL)
    return render(request, "accounts/front.html", {"form": AddressForm()})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for the address; POST mails a code to it, whoever it is."""
    if request.user.is_authenticated:
        return redirect(get_login_redirect_url(request))
    if request.method != "POST":
        return _address_page(request, AddressForm())
    form = AddressForm(request.POST)
    if not form.is_valid():
        return _address_page(request, form)
    email = form.cleaned_data["email"]
    if not may_ask(request, email):
        form.add_error("email", "Too many codes were asked for. Wait ten minutes, then try again.")
        return _address_page(request, form, status=429)
    try:
        CodeProcess.start(request, email)
    except MailDownError:
        form.add_error("email", "The mail could not be sent just now. Try again in some minutes.")
        return _address_page(request, form, status=503)
    return redirect(_with_next(request, "account_confirm_login_code"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code; POST with the right one signs in, and makes a new address's account."""
    if request.user.is_authenticated:
        return redirect(get_login_redirect_url(request))
    process = CodeProcess.waiting(request)
    if process is None:
        return _back(request, "old" if request.method == "POST" else "")
    form = CodeForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if not process.may_try():
            process.abort()
            return _back(request, "tries")
        if process.is_right(form.cleaned_data["code"]):
            return process.finish(_next(request))
        if not process.record_invalid_attempt():
            return _back(request, "tries")
        form.add_error("code", "This is not the code in the newest mail. Check it, or ask again.")
    context = {"form": form, "email": process.email, "next": _next(request), **_development()}
    return render(request, "accounts/code.html", context)


@never_cache
@require_safe
def inactive(request: HttpRequest) -> HttpResponse:
    """Where a switched-off account ends up after the right code."""
    return render(request, "accounts/inactive.html", status=403)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_out(request: HttpRequest) -> HttpResponse:
    """POST signs out; GET shows the button."""
    if request.method != "POST":
        return render(request, "accounts/sign_out.html")
    with commit("sign-out: end the session"):
        logout(request)
    messages.success(request, "You are signed out.")
    return redirect("account_login")


def _address_page(request: HttpRequest, form: AddressForm, *, status: int = 200) -> HttpResponse:
    waiting = CodeProcess.waiting(request)
    context = {
        "form": form,
        "waiting": waiting.email if waiting else "",
        "next": _next(request),
        "trouble": _TROUBLE.get(request.GET.get("code", "")),
    }
    return render(request, "accounts/sign_in.html", context, status=status)


def _back(request: HttpRequest, trouble: str) -> HttpResponse:
    """To the first page, unless a form sent twice has signed in already.

    Then this request came with the cookie from before: an answer that deletes it, as Django's
    would, signed the browser out again.
    """
    request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
    return redirect(_with_next(request, "account_login", code=trouble))


def _next(request: HttpRequest) -> str:
    """The path of this site asked for after signing in, or ""."""
    asked = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME) or ""
    return asked if get_adapter().is_safe_url(asked) else ""


def _with_next(request: HttpRequest, name: str, **query: str) -> str:
    asked = {**query, REDIRECT_FIELD_NAME: _next(request)}
    encoded = urlencode({key: value for key, value in asked.items() if value})
    return f"{reverse(name)}?{encoded}" if encoded else reverse(name)


def _development() -> dict[str, str]:
    """Where mail goes while nothing is really sent."""
    try:
        return {"outbox_url": reverse("outbox"), "outbox_dir": str(settings.OUTBOX_DIR)}
    except NoReverseMatch:
        return {}
