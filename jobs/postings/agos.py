"""Times relative to the moment of fetching, in several languages: estimates, never exact."""

import re
from datetime import datetime, timedelta
from typing import Final

from jobs.postings.moments import LABEL, bounded

_LONGEST: Final = 80
_UNITS: Final = (
    (r"s|secs?|seconds?|segundos?|sekunden?|secondes?|sekund\w?|секунд\w*", timedelta(seconds=1)),
    (r"m|mins?|minutes?|minutos?|minuti|minuten?|minut\w?|мин\w*|хв\w*|دقيقة|دقائق|دقیقه|分钟|分鐘|分",
     timedelta(minutes=1)),
    (r"h|hrs?|hours?|horas?|or[ae]|heures?|stunden?|uur|uren|saat|std|godz\w*|час\w*|годин\w*|ساعة|ساعات|ساعت|小时|小時|時間|시간",
     timedelta(hours=1)),
    (r"d|days?|d[ií]as?|jours?|giorn[oi]|tage?n?|dage?n?|gün|dni|dzie[nń]|дн\w*|день|يوم|أيام|يوما|روز|天|日|일",
     timedelta(days=1)),
    (r"w|wks?|weeks?|semanas?|semaines?|settiman[ae]|weken|hafta|wochen?|tygod\w*|tydzie[nń]|недел\w*|тижн\w*|тиждень|أسبوع|أسابيع|هفته|周|週間?",
     timedelta(weeks=1)),
    (r"mo|mos|mths?|months?|m[eê]s|mese?s?|mes[ei]|maand|maanden|ay|mois|monate?n?|miesi\w+|месяц\w*|місяц\w*|شهر|أشهر|ماه|个月|か?月",
     timedelta(days=30)),
    (r"quarters?|trimestres?|quartale?n?", timedelta(days=91)),
    (r"y|yrs?|years?|años?|anos?|ans?|jahre?n?|lata?|rok|год\w*|лет|سنة", timedelta(days=365)),
)  # fmt: skip
_UNIT_NAMES: Final = "|".join(names for names, _ in _UNITS)
_ONE: Final = "an?|one|un|une|uma?|una|eine[mnr]?|last|letzte[nrs]?|pasad[oa]|passad[oa]"
_PIECE: Final = re.compile(
    rf"(?P<count>{_ONE}|\d{{1,4}}\+?)?\s*(?P<unit>{_UNIT_NAMES})(?![^\W\d_])\.?,?\s*"
    r"(?:and |und |y |e |et )?",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(r"^(?:hace|há|ha|faz|il y a|vor|منذ|قبل)\s+", re.IGNORECASE)
_AFTER: Final = re.compile(
    r"\s*(?:\bago|\batrás|\batras|\btemu|назад|\bтому|\bfa|\bgeleden|\bönce|پیش|前|전|\bvergangen)\b.*$|"
    r"\s+(?:passado|pasado)$",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"^(?:about|around|approx\.?|approximately|almost|over|more than|less than|etwa|ca\.?|circa|"
    r"environ|cerca de|aproximadamente|ok\.?|около|weniger als|moins d['’]|menos de)\s*",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(
    r"[,\s]+(?:at |um |às |a las |à |o |в |о |alle |om )?(\d{1,2}):(\d\d)(?::(\d\d))?"
    r"\s*(?:([ap])\.?m\.?)?"
    r"(?: uhr| utc)?$"
)
# Arabic says "two days" in one word: what it begins with, and one of the kind.
_TWOS: Final = {
    "دقيقت": "دقيقة", "ساعت": "ساعة", "يوم": "يوم", "أسبوع": "أسبوع", "اسبوع": "أسبوع",
    "شهر": "شهر", "سنت": "سنة",
}  # fmt: skip
_TWO: Final = re.compile(rf"\b({'|'.join(_TWOS)})ين\b")
_NAMED_DAYS: Final = """
just now|now|today|hoy|hoje|heute|aujourd'hui|dzisiaj|vandaag|bugün|dziś|dzis|сегодня|сьогодні\
|امروز|今天|今日|오늘|اليوم|الآن|ahora|agora\
|jetzt|gerade eben|à l'instant|moments ago|a moment ago|a few seconds ago|oggi
yesterday|ayer|ontem|gestern|hier|wczoraj|gisteren|dün|вчера|вчора|دیروز|昨天|昨日|어제|أمس|ieri
the day before yesterday|anteayer|anteontem|vorgestern|avant-hier|przedwczoraj|позавчера
"""
_DAYS_BACK: Final = {
    name: days
    for days, names in enumerate(_NAMED_DAYS.strip().splitlines())
    for name in names.split("|")
}
_WEEKDAYS: Final = (
    "monday montag lundi lunes poniedziałek",
    "tuesday dienstag mardi martes wtorek",
    "wednesday mittwoch mercredi miércoles środa",
    "thursday donnerstag jeudi jueves czwartek",
    "friday freitag vendredi viernes piątek",
    "saturday samstag samedi sábado sobota",
    "sunday sonntag dimanche domingo niedziela",
)
_WEEKDAY_OF: Final = {
    name: number for number, names in enumerate(_WEEKDAYS) for name in names.split()
}


def relative(value: object, fetched_at: datetime, *, told: bool = False) -> datetime | None:
    """The moment that "Posted 6 minutes ago", "yesterday" or "Monday" was, seen from `fetched_at`.

    Months have 30 days, quarters 91, years 365; a weekday is the last one before today.  With
    `told`, it is known to be an age, and "3 hours" will do.  Time still to come ("6 days left")
    gives None.  Never raises.
    """
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = " ".join(LABEL.sub("", value.strip()).casefold().split()).strip(" .")
    if day := _day(text, fetched_at):
        return bounded(day)
    back = _back(text, told=told)
    return None if back is None else _minus(fetched_at, back)


def counted(text: str) -> str:
    """A text in which Arabic's two of a kind are counted: "2 يوم" for "يومين"."""
    return _TWO.sub(lambda found: f"2 {_TWOS[found[1]]}", text)


def is_ago(text: str) -> bool:
    """Whether a text in lower case says that it tells how long ago something was."""
    return bool(_BEFORE.match(text) or _AFTER.search(text))


def before(fetched_at: datetime, amount: object, unit: timedelta) -> datetime | None:
    """The moment so many units before `fetched_at`, for a whole or broken number of them."""
    if isinstance(amount, str) and re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", amount.strip()):
        amount = float(amount)
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not 0 <= amount < 10**6:
        return None
    return _minus(fetched_at, amount * unit)


def _minus(moment: datetime, back: timedelta) -> datetime | None:
    try:
        return bounded(moment - back)
    except OverflowError:
        return None


def _day(text: str, fetched_at: datetime) -> datetime | None:
    """A day by its name, at the time of day of the fetch or the one the text gives."""
    clock = _CLOCK.search(text)
    name = text[: clock.start()] if clock else text
    name = re.sub(r"^(?:on|last|letzten|am) ", "", name)
    if name in _DAYS_BACK:
        back = _DAYS_BACK[name]
    elif name in _WEEKDAY_OF:
        back = (fetched_at.weekday() - _WEEKDAY_OF[name]) % 7 or 7
    else:
        return None
    moment = _minus(fetched_at, timedelta(days=back))
    if clock is None or moment is None:
        return moment
    hour = int(clock[1])
    if clock[4] and 1 <= hour <= 12:
        hour = hour % 12 + (12 if clock[4] == "p" else 0)
    minute, second = int(clock[2]), int(clock[3] or 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return moment.replace(hour=hour, minute=minute, second=second, microsecond=0)


def _back(text: str, *, told: bool) -> timedelta | None:
    """How long ago a text of counts and units says it was."""
    text = counted(text)
    left = _BEFORE.sub("", text)
    told = told or left != text
    after = _AFTER.sub("", left)
    told = told or after != left or after.startswith("last ")
    left = _ABOUT.sub("", after)
    if not told or not left:
        return None
    total, at, pieces = timedelta(0), 0, 0
    while at < len(left):
        found = _PIECE.match(left, at)
        if found is None or not (found["count"] or (pieces == 0 and found.end() == len(left))):
            return None
        total += _length(found)
        at, pieces = found.end(), pieces + 1
    return total


def _length(found: re.Match[str]) -> timedelta:
    count = (found["count"] or "1").rstrip("+")
    unit = next(size for names, size in _UNITS if re.fullmatch(names, found["unit"], re.IGNORECASE))
    return (int(count) if count.isdigit() else 1) * unit
