"""Where sources put each fact about a job: a table of keys that grows with every new shape.

Keys are compared by their letters and digits alone, so `hourlyBudgetMin`, `hourly_budget_min`
and "Hourly Budget Min" are one.  What stands inside an object is found under both keys in one:
`client: {totalSpent}` under `clienttotalspent`.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, TypeVar

T = TypeVar("T")
Facts = Mapping[str, object]

# Field -> keys, the most telling first.
SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    name: tuple(keys.split())
    for name, keys in {
        "id": "id jobid jobuid uid ciphertext jobciphertext openinguid recno projectid guid key",
        "url": "url joburl link joblink href permalink projecturl guid titleurl titlelink",
        "marketplace": "marketplace platform site source",
        "title": "title jobtitle projecttitle titulo título name headline",
        "description": "description jobdescription fulldescription projectdescription snippet "
        "shortdescription shortdesc descricao descrição descripcion descripción summary details "
        "contentencoded content body text project",
        "skills": "skills requiredskills jobskills skilltags ontologyskills tags tech technologies "
        "habilidades attrs categoriesandskills",
        "job_type": "jobtype type paymenttype budgettype contracttype projecttype pricingtype "
        "engagementtype hourlyorfixed jobtypelabel",
        "is_hourly": "ishourly hourlyjob",
        "hourly_min": "hourlymin hourlybudgetmin minhourlyrate hourlyratemin hourlyrangemin "
        "hourlylow hourlyrangelow minhourly ratemin minrate hourlybudgetminrawvalue",
        "hourly_max": "hourlymax hourlybudgetmax maxhourlyrate hourlyratemax hourlyrangemax "
        "hourlyhigh hourlyrangehigh maxhourly ratemax maxrate hourlybudgetmaxrawvalue",
        "hourly": "hourly hourlyrate hourlyrange hourlybudget hourlypay rate",
        "fixed": "fixedbudget fixedprice fixedpriceamount budgetamount fixedamount "
        "fixedpricebudget fixedpricevalue budgetmax maxbudget",
        "budget": "budget amount price orcamento orçamento presupuesto pay salary budgettext "
        "amountamount",
        "currency": "currency budgetcurrency currencycode isocurrencycode budgetcurrencycode "
        "fixedpriceamountisocurrencycode",
        "level": "experiencelevel contractortier tier tiertext experience level tierlabel "
        "expertlevel skilllevel jobexperiencelevel contractortierlabel",
        "duration": "duration durationlabel projectlength projectduration hourlyengagementduration "
        "estimatedduration engagementduration timeline esttime joblength hourlyduration "
        "fixedpriceengagementduration time",
        "duration_weeks": "durationweeks engagementweeks hourlyengagementdurationweeks",
        "country": "clientcountry clientlocationcountry buyercountry clientcountrycode "
        "clientlocation buyerlocationcountry country countrycode locationcountry joblocation "
        "location",
        "spent": "clientspent clienttotalspent totalspent clienttotalspentamount "
        "clienttotalspentrawvalue clientspend buyertotalspent clientspending amountspent "
        "clienttotalcharge",
        "hires": "clienthires clienttotalhires totalhires clientstotalhires hires "
        "buyertotalhires clienthirecount",
        "posted_jobs": "clientpostedjobs clientjobsposted clienttotalpostedjobs totalpostedjobs "
        "clientjobposted jobsposted clienttotaljobsposted clientpostedcount",
        "hire_rate": "clienthirerate",
        "hire_rate_guess": "hirerate clienthiringrate hirepercentage clienthirepercentage "
        "buyerhirerate",
        "verified": "clientpaymentverified paymentverified ispaymentverified "
        "clientispaymentverified paymentmethodverified clientpaymentmethodverified "
        "paymentmethodisverified paymentverificationstatus clientpaymentverificationstatus "
        "clientverificationstatus verificationstatus verified",
        "rating": "clientrating clienttotalfeedback totalfeedback clientfeedback clientscore "
        "buyerrating clientstars rating clientfeedbackscore",
        "proposals": "proposals totalapplicants proposalscount proposalcount numproposals "
        "proposalstier applicants bids bidcount totalproposals numberofproposals applicantcount",
        "posted_at": "postedat publishedat publishtime publisheddatetime publishedon published "
        "publisheddate postedon posted dateposted posteddate postdate pubdate normalizeddate "
        "createddatetime createdat createdon createtime created postedatms jobts postedtime "
        "publishedtime timeposted date timestamp time",
    }.items()
}

_NOT_STATED: Final = frozenset(
    ("", "n/a", "nan", "none", "null", "undefined", "-", "--", "not specified", "not stated")
)
_DEEPEST: Final = 4
_MOST: Final = 1000


def facts(row: Mapping[object, object]) -> dict[str, object]:
    """What a row states, by the letters and digits of its keys; bounded in depth and number."""
    found: dict[str, object] = {}
    _collect(row, "", _DEEPEST, found)
    return found


def first(stated: Facts, field: str, parse: Callable[[object], T | None]) -> T | None:
    """What `parse` makes of the field's first value that it understands, else None."""
    for value in each(stated, field):
        if (parsed := parse(value)) is not None:
            return parsed
    return None


def each(stated: Facts, field: str) -> Iterator[object]:
    """The values a row states for a field, the most telling key first."""
    for key in SYNONYMS[field]:
        if key in stated:
            yield stated[key]


def is_stated(value: object) -> bool:
    """Whether a value says anything: not None, blank, "N/A" or the like."""
    if isinstance(value, str):
        return len(value) > 20 or value.strip().casefold() not in _NOT_STATED
    return value is not None


def _collect(
    row: Mapping[object, object], prefix: str, depth: int, found: dict[str, object]
) -> None:
    for key, value in row.items():
        if len(found) >= _MOST or not isinstance(key, str) or len(key) > 80:
            continue
        path = prefix + plain(key)
        if is_stated(value):
            found.setdefault(path, value)
        if isinstance(value, Mapping) and depth:
            _collect(value, path, depth - 1, found)


@lru_cache(maxsize=4096)
def plain(key: str) -> str:
    """A key by its letters and digits alone, in lower case."""
    return "".join(filter(str.isalnum, key.casefold()))
