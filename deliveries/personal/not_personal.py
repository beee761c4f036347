"""Tables, and columns of tables, that hold nothing of a user, and why.

What a client wrote in a post is a person's word too, but of nobody who has an account here.
"""

from typing import Final

_JOB: Final = (
    "id url title description skills job_type hourly_min hourly_max fixed_budget currency"
    " experience_level duration client_country client_spent client_hires client_hire_rate"
    " client_payment_verified client_rating proposals posted_at posted_at_estimated category"
    " worker_countries language first_seen fetched_at source trust text_dropped_at text_key"
    " text_sketch prepared prepared_of prepared_by text_until revision dated_at"
)

# Table: why, and every column of it that holds nothing of a user.
NOT_PERSONAL: Final[dict[str, tuple[str, str]]] = {
    "jobs_job": ("posts of clients", _JOB),
    "jobs_quarantinedrow": (
        "rows of sources that were not understood",
        (
            "id source trust kind reason job_id form raw whole fingerprint count first_seen seen_at"
            " fetched_at until"
        ),
    ),
    "jobs_sourcestate": (
        "how sources are doing",
        (
            "name state detail place since checked_at succeeded_at new_job_at failures next_look_at"
            " watermark"
        ),
    ),
    "jobs_exchangerates": ("exchange rates", "day usd source fetched_at"),
    "jobs_inboxsender": (
        "programs that send posts, named by staff",
        "id name token_hash made_at revoked_at last_seen_at state state_at counted_from counted",
    ),
    "jobs_inboxmessage": ("posts that were received", "id sender_id received_at body"),
    "accounts_deletedaddress": (
        "keyed hashes of addresses that left, which cannot be turned back",
        "address_hash deleted_at",
    ),
    "deliveries_lease": ("locks of runs", "name token until"),
    "deliveries_run": ("counts of each run", "id kind started_at finished_at summary"),
    "deliveries_wantedrun": ("that a run was asked for", "kind asked_at begun_at"),
    "deliveries_mailprovider": (
        "how the mail server is doing",
        "name refusals_in_a_row down not_before changed_at",
    ),
    "django_q_task": (
        "counts that the worker's tasks came to; errors without their words",
        "id name func hook args kwargs result group cluster started stopped success attempt_count",
    ),
    "django_q_schedule": (
        "when tasks are due",
        (
            "id name func hook args kwargs schedule_type minutes repeats next_run cron task cluster"
            " intended_date_kwarg"
        ),
    ),
    "django_q_ormq": ("tasks that wait: names of commands", "id key payload lock"),
    "auth_group": ("groups of staff", "id name"),
    "auth_group_permissions": ("their rights", "id group_id permission_id"),
    "auth_permission": ("which rights there are", "id name content_type_id codename"),
    "django_content_type": ("which tables there are", "id app_label model"),
    "django_migrations": ("which changes of tables were made", "id app name applied"),
    "django_session": (
        "empty: sessions are kept elsewhere",
        "session_key session_data expire_date",
    ),
}

# Where else something of a user may be: what it is, and what deletion does.
ELSEWHERE: Final[dict[str, tuple[str, str]]] = {
    "django_cache": (
        (
            "tries counted for an hour at most, by the user's key or a hash of the address, and by"
            " network address"
        ),
        "deleted, those by network address apart: they name no user, and go with `manage.py prune`",
    ),
    "log lines": (
        "nothing: addresses, keys and link tokens are hidden before a line is written",
        "nothing to do",
    ),
    "development outbox": (
        "mails, as files: it stands in for mailboxes where nothing is really sent",
        "kept, as mails in a mailbox are",
    ),
    "mailboxes and mail providers": ("the mails that were sent", "out of our reach"),
    "providers of language models": (
        "what was asked of them, if a model is set up and the user allowed it",
        "out of our reach: their own terms say how long",
    ),
    "backups of the database": (
        "everything as it was",
        "gone when whoever runs the site replaces them; after restoring one, delete once more",
    ),
}
