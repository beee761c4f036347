"""The assertions: what is looked at after every step, after a tail, and at rest."""

from collections import Counter, defaultdict

from accounts.identity import email_of
from deliveries.models import Delivery, Mail
from tests.simulation import tables
from tests.simulation.violations import require
from tests.simulation.world import World, by_reader

_FIRST = 1_990_000_000_000_000_000


def number_of(job_id: str) -> int:
    """The number of a simulated post."""
    return int(job_id.removeprefix("upwork:")) - _FIRST


def always(world: World) -> None:
    """What holds at every moment, whatever has just failed."""
    alerts, digests = by_reader(world, "alert"), by_reader(world, "digest")
    for pair, envelopes in alerts.items():
        require(len(envelopes) == 1, 1, f"(reader, job) {pair} came {len(envelopes)} times")
        require(pair not in digests, 2, f"(reader, job) {pair} came as alert and in a digest")
    for pair, envelopes in digests.items():
        require(len(set(envelopes)) == 1, 2, f"(reader, job) {pair} came in two digests")
    _copies(world)
    _left(world)
    require(not world.late, 8, f"{world.late} left after an opt-out")
    lost = Mail.objects.filter(kind="alert", status="unconfirmed").count()
    require(lost <= world.budget, 3, f"{lost} alerts are unconfirmed, after {world.budget} faults")
    require(not world.skipped_amiss, 11, str(world.skipped_amiss))


def _copies(world: World) -> None:
    bytes_of: defaultdict[str, set[bytes]] = defaultdict(set)
    days: defaultdict[tuple[str, object], set[str]] = defaultdict(set)
    copies: Counter[str] = Counter()
    for one in world.provider.taken:
        bytes_of[one.envelope].add(one.raw)
        copies[one.envelope] += 1
        if one.about.kind == "digest":
            days[one.recipient, one.about.day].add(one.envelope)
    for envelope, count in copies.items():
        allowed = 1 + world.excuses[envelope]
        require(count <= allowed, 5, f"{count} copies of a mail that met {allowed - 1} faults")
        require(len(bytes_of[envelope]) == 1, 6, f"{envelope} left with different bytes")
    for (who, day), envelopes in days.items():
        again = len(envelopes) - 1
        require(again <= world.anew[who], 5, f"{who} got {again + 1} digests for {day}")


def _left(world: World) -> None:
    left = {(one.about.person, job) for one in world.provider.taken for job in one.jobs}
    rows = Delivery.objects.filter(status="sent")
    for user_id, job_id in rows.values_list("user_id", "job_id"):
        pair = (world.people[email_of(user_id)], number_of(job_id))
        require(pair in left, 7, f"the row of {pair} says sent, and nothing left")


def at_rest(world: World) -> None:
    """A scan and a digest more change nothing."""
    before, mails = tables.what_counts(), len(world.provider.taken)
    for kind in ("scan", "digest"):
        world.run(kind)
    require(len(world.provider.taken) == mails, 9, "a run at rest mailed somebody")
    after = tables.what_counts()
    changed = {name for name in before if before[name] != after[name]}
    require(not changed, 9, f"a run at rest changed {sorted(changed)}")


def nothing_open() -> None:
    """Days later every row has ended, each for a reason."""
    left = Delivery.objects.filter(status__in=["queued", "sealed"]).values_list("id", "status")
    require(not left, 4, f"rows are still open: {list(left)}")
    mails = Mail.objects.filter(status__in=["sealed", "sending"]).values_list("pk", "status")
    require(not mails, 4, f"mails are still open: {list(mails)}")
