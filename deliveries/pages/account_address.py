"""Changing one's own address: a code goes to the new one, and is entered here."""

from contextlib import suppress

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.sign_in.code_mail import MailDownError, send_address_code, send_address_notice
from accounts.sign_in.forms import AddressForm, CodeForm
from accounts.sign_in.new_address import NewAddress, forget
from accounts.sign_in.process import may_ask
from deliveries.moving import AddressTakenError, UnknownUserError, change_address
from deliveries.people import mailable
from deliveries.work.clock import Clock
from deliveries.work.patience import BusyError

_LIMIT = "Too many codes were asked for. Wait ten minutes, then try again."
_DOWN = "The mail could not be sent just now. Try again in some minutes."
_OVER = "That code was used, or its time is over. Your address is {email}."
_TRIES = "These were too many wrong codes. Ask for a new one."
_WRONG = "This is not the code in the newest mail. Check it, or ask again."
_STAYS = "The code stays good for a quarter of an hour from when it was mailed."
_TAKEN = (
    "{email} has an account of its own. To use it here, sign in with it and delete that account"
    " first. Nothing was changed."
)


class NewAddressForm(AddressForm):
    """Where mail is to go from now on."""

    def __init__(self, present: str, data: object = None) -> None:
        """A form for somebody whose address is `present`."""
        super().__init__(data)  # type: ignore[arg-type]
        self.present = present
        self.fields["email"].label = "Your new e-mail address"

    def clean_email(self) -> str:
        """The normalised address; raises ValidationError for one no mail can be sent to."""
        email = mailable(super().clean_email())
        if email == self.present:
            raise ValidationError("This is your address already.")
        return email


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
def new_address(request: HttpRequest) -> HttpResponse:
    """Ask for the new address; POST mails a code to it, whoever it is, and a notice to the old."""
    user = _user(request)
    if request.method != "POST":
        return _address_page(request, NewAddressForm(user.email))
    form = NewAddressForm(user.email, request.POST)
    if not form.is_valid():
        return _address_page(request, form)
    if not may_ask(request, form.cleaned_data["email"]):
        form.add_error("email", _LIMIT)
        return _address_page(request, form, status=429)
    try:
        _mail(request, user.email, form.cleaned_data["email"])
    except MailDownError:
        form.add_error("email", _DOWN)
        return _address_page(request, form, status=503)
    return redirect("account-address-code")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code; POST with the right one gives the account its new address."""
    waiting = NewAddress.waiting(request.session)
    if waiting is None:
        if request.method == "POST":
            messages.info(request, _OVER.format(email=_user(request).email))
        return redirect("account")
    form = CodeForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        return _code_page(request, form, waiting)
    if not waiting.may_try(request):
        forget(request.session)
        messages.warning(request, _TRIES)
        return redirect("account-address")
    if not waiting.is_right(form.cleaned_data["code"]):
        form.add_error("code", _WRONG)
        return _code_page(request, form, waiting)
    return _change(request, form, waiting)


def _change(request: HttpRequest, form: CodeForm, waiting: NewAddress) -> HttpResponse:
    try:
        change_address(_user(request).pk, waiting.email, now=Clock().now(), session=request.session)
    except BusyError as error:
        form.add_error("code", f"{error} {_STAYS}")
        return _code_page(request, form, waiting, status=503)
    except AddressTakenError:
        forget(request.session)
        messages.error(request, _TAKEN.format(email=waiting.email))
    except UnknownUserError:  # this form, sent twice, has done it already
        pass
    else:
        messages.success(request, f"Your address is {waiting.email} from now on.")
    return redirect("account")


def _mail(request: HttpRequest, old: str, new: str) -> None:
    """The code first: a notice that cannot be delivered must not keep anybody at a dead mailbox."""
    waiting, is_new = NewAddress.begin(request.session, new)
    try:
        send_address_code(new, waiting.code)
    except MailDownError:
        if is_new:
            forget(request.session)
        raise
    if is_new:
        with suppress(MailDownError):
            send_address_notice(old)


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 -- somebody is signed in
    return request.user


def _address_page(request: HttpRequest, form: NewAddressForm, *, status: int = 200) -> HttpResponse:
    context = {"here": "account", "form": form, "waiting": NewAddress.waiting(request.session)}
    return render(request, "deliveries/account_address.html", context, status=status)


def _code_page(
    request: HttpRequest, form: CodeForm, waiting: NewAddress, *, status: int = 200
) -> HttpResponse:
    context = {"here": "account", "form": form, "email": waiting.email}
    return render(request, "deliveries/account_code.html", context, status=status)
