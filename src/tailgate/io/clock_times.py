"""Times as people write them: plain numbers, or as a clock shows them.

A file does one or the other: 8 beside 08:00 could be a minute or an hour. Whoever only changes the
format of a spreadsheet's cell gets a fraction of a day, and a plan for quite other times; so the
mixture is refused, too.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from tailgate.io.draft import Place, Time
from tailgate.model.exact import fraction_of
from tailgate.model.json_document import short
from tailgate.model.validation import shown

_HOURS_AND_MINUTES = (
    r"(?P<hours>\d{1,11}):(?P<minutes>\d{2})(?::(?P<seconds>\d{2}(?:\.\d{1,20})?))?"
)
_HALF_OF_DAY = r"(?P<half>[ap])\.?m\.?"
_CLOCK = re.compile(
    rf"{_HOURS_AND_MINUTES}(?:\s*{_HALF_OF_DAY})?"
    rf"|(?P<full_hours>\d{{1,2}})\s*{_HALF_OF_DAY.replace('half', 'half_of_hours')}"
    r"|(?P<h_hours>\d{1,4})\s*h(?:\s*(?P<h_minutes>\d{2}))?",
    re.IGNORECASE | re.ASCII,
)
_DATE = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2})(?:[T ]+(?P<time>\S.*))?", re.ASCII)
_MOST_CHARACTERS = 40
# A spreadsheet counts days from here: what is said to be in this month is a number of hours.
_FIRST_DAY = datetime.date(1899, 12, 31)
_LAST_DAY_OF_HOURS = datetime.date(1900, 2, 28)

CellTime = datetime.date | datetime.time | datetime.timedelta
"""What a workbook's cell holds that is formatted as a date or a time; a datetime is a date."""

EXAMPLES = '"08:00", "8:30 pm" or "25:30" (half past one on the next day)'


def looks_like_time(text: str) -> bool:
    """Tell whether a text is meant as a clock's time or as a date, and not as a number."""
    if len(text) > _MOST_CHARACTERS:
        return False
    return bool(_CLOCK.fullmatch(text) or _DATE.fullmatch(text))


def minutes_of(text: str) -> Fraction | None:
    """Return the minutes since midnight that a clock shows, or nothing if it is no such time.

    >>> minutes_of("08:00"), minutes_of("8:30 pm"), minutes_of("25:30"), minutes_of("8h30")
    (Fraction(480, 1), Fraction(1230, 1), Fraction(1530, 1), Fraction(510, 1))
    """
    match = _CLOCK.fullmatch(text) if len(text) <= _MOST_CHARACTERS else None
    if match is None:
        return None
    hours = int(match["hours"] or match["full_hours"] or match["h_hours"])
    minutes = int(match["minutes"] or match["h_minutes"] or 0)
    seconds = Fraction(match["seconds"] or 0)
    half = (match["half"] or match["half_of_hours"] or "").casefold()
    if minutes > 59 or seconds >= 60 or (half and not 1 <= hours <= 12):
        return None
    if half:
        hours = hours % 12 + (12 if half == "p" else 0)
    return 60 * hours + minutes + seconds / 60


def exact_clock_text(minutes: int | float) -> str:
    """Return minutes as `minutes_of` reads them, whatever part of a second they have."""
    seconds = 60 * fraction_of(minutes)
    whole = int(seconds)
    text = f"{whole // 3600:02d}:{whole // 60 % 60:02d}"
    if seconds % 60 == 0:
        return text
    part = Decimal((seconds - whole).numerator) / Decimal((seconds - whole).denominator)
    return f"{text}:{whole % 60:02d}{f'{part:f}'.removeprefix('0')}"


