"""Times as a clock shows them, which no format reads yet: what to write instead.

A time is a number in the unit of the distances. Whoever only changes the format of a spreadsheet's
cell gets a fraction of a day, and a plan for quite other times.
"""

from __future__ import annotations

import datetime
import re

from tailgate.model.validation import shown

_DATE = r"(?:\d{4}-\d{2}-\d{2}(?:[T ]+|$))?"
_TIME = (
    r"(?:\d{1,2}(?::\d{2}){1,2}(?:\.\d+)?\s*(?:[ap]\.?m\.?)?"
    r"|\d{1,2}\s*[ap]\.?m\.?|\d{1,2}\s*h\s*\d{0,2})"
)
_CLOCK = re.compile(f"(?=.){_DATE}{_TIME}?", re.IGNORECASE | re.ASCII)
_MOST_CHARACTERS = 40

Clock = datetime.date | datetime.time | datetime.timedelta
"""What a workbook's cell holds that is formatted as a date or a time; a datetime is a date."""


def clock_problem(text: str, field: str) -> str:
    """Return what is wrong with a clock's time in a field for times, or nothing.

    ``field`` is the last part of its name in every format: "ready", "depot due", "service".
    """
    if len(text) > _MOST_CHARACTERS or not _CLOCK.fullmatch(text):
        return ""
    return f"must be a number, got {shown(text)}: {_REMEDIES[field]}" if field in _REMEDIES else ""


def cell_problem(value: Clock, cell: str, field: str) -> str:
    """Return what is wrong with a workbook's cell that holds a date or a time."""
    text = shown(_clock_text(value))
    if field in _REMEDIES:
        return f"the cell {cell} holds the time {text}, not a number: {_REMEDIES[field]}"
    return (
        f"the cell {cell} holds {text}, a date or a time: the spreadsheet has taken what was typed "
        "for one; format the cell as text or number, and type the value again"
    )


_NO_FRACTION = (
    "do not just change the format of a spreadsheet's cell, which makes it a fraction of a day"
)
_MOMENT_REMEDY = (
    "times are in the unit of the distances and count from a start of your choice, such as the "
    "departure; at 45 km an hour, 08:00 is 45 and 10:00 is 135 if trucks leave at 07:00 "
    f"({_NO_FRACTION})"
)
_DURATION_REMEDY = (
    "a time is as long as the way that a truck drives in it, in the unit of the distances; at "
    f"45 km an hour, 15 minutes are 11.25 ({_NO_FRACTION})"
)


_REMEDIES = {
    **dict.fromkeys(("ready", "due", "depot ready", "depot due"), _MOMENT_REMEDY),
    "service": _DURATION_REMEDY,
}


def _clock_text(value: Clock) -> str:
    if isinstance(value, datetime.datetime):
        text = value.isoformat(" ")
        return text.removesuffix(" 00:00:00").removesuffix(":00")
    if isinstance(value, datetime.time):
        return value.isoformat().removesuffix(":00")
    return str(value)
