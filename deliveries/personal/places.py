"""Every table that holds something of a user: what, what deletion does, and what is exported."""

from typing import Final

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry

from accounts import staff_log
from accounts.models import OptOutToken, Preferences, Search, Session, Suppression, User
from accounts.owners import owner_marks
from deliveries.models import Delivery, Mail, MailProvider, Visit
from deliveries.personal.place import KEY, ROW, Place, of
from jobs.models import (
    AiCall,
    AiSpending,
    AwaitedVerdict,
    PreparedSearch,
    Taste,
    Thumb,
    Verdict,
    Watermark,
)

_PAIR: Final = {"id": "the user's key and the job's"} | KEY
_OWN_USE: Final = "for the scan's own use"

_SEARCH: Final = (
    "position name active headline about wants skills words_any words_all words_none job_types"
    " min_hourly min_fixed experience_levels categories countries_include countries_exclude"
    " my_country languages min_client_spent min_client_hires min_client_hire_rate"
    " min_client_rating payment_verified_only max_proposals durations posted_within_hours strict"
    " min_score"
)
_VERDICT: Final = (
    "job_id search_name score parts reasons concerns compared scorer tokens_in tokens_out cost_usd"
    " prompt local_score needs_review made_at"
)
_MAIL: Final = (
    "id kind recipient subject jobs body status digest_on week_on attempts doubtful begun"
    " next_attempt_at provider provider_id error events created_at finished_at sent_at"
)

PLACES: Final[tuple[Place, ...]] = (
    Place(
        table=User._meta.db_table,
        name="account",
        holds="the account: address, since when, last sign-in, whether it is on, staff",
        deletion="deleted",
        rows=lambda user_id: User.objects.filter(pk=user_id),
        columns="uid email date_joined last_login is_active is_staff is_superuser jobs_from",
        kept_back={"password": "no password signs in here: a random placeholder"},
        single=True,
    ),
    of(EmailAddress, "addresses", "addresses that were proved", "email verified primary"),
    of(
        Preferences,
        "preferences",
        "how mail reaches the user, and its book-keeping",
        "mode digest_hour timezone quiet_from quiet_until max_jobs_per_day paused_until ai_allowed"
        " weekly_note last_digest_on visited_at saved_at",
        kept_back=KEY,
        single=True,
    ),
    of(Search, "searches", "what the user said of themselves and wants", f"id {_SEARCH}",
        kept_back=KEY),
    of(Suppression, "stop", "that no job mail is sent, and why", "reason since", kept_back=KEY,
        single=True),
    of(OptOutToken, "unsubscribe_links", "the random value in unsubscribe links", "token purpose",
        kept_back=KEY),
    of(Verdict, "verdicts", "scores of jobs, with reasons", f"search_id {_VERDICT}",
        kept_back=_PAIR),
    of(
        Delivery,
        "deliveries",
        "which jobs were mailed, wait, or were left out, and why",
        "job_id title status route mail_id reason repeats_id score threshold attempts queued_at"
        " changed_at sent_at",
        kept_back=_PAIR,
    ),
    of(Mail, "mails", "job mails with what providers told of them; the text until it is sent",
        _MAIL, kept_back=KEY),
    of(Thumb, "thumbs", "thumbs on jobs", "job_id up title given_at"),
    of(Taste, "taste", "words that the thumbs come to", "terms changed_at", kept_back=KEY,
        single=True),
    of(
        AiCall,
        "ai_calls",
        "calls of language models, without what was said in them",
        "day scorer prompt jobs reserved_usd tokens_in tokens_out cost_usd outcome asked_at"
        " settled_at",
    ),
    of(AiSpending, "ai_spending", "what these cost on each day",
        "day limit_usd spent_usd reserved_usd over_usd"),
    of(AwaitedVerdict, "awaited_verdicts", "jobs that wait for a model",
        "job_id tries since until local"),
    Place(
        table=Session._meta.db_table,
        name="sessions",
        holds="browsers signed in, or waiting for a code sent to the address",
        deletion="deleted, also those that only wait for a code",
        rows=lambda user_id: Session.objects.filter(about__overlap=owner_marks(user_id)),
        columns="begun_at expire_date",
        kept_back={
            "session_key": "whoever has it is signed in",
            "session_data": "its times and codes, and forms that were typed and not saved",
            "about": "keyed hashes of whom it is about",
        },
    ),
    of(
        Authenticator,
        "second_factors",
        "second factors of staff",
        "type created_at last_used_at",
        kept_back={"data": "their secrets"} | ROW,
    ),
    of(User.groups.through, "groups", "groups of staff", "name",
        renamed={"name": ("group_id", "group__name")}),
    of(User.user_permissions.through, "permissions", "rights of staff", "codename",
        renamed={"codename": ("permission_id", "permission__codename")}),
    Place(
        table=LogEntry._meta.db_table,
        name="changed_by_staff",
        holds="what staff did to the account",
        deletion="kept without whom it was about: key, name and words are blanked",
        rows=staff_log.about,
        columns="action_time action_flag object_repr change_message model",
        renamed={"model": ("content_type_id", "content_type__model")},
        kept_back=ROW | {"object_id": "the user's key, and a job's"},
    ),
    of(
        LogEntry,
        "done_as_staff",
        "what the user did as staff",
        "action_time action_flag model",
        renamed={"model": ("content_type_id", "content_type__model")},
        kept_back=ROW
        | {
            "object_id": "may name others",
            "object_repr": "may name others",
            "change_message": "may name others",
        },
    ),
    Place(
        table=PreparedSearch._meta.db_table,
        name="prepared_searches",
        holds="the words of searches, prepared for scoring",
        deletion="deleted",
        rows=lambda user_id: PreparedSearch.objects.filter(search__user=user_id),
        kept_back=dict.fromkeys(("search_id", "made_of", "offer"), "made of the search alone"),
    ),
    of(Watermark, "watermark", "how far jobs were judged for the user", "", kept_back=KEY
        | dict.fromkeys(("version", "judged_version", "judged_to", "judged_at"), _OWN_USE)),
    of(Visit, "visit", "that a scan is at work for the user", "", kept_back=KEY),
    Place(
        table=MailProvider._meta.db_table,
        name="last_refused",
        holds="whose mail a server refused last, and its words, which may quote the address",
        deletion="whose is blanked; the words, where they quote the address",
        rows=lambda user_id: MailProvider.objects.filter(refused_user=user_id),
        kept_back={"refused_user_id": "the user's key", "detail": "stands in the mail's `error`"},
    ),
    Place(
        table=EmailConfirmation._meta.db_table,
        name="email_confirmations",
        holds="nothing: a table of the sign-in library that is not in use",
        deletion="deleted",
        rows=lambda user_id: EmailConfirmation.objects.filter(email_address__user=user_id),
        kept_back=dict.fromkeys(("id", "email_address_id", "created", "sent", "key"), "not in use"),
    ),
)  # fmt: skip
