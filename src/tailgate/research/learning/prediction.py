"""What a network says of many queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from tailgate.research.learning.batches import Batches, slices
from tailgate.research.learning.model import RouteNetwork
from tailgate.research.learning.query_file import QueryTable
from tailgate.research.learning.route_arrays import Customers, Routes, route_arrays

_BATCH = 8_192


@dataclass(frozen=True)
class Part:
    """Queries of one part of a split, ready for a network."""

    table: QueryTable
    customers: Customers
    routes: Routes
    is_feasible: NDArray[np.bool_]

    @staticmethod
    def of(table: QueryTable) -> Part:
        """Prepare some queries."""
        customers, routes = route_arrays(table)
        return Part(table, customers, routes, table.is_feasible)


def predict(network: RouteNetwork, part: Part) -> NDArray[np.float64]:
    """Return the logits of all routes."""
    batches = Batches(network.configuration, part.customers)
    logits = np.zeros(len(part.routes))
    network.eval()
    with torch.no_grad():
        embedded = network.embedded(batches.all_customers())
        for rows in slices(len(part.routes), _BATCH):
            routes = Routes(part.routes.stops[rows], part.routes.stop_count[rows])
            logits[rows] = network.read(embedded, batches.routes(routes)).numpy()
    return logits
