"""Codes that are mailed, and what people make of them when they type them."""

import unicodedata

from allauth.account.adapter import get_adapter
from allauth.core.internal.cryptokit import compare_user_code


def new_code() -> str:
    """A new code of eight digits, written as `1234-5678`."""
    return str(get_adapter().generate_login_code())


def is_same(entered: str, code: str) -> bool:
    """Whether this is the code, in digits of any script, with or without its dash."""
    digits = "".join(str(unicodedata.decimal(sign, sign)) for sign in entered)
    return bool(compare_user_code(actual=digits, expected=code))