class TimeReader:
    """The times of one instance: all of them plain numbers, or as a clock shows them.

    Durations (``service``, ``max_duration``) may be numbers beside clock times: they are minutes.
    A place is asked for only when something is wrong, for it may take a while to find.

    Parameters
    ----------
    takes_dates : bool
        Whether a time may come with its date, as in a spreadsheet; the date must always be the
        same one.
    refusal : str
        What is said about clock times in a format that has none.
    """

    def __init__(self, *, takes_dates: bool = False, refusal: str = "") -> None:
        """Begin without a habit; the first time that has one sets it."""
        self._takes_dates = takes_dates
        self._refusal = refusal
        self._is_clock: bool | None = None
        self._first_text = ""
        self._first_place: Callable[[], Place] | None = None
        self._date = ""

    @property
    def clock(self) -> bool:
        """Whether a time was given as a clock shows it, so that all times are minutes."""
        return self._is_clock is True

    def moment(self, given: Decimal | str, place: Callable[[], Place]) -> Time:
        """Return a time of day; beside clock times a plain number is refused."""
        if isinstance(given, str):
            return self._clock_time(given, place)
        self._refuse_mixture(short(given), place, is_clock=False)
        return given

    def duration(self, given: Decimal | str, place: Callable[[], Place]) -> Time:
        """Return how long something takes: a number, or hours and minutes such as 0:15."""
        return self._clock_time(given, place) if isinstance(given, str) else given

    def check_unit(self, unit: str, place: Callable[[], Place]) -> None:
        """Refuse another unit of time than minutes beside clock times."""
        if self._is_clock and self._first_place is not None and unit not in ("", "min"):
            here = place()
            raise here.error(
                f"must be min, for {self._first_text}{_where(self._first_place(), here)} is given "
                f"as a clock shows it; got {shown(unit)}"
            )

    def _clock_time(self, text: str, place: Callable[[], Place]) -> Fraction:
        time = self._without_date(text, place) if _DATE.fullmatch(text) else text
        minutes = minutes_of(time)
        if self._refusal:
            remedy = f": {self._refusal}" if minutes is not None else ""
            raise place().error(f"must be a number, got {shown(text)}{remedy}")
        if minutes is None:
            raise place().error(
                f"must be a number, or a time such as {EXAMPLES}, got {shown(text)}"
            )
        self._refuse_mixture(shown(text), place, is_clock=True)
        return minutes

    def _without_date(self, text: str, place: Callable[[], Place]) -> str:
        """Return the time that comes after a date, which must be that of all other times."""
        match = _DATE.fullmatch(text[:_MOST_CHARACTERS])
        time = (match and match["time"]) or ""
        remedy = "write the time alone, such as 08:00, and 25:30 for half past one on the next day"
        if not time:
            raise place().error(f"{shown(text)} is a date without a time; {remedy}")
        assert match is not None
        if not self._takes_dates:
            raise place().error(f"{shown(text)} has a date; {remedy}")
        date = match["date"]
        if self._date not in ("", date):
            raise place().error(
                f"{shown(text)} is of another day than {self._date}, which other times have; a "
                f"plan is for one day: {remedy}"
            )
        self._date = date
        return time

    def _refuse_mixture(self, text: str, place: Callable[[], Place], *, is_clock: bool) -> None:
        """Complain about a time that is of another kind than the first one."""
        if self._first_place is None:
            self._is_clock, self._first_text, self._first_place = is_clock, text, place
        if is_clock is self._is_clock:
            return
        here = place()
        kind = "as a clock shows it" if is_clock else "a plain number"
        raise here.error(
            f"{text} is {kind}, but {self._first_text}{_where(self._first_place(), here)} is not; "
            "write all times of day as a clock shows them, or all as numbers (and do not just "
            "change the format of a spreadsheet's cell, which makes it a fraction of a day)"
        )


def _where(other: Place, here: Place) -> str:
    """Return where another value is, seen from here."""
    parts = [other.field or ""]
    if other.line is not None:
        parts.append(f"line {other.line}")
    if other.source != here.source:
        parts.append(other.source)
    text = ", ".join(part for part in parts if part)
    return f" ({text})" if text else ""


def time_cell_text(value: CellTime) -> str:
    """Return a date or a time of a workbook's cell as text that `TimeReader` takes.

    A cell that shows 25:30 is a day and a half past one hour to a spreadsheet, which calls it the
    first of January 1900.
    """
    if isinstance(value, datetime.time):
        return _rounded(
            datetime.timedelta(
                hours=value.hour,
                minutes=value.minute,
                seconds=value.second,
                microseconds=value.microsecond,
            )
        )
    if isinstance(value, datetime.timedelta):
        return _rounded(value)
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    if _FIRST_DAY - datetime.timedelta(days=1) <= value.date() <= _LAST_DAY_OF_HOURS:
        first = datetime.datetime.combine(_FIRST_DAY, datetime.time())
        return _rounded(max(value - first, datetime.timedelta()))
    if value.time() == datetime.time():
        return value.date().isoformat()
    return f"{value.date().isoformat()} {time_cell_text(value.time())}"


def _rounded(time: datetime.timedelta) -> str:
    """Return a time to the second: a spreadsheet keeps fractions of a day, a little off."""
    seconds = round(time.total_seconds())
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}"
    return f"{text}:{seconds % 60:02d}" if seconds % 60 else text


def cell_problem(value: CellTime, cell: str) -> str:
    """Return what is wrong with a workbook's cell that holds a date or a time, but must not."""
    return (
        f"the cell {cell} holds {shown(time_cell_text(value))}, a date or a time: the spreadsheet "
        "has taken what was typed for one; format the cell as text or number, and type the value "
        "again"
    )
