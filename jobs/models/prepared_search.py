"""Searches prepared for scoring."""

from django.db import models

from accounts.models import Search


class PreparedSearch(models.Model):
    """What scoring needs of one search's words, worked out once after it was saved.

    `made_of` tells the words, and the rules, that it was made of: when they change it is stale.
    """

    search = models.OneToOneField(Search, on_delete=models.CASCADE, primary_key=True)
    made_of = models.BinaryField(max_length=32)
    offer = models.TextField()  # JSON, its order kept: jsonb would sort the keys

    def __str__(self) -> str:
        return f"search {self.pk}"
