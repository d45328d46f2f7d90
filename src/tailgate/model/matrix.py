"""A value for every ordered pair of places, exact: integers, and what one of them is worth."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tailgate.model.errors import InputError
from tailgate.model.rounding import number_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

NO_ROAD = -1
"""In place of a value: the pair cannot be driven."""
MAX_DECIMAL_PLACES = 9
# Sums over a route stay far below 2**53, so that floats carry them exactly.
MAX_STORED = 2**40


class Matrix:
    """A square of values, none of them negative, zero on the diagonal; asymmetric as roads are.

    Examples
    --------
    >>> matrix = Matrix.of([[0, 1.5], [None, 0]], "distances")
    >>> matrix.value(0, 1), matrix.value(1, 0)
    (1.5, inf)
    """

    __slots__ = ("_digest", "has_missing_roads", "step", "stored")

    def __init__(self, stored: npt.NDArray[np.int64], step: Fraction) -> None:
        """Keep a matrix of integers, each of which is worth ``step``; `of` checks what it takes.

        Parameters
        ----------
        stored : array of int
            The values in steps; -1 where there is no road. It is not copied.
        step : Fraction
            What one of them is worth, in the instance's unit.
        """
        self.stored = stored
        self.step = step
        self.has_missing_roads = bool((stored == NO_ROAD).any())
        self._digest = ""
        stored.setflags(write=False)

    @classmethod
    def of(
        cls,
        values: npt.ArrayLike | Sequence[Sequence[float | None]],
        field: str,
        *,
        step: Fraction | int = 1,
        labels: Sequence[str] | None = None,
    ) -> Matrix:
        """Return a matrix of decimals as they are written; each is worth ``step``.

        Parameters
        ----------
        values : array-like
            A square; ``None`` or NaN where there is no road.
        field : str
            What complaints call it.
        step : Fraction or int
            What a value of 1 is worth in the instance's unit.
        labels : sequence of str, optional
            What complaints call the places; by default their numbers.
        """
        import numpy as np

        _check_labels(values, field)
        try:
            given = np.asarray(values)
            if given.dtype.kind not in "biuf":
                given = given.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise InputError("must be a square of numbers", field=field) from error
        _check_square(given, field)
        cells = _Cells(given, field, labels)
        cells.check()
        stored, places = cells.as_integers()
        return cls(stored, Fraction(step) / 10**places)

    @property
    def places(self) -> int:
        """How many places it is over, the depot included."""
        return len(self.stored)

    def value(self, start: int, end: int) -> int | float:
        """Return one value in the instance's unit; infinity where there is no road.

        Parameters
        ----------
        start : int
            The row.
        end : int
            The column.
        """
        stored = int(self.stored[start, end])
        return math.inf if stored == NO_ROAD else plain(stored * self.step)

    def values(self) -> npt.NDArray[np.float64]:
        """Return all values in the instance's unit; infinity where there is no road."""
        import numpy as np

        numerator, denominator = self.step.numerator, self.step.denominator
        real = self.stored * float(numerator) / float(denominator)
        return np.where(self.stored == NO_ROAD, np.inf, real)

    def first_road_missing_in(self, other: Matrix) -> tuple[int, int] | None:
        """Return the first pair that is a road in one matrix only.

        Parameters
        ----------
        other : Matrix
            A matrix over the same places.
        """
        import numpy as np

        pairs = np.argwhere((self.stored == NO_ROAD) != (other.stored == NO_ROAD))
        return (int(pairs[0][0]), int(pairs[0][1])) if len(pairs) else None

    @property
    def is_symmetric(self) -> bool:
        """Whether all values are the same in both directions."""
        return bool((self.stored == self.stored.T).all())

    @property
    def digest(self) -> str:
        """Identifies the values in the instance's unit, whatever they are stored in."""
        if not self._digest:
            import numpy as np

            roads = self.stored[self.stored != NO_ROAD]
            divisor = int(np.gcd.reduce(roads)) if len(roads) else 0
            canonical = np.where(self.stored == NO_ROAD, NO_ROAD, self.stored // (divisor or 1))
            content = hashlib.sha256(np.ascontiguousarray(canonical, dtype="<i8").tobytes())
            content.update(str(divisor * self.step).encode("ascii"))
            self._digest = content.hexdigest()
        return self._digest

    def __eq__(self, other: object) -> bool:
        """Return whether all values are the same."""
        return isinstance(other, Matrix) and self.digest == other.digest

    def __hash__(self) -> int:
        """Equal matrices have equal hashes."""
        return hash(self.digest)

    def __repr__(self) -> str:
        """Say how large it is, instead of all its values."""
        return f"Matrix({self.places} x {self.places})"


def plain(value: Fraction) -> int | float:
    """Return an exact number as people write it: an integer if it is one."""
    return value.numerator if value.denominator == 1 else float(value)


def _check_labels(values: object, field: str) -> None:
    """Refuse a frame whose rows and columns are not the same places in the same order."""
    rows, columns = getattr(values, "index", None), getattr(values, "columns", None)
    if columns is None or rows is None or list(rows) == list(columns):
        return
    raise InputError(
        "must have the same labels in rows and columns, in the same order, the depot first; "
        "frame.loc[places, places] puts them so",
        field=field,
    )


def _check_square(values: npt.NDArray[Any], field: str) -> None:
    if values.ndim != 2 or values.shape[0] != values.shape[1] or not len(values):
        size = " x ".join(map(str, values.shape))
        raise InputError(f"must be a square with a row for every place, got {size}", field=field)


class _Cells:
    """The cells of a square, and what complaints call them."""

    def __init__(self, values: npt.NDArray[Any], field: str, labels: Sequence[str] | None) -> None:
        self._values = values
        self._field = field
        self._labels = labels

    def check(self) -> None:
        """Refuse what is no distance or duration."""
        import numpy as np

        values = self._values
        diagonal = np.zeros(values.shape, dtype=bool)
        np.fill_diagonal(diagonal, val=True)
        self._refuse(np.isinf(values), "must be finite; leave a road out that cannot be driven")
        self._refuse(values < 0, "must not be negative")
        self._refuse(diagonal & (values != 0), "must be 0 from a place to itself")

    def as_integers(self) -> tuple[npt.NDArray[np.int64], int]:
        """Return the values times the power of ten that makes integers of all, and that power."""
        import numpy as np

        values = self._values
        missing = np.zeros(values.shape, dtype=bool)
        if values.dtype.kind == "f":
            missing = np.isnan(values)
        real = np.where(missing, 0.0, values.astype(np.float64))
        for places in range(MAX_DECIMAL_PLACES + 1):
            power = 10.0**places
            scaled = np.rint(real * power)
            # The shortest decimal that reads as this float is the one that was meant.
            finer = scaled / power != real
            if not finer.any():
                break
        else:
            self._refuse(finer, f"has more than {MAX_DECIMAL_PLACES} decimal places; round it")
        self._refuse(
            scaled > MAX_STORED,
            f"is too large to be stored exactly at {places} decimal places; use fewer decimal "
            "places or another unit",
        )
        stored = scaled.astype(np.int64)
        stored[missing] = NO_ROAD
        return stored, places

    def _refuse(self, where: npt.NDArray[np.bool_], problem: str) -> None:
        """Complain about the first of these cells, if there is one."""
        import numpy as np

        if not where.any():
            return
        row, column = (int(one) for one in np.argwhere(where)[0])
        pair = f"from place {row} to place {column}, where 0 is the depot"
        if self._labels is not None:
            pair = f"from {self._labels[row]} to {self._labels[column]}"
        raise InputError(
            f"{problem}, got {number_text(float(self._values[row, column]))} ({pair})",
            field=f"{self._field}[{row}][{column}]",
        )
