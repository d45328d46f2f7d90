"""Times and durations of an instance, as people read them."""

from __future__ import annotations

from tailgate.model.instance import Instance
from tailgate.model.rounding import number_text
from tailgate.model.travel import SECONDS_PER_UNIT
from tailgate.model.units import with_unit


class TimeWords:
    """Shows times as they were given, and durations in hours where the unit of time is known."""

    def __init__(self, instance: Instance) -> None:
        """Find out what a unit of time is."""
        self._units = units = instance.units
        # Where there is a speed, or a clock, times are minutes unless the unit says otherwise.
        is_known = bool(units.time_unit) or units.clock or instance.travel.speed is not None
        self._seconds = SECONDS_PER_UNIT.get(units.time_unit) if is_known else None

    @property
    def unit(self) -> str:
        """The name of the unit of time, also where the orders need not state it."""
        return self._units.time_unit or ("" if self._seconds is None else "min")

    def given(self, time: int | float) -> str:
        """Return a time of the orders, as it stands there."""
        return self._units.time_text(time)

    def time(self, time: int | float) -> str:
        """Return a time that was computed; nobody drives to the thousandth of a unit."""
        return self.given(time) if self._units.clock else _two_decimals(time)

    def duration(self, duration: int | float) -> str:
        """Return a duration: "7 h 05 min", or a number with its unit.

        Fractions of a second are rounded.
        """
        if self._seconds is None:
            return with_unit(_two_decimals(duration), self._units.time_unit)
        minutes, seconds = divmod(round(duration * self._seconds), 60)
        hours, minutes = divmod(minutes, 60)
        words = []
        if hours:
            words = [f"{hours} h", f"{minutes:02d} min"]
        elif minutes or not seconds:
            words = [f"{minutes} min"]
        if seconds:
            words.append(f"{seconds} s")
        return " ".join(words)

    def window(self, ready: int | float, due: int | float | None) -> str:
        """Return when a customer is open: "08:00 to 12:00"; nothing if it always is."""
        if due is not None:
            return f"{self.given(ready)} to {self.given(due)}"
        return f"from {self.given(ready)}" if ready else ""


def _two_decimals(number: int | float) -> str:
    return number_text(round(number, 2))
