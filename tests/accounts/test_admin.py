"""Staff pages about suppressions and deleted addresses, and who may see any page at all."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import DeletedAddress, OptOutToken, Suppression
from tests.admin_browser import entered, listed, messages, page, queries, staff
from tests.factories import person

pytestmark = pytest.mark.django_db

LISTS = (
    *("accounts_user", "accounts_suppression", "accounts_deletedaddress"),
    *("jobs_job", "jobs_verdict", "jobs_sourcestate"),
    *("deliveries_delivery", "deliveries_mail", "deliveries_queueddigest"),
    *("deliveries_run", "deliveries_mailprovider"),
)


def stop(email, reason):
    return Suppression.objects.create(user=person(email), reason=reason)


def reasons():
    return dict(Suppression.objects.values_list("user__email", "reason"))


@pytest.mark.parametrize("model", LISTS)
def test_only_staff_with_the_right_see_a_list(client, model):
    address = reverse(f"admin:{model}_changelist")
    right = model.replace("_", ".view_")
    other = "auth.view_group"
    anonymous = client.get(address, secure=True)
    assert (anonymous.status_code, anonymous["Location"].partition("?")[0]) == (
        302,
        "/admin/login/",
    )
    assert entered(person()).get(address).status_code == 302
    assert staff(other).get(address).status_code == 403
    response = staff(right, email="may@example.com").get(address)
    assert (response.status_code, response["Content-Security-Policy"].count("unsafe")) == (200, 0)


def test_staff_without_rights_see_no_app():
    response = staff("auth.view_group").get(reverse("admin:index"))
    assert [app["app_label"] for app in response.context["app_list"]] == ["auth"]


def test_what_matters_most_comes_first():
    apps = staff().get(reverse("admin:index")).context["app_list"]
    assert [app["app_label"] for app in apps][:3] == ["deliveries", "jobs", "accounts"]
    names = {model["object_name"] for app in apps for model in app["models"]}
    assert "OptOutToken" not in names


def test_staff_stop_mail_in_their_own_name_once():
    ana, boss = person(), staff()
    add = reverse("admin:accounts_suppression_add")
    assert "reason" not in boss.get(add).context["adminform"].form.fields
    after = boss.post(add, {"user": ana.pk, "reason": "opted_out"}, follow=True)
    assert (after.status_code, reasons()) == (200, {"ana@example.com": "staff"})
    again = boss.post(add, {"user": ana.pk})
    assert "already exists" in again.content.decode()
    assert reasons() == {"ana@example.com": "staff"}


def test_a_stop_that_came_in_between_stays_as_it_is(monkeypatch):
    ana, boss = person(), staff()
    monkeypatch.setattr("django.db.models.Model.validate_unique", lambda *_, **__: None)
    monkeypatch.setattr("django.db.models.Model.full_clean", lambda *_, **__: None)
    Suppression.objects.create(user=ana, reason="complained")
    page_after = boss.post(
        reverse("admin:accounts_suppression_add"), {"user": ana.pk}, follow=True
    ).content.decode()
    assert reasons() == {"ana@example.com": "complained"}
    assert "Mail to this user was stopped already." in messages(page_after)[0]


@pytest.mark.parametrize(
    ("reason", "status", "left"),
    [
        ("staff", 302, {}),
        ("bounced", 302, {}),
        ("complained", 302, {}),
        ("opted_out", 403, {"ana@example.com": "opted_out"}),
    ],
)
def test_staff_lift_a_stop_unless_the_user_asked_for_it(reason, status, left):
    row = stop("ana@example.com", reason)
    address = reverse("admin:accounts_suppression_delete", args=[row.pk])
    assert staff().post(address, {"post": "yes"}).status_code == status
    assert reasons() == left


def test_a_stop_asked_for_by_the_user_blocks_lifting_many():
    rows = [stop("ana@example.com", "opted_out"), stop("bob@example.com", "staff")]
    data = {"action": "delete_selected", "_selected_action": [r.pk for r in rows], "post": "yes"}
    staff().post(reverse("admin:accounts_suppression_changelist"), data)
    assert reasons() == {"ana@example.com": "opted_out", "bob@example.com": "staff"}


def test_suppressions_are_found_by_address_and_reason():
    ana, bob = stop("ana@example.com", "staff"), stop("bob@example.com", "bounced")
    boss = staff()
    assert listed(boss, "accounts_suppression", "?q=BOB") == [bob.pk]
    assert listed(boss, "accounts_suppression", "?reason__exact=staff") == [ana.pk]


def test_tokens_that_stop_mail_are_nowhere():
    ana = person()
    Suppression.objects.create(user=ana, reason="staff")
    token = OptOutToken.objects.get(user=ana).token
    boss = staff()
    assert token not in page(boss, "accounts_user_change", ana.pk)
    assert token not in page(boss, "accounts_suppression_change", ana.pk)


def test_deleted_addresses_are_only_looked_at():
    row = DeletedAddress.objects.create(address_hash="ab" * 32)
    boss = staff()
    assert "ab" * 32 in page(boss, "accounts_deletedaddress_change", row.pk)
    for name in ("add", "delete"):
        args = [] if name == "add" else [row.pk]
        address = reverse(f"admin:accounts_deletedaddress_{name}", args=args)
        assert boss.post(address, {"post": "yes"}).status_code == 403
    assert DeletedAddress.objects.count() == 1


@pytest.mark.parametrize("model", ["accounts_suppression", "accounts_deletedaddress"])
def test_lists_take_a_fixed_number_of_queries(model):
    boss = staff()

    def make(numbers):
        for n in numbers:
            stop(f"user{n}@example.com", "staff")
            moment = timezone.now() - timedelta(minutes=n)
            DeletedAddress.objects.create(address_hash=f"{n:064d}", deleted_at=moment)

    make(range(3))
    few = queries(boss, model)
    make(range(3, 30))
    assert queries(boss, model) == few <= 12
