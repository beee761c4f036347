"""The sample posts."""

from datetime import UTC, datetime, timedelta

from jobs.sources.sample import SampleSource

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


def test_the_sample_has_eighty_fresh_posts():
    fetched = SampleSource().fetch(now=NOW, watermark="")
    assert (fetched.state, len(fetched.postings), fetched.rejected) == ("ok", 80, ())
    dates = [posting.posted_at for posting in fetched.postings]
    assert all(NOW - timedelta(hours=24) < date < NOW for date in dates)
