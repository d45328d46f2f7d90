"""Two searches of the same instance, to stand beside each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from tailgate.research.experiments.optima.row import PROVEN
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import by_class, grouped

_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Pair:
    """The rows of one instance."""

    first: Row
    second: Row

    @property
    def both(self) -> tuple[Row, Row]:
        """The first, and the second."""
        return self.first, self.second

    @property
    def is_proven(self) -> bool:
        """Whether both have come to the end."""
        return all(row["status"] in PROVEN for row in self.both)


def pairs_of(rows: Mapping[str, Row], column: str, first: Hashable, second: Hashable) -> list[Pair]:
    """Return the instances that have a row with either value in a column, by class and name."""
    pairs = []
    for _, group in grouped(rows.values(), "instance"):
        by_value = {row[column]: row for row in group}
        if first in by_value and second in by_value:
            pairs.append(Pair(by_value[first], by_value[second]))
    return sorted(pairs, key=lambda pair: (pair.first["packing_class"], pair.first["instance"]))


def pairs_by_class(pairs: Sequence[Pair]) -> list[tuple[str, list[Pair]]]:
    """Return the pairs of every packing class, and all."""
    return by_class(pairs, lambda pair: int(pair.first["packing_class"]))


def problems_of_pair(pair: Pair, *, only_second_bounds: bool = False) -> list[str]:
    """Say what cannot be: a bound of one above the plan of the other, or what the judge says."""
    found = [problem for row in pair.both for problem in row["problems"]]
    for one, other in [pair.both[::-1], *([] if only_second_bounds else [pair.both])]:
        bound, cost = one["lower_bound"], other["objective"]
        if bound is not None and cost is not None and bound > cost * (1 + _TOLERANCE):
            found.append(f"the bound {bound} is above the plan {cost} of the other search")
    return [f"{pair.first['instance']}: {problem}" for problem in found]
