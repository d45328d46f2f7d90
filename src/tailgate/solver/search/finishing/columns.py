"""The columns of a pool as arrays: what each costs, whom it visits, and what is known of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.solver.column import Column, views_of
from tailgate.solver.search.finishing.fleet_limits import FleetLimits
from tailgate.solver.search.finishing.rank_one_cut import RankOneCut

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

PROVEN = 100
"""In `effort`: the route can be loaded."""

_EXACT_BITS = 50
"""Sums of integer multiples of one unit are exact in floating point up to 2^53 of them."""
_FINEST_UNIT = 2.0**-30


@dataclass(frozen=True, slots=True)
class PricedColumns:
    """All columns under one set of duals."""

    reduced: Floats
    """By column: cost less the duals of its customers and of the cuts."""
    bound: float
    """No solution that is made of these columns costs less."""
    others: Floats
    """By kind: what all but one route of that kind cost at least, duals of rows included."""
    unit: float
    """All these are integer multiples of it."""


class Columns:
    """One column per kind and set of customers, with the cheapest of its orders not refuted.

    A column leaves when none of its orders is left or when no good solution can use it. Cuts live
    here as well, for their duals count in the cost of a column.
    """

    def __init__(self, instance: Instance, columns: Iterable[Column]) -> None:
        self._instance = instance
        self._views = views_of(instance)
        self._fleet = FleetLimits.of(instance)
        self._optional = np.array(sorted(instance.optional), np.int64) - 1
        """The rows of customers who may be left out, and what that costs."""
        self._leave_out_costs = np.array(
            [instance.leave_out_cost(number) for number in sorted(instance.optional)], float
        )
        listed = list(columns)
        costs = self._costs(listed)
        cheapest: dict[tuple[int, frozenset[int]], int] = {}
        for index, (kind, route) in enumerate(listed):
            other = cheapest.setdefault((kind, frozenset(route)), index)
            if costs[index] < costs[other]:
                cheapest[kind, frozenset(route)] = index
        kept = list(cheapest.values())
        self.routes: list[RoutePath] = [listed[index].route for index in kept]
        self.kinds: Indices = np.array([listed[index].kind for index in kept], np.int64)
        self.costs: Floats = costs[kept]
        self.alive = np.ones(len(self.routes), bool)
        self.effort = np.zeros(len(self.routes), np.int8)
        """Zero: not asked yet; then the number of efforts that have not decided it."""
        self.cuts: list[RankOneCut] = []
        self.cut_entries: list[tuple[Indices, Floats]] = []
        """By cut: the columns with a coefficient, and the coefficient."""
        self._index_sets()

    def _costs(self, columns: Sequence[Column]) -> Floats:
        """Return what columns cost."""
        kinds = np.array([column.kind for column in columns], np.int64)
        costs = np.zeros(len(columns))
        for kind, view in enumerate(self._views):
            own = np.flatnonzero(kinds == kind)
            if len(own):
                costs[own] = view.costs.of_routes([columns[index].route for index in own.tolist()])
        return costs

    def _index_sets(self) -> None:
        lengths = np.fromiter(map(len, self.routes), np.int64, len(self.routes))
        self.starts: Indices = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        self.customers: Indices = _stops(self.routes)
        self._owners = np.repeat(np.arange(len(self.routes)), lengths)
        self.visits = np.zeros((self._instance.n, len(self.routes)), np.uint8)
        self.visits[self.customers - 1, self._owners] = 1

    def __len__(self) -> int:
        return len(self.routes)

    def column(self, index: int) -> Column:
        """Return one of them."""
        return Column(int(self.kinds[index]), self.routes[index])

    @property
    def count(self) -> int:
        """How many columns are left."""
        return int(self.alive.sum())

    def replace(
        self, column: int, route: RoutePath | None, priced: PricedColumns | None, limit: float
    ) -> None:
        """Put another order in the place of a refuted one; None if there is no other.

        With duals that were found before, it may turn out too expensive for any solution of at most
        `limit`, and leaves.
        """
        if route is None:
            self.alive[column] = False
            return
        before = self.costs[column]
        self.routes[column] = route
        self.costs[column] = self._costs([self.column(column)])[0]
        self.effort[column] = 0
        if priced is not None:
            unit = priced.unit
            more = math.floor(self.costs[column] / unit) - math.floor(before / unit)
            priced.reduced[column] += more * unit
            if priced.others[self.kinds[column]] + priced.reduced[column] > limit:
                self.alive[column] = False

    def visits_of(self, columns: Indices) -> tuple[Indices, Indices]:
        """Return all visits of some columns: which of them it is, and the row of the customer."""
        lengths = np.diff(self.starts)[columns]
        before = np.repeat(self.starts[columns] - np.cumsum(lengths) + lengths, lengths)
        rows = self.customers[np.arange(lengths.sum()) + before] - 1
        return np.arange(len(columns)).repeat(lengths), rows

    def is_solution(self, chosen: Indices) -> bool:
        """Whether these columns serve whom they must, nobody twice, with the fleet."""
        served = self.visits[:, chosen].sum(axis=1, dtype=np.int64)
        # Who may be left out is served, or not.
        served[self._optional[served[self._optional] == 0]] = 1
        return self._fleet.allow(self.kinds[chosen]) and bool((served == 1).all())

    # Cuts.

    def add_cuts(self, cuts: Sequence[RankOneCut]) -> None:
        """Add rows for the columns to keep."""
        for cut in cuts:
            coefficients = cut.coefficients(self.visits)
            columns = np.flatnonzero(coefficients)
            self.cuts.append(cut)
            self.cut_entries.append((columns, coefficients[columns].astype(float)))

    def keep_cuts(self, kept: Sequence[int]) -> None:
        """Forget all cuts but these."""
        self.cuts = [self.cuts[cut] for cut in kept]
        self.cut_entries = [self.cut_entries[cut] for cut in kept]

    # Reduced costs.

    def price(self, duals: Floats, cut_duals: Floats) -> PricedColumns:
        """Return what every column costs under these duals, and the Lagrangian bound.

        Any duals give a true bound, as long as those of cuts are not positive. Duals are rounded
        to multiples of a power of two, and costs rounded down to them, so that no sum here is
        rounded again: the bound does not rest on floating point.
        """
        cut_duals = np.minimum(cut_duals, 0.0)
        used = np.flatnonzero(cut_duals)
        uppers = np.array([self.cuts[cut].upper for cut in used], float)
        largest = math.fsum(
            (
                float(np.abs(duals).sum()),
                # No coefficient is larger than what the row adds up to.
                float(np.abs(cut_duals[used] * uppers).sum()),
                float(self.costs.max(initial=1.0)),
            )
        )
        unit = max(_FINEST_UNIT, 2.0 ** (math.ceil(math.log2(largest)) - _EXACT_BITS))
        duals = np.round(duals / unit) * unit
        cut_duals = np.minimum(np.round(cut_duals / unit) * unit, 0.0)
        reduced = np.floor(self.costs / unit) * unit
        if len(self.customers):
            reduced -= np.add.reduceat(duals[self.customers - 1], self.starts[:-1])
        if len(used):
            columns = np.concatenate([self.cut_entries[cut][0] for cut in used])
            paid = np.concatenate([cut_duals[cut] * self.cut_entries[cut][1] for cut in used])
            reduced -= np.bincount(columns, paid, len(self.routes))
        # Who may be left out pays no more than that costs.
        paid_by = duals.copy()
        left_out = np.floor(self._leave_out_costs / unit) * unit
        paid_by[self._optional] = np.minimum(duals[self._optional], left_out)
        rows = float(paid_by.sum() + (cut_duals[used] * uppers).sum())
        if len(self._optional) < self._instance.n and not self.alive.any():
            # Somebody must be served, and there is no route.
            return PricedColumns(reduced, math.inf, np.full(len(self._views), math.inf), unit)
        bound, others = self._fleet.bounds(rows, self._least_by_kind(reduced), unit)
        return PricedColumns(reduced=reduced, bound=bound, others=others, unit=unit)

    def _least_by_kind(self, reduced: Floats) -> list[float]:
        """Return the least reduced cost of the columns that are left; infinite if none is."""
        if len(self._views) == 1:
            return [float(reduced[self.alive].min(initial=math.inf))]
        return [
            float(reduced[self.alive & (self.kinds == kind)].min(initial=math.inf))
            for kind in range(len(self._views))
        ]

    def drop_above(self, priced: PricedColumns, limit: float) -> int:
        """Drop the columns that no solution of at most this cost can use; return how many."""
        dropped = self.alive & (priced.others[self.kinds] + priced.reduced > limit)
        self.alive &= ~dropped
        return int(dropped.sum())

    # Size.

    def compact(self) -> Indices:
        """Forget the columns that have left; return the new number of each old one, or -1."""
        kept = np.flatnonzero(self.alive)
        renumbered = np.full(len(self.routes), -1, np.int64)
        renumbered[kept] = np.arange(len(kept))
        self.routes = [self.routes[column] for column in kept]
        self.kinds = self.kinds[kept]
        self.costs = self.costs[kept]
        self.effort = self.effort[kept]
        self.alive = np.ones(len(kept), bool)
        self._index_sets()
        for cut, (columns, coefficients) in enumerate(self.cut_entries):
            still = renumbered[columns] >= 0
            self.cut_entries[cut] = renumbered[columns[still]], coefficients[still]
        return renumbered


def column_wise(
    count: int, owners: Sequence[Indices], rows: Sequence[Indices], entries: Sequence[Floats]
) -> tuple[Indices, Indices, Floats]:
    """Return a matrix of so many columns as HiGHS takes it: where each starts, rows, entries."""
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    starts = np.searchsorted(owner[order], np.arange(count + 1))
    return starts, np.concatenate(rows)[order], np.concatenate(entries)[order]


def _stops(routes: Iterable[RoutePath]) -> Indices:
    return np.fromiter(chain.from_iterable(routes), np.int64)
