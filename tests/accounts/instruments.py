"""What several tests of accounts share."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection, connections
from hypothesis import strategies as st

from accounts.models import OptOutToken, Preferences, Search, User
from accounts.profile_values import ProfileError

# Whatever json.loads can give, lone surrogates and NaN included.
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
    max_leaves=5,
)

MODELS = (User, Preferences, Search, OptOutToken)


def tables():
    """Every row of every table enrolment writes."""
    return [sorted(model.objects.values_list(), key=str) for model in MODELS]


def at_once(number, function):
    """Call from so many threads at one moment, each on its own connection; what they gave."""
    barrier = Barrier(number)

    def one(place):
        try:
            connection.ensure_connection()
            barrier.wait(10)
            return function(place)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(one, range(number)))


def refusal(reader, value):
    """What the reader says against the value; empty when it takes it."""
    try:
        reader(value)
    except ProfileError as error:
        return str(error)
    return ""
