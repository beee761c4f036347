"""The failure table, every row and every phase by class of reply."""

import itertools

import pytest

from deliveries.sending.failures import Evidence, Kind, Outcome, Phase, classify, one_line

O = Outcome  # noqa: E741  # the table below is easier to read so
CODES = (None, -1, 0, 250, 354, 421, 451, 535, 550, 552, 600)
SMTP_TABLE = {  # phase -> outcome of 2xx, 3xx, 4xx, 5xx, and of anything else
    Phase.BEFORE: (O.UNKNOWN, O.UNKNOWN, O.UNKNOWN, O.UNKNOWN, O.UNKNOWN),
    Phase.OPENING: (O.REFUSED_NOW,) * 5,
    Phase.HELLO: (O.REFUSED_NOW,) * 5,
    Phase.AUTH: (*(O.REFUSED_NOW,) * 3, O.REFUSED_EVERYONE, O.REFUSED_NOW),
    Phase.MAIL: (*(O.REFUSED_NOW,) * 3, O.REFUSED_EVERYONE, O.REFUSED_NOW),
    Phase.RCPT: (*(O.REFUSED_NOW,) * 3, O.REFUSED_PERSON, O.REFUSED_NOW),
    Phase.DATA: (*(O.REFUSED_NOW,) * 3, O.REFUSED_PERSON, O.REFUSED_NOW),
    Phase.CONTENT: (O.ACCEPTED, O.UNKNOWN, O.REFUSED_NOW, O.REFUSED_PERSON, O.UNKNOWN),
    Phase.HTTP: (O.UNKNOWN,) * 5,
    Phase.LOCAL: (O.UNKNOWN,) * 5,
}


@pytest.mark.parametrize(("phase", "code"), list(itertools.product(Phase, CODES)))
def test_smtp_replies(phase: Phase, code: int | None) -> None:
    expected = SMTP_TABLE[phase]
    kind_of_code = {2: 0, 3: 1, 4: 2, 5: 3}.get((code or 0) // 100, 4)
    assert classify(Evidence(phase=phase, smtp_code=code)) == expected[kind_of_code]


HTTP_TABLE = {
    O.ACCEPTED: (200, 201, 202, 204, 299),
    O.REFUSED_PERSON: (400, 404, 413, 422),
    O.REFUSED_EVERYONE: (307, 308, 401, 403),
    O.REFUSED_NOW: (429,),
    O.UNKNOWN: (
        None,
        -1,
        0,
        100,
        301,
        302,
        303,
        402,
        405,
        408,
        409,
        418,
        451,
        500,
        502,
        503,
        504,
        999,
    ),
}


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(status, outcome) for outcome, statuses in HTTP_TABLE.items() for status in statuses],
)
@pytest.mark.parametrize("kind", [Kind.REPLY, Kind.BROKEN])
def test_http_statuses_count_even_when_the_body_broke(
    status: int | None, outcome: Outcome, kind: Kind
) -> None:
    assert classify(Evidence(phase=Phase.HTTP, http_status=status, kind=kind)) == outcome


NAMED = {
    (Phase.BEFORE, Kind.UNFIT): O.REFUSED_PERSON,
    (Phase.BEFORE, Kind.CONFIGURATION): O.REFUSED_EVERYONE,
    (Phase.OPENING, Kind.CONFIGURATION): O.REFUSED_EVERYONE,
    (Phase.HELLO, Kind.CONFIGURATION): O.REFUSED_EVERYONE,
    (Phase.AUTH, Kind.CONFIGURATION): O.REFUSED_EVERYONE,
    (Phase.HTTP, Kind.CONFIGURATION): O.REFUSED_EVERYONE,
    (Phase.HTTP, Kind.NO_CONNECTION): O.REFUSED_NOW,
    (Phase.HTTP, Kind.DUPLICATE): O.ACCEPTED,
    (Phase.HTTP, Kind.RECIPIENT_REFUSED): O.REFUSED_PERSON,
    (Phase.HTTP, Kind.TAKEN): O.ACCEPTED,
    (Phase.LOCAL, Kind.TAKEN): O.ACCEPTED,
    (Phase.HTTP, Kind.CANCELLED): O.NOTHING_LEFT,
    (Phase.LOCAL, Kind.CANCELLED): O.NOTHING_LEFT,
}
OPENING = {Phase.OPENING, Phase.HELLO, Phase.AUTH}
BEFORE_CONTENT = OPENING | {Phase.MAIL, Phase.RCPT, Phase.DATA}


@pytest.mark.parametrize(("phase", "kind"), list(itertools.product(Phase, Kind)))
@pytest.mark.parametrize("timed_out", [True, False])
def test_evidence_without_a_code(phase: Phase, kind: Kind, timed_out: bool) -> None:
    unnamed = O.REFUSED_NOW if phase in BEFORE_CONTENT else O.UNKNOWN
    evidence = Evidence(phase=phase, kind=kind, timed_out=timed_out)
    assert classify(evidence) == NAMED.get((phase, kind), unnamed)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("550 <Ann@Example.com>: no such user", "550 <address> no such user"),
        ("no\r\nsuch\tuser\x00\x85\u2028here\ud800!", "no such user here !"),
        ('user "Ann B"@example.com unknown', "user <address> unknown"),
        ("ann%40example.com", "<address>"),
        ("x " * 600, ("x " * 250).strip()),
        ("", ""),
    ],
)
def test_error_lines_are_short_plain_and_without_addresses(text: str, line: str) -> None:
    assert one_line(text, hide='"ann b"@example.com') == line
