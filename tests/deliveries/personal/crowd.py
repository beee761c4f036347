"""People with something of theirs in every place that there is."""

import hashlib
import time
from datetime import timedelta

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache
from django.http import QueryDict
from django.utils import timezone

from accounts.forms.unsaved import owner_token
from accounts.models import Suppression, User
from accounts.sessions import NEW_ADDRESS, UNSAVED, SessionStore
from deliveries import ledger
from deliveries.models import Delivery, MailProvider, Visit
from jobs import tasting
from jobs.models import AiCall, AiSpending, AwaitedVerdict, PreparedSearch
from tests.accounts.signing_in import ask, browser
from tests.factories import NOON, JobFactory, person, queued, verdict

DAY = timedelta(days=1)


def somebody(name: str) -> tuple[User, list[str]]:
    """A user called so, with rows everywhere, and the words by which each of them is known."""
    email = f"{name}@{name}.example"
    user = person(
        email,
        headline=f"headline{name}",
        about=f"about{name}",
        skills=["Django", f"skill{name}"],
        digest_hour=0,
    )
    _mailed(user, name)
    _learned(user, name)
    _signed_in(user, name)
    _staffed(user, name)
    cache.add(f"allauth.mfa.totp.used?user={user.pk}&code=123456", "y", timeout=90)
    counted = hashlib.sha256(email.encode()).hexdigest()  # by rate limits
    return user, [name, user.pk, counted, user.opt_out_tokens.get().token]


def _mailed(user: User, name: str) -> None:
    now = timezone.now()
    for route in ("instant", "daily"):
        queued(user, JobFactory.create(title=f"Job {route}"), route=route, title=f"Job of {name}")
    sealed = ledger.claim(user.pk, now=now, fresh=DAY)
    assert sealed
    assert sealed.mail
    said = f"550 <{user.email}> is unknown"
    ledger.finish(sealed.mail.envelope, "failed", now=now, error=said)
    assert ledger.freeze(user.pk, now=now)
    Suppression.objects.create(user=user, reason="complained")
    Visit.objects.create(user=user)
    server = f"smtp {MailProvider.objects.count()}"
    MailProvider.objects.create(name=server, refused_user=user, changed_at=NOON, detail=said)


def _learned(user: User, name: str) -> None:
    job = JobFactory.create()
    verdict(user, job, reasons=[f"reason{name}"], compared={"skills": [name, "x"]})
    assert tasting.give(user.pk, job.pk, up=True, title=f"liked{name} thing", now=NOON)
    search = user.searches.get()
    PreparedSearch.objects.create(search=search, made_of=b"x" * 32, offer=f'["{name}"]')
    AiCall.objects.create(user=user, day=NOON.date(), scorer="m", prompt="1", jobs=1)
    AiSpending.objects.create(user=user, day=NOON.date(), limit_usd=1)
    AwaitedVerdict.objects.create(user=user, job=job, since=NOON)


def _signed_in(user: User, name: str) -> None:
    """Signed in, waiting for a code, moving, and with a form that was kept while signed out."""
    address = EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    EmailConfirmation.objects.create(email_address=address, key=f"key{name}")
    browser().force_login(user)
    ask(browser(), user.email)
    form = QueryDict(mutable=True)
    form.update({"headline": f"unsaved{name}", "owner": owner_token(user)})
    _session({UNSAVED: {"path": "/preferences/", "posted": form.urlencode()}})
    waits = {"email": user.email, "code": "1", "begun": time.time(), "key": "k"}
    mover = person("mover@elsewhere.example")
    _session(
        {
            SESSION_KEY: mover.pk,
            BACKEND_SESSION_KEY: "x",
            HASH_SESSION_KEY: mover.get_session_auth_hash(),
            NEW_ADDRESS: waits,
        }
    )


def _session(data: dict) -> None:
    session = SessionStore()
    session.update(data)
    session.save()


def _staffed(user: User, name: str) -> None:
    staff = person("staff@elsewhere.example")
    user.groups.add(Group.objects.get_or_create(name="friends")[0])
    user.user_permissions.add(Permission.objects.earliest("pk"))
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": name})
    about = [user, user.preferences, Delivery.objects.filter(user=user)[0]]
    LogEntry.objects.log_actions(staff.pk, about, CHANGE, f"changed {name}")
    LogEntry.objects.log_actions(user.pk, [staff], CHANGE, f"by {name}")
