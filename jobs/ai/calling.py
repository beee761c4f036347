"""One call: reserve, ask, settle; whatever happens in between, the money is accounted for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from jobs.ai import budget, provider
from jobs.ai.prompt import PROMPT_VERSION, Message
from jobs.ai.reading import Opinion, opinions_in
from jobs.ai.refusals import refuses_post, refuses_temperature
from jobs.ai.scorer import Scorer
from jobs.ai.troubles import PATIENCE, Trouble, trouble_in
from jobs.ai.wire import Request, Usage, headers_of, request_of, said_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What one call came to: verdicts by id, what was used, and the trouble when there are none.

    `asked` is False when the budget (`unpaid` says which; `of_all`: the installation's) or the user
    did not allow the call.  `refuses_temperature`: the same would be answered without one.
    """

    asked: bool = True
    unpaid: str = ""
    of_all: bool = False
    opinions: Mapping[str, Opinion]
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    trouble: Trouble | None = None
    refuses_temperature: bool = False


def call(
    scorer: Scorer,
    user_id: str,
    message: Message,
    *,
    seconds: float,
    clock: Callable[[], datetime],
    temperature: bool = True,
) -> Called:
    """Ask once, for at most so many seconds, for verdicts on the posts of a message.

    Never raises for what a provider does.  Call it outside any transaction.
    """
    request = request_of(scorer.model, message, temperature=temperature)
    most = scorer.price.cost(request.most_in, request.most_out)
    reserved = budget.reserve(
        user_id,
        most,
        scorer.limits,
        scorer=scorer.model.scorer,
        prompt=PROMPT_VERSION,
        jobs=len(message.ids),
        now=clock(),
    )
    if reserved.call is None:
        return Called(
            asked=False,
            unpaid=reserved.reason,
            of_all=reserved.reason == budget.OF_ALL,
            opinions={},
        )
    called = _ask(scorer, request, message, most, seconds, clock, temperature)
    budget.settle(
        reserved.call,
        called.cost,
        outcome=called.trouble.words if called.trouble else "verdicts",
        tokens_in=called.tokens_in,
        tokens_out=called.tokens_out,
        now=clock(),
    )
    return called


def _ask(
    scorer: Scorer,
    request: Request,
    message: Message,
    most: Decimal,
    seconds: float,
    clock: Callable[[], datetime],
    temperature: bool,
) -> Called:
    headers = headers_of(scorer.model, scorer.key)
    try:
        reply = provider.ask(request, headers, seconds=seconds)
    except provider.NoAnswerError as error:
        trouble = Trouble(
            str(error), again=None if error.slow else PATIENCE, may_cost=not error.apart
        )
        return _nothing(trouble, most)
    if refuses_post(reply.status, reply.body):
        words = f"refused by the provider's policy ({reply.status})"
        return _nothing(Trouble(words, of_provider=False), most)
    if temperature and refuses_temperature(reply.status, reply.body):
        trouble = Trouble("it refuses the temperature 0 (400)", again=0.0)
        return replace(_nothing(trouble, most), refuses_temperature=True)
    trouble_met = trouble_in(reply.status, reply.retry_after, now=clock())
    if trouble_met:
        return _nothing(trouble_met, most)
    said = said_in(scorer.model, reply.body)
    opinions = opinions_in(said.given, message.ids) if not said.trouble else None
    words = said.trouble or (opinions.trouble if opinions else "")
    used = said.usage or Usage(0, 0)
    return Called(
        opinions=opinions.found if opinions else {},
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        # What was not counted may have cost as much as was set aside.
        cost=scorer.price.cost(used.tokens_in, used.tokens_out) if said.usage else most,
        trouble=Trouble(words, of_provider=False) if words else None,
    )


def _nothing(trouble: Trouble, most: Decimal) -> Called:
    return Called(opinions={}, cost=most if trouble.may_cost else Decimal(0), trouble=trouble)
