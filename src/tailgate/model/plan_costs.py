"""What a whole plan costs: routes by vehicles of several kinds, and customers left out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from tailgate.model.costs import usable_step
from tailgate.model.exact import fraction_of
from tailgate.model.matrix import plain

if TYPE_CHECKING:
    from tailgate.model.instance import Instance


class PlanCosts:
    """The costs of an instance's plans."""

    def __init__(self, instance: Instance) -> None:
        """Keep the instance; nothing is computed before it is asked for."""
        self._kinds = tuple(instance.of_kind(kind).costs for kind in range(len(instance.vehicles)))
        self._leave_out = {number: instance.leave_out_cost(number) for number in instance.optional}
        self._terms = instance.n + 1 + instance.vehicle_count + len(self._leave_out)

    @cached_property
    def step(self) -> Fraction | None:
        """What all costs of plans are multiples of; ``None`` where there is no such number."""
        if len(self._kinds) == 1 and not self._leave_out:
            return self._kinds[0].step
        return usable_step(
            [
                *(costs.exact_step for costs in self._kinds),
                *map(fraction_of, self._leave_out.values()),
            ],
            self._terms,
            max(
                *(costs.arc_limit for costs in self._kinds),
                *map(float, self._leave_out.values()),
                0.0,
            ),
        )

    def total(
        self, routes: Iterable[tuple[int, Sequence[int]]], left_out: Iterable[int]
    ) -> int | float:
        """Return what routes, each with its kind, and customers left out cost together."""
        chosen, missed = list(routes), [self._leave_out[number] for number in left_out]
        if len(self._kinds) == 1 and not missed:
            return self._kinds[0].total(route for _, route in chosen)
        if self.step is None:
            return math.fsum([*(self._kinds[kind].cost(route) for kind, route in chosen), *missed])
        exact = sum((self._kinds[kind].exact(route) for kind, route in chosen), Fraction(0))
        total = exact + sum(map(fraction_of, missed), Fraction(0))
        return plain(total) if isinstance(total, Fraction) else total
