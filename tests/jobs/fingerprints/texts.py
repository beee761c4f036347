"""Posts of our own, long enough to be known again."""

from typing import Final

TITLE: Final = "Website testing for a shop"
BODY: Final = (
    "We are a small team that sells garden tools and want somebody to try our new online shop. You "
    "will open it on your own computer, put some tools into the basket, pay with a test card and "
    "write down whatever surprises you. Afterwards we talk for half an hour about what was hard to "
    "find. No experience is asked for, only patience and clear English. We pay on the same day."
)
SHORT: Final = "Draw a logo with a red fox for my bakery, 3 sketches."
