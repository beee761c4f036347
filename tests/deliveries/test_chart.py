"""The chart of jobs and mails a day: plain values to geometry."""

from datetime import date, timedelta

from deliveries.chart import HEIGHT, WIDTH, chart_of

TODAY = date(2026, 11, 30)


def ago(days):
    return TODAY - timedelta(days=days)


def test_nothing_is_no_chart():
    assert chart_of({}, TODAY) is None
    assert chart_of({ago(30): (5, 1), TODAY + timedelta(days=1): (5, 1)}, TODAY) is None


def test_bars_stand_on_their_days_and_are_as_high_as_their_jobs():
    chart = chart_of({ago(0): (10, 1), ago(29): (5, 5)}, TODAY)
    first, last = chart.bars
    assert (first.on, last.on) == ("Sun 1 Nov", "Mon 30 Nov") == (chart.first, chart.last)
    assert (first.x, last.x + last.width) == (2, WIDTH - 2)
    assert (first.height, last.height) == (50, 100)
    assert (first.mails_height, last.mails_height) == (50, 10)
    assert (
        chart.words == "In the last 30 days 15 jobs came in 6 mails; most on Mon 30 Nov, 10 jobs."
    )


def test_every_bar_stays_inside_and_can_be_seen():
    chart = chart_of({ago(n): (1 + n * n * 99, 1) for n in range(30)}, TODAY)
    assert len(chart.bars) == 30
    for bar in chart.bars:
        assert 0 <= bar.x < bar.mails_x < bar.mails_x + bar.mails_width < bar.x + bar.width <= WIDTH
        assert bar.y + bar.height == bar.mails_y + bar.mails_height == HEIGHT
        assert 3 <= bar.mails_height <= bar.height <= HEIGHT


def test_one_job_is_told_in_the_singular():
    chart = chart_of({ago(3): (1, 1)}, TODAY)
    assert chart.words == "In the last 30 days 1 job came in 1 mail."
