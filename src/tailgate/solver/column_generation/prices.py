"""The duals of one round of pricing, as pricers take them, and the bound that comes of them."""

from __future__ import annotations

import math
from collections import defaultdict

from tailgate.model.instance import Instance
from tailgate.solver.column_generation.lagrangian import KindTerm, Lagrangian
from tailgate.solver.column_generation.relaxation import Subproblem
from tailgate.solver.master import Edge, EdgeRow, MasterSolution, vehicle_limits
from tailgate.solver.pricing import Pricer, SubsetRow


class Prices:
    """Duals of customers, rows and kinds of vehicles in a part of the solutions."""

    def __init__(
        self,
        instance: Instance,
        subproblem: Subproblem,
        solution: MasterSolution,
        cost_factor: float,
    ) -> None:
        """Take the duals of a solution; with a cost factor of 0 nothing costs but the misses."""
        self._instance = instance
        self._subproblem = subproblem
        self._cost_factor = cost_factor
        self._duals = _balanced(instance, solution.duals)
        self._limits = subproblem.vehicle_limits or vehicle_limits(instance)
        # A kind without vehicles adds nothing, whatever its dual.
        self._least = list(solution.fleet_duals)
        self._rounded: list[float] | None = None
        self._correction = 0.0
        self._constants: list[float] = []
        self._edge_prices: defaultdict[Edge, float] = defaultdict(float)
        self._subset_rows: list[tuple[SubsetRow, float]] = []
        self._left_out_prices: defaultdict[int, float] = defaultdict(float)
        for row, dual in solution.row_duals.items():
            self._constants.append(dual * (row.lower if dual > 0 else row.upper))
            for customer, amount in row.left_out:
                self._left_out_prices[customer] += amount * dual
            if isinstance(row, SubsetRow):
                self._subset_rows.append((row, -dual))
            else:
                assert isinstance(row, EdgeRow)
                for edge, coefficient in row.edges:
                    self._edge_prices[edge] += coefficient * dual

    def has_vehicles(self, kind: int) -> bool:
        """Return whether a vehicle of the kind may be used at all."""
        return self._limits[kind][1] > 0

    def hand_to(self, pricer: Pricer) -> None:
        """Hand the duals to a pricer, which rounds them."""
        rounded = pricer.set_duals(
            self._duals,
            cost_factor=self._cost_factor,
            edge_prices=self._edge_prices,
            subset_rows=self._subset_rows,
        )
        if self._rounded is None:
            self._rounded = rounded
        # The bound needs the same duals for all kinds: a route may cost so much less under those
        # of the first pricer.
        pairs = zip(self._rounded, rounded, strict=True)
        self._correction = math.fsum(first - own for first, own in pairs if first > own)

    def take_bound(self, kind: int, least_reduced_cost: float) -> None:
        """Take what the pricer of a kind has proven of its routes."""
        self._least[kind] = least_reduced_cost - self._correction

    @property
    def lagrangian(self) -> Lagrangian:
        """The bound of these duals."""
        duals = self._duals if self._rounded is None else self._rounded
        constant = math.fsum((*duals, *self._constants, *self._left_out_terms(duals)))
        terms = zip(self._least, self._limits, strict=True)
        return Lagrangian(constant, tuple(KindTerm(least, *limits) for least, limits in terms))

    def _left_out_terms(self, duals: list[float]) -> list[float]:
        """Return what leaving customers out adds, where that is the cheaper way."""
        instance, part = self._instance, self._subproblem
        terms: list[float] = []
        partners = instance.rules.partners
        for customer in sorted(instance.optional):
            group = partners.get(customer, frozenset((customer,)))
            # All of a group are left out, or none: its first customer stands for it.
            if customer != min(group):
                continue
            more = math.fsum(
                self._cost_factor * instance.leave_out_cost(one)
                - duals[one - 1]
                - self._left_out_prices[one]
                for one in group
            )
            if not part.left_out.isdisjoint(group):
                terms.append(more)
            elif part.served.isdisjoint(group):
                terms.append(min(0.0, more))
        return terms


def _balanced(instance: Instance, duals: tuple[float, ...]) -> list[float]:
    """Return duals that are the same for all who ride together.

    Routes visit all of a group or none, so that only the sum matters to them; labels, which know
    nothing of groups, are not led astray by one large dual.
    """
    balanced = list(duals)
    for group in instance.rules.groups:
        mean = math.fsum(duals[one - 1] for one in group) / len(group)
        for one in group:
            balanced[one - 1] = mean
    return balanced
