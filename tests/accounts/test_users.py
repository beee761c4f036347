import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.identity import uid_of
from accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana():
    return User.objects.create_user("ana@example.com")


def rows():
    return sorted(User.objects.values_list("uid", "email", "is_staff", "is_active", "date_joined"))


def test_a_new_user_has_the_key_of_the_address_and_no_password():
    user = User.objects.create_user(" Ana@Example.com ")
    assert (user.pk, user.email) == (uid_of("ana@example.com"), "ana@example.com")
    assert (user.is_active, user.is_staff, user.has_usable_password()) == (True, False, False)
    assert User.objects.create_superuser("root@example.com", "secret").check_password("secret")


def test_a_taken_or_bad_address_is_refused(ana):
    with pytest.raises(IntegrityError, match="accounts_user_pkey"), transaction.atomic():
        User.objects.create_user("ANA@example.com")
    with pytest.raises(ValidationError):
        User.objects.create_user("ana")
    assert len(rows()) == 1


def test_signing_in_finds_the_user_however_the_address_is_written(ana):
    assert User.objects.get_by_natural_key(" ANA@Example.com") == ana
    for nobody in ("bob@example.com", "", None):
        with pytest.raises(User.DoesNotExist):
            User.objects.get_by_natural_key(nobody)


def test_saving_a_new_user_again_keeps_when_they_joined(ana):
    before = rows()
    ana.save()
    assert rows() == before


def test_saving_normalises_the_address_it_was_given():
    user = User(email=" Cleo@Example.com")
    user.save()
    user.email = "CLEO@example.com "
    user.save()
    assert (user.pk, user.email) == (uid_of("cleo@example.com"), "cleo@example.com")
