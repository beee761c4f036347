"""What is typed to sign in."""

from django import forms
from django.core.exceptions import ValidationError

from accounts.checks_sql import checked_email

_ASKED = "Write one e-mail address, such as ana@example.com."


class AddressForm(forms.Form):
    """Who wants to sign in."""

    email = forms.CharField(
        label="Your e-mail address",
        max_length=400,
        error_messages={"required": _ASKED, "max_length": _ASKED},
        widget=forms.EmailInput(attrs={"autocomplete": "email", "spellcheck": "false"}),
    )

    def clean_email(self) -> str:
        """The normalised address."""
        try:
            email = checked_email(self.cleaned_data["email"])
        except (ValidationError, ValueError) as error:
            raise ValidationError(_ASKED) from error
        if not _keeps_its_name(email.rpartition("@")[2]):
            raise ValidationError("No mail can be sent to this domain; write another address.")
        return email


def _keeps_its_name(domain: str) -> bool:
    """Whether the domain's ASCII form stands for it alone: mail to straße.de goes to strasse.de."""
    try:
        return domain.isascii() or domain.encode("idna").decode("idna") == domain
    except UnicodeError:
        return False


class CodeForm(forms.Form):
    """The code from the mail."""

    code = forms.CharField(
        label="Code from the mail",
        max_length=100,
        error_messages={"required": "Write the code from the mail."},
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}
        ),
    )
