"""Roads: a distance and a duration for every ordered pair of places.

The source is kept as it was given (coordinates and a metric, or matrices with their unit), so that
the judge can compute from it and not from what the solver made of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, get_args

from tailgate.model import validation
from tailgate.model.errors import InputError
from tailgate.model.matrix import Matrix
from tailgate.model.rounding import number_text

if TYPE_CHECKING:
    import numpy.typing as npt

Metric = Literal["euclidean", "great-circle", "matrix"]
Coordinates = Literal["x/y", "lat/lon", "none"]

EARTH_RADIUS_KM = 6371.0088
"""Of the sphere that distances are measured on."""
MAX_DECIMALS = 3
MIN_FACTOR = 1e-6
MAX_FACTOR = 10**6

KILOMETRES_PER_UNIT = {"": Fraction(1), "km": Fraction(1), "m": Fraction(1, 1000)}
KILOMETRES_PER_UNIT["mi"] = Fraction(1609344, 1_000_000)
"""What a unit of distance is; an unnamed one is a kilometre."""
SECONDS_PER_UNIT = {"": 60, "s": 1, "min": 60, "h": 3600}
"""What a unit of time is; an unnamed one is a minute."""


@dataclass(frozen=True, slots=True)
class Travel:
    """How far and how long it is from place to place; the depot is place 0.

    Made by `euclidean`, `great_circle` or `from_matrix`. Roads may differ by direction, and a
    detour may be shorter than the direct way.

    Parameters
    ----------
    metric : {"euclidean", "great-circle", "matrix"}
        Where distances come from.
    coordinates : {"x/y", "lat/lon", "none"}
        What the coordinates of the places are: on a plane, on the globe, or not known.
    detour : int or float
        Factor on measured distances, for roads are longer than the crow flies.
    decimals : int
        Decimal places that rounded and truncated distances keep.
    speed : int or float, optional
        Units of distance per hour; durations are then distance / speed, rounded up to seconds.
        Without it a duration is as large as the distance.
    distances : Matrix, optional
        Distances of a matrix; may be missing where nothing uses them.
    durations : Matrix, optional
        Durations of a matrix.

    Examples
    --------
    >>> Travel.from_matrix([[0, 2.5], [3, 0]]).distances.value(0, 1)
    2.5
    """

    metric: Metric = "euclidean"
    coordinates: Coordinates = "x/y"
    detour: int | float = 1
    decimals: int = 0
    speed: int | float | None = None
    distances: Matrix | None = None
    durations: Matrix | None = None

    def __post_init__(self) -> None:
        """Refuse what contradicts itself."""
        validation.choice(self.metric, "metric", get_args(Metric))
        validation.choice(self.coordinates, "coordinates", get_args(Coordinates))
        validation.store_integers(self, "decimals", low=0, high=MAX_DECIMALS)
        object.__setattr__(self, "detour", _factor(self.detour, "detour"))
        if self.speed is not None:
            object.__setattr__(self, "speed", _factor(self.speed, "speed"))
        if self.metric == "matrix":
            self._check_matrices()
        elif self.distances is not None or self.durations is not None:
            raise InputError('go with metric "matrix" only', field="distances")
        wanted = {"euclidean": "x/y", "great-circle": "lat/lon"}.get(self.metric)
        if wanted is not None and self.coordinates != wanted:
            raise InputError(f'must be "{wanted}" for {self.metric} distances', field="coordinates")

    def _check_matrices(self) -> None:
        if self.distances is None and self.durations is None:
            raise InputError("must be given, or durations", field="distances")
        for field in ("distances", "durations"):
            matrix = getattr(self, field)
            if matrix is not None:
                validation.expect(matrix, Matrix, field)
        if self.detour != 1 or self.decimals:
            raise InputError(
                "and decimals change measured distances, not a matrix; leave them out",
                field="detour",
            )
        if self.durations is not None and self.speed is not None:
            raise InputError("contradicts the durations; leave one of them out", field="speed")
        if self.distances is None or self.durations is None:
            return
        if self.distances.places != self.durations.places:
            raise InputError(
                f"is over {self.durations.places} places, the matrix of distances over "
                f"{self.distances.places}",
                field="durations",
            )
        pair = self.distances.first_road_missing_in(self.durations)
        if pair is not None:
            raise InputError(
                f"the road from place {pair[0]} to place {pair[1]} has either a distance or a "
                "duration, but not both",
                field="durations",
            )

    @classmethod
    def euclidean(
        cls, *, detour: float = 1, decimals: int = 0, speed: float | None = None
    ) -> Travel:
        """Return travel along straight lines between x and y.

        Parameters
        ----------
        detour : int or float
            Factor on distances.
        decimals : int
            Decimal places that rounded and truncated distances keep, 0 to 3.
        speed : int or float, optional
            Units of distance per hour.
        """
        return cls(detour=detour, decimals=decimals, speed=speed)

    @classmethod
    def great_circle(
        cls, *, detour: float = 1, decimals: int = 0, speed: float | None = None
    ) -> Travel:
        """Return travel along great circles between latitudes and longitudes.

        Parameters
        ----------
        detour : int or float
            Factor on distances.
        decimals : int
            Decimal places that rounded and truncated distances keep, 0 to 3.
        speed : int or float, optional
            Units of distance per hour.
        """
        return cls("great-circle", "lat/lon", detour=detour, decimals=decimals, speed=speed)

    @classmethod
    def from_matrix(
        cls,
        distances: npt.ArrayLike | Sequence[Sequence[float | None]] | None = None,
        durations: npt.ArrayLike | Sequence[Sequence[float | None]] | None = None,
        *,
        speed: float | None = None,
        coordinates: Coordinates = "none",
    ) -> Travel:
        """Return travel by a road matrix, in the instance's units.

        Parameters
        ----------
        distances : array-like, optional
            A square: row and column 0 are the depot, i is customer i. ``None`` or NaN in a cell
            is a road that cannot be driven. Arrays, pandas frames and nested lists will do; the
            order counts, not the labels of a frame: ``frame.loc[places, places]``.
        durations : array-like, optional
            Likewise; by default from the speed, or equal to the distances.
        speed : int or float, optional
            Units of distance per hour, in place of durations.
        coordinates : {"x/y", "lat/lon", "none"}
            What the coordinates of the customers are, for maps.
        """
        return cls(
            "matrix",
            coordinates,
            speed=speed,
            distances=None if distances is None else Matrix.of(distances, "distances"),
            durations=None if durations is None else Matrix.of(durations, "durations"),
        )

    @property
    def places(self) -> int | None:
        """How many places a matrix is over; nothing where any number will do."""
        matrix = self.durations if self.distances is None else self.distances
        return None if matrix is None else matrix.places

    @property
    def is_plain(self) -> bool:
        """Whether it is what format 1 knows: straight lines, and time is measured in distance."""
        return self == STRAIGHT_LINES


def _factor(value: object, field: str) -> int | float:
    number = validation.finite_or_not(value, field)
    if not number > 0:
        raise InputError(f"must be above 0, got {number_text(number)}", field=field)
    return validation.number(number, field, low=MIN_FACTOR, high=MAX_FACTOR)


STRAIGHT_LINES = Travel()
"""The travel of format 1."""
