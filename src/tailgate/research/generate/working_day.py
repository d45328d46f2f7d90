"""Opening hours and service times of customers on a road network, in minutes of the day."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.random import Generator

from tailgate.research.generate.random_streams import draw_integer

DAY_BEGINS, DAY_ENDS = 6 * 60, 18 * 60
"""When trucks may leave the depot, and when they are back."""

_MORNING, _AFTERNOON = (8 * 60, 12 * 60), (13 * 60, 17 * 60)
# Shares of the customers, in percent; the others are open all day.
_MORNING_PERCENT, _AFTERNOON_PERCENT, _APPOINTMENT_PERCENT = 40, 20, 15
_APPOINTMENTS = (8, 15)
"""The hours at which the first and the last one begins."""
_APPOINTMENT_HOURS = 2
_SERVICE_STEP, _MOST_SERVICE_STEPS = 5, 5


@dataclass(frozen=True, slots=True)
class Hours:
    """When a customer's service may begin; a due time of ``None`` is none at all."""

    ready: int = 0
    due: int | None = None


def draw_service(stream: Generator) -> int:
    """Draw how long unloading takes: 5, 10, 15, 20 or 25 minutes."""
    return _SERVICE_STEP * draw_integer(stream, 1, _MOST_SERVICE_STEPS)


def draw_hours(there: int, back: int, service: int, stream: Generator) -> Hours:
    """Draw opening hours; a customer too far away for them is open all day.

    ``there`` and ``back`` are the minutes from and to the depot, rounded up.
    """
    share, hour = draw_integer(stream, 0, 99), draw_integer(stream, *_APPOINTMENTS)
    if share < _MORNING_PERCENT:
        ready, due = _MORNING
    elif share < _MORNING_PERCENT + _AFTERNOON_PERCENT:
        ready, due = _AFTERNOON
    elif share < _MORNING_PERCENT + _AFTERNOON_PERCENT + _APPOINTMENT_PERCENT:
        ready, due = 60 * hour, 60 * (hour + _APPOINTMENT_HOURS)
    else:
        return Hours()
    if due < DAY_BEGINS + there or ready + service + back > DAY_ENDS:
        return Hours()
    return Hours(ready, due)
