"""Routes as a planner would drive them: from customer to near customer until the floor is full."""

from __future__ import annotations

import random

from tailgate.model.instance import Instance

# One of so many nearest customers that still fit is next: near, yet not always the same.
NEIGHBOURS = 4
LOWEST_FILL = 0.6
HIGHEST_FILL = 1.0
# A walk counts if it comes this near to its target; otherwise another one tries, so often.
TOLERANCE = 0.02
WALKS_PER_TARGET = 25
TARGETS = 8


class RouteSampler:
    """Walks to a target fill of the floor, by default from 60 to 100 %, weight respected."""

    def __init__(
        self, instance: Instance, seed: int | str, lowest_fill: float = LOWEST_FILL
    ) -> None:
        self._instance = instance
        self._lowest_fill = lowest_fill
        self._random = random.Random(seed)
        self._areas = [0, *(customer.area for customer in instance.customers)]
        self._weights = [0, *(customer.weight for customer in instance.customers)]
        distances = instance.distance_matrix()
        self._nearest: list[list[int]] = [
            [int(other) for other in distances[customer].argsort(kind="stable") if other]
            for customer in range(instance.n + 1)
        ]

    def sample(self) -> tuple[int, ...] | None:
        """Return a route of two customers or more, or None where weight rules such routes out."""
        floor_area = self._instance.vehicle.width * self._instance.vehicle.length
        for _ in range(TARGETS):
            target = self._random.uniform(self._lowest_fill, HIGHEST_FILL)
            for _ in range(WALKS_PER_TARGET):
                route, area = self._walk(target * floor_area)
                fill = area / floor_area
                if len(route) >= 2 and fill >= max(self._lowest_fill, target - TOLERANCE):
                    return route
        return None

    def sample_distinct(self, count: int) -> list[tuple[int, ...]]:
        """Return up to so many routes; a route and its reverse count as one."""
        routes: dict[tuple[int, ...], tuple[int, ...]] = {}
        for _ in range(2 * count):
            route = self.sample()
            if route is None or len(routes) == count:
                break
            routes.setdefault(min(route, route[::-1]), route)
        return list(routes.values())

    def _walk(self, target_area: float) -> tuple[tuple[int, ...], int]:
        capacity = self._instance.vehicle.capacity
        route = [self._random.randint(1, self._instance.n)]
        visited = set(route)
        area, weight = self._areas[route[0]], self._weights[route[0]]
        while True:
            candidates: list[int] = []
            for other in self._nearest[route[-1]]:
                if (
                    other not in visited
                    and area + self._areas[other] <= target_area
                    and weight + self._weights[other] <= capacity
                ):
                    candidates.append(other)
                    if len(candidates) == NEIGHBOURS:
                        break
            if not candidates:
                return tuple(route), area
            following = self._random.choice(candidates)
            route.append(following)
            visited.add(following)
            area += self._areas[following]
            weight += self._weights[following]
