import pytest
from django.db import IntegrityError

from accounts.models import OptOutToken, Suppression
from accounts.opting_out import opt_in, opt_out, standing
from accounts.person import read_person
from tests.accounts.instruments import at_once
from tests.factories import person

pytestmark = pytest.mark.django_db
STALE = "s" * 43


def token(user):
    return user.opt_out_tokens.get().token


def stopped():
    return sorted(Suppression.objects.values_list("user__email", "reason"))


def test_opting_out_stops_one_persons_mail_until_it_is_lifted():
    ana, bob = person(), person("bob@example.com")
    assert standing(token(ana)) == "on"
    assert [opt_out(token(ana)), opt_out(token(ana))] == [True, True]
    assert stopped() == [("ana@example.com", "opted_out")]
    assert [standing(token(ana)), standing(token(bob))] == ["opted_out", "on"]
    assert [read_person(user.pk).may_be_mailed for user in (ana, bob)] == [False, True]
    assert [opt_in(token(bob)), opt_in(token(ana)), opt_in(token(ana))] == [False, True, False]
    assert stopped() == []


@pytest.mark.parametrize("reason", ["bounced", "complained", "staff"])
def test_a_stop_by_others_is_neither_renamed_nor_lifted(reason):
    ana = person()
    Suppression.objects.create(user=ana, reason=reason)
    assert (opt_out(token(ana)), opt_in(token(ana))) == (True, False)
    assert (stopped(), standing(token(ana))) == ([("ana@example.com", reason)], "stopped")


@pytest.mark.parametrize("odd", [STALE, "", "x", "\x00", "a\x00b", "\ud800", "ä", "x" * 9999, "%"])
def test_a_token_nobody_has_does_nothing(odd):
    person()
    assert (opt_out(odd), opt_in(odd), standing(odd)) == (False, False, "unknown")
    assert stopped() == []


def test_an_account_deleted_meanwhile_is_a_token_nobody_has(monkeypatch):
    def refuse(**_):
        raise IntegrityError

    monkeypatch.setattr(Suppression.objects, "get_or_create", refuse)
    assert opt_out(token(person())) is False


def test_tokens_are_unguessable_and_last():
    ana, bob = person(), person("bob@example.com")
    assert len(token(ana)) == 43
    assert token(ana) != token(bob)
    before = token(ana)
    opt_out(before)
    opt_in(before)
    person(mode="daily")
    assert OptOutToken.objects.get(user=ana).token == before == read_person(ana.pk).opt_out_token


@pytest.mark.django_db(transaction=True)
def test_opting_out_at_once_is_opting_out_once():
    mine = token(person())
    assert at_once(6, lambda _: opt_out(mine)) == [True] * 6
    assert stopped() == [("ana@example.com", "opted_out")]
    at_once(6, lambda place: (opt_out, opt_in)[place % 2](mine))
    assert standing(mine) in ("on", "opted_out")
