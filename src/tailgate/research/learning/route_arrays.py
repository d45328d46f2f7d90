"""Queries as a network sees them: distinct customers, and routes as lists of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tailgate.model.errors import InputError
from tailgate.research.learning.query_file import QueryTable, ranges
from tailgate.solver.network.features import CUSTOMER_FEATURES, ROUTE_FEATURES

Floats = NDArray[np.float32]

NO_STOP = -1
"""Fills up the shorter routes."""


@dataclass(frozen=True)
class Customers:
    """Distinct customers: the same items in the same order on the same floor make one."""

    items: Floats
    """Widths and lengths as shares of the floor's: customers x items x 2, padded with zeros."""
    counts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.counts)

    def sorted(self) -> Customers:
        """Return them with the items of each in a fixed order: widest first, then longest."""
        width, length = self.items[..., 0], self.items[..., 1]
        # Padding is zero, and so stays at the end.
        order = np.lexsort((-length, -width), axis=-1)
        items = np.take_along_axis(self.items, order[..., None], axis=1)
        return Customers(items, self.counts)

    def features(self, names: Sequence[str]) -> Floats:
        """Return what a step of the network sees of each customer beside its items."""
        return self._values([CUSTOMER_FEATURES[name] for name in names])

    def route_terms(self, names: Sequence[str]) -> Floats:
        """Return what each customer adds to the features of its route."""
        return self._values([ROUTE_FEATURES[name] for name in names])

    def _values(self, features: Sequence[object]) -> Floats:
        values = np.zeros((len(self), len(features)), dtype=np.float32)
        for row, (own, count) in enumerate(zip(self.items, self.counts, strict=True)):
            items = [(float(width), float(length)) for width, length in own[:count]]
            for column, feature in enumerate(features):
                assert callable(feature)
                values[row, column] = feature(items)
        return values


@dataclass(frozen=True)
class Routes:
    """Routes as rows of customers in visiting order, padded with `NO_STOP`."""

    stops: NDArray[np.int32]
    stop_count: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.stops)

    def select(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> Routes:
        """Return some of them."""
        return Routes(self.stops[rows], self.stop_count[rows])

    def reversed(self) -> Routes:
        """Return all of them backwards; the padding stays at the end."""
        width = self.stops.shape[1]
        places = np.arange(width)
        mirrored = self.stop_count[:, None] - 1 - places
        stops = np.take_along_axis(self.stops, np.where(mirrored >= 0, mirrored, places), axis=1)
        return Routes(np.where(mirrored >= 0, stops, NO_STOP).astype(np.int32), self.stop_count)


def route_arrays(table: QueryTable) -> tuple[Customers, Routes]:
    """Find the distinct customers and write the routes in their terms.

    A network sees sizes alone, so queries about items that may be turned are refused: the same
    sizes have another verdict there.
    """
    if table.item_turns.any():
        raise InputError(
            "has items that may be turned, of which the networks know nothing; make the data set "
            "of instances without them",
            field="data set",
        )
    shares = table.item_sizes / np.repeat(
        table.floor, np.add.reduceat(table.items_per_stop, table.stop_starts[:-1]), axis=0
    )
    counts = table.items_per_stop.astype(np.int64)
    most = int(counts.max(initial=1))
    padded = np.zeros((len(counts), most, 2), dtype=np.float32)
    stop_of_item = np.repeat(np.arange(len(counts)), counts)
    slots = ranges(np.zeros(len(counts), dtype=np.int64), counts)
    padded[stop_of_item, slots] = shares
    # Compared as bytes: far faster than row by row.
    flat = np.ascontiguousarray(padded.reshape(len(counts), -1))
    rows = flat.view([("bytes", f"V{flat.itemsize * flat.shape[1]}")])["bytes"].ravel()
    _, first, inverse = np.unique(rows.view(f"S{rows.itemsize}"), True, True)
    customers = Customers(padded[first], counts[first])
    stops = np.full((len(table), int(table.stop_count.max(initial=1))), NO_STOP, dtype=np.int32)
    query = np.repeat(np.arange(len(table)), table.stop_count)
    place = ranges(np.zeros(len(table), dtype=np.int64), table.stop_count)
    stops[query, place] = inverse
    return customers, Routes(stops, table.stop_count.astype(np.int64))
