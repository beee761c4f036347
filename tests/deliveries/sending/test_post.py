"""The way out of one run: what the breaker learned is there for the next."""

import pytest

from deliveries.messages.stored_mail import StoredMail
from deliveries.models import MailProvider
from deliveries.sending.failures import Evidence, Outcome, Phase
from deliveries.sending.post import Post
from deliveries.sending.send_result import Transport, result_of
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests.factories import person

pytestmark = pytest.mark.django_db
MAIL = StoredMail(envelope="0" * 32, sender="s@scout.test", recipient="a@example.com", raw=b"")


class Scripted(Transport):
    """Answers with the given evidence, for opening or for each send."""

    def __init__(self, sends=(), opens=None):
        super().__init__(1.0)
        self.sends, self.opens = list(sends), opens

    def open(self):
        return self.opens and result_of(self.opens)

    def send(self, mail):
        return result_of(self.sends.pop(0))


TAKEN = Evidence(phase=Phase.CONTENT, smtp_code=250)
NO_LOGIN = Evidence(phase=Phase.AUTH, smtp_code=535)
NOBODY = Evidence(phase=Phase.RCPT, smtp_code=550)


def post(sends=(), opens=None):
    return Post(Wall(600), Clock(), lambda: Scripted(sends, opens))


def provider():
    return MailProvider.objects.values_list("down", "refusals_in_a_row").first()


def test_a_provider_stays_down_until_a_run_finds_it_up():
    with post(opens=NO_LOGIN) as first:
        assert not first.ready()
        assert first.down
    assert provider() == (True, 0)
    with post():
        pass
    assert provider() == (True, 0)
    with post([TAKEN]) as later:
        assert later.ready()
        assert later.send(MAIL, "a")[0] == Outcome.ACCEPTED
    assert provider() == (False, 0)


def test_a_refusal_is_remembered_and_the_next_persons_means_everybody():
    ana, ben = person(), person("ben@example.com")
    with post([NOBODY]) as first:
        assert first.send(MAIL, ana.pk)[0] == Outcome.REFUSED_PERSON
    with post([NOBODY, NOBODY]) as second:
        assert second.send(MAIL, ana.pk)[0] == Outcome.REFUSED_PERSON
        assert second.send(MAIL, ben.pk)[0] == Outcome.REFUSED_EVERYONE
    assert provider() == (True, 1)


def test_a_refused_user_deleted_meanwhile_does_no_harm():
    ana = person()
    with post([NOBODY]) as first:
        first.send(MAIL, ana.pk)
        ana.delete()
    assert MailProvider.objects.get().refused_user is None


def test_no_mail_is_claimed_without_time_for_it():
    with Post(Wall(1.9), Clock(), lambda: Scripted([TAKEN])) as late:
        assert not late.ready()
