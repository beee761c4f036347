"""Sessions: whom they are about, and how they end."""

from datetime import timedelta

import pytest
from django.http import QueryDict
from django.utils import timezone

from accounts import sessions
from accounts.forms.unsaved import owner_token
from accounts.identity import uid_of
from accounts.models import Session
from accounts.owners import owner_mark, owner_marks
from accounts.sessions import SessionStore, marks_in
from tests.factories import person

pytestmark = pytest.mark.django_db
ANA, BOB = "ana@example.com", "bob@example.com"


def stored(**data):
    session = SessionStore()
    session.update(data)
    session.save()
    return session


def test_a_mark_names_nobody_and_follows_from_key_and_secret(settings):
    mark = owner_mark(uid_of(ANA))
    assert (len(mark), mark == owner_mark(uid_of(ANA))) == (64, True)
    assert mark != owner_mark(uid_of(BOB))
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "k" * 50
    assert owner_marks(uid_of(ANA)) == [owner_mark(uid_of(ANA)), mark]


def test_a_session_is_about_everybody_in_it():
    ana, bob = person(ANA), person(BOB)
    form = QueryDict(mutable=True)
    form.update({"owner": owner_token(bob), "headline": "x"})
    data = {
        "_auth_user_id": ana.pk,
        "account_login": {"email": "cyd@example.com"},
        "new_address": {"email": "dee@example.com"},
        "unsaved": {"path": "/", "posted": form.urlencode()},
    }
    emails = (ANA, BOB, "cyd@example.com", "dee@example.com")
    assert marks_in(data) == sorted(owner_mark(uid_of(email)) for email in emails)
    assert marks_in({}) == marks_in({"account_login": None, "unsaved": {"posted": ""}}) == []


def test_ending_ends_those_of_one_user_and_keeps_the_one_given():
    ana, bob = person(ANA), person(BOB)
    kept = stored(_auth_user_id=ana.pk)
    stored(_auth_user_id=ana.pk)
    stored(account_login={"email": ANA})
    other, nobody = stored(_auth_user_id=bob.pk), stored(x=1)
    assert sessions.end(ana.pk, keep=kept.session_key) == 2
    left = {each.session_key for each in (kept, other, nobody)}
    assert set(Session.objects.values_list("pk", flat=True)) == left
    assert sessions.end(ana.pk) == 1


def test_a_session_from_before_the_secret_key_was_replaced_is_found(settings):
    ana = person(ANA)
    stored(_auth_user_id=ana.pk)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "k" * 50
    assert sessions.end(ana.pk) == 1


def test_a_session_stored_again_keeps_its_beginning_and_follows_what_it_holds():
    session = stored(account_login={"email": ANA})
    Session.objects.update(begun_at=timezone.now() - timedelta(days=3))
    before = Session.objects.get()
    session["account_login"] = {"email": BOB}
    session.save()
    after = Session.objects.get()
    assert (after.begun_at, after.about) == (before.begun_at, [owner_mark(uid_of(BOB))])
    assert SessionStore(session.session_key)["account_login"] == {"email": BOB}


def test_signed_in_are_those_not_over_the_asking_one_first():
    ana = person(ANA)
    first, second = stored(_auth_user_id=ana.pk), stored(_auth_user_id=ana.pk)
    stored(account_login={"email": ANA})
    old = stored(_auth_user_id=ana.pk)
    Session.objects.filter(pk=old.session_key).update(expire_date=timezone.now())
    found = sessions.signed_in(ana.pk, asking=first.session_key)
    assert [browser.here for browser in found] == [True, False]
    assert [browser.here for browser in sessions.signed_in(ana.pk, asking=None)] == [False, False]
    assert second.session_key != first.session_key
