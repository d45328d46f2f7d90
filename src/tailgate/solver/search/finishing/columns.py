"""The routes of a pool as arrays: what each costs, whom it visits, and what is known of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
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
    least: float
    """The smallest of them among the columns that are left; infinite if none is."""
    bound: float
    """No solution that is made of these columns costs less."""
    others: float
    """What all but one route of a solution cost at least, duals of rows included."""
    unit: float
    """All these are integer multiples of it."""


class Columns:
    """One column per set of customers, with the cheapest of its orders that is not refuted.

    A column leaves when none of its orders is left or when no good solution can use it. Cuts live
    here as well, for their duals count in the cost of a column.
    """

    def __init__(self, instance: Instance, routes: Iterable[RoutePath]) -> None:
        self._instance = instance
        self._at_most = instance.conventions.fleet == "at-most"
        self._arcs = instance.costs.arcs
        listed = [tuple(route) for route in routes]
        costs = self._costs(listed)
        cheapest: dict[frozenset[int], int] = {}
        for index, route in enumerate(listed):
            other = cheapest.setdefault(frozenset(route), index)
            if costs[index] < costs[other]:
                cheapest[frozenset(route)] = index
        kept = list(cheapest.values())
        self.routes: list[RoutePath] = [listed[index] for index in kept]
        self.costs: Floats = costs[kept]
        self.alive = np.ones(len(self.routes), bool)
        self.effort = np.zeros(len(self.routes), np.int8)
        """Zero: not asked yet; then the number of efforts that have not decided it."""
        self.cuts: list[RankOneCut] = []
        self.cut_entries: list[tuple[Indices, Floats]] = []
        """By cut: the columns with a coefficient, and the coefficient."""
        self._index_sets()

    def _costs(self, routes: Sequence[RoutePath]) -> Floats:
        """Return what routes cost, added up from stop to stop as the judge does."""
        if self._instance.costs.waiting_counts:
            return np.array([self._instance.route_cost(route) for route in routes], float)
        lengths = np.fromiter(map(len, routes), np.int64, len(routes))
        # Waiting at the depot costs nothing.
        stops = np.zeros((len(routes), int(lengths.max(initial=0)) + 2), np.int64)
        stops[:, 1:-1][np.arange(stops.shape[1] - 2) < lengths[:, None]] = _stops(routes)
        costs = np.zeros(len(routes))
        for position in range(stops.shape[1] - 1):
            costs += self._arcs[stops[:, position], stops[:, position + 1]]
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
        self.costs[column] = self._costs([route])[0]
        self.effort[column] = 0
        if priced is not None:
            unit = priced.unit
            more = math.floor(self.costs[column] / unit) - math.floor(before / unit)
            priced.reduced[column] += more * unit
            if priced.others + priced.reduced[column] > limit:
                self.alive[column] = False

    def visits_of(self, columns: Indices) -> tuple[Indices, Indices]:
        """Return all visits of some columns: which of them it is, and the row of the customer."""
        lengths = np.diff(self.starts)[columns]
        before = np.repeat(self.starts[columns] - np.cumsum(lengths) + lengths, lengths)
        rows = self.customers[np.arange(lengths.sum()) + before] - 1
        return np.arange(len(columns)).repeat(lengths), rows

    def is_solution(self, chosen: Indices) -> bool:
        """Whether these columns serve every customer once, with the fleet."""
        served = self.visits[:, chosen].sum(axis=1, dtype=np.int64)
        trucks = self._instance.vehicle_count
        fleet_is_kept = len(chosen) <= trucks if self._at_most else len(chosen) == trucks
        return fleet_is_kept and bool((served == 1).all())

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
        least = float(reduced[self.alive].min(initial=math.inf))
        if math.isinf(least):
            return PricedColumns(reduced, least, bound=math.inf, others=math.inf, unit=unit)
        rows = float(duals.sum() + (cut_duals[used] * uppers).sum())
        floor = min(least, 0.0) if self._at_most else least
        trucks = self._instance.vehicle_count
        return PricedColumns(
            reduced=reduced,
            least=least,
            bound=_sum(rows, trucks, floor, unit),
            others=_sum(rows, trucks - 1, floor, unit),
            unit=unit,
        )

    def drop_above(self, priced: PricedColumns, limit: float) -> int:
        """Drop the columns that no solution of at most this cost can use; return how many."""
        dropped = self.alive & (priced.others + priced.reduced > limit)
        self.alive &= ~dropped
        return int(dropped.sum())

    # Size.

    def compact(self) -> Indices:
        """Forget the columns that have left; return the new number of each old one, or -1."""
        kept = np.flatnonzero(self.alive)
        renumbered = np.full(len(self.routes), -1, np.int64)
        renumbered[kept] = np.arange(len(kept))
        self.routes = [self.routes[column] for column in kept]
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


def _sum(rows: float, trucks: int, least: float, unit: float) -> float:
    """Return rows + trucks * least, never rounded up; all are multiples of the unit."""
    units = int(rows / unit) + trucks * int(least / unit)
    value = units * unit
    return value if abs(units) < 2**53 else math.nextafter(value, -math.inf)
