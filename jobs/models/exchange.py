"""Exchange rates fetched since the table shipped with the project."""

from django.db import models
from django.db.models import Q


class ExchangeRates(models.Model):
    """The rates of one day; the newest day is used."""

    day = models.DateField(primary_key=True)
    # Currency (ISO 4217) to US dollars for one unit, as text, so that no digit is lost.
    usd = models.JSONField()
    source = models.CharField(max_length=200)
    fetched_at = models.DateTimeField()

    class Meta:
        """Table-wide rules."""

        verbose_name_plural = "exchange rates"
        ordering = ("-day",)
        constraints = (
            models.CheckConstraint(
                name="exchange_rates_state_the_dollar", condition=Q(usd__contains={"USD": "1"})
            ),
            models.CheckConstraint(
                name="exchange_rates_name_their_source", condition=~Q(source="")
            ),
        )

    def __str__(self) -> str:
        return str(self.day)
