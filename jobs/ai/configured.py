"""The scorer that this installation's settings name."""

from django.conf import settings

from jobs.ai.scorer import Scorer, scorer_of


def configured() -> Scorer | None:
    """The scorer, or None for local scores only.

    Raises ValueError with a sentence that holds no key when the settings name none.
    """
    return scorer_of(
        settings.SCOUT_SCORER,
        keys={name: getattr(settings, name) for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")},
        prices=settings.SCOUT_AI_PRICES,
        ceiling=settings.SCOUT_AI_CEILING_PRICE,
        daily=settings.SCOUT_AI_DAILY_USD,
        user_daily=settings.SCOUT_AI_USER_DAILY_USD,
        gate=settings.SCOUT_AI_MIN_SCORE,
        seconds=settings.SCOUT_AI_SECONDS,
    )
