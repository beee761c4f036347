"""What several searches come to together on the last week's jobs."""

import pytest
from django.utils import timezone

from accounts.models import User
from deliveries.recent_fits import merged, recent_fits
from jobs import recent
from jobs.postings.posting import Posting
from jobs.preview import NearMiss, Preview, Setting, Shown
from tests.factories import JobFactory, person

RATE = Setting("min_hourly", "Rate", "Too low.")
WORDS = Setting("words_any", "Words", "None is named.")


def shown(number, score):
    return Shown(Posting(id=f"a:{number}", title=f"Job {number}"), score, (), ())


def preview(*sent, near=(), alone=None, considered=9):
    return Preview(considered, len(sent), sent, near, alone or {}, "2 of 9 would have been sent.")


def outcome(*tried):
    found = merged(9, tried)
    return [(f.job.posting.id, f.job.score, f.search) for f in found.fits], [
        (m.job.posting.id, len(m.kept_out_by)) for m in found.misses
    ]


def test_each_job_comes_once_by_the_search_it_fits_best():
    one = preview(shown(1, 80), shown(2, 75))
    other = preview(shown(2, 90), near=(NearMiss(shown(3, 69), (RATE,)),))
    assert outcome(("One", one), ("Other", other)) == (
        [("a:2", 90, "Other"), ("a:1", 80, "One")],
        [],
    )


def test_of_misses_those_with_fewer_settings_come_first_and_each_once():
    one = preview(near=(NearMiss(shown(1, 90), (RATE, WORDS)), NearMiss(shown(2, 60), (RATE,))))
    other = preview(near=(NearMiss(shown(1, 90), (WORDS,)),))
    assert outcome(("One", one), ("Other", other)) == ([], [("a:1", 1), ("a:2", 1)])


def test_five_at_most():
    found = outcome(("One", preview(*(shown(n, 50 + n) for n in range(9)))))
    assert [score for _, score, _ in found[0]] == [58, 57, 56, 55, 54]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            preview(alone={"min_hourly": 1}),
            "“Hourly rate, at least (US dollars)” alone kept out 1 job.",
        ),
        (preview(alone={"min_score": 1200}), "“Lowest score” alone kept out 1,200 jobs."),
        (preview(), "Each job was kept out by several settings at once."),
        (preview(considered=0), "There was no job to look at."),
        (preview(shown(1, 80)), "2 of 9 would have been sent."),
    ],
)
def test_what_kept_most_jobs_out_is_told_in_a_sentence(found, words):
    two = merged(9, [("One", found), ("Two", found)])
    assert (two.words, two.several) == ((("One", words), ("Two", words)), True)
    assert not merged(9, [("One", found)]).several


@pytest.mark.django_db
def test_jobs_before_the_users_own_begin_and_searches_switched_off_count_for_nothing():
    recent.forget()
    user, now = person(min_score=0), timezone.now()
    JobFactory.create_batch(2)
    assert (recent_fits(user.pk, now=now).considered, len(recent_fits(user.pk, now=now).fits)) == (
        2,
        2,
    )
    User.objects.update(jobs_from=now)
    assert recent_fits(user.pk, now=now).considered == 0
    user.searches.update(active=False)
    assert recent_fits(user.pk, now=now).words == ()
    recent.forget()
