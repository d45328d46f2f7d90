"""Exact decimals: what a stored integer means in the unit of the file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tailgate.model import validation
from tailgate.model.errors import InputError
from tailgate.model.rounding import number_text

MAX_DECIMAL_PLACES = 9
MAX_UNIT_CHARACTERS = 20


@dataclass(frozen=True, slots=True)
class Units:
    """Scales and names of the quantities: a stored integer v means v / scale in the file's unit.

    Scales are powers of ten, so that a decimal is stored without rounding: 2.45 m is the integer
    245 under ``length_scale=100``.

    Parameters
    ----------
    length_scale : int
        Stored lengths per unit of length, a power of ten.
    weight_scale : int
        Stored weights per unit of weight, a power of ten.
    coordinate_scale : int
        Stored coordinates per unit of distance, a power of ten.
    length_unit : str
        The name of the unit of lengths, such as ``"m"``, for people only.
    weight_unit : str
        The name of the unit of weights.
    distance_unit : str
        The name of the unit of distances; also of costs that are distances.
    time_unit : str
        The name of the unit of times; where there is a speed, one of s, min and h.
    cost_unit : str
        The name of the unit of costs, such as ``"EUR"``.
    clock : bool
        Whether times were given as a clock shows them; then they are minutes, and shown so.

    Examples
    --------
    >>> Units(length_scale=100, length_unit="m").length_text(245)
    '2.45'
    """

    length_scale: int = 1
    weight_scale: int = 1
    coordinate_scale: int = 1
    length_unit: str = ""
    weight_unit: str = ""
    distance_unit: str = ""
    time_unit: str = ""
    cost_unit: str = ""
    clock: bool = False

    def __post_init__(self) -> None:
        """Refuse a scale that is not a power of ten."""
        for field in ("length_scale", "weight_scale", "coordinate_scale"):
            object.__setattr__(self, field, power_of_ten(getattr(self, field), field))
        for field in ("length_unit", "weight_unit", "distance_unit", "time_unit", "cost_unit"):
            validation.text(getattr(self, field), field, max_characters=MAX_UNIT_CHARACTERS)
        validation.boolean(self.clock, "clock")
        if self.clock and self.time_unit not in ("", "min"):
            raise InputError(
                f"must be min where times are given as a clock shows them, got {self.time_unit!r}",
                field="time_unit",
            )

    def length_text(self, length: int) -> str:
        """Return a stored length as an exact decimal in the file's unit, without its name.

        Parameters
        ----------
        length : int
            A stored length.
        """
        return decimal_text(length, self.length_scale)

    def weight_text(self, weight: int) -> str:
        """Return a stored weight as an exact decimal in the file's unit, without its name.

        Parameters
        ----------
        weight : int
            A stored weight.
        """
        return decimal_text(weight, self.weight_scale)

    def time_text(self, time: int | float) -> str:
        """Return a time of day as it was given: as a clock shows it, or as a number.

        Parameters
        ----------
        time : int or float
            A time in the instance's unit.
        """
        return clock_text(time) if self.clock else number_text(time)

    def coordinate_text(self, coordinate: int) -> str:
        """Return a stored coordinate as an exact decimal in the file's unit, without its name.

        Parameters
        ----------
        coordinate : int
            A stored coordinate.
        """
        return decimal_text(coordinate, self.coordinate_scale)


def power_of_ten(value: object, field: str) -> int:
    """Return a scale: 1, 10, 100, ... up to ``10**MAX_DECIMAL_PLACES``."""
    scale = validation.integer(value, field, low=1, high=10**MAX_DECIMAL_PLACES)
    if scale not in {10**places for places in range(MAX_DECIMAL_PLACES + 1)}:
        raise InputError(f"must be a power of ten, got {scale}", field=field)
    return scale


def decimal_text(value: int, scale: int) -> str:
    """Return ``value / scale`` as the shortest exact decimal; ``scale`` is a power of ten."""
    whole, part = divmod(abs(value), scale)
    digits = f"{part:0{len(str(scale)) - 1}d}".rstrip("0") if part else ""
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"


def clock_text(minutes: int | float) -> str:
    """Return minutes as a clock shows them; a time after midnight has more than 24 hours.

    >>> clock_text(485), clock_text(1530), clock_text(485.5)
    ('08:05', '25:30', '08:05:30')
    """
    # Whatever a solution file states: 60 times the largest floats is none.
    seconds = round(60 * Fraction(minutes))
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}"
    return f"{text}:{seconds % 60:02d}" if seconds % 60 else text


def with_equal_decimals(numbers: Iterable[str]) -> list[str]:
    """Fill up decimals with zeros, so that the points of a column are aligned."""
    split = [number.partition(".") for number in numbers]
    places = max((len(decimals) for _, _, decimals in split), default=0)
    if not places:
        return [whole for whole, _, _ in split]
    return [f"{whole}.{decimals:0<{places}}" for whole, _, decimals in split]


def with_unit(number: str, unit: str) -> str:
    """Return "2.45 m", or the bare number where the file names no unit."""
    return f"{number} {unit}" if unit else number
