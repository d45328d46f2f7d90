"""What an instance on a random road network has beside its roads."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model import validation
from tailgate.model.limits import MAX_COST

MOST_CLOSED_PERCENT = 50
SHORTEST_SHIFT, LONGEST_SHIFT = 4, 12


@dataclass(frozen=True, slots=True)
class RoadOptions:
    """Roads of a random network in kilometres and minutes, and what goes with them.

    Parameters
    ----------
    keeps_triangle : bool
        Whether durations obey the triangle inequality. If not, every direct way is slowed down by
        its own traffic, and a detour may be faster.
    closed_percent : int
        How many of a hundred ways from customer to customer cannot be driven directly.
    shift_hours : int or float, optional
        The longest time from departure to return; trucks are then out between 06:00 and 18:00.
    costs : tuple of int or float, optional
        What a truck costs that leaves, what a kilometre and what a minute costs, in EUR. Without
        it a plan costs its kilometres.

    Examples
    --------
    >>> import tailgate
    >>> tailgate.generate_instance(6, 2, roads=RoadOptions(shift_hours=8), seed=1).name
    'random-roads-n6-c2-h8-s1'
    """

    keeps_triangle: bool = True
    closed_percent: int = 0
    shift_hours: int | float | None = None
    costs: tuple[int | float, int | float, int | float] | None = None

    def __post_init__(self) -> None:
        """Refuse what no instance can have."""
        validation.boolean(self.keeps_triangle, "keeps_triangle")
        validation.integer(self.closed_percent, "closed_percent", low=0, high=MOST_CLOSED_PERCENT)
        if self.shift_hours is not None:
            limits = {"low": SHORTEST_SHIFT, "high": LONGEST_SHIFT}
            validation.number(self.shift_hours, "shift_hours", **limits)
        if self.costs is not None:
            costs = validation.sequence(self.costs, "costs", "three numbers")
            if len(costs) != 3:
                raise validation.refused(self.costs, "costs", "be three numbers")
            for cost in costs:
                validation.number(cost, "costs", low=0, high=MAX_COST)

    @property
    def name_parts(self) -> list[str]:
        """What the name of an instance says of it."""
        return [
            *([] if self.keeps_triangle else ["traffic"]),
            *([f"x{self.closed_percent}"] if self.closed_percent else []),
            *([] if self.shift_hours is None else [f"h{self.shift_hours:g}"]),
            *([] if self.costs is None else ["eur" + "-".join(f"{cost:g}" for cost in self.costs)]),
        ]
