"""Cuts routes into batches: padded arrays, drawn permutations, and tensors of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from tailgate.research.learning.configuration import ModelConfiguration
from tailgate.research.learning.model import CustomerBatch, RouteBatch
from tailgate.research.learning.route_arrays import Customers, Routes

Rows = NDArray[np.int64]


class Batches:
    """Makes what a network reads, of one set of customers and any routes over them."""

    def __init__(self, configuration: ModelConfiguration, customers: Customers) -> None:
        self._configuration = configuration
        if configuration.sorted_items:
            customers = customers.sorted()
        self._items = torch.from_numpy(customers.items)
        self._counts = customers.counts
        self._most_items = customers.items.shape[1]
        slots = torch.arange(self._most_items)
        self._is_item = slots < torch.from_numpy(customers.counts)[:, None]
        names = configuration.customer_features
        self._features = torch.from_numpy(customers.features(names))
        self._terms = customers.route_terms(configuration.route_features)

    def all_customers(self) -> CustomerBatch:
        """Return every customer, to be embedded once where weights do not change."""
        return CustomerBatch(self._items, self._is_item, self._features)

    def customers_of(self, routes: Routes) -> tuple[CustomerBatch, NDArray[np.int64]]:
        """Return the customers that these routes visit, and the place of each in the batch."""
        visited = np.zeros(len(self._counts) + 1, dtype=bool)
        visited[routes.stops] = True  # padding marks the place after the last
        used = np.flatnonzero(visited[:-1])
        places = np.zeros(len(self._counts) + 1, dtype=np.int64)
        places[used] = np.arange(len(used))
        rows = torch.from_numpy(used)
        batch = CustomerBatch(self._items[rows], self._is_item[rows], self._features[rows])
        return batch, places

    def routes(
        self,
        routes: Routes,
        places: NDArray[np.int64] | None = None,
        *,
        stream: np.random.Generator | None = None,
        permutations: int = 1,
    ) -> RouteBatch:
        """Return the routes for a network; with a stream, in random orders of items."""
        width = int(routes.stop_count.max(initial=1))
        stops = routes.stops[:, :width]
        is_stop = stops >= 0
        stops = np.where(is_stop, stops, 0)
        features = np.where(is_stop[..., None], self._terms[stops], 0).sum(1, dtype=np.float32)
        local = stops.astype(np.int64) if places is None else places[stops]
        if self._configuration.step == "customer":
            place = np.broadcast_to(np.arange(width), stops.shape)
            return _route_batch(local, place, routes.stop_count, features)
        counts = np.where(is_stop, self._counts[stops], 0)
        if permutations > 1:
            counts, local = (np.repeat(array, permutations, axis=0) for array in (counts, local))
            features = np.repeat(features, permutations, axis=0)
        steps, place, lengths = _item_steps(local, counts, self._most_items, stream)
        return _route_batch(steps, place, lengths, features)


def _item_steps(
    local: NDArray[np.int64],
    counts: NDArray[np.int64],
    most_items: int,
    stream: np.random.Generator | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Write every route as a row of items: their number, their stop; and how many there are."""
    rows, width = local.shape
    slots = np.broadcast_to(np.arange(most_items), (rows, width, most_items))
    if stream is not None:
        # Items of a customer in random order, padding last.
        draws = stream.random((rows, width, most_items), dtype=np.float32)
        draws = np.where(slots < counts[..., None], draws, 2)
        slots = np.argsort(draws, axis=-1)
        is_item = np.arange(most_items) < counts[..., None]
    else:
        is_item = slots < counts[..., None]
    items = (local[..., None] * most_items + slots).reshape(rows, -1)
    flags = is_item.reshape(rows, -1)
    lengths = flags.sum(1)
    row, column = np.nonzero(flags)
    target = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    steps = np.zeros((rows, int(lengths.max(initial=1))), dtype=np.int64)
    place = np.zeros_like(steps)
    steps[row, target] = items[row, column]
    place[row, target] = column // most_items
    return steps, place, lengths


def _route_batch(
    steps: NDArray[np.int64],
    place: NDArray[np.int64],
    lengths: NDArray[np.int64],
    features: NDArray[np.float32],
) -> RouteBatch:
    return RouteBatch(
        steps=torch.from_numpy(np.ascontiguousarray(steps)),
        stop=torch.from_numpy(np.array(place)),
        lengths=torch.from_numpy(lengths.astype(np.int64)),
        features=torch.from_numpy(features),
    )


def slices(count: int, size: int) -> Iterator[slice]:
    """Cut a number of rows into parts of a size."""
    for start in range(0, count, size):
        yield slice(start, min(count, start + size))
