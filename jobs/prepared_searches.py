"""Preparing searches once, after they were saved, for every process that scores by them."""

import json
import logging
from collections.abc import Sequence
from typing import Any, Final

from django.db import DatabaseError, connection

from accounts.boundaries import commit
from jobs.matching import UserSearch
from jobs.models import PreparedSearch
from jobs.scoring.offer import is_prepared, prepare, remember
from jobs.scoring.offer_json import made_of, offer_as_json, offer_from_json

log = logging.getLogger(__name__)

# The users are held first, as deletion and saving hold them: neither can overlook a row of ours.
# Whose account somebody is changing, and a search that is gone, are left for the next time.
_KEEP: Final = """
INSERT INTO jobs_preparedsearch (search_id, made_of, offer)
SELECT r.search_id, decode(r.made_of, 'hex'), r.offer
FROM json_to_recordset(%(rows)s::json)
    AS r(user_id text, search_id bigint, made_of text, offer text)
JOIN (SELECT uid FROM accounts_user WHERE uid = ANY(%(users)s) ORDER BY uid
      FOR KEY SHARE SKIP LOCKED) u ON u.uid = r.user_id
JOIN accounts_search s ON s.id = r.search_id
ORDER BY 1
ON CONFLICT (search_id) DO UPDATE SET made_of = EXCLUDED.made_of, offer = EXCLUDED.offer
"""


def make_ready(searches: Sequence[UserSearch]) -> int:
    """Let this process know the offers of these searches; how many had to be worked out.

    Those are kept for other processes.  It saves work and is never needed: a database in trouble
    is only told of.
    """
    unknown = [search for search in searches if not is_prepared(search.terms)]
    if not unknown:
        return 0
    new = []
    try:
        kept = _kept([search.search_id for search in unknown])
        for search in unknown:
            wanted = made_of(search.terms)
            found, offer = kept.get(search.search_id, (b"", ""))
            if found == wanted:
                remember(search.terms, offer_from_json(offer))
            else:
                new.append(_row(search, wanted))
        _keep(new)
    except DatabaseError as error:
        log.warning("searches are not prepared: %s", type(error).__name__)
    return len(new)


def _kept(ids: list[int]) -> dict[int, tuple[bytes, str]]:
    rows = PreparedSearch.objects.filter(pk__in=ids).values_list("pk", "made_of", "offer")
    return {pk: (bytes(made), offer) for pk, made, offer in rows}


def _row(search: UserSearch, wanted: bytes) -> dict[str, Any]:
    offer = offer_as_json(prepare(search.terms))
    return {
        "user_id": search.user_id,
        "search_id": search.search_id,
        "made_of": wanted.hex(),
        "offer": offer,
    }


def _keep(rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    params: dict[str, Any] = {"rows": json.dumps(rows), "users": [row["user_id"] for row in rows]}
    with commit("searches: prepare"), connection.cursor() as cursor:
        cursor.execute(_KEEP, params)
