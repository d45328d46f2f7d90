"""The judge: does a solution keep every rule of its instance?

It shares no code with the solver and trusts nothing that the solution says about itself: distances,
totals and loading are worked out again, with arithmetic of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal, localcontext
from enum import StrEnum
from itertools import pairwise

from tailgate.instance import Instance
from tailgate.solution import Placement, Route, Solution

# A pile of items that all overlap would yield a line for every pair. So many of one kind are named
# for a route; after so many in all, nobody gains by finding the rest.
MAX_PAIRS_NAMED = 100
MAX_PAIRS_COUNTED = 10_000
MAX_ROUTES_LISTED = 10

# Costs of the exact convention and time windows carry the rounding of a long float sum.
RELATIVE_TOLERANCE = Decimal("1e-9")
# A gap is a ratio that solvers print rounded.
GAP_TOLERANCE = 1e-6

# Fifty digits: the root of a squared distance of 19 digits is then never on the wrong side of an
# integer, and a perfect square has an exact root.
_ARITHMETIC = Context(prec=50)
_HALF = Decimal("0.5")


class ViolationKind(StrEnum):
    """Everything the judge can find wrong."""

    WRONG_INSTANCE = "wrong_instance"
    WRONG_STATUS = "wrong_status"
    NON_FINITE = "non_finite"
    WRONG_VEHICLE_COUNT = "wrong_vehicle_count"
    EMPTY_ROUTE = "empty_route"
    SINGLE_CUSTOMER_ROUTE = "single_customer_route"
    UNKNOWN_CUSTOMER = "unknown_customer"
    VISITED_TWICE = "visited_twice"
    MISSING_CUSTOMER = "missing_customer"
    OVERWEIGHT = "overweight"
    TIME_WINDOW = "time_window"
    WRONG_WEIGHT = "wrong_weight"
    WRONG_AREA = "wrong_area"
    WRONG_COST = "wrong_cost"
    WRONG_OBJECTIVE = "wrong_objective"
    BOUND_ABOVE_OBJECTIVE = "bound_above_objective"
    WRONG_GAP = "wrong_gap"
    UNKNOWN_ITEM = "unknown_item"
    DUPLICATE_ITEM = "duplicate_item"
    MISSING_ITEM = "missing_item"
    WRONG_ITEM_SIZE = "wrong_item_size"
    OUTSIDE_FLOOR = "outside_floor"
    OVERLAP = "overlap"
    LIFO = "lifo"
    WRONG_STOP_INDEX = "wrong_stop_index"
    WRONG_LOAD_STEP = "wrong_load_step"


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule; ``route`` counts from 1, ``customer`` is the customer's number."""

    kind: str
    message: str
    route: int | None = None
    customer: int | None = None

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the violation for machines."""
        return {
            "kind": str(self.kind),
            "message": self.message,
            "route": self.route,
            "customer": self.customer,
        }

    def __str__(self) -> str:
        """Return one line for people."""
        place = "" if self.route is None else f"route {self.route}: "
        return f"{place}{self.message} [{self.kind}]"


def verify(instance: Instance, solution: Solution) -> list[Violation]:
    """Return every violation, an empty list if the solution is valid.

    The rules are those that the solution states (``solution.conventions``), not the instance's.

    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> solution = tailgate.solve(instance).solution
    >>> tailgate.verify(instance, solution)
    []
    """
    # The caller's own settings for decimals must not sway the verdict.
    with localcontext(_ARITHMETIC):
        return list(_Judge(instance, solution).violations())


class _Judge:
    """One solution before the court."""

    def __init__(self, instance: Instance, solution: Solution) -> None:
        self._instance = instance
        self._solution = solution
        # The two may store the same lengths at different scales (2.5 as 25 or as 250).
        scale = instance.units.length_scale, solution.units.length_scale
        finest = max(scale)
        self._instance_factor = finest // scale[0]
        self._solution_factor = finest // scale[1]

    def violations(self) -> Iterator[Violation]:
        yield from self._check_instance()
        yield from self._check_claims()
        yield from self._check_visits()
        for index, route in enumerate(self._solution.routes, start=1):
            yield from self._check_route(index, route)
            yield from self._check_times(index, route)
            yield from self._check_loading(index, route)

    # What the solution says as a whole.

    def _check_instance(self) -> Iterator[Violation]:
        if self._solution.instance_sha256 != self._instance.sha256:
            yield Violation(
                ViolationKind.WRONG_INSTANCE,
                "the solution belongs to another instance: its file names sha256 "
                f"{self._solution.instance_sha256[:16]!r}..., the instance has "
                f"{self._instance.sha256[:16]!r}...",
            )

    def _check_claims(self) -> Iterator[Violation]:
        solution = self._solution
        claims = {
            name: value
            for name in ("objective", "lower_bound", "gap")
            if (value := getattr(solution, name)) is not None
        }
        infinite = [name for name, value in claims.items() if not math.isfinite(value)]
        for name in infinite:
            yield Violation(ViolationKind.NON_FINITE, f"{name} is {claims[name]}")
        has_routes = solution.status in ("optimal", "feasible")
        if has_routes:
            yield from self._check_fleet()
        elif solution.routes or solution.objective is not None:
            yield Violation(
                ViolationKind.WRONG_STATUS,
                f"the status is {solution.status}, yet there are routes or an objective",
            )
        if has_routes and solution.objective is None:
            yield Violation(
                ViolationKind.WRONG_STATUS,
                f"the status is {solution.status}, yet there is no objective",
            )
        if solution.status == "bound_only" and solution.lower_bound is None:
            yield Violation(
                ViolationKind.WRONG_STATUS, "the status is bound_only, yet there is no bound"
            )
        if infinite:
            return
        yield from self._check_objective()
        yield from self._check_bound()

    def _check_fleet(self) -> Iterator[Violation]:
        used, available = len(self._solution.routes), self._instance.vehicle_count
        rule = self._solution.conventions.fleet
        if used > available or (rule == "exactly" and used != available):
            words, verb = ("exactly", "must") if rule == "exactly" else ("at most", "may")
            yield Violation(
                ViolationKind.WRONG_VEHICLE_COUNT,
                f"{used} vehicles leave the depot, but {words} {available} {verb}",
            )

    def _check_objective(self) -> Iterator[Violation]:
        solution = self._solution
        if solution.objective is None or solution.status not in ("optimal", "feasible"):
            return
        costs = [self._cost(route) for route in solution.routes]
        if None in costs:
            return
        total = sum((cost for cost in costs if cost is not None), Decimal(0))
        if not self._same_cost(solution.objective, total):
            yield Violation(
                ViolationKind.WRONG_OBJECTIVE,
                f"the objective is {solution.objective}, but the routes cost "
                f"{self._cost_text(total)} under the convention "
                f"{solution.conventions.distance!r}",
            )

    def _check_bound(self) -> Iterator[Violation]:
        solution = self._solution
        objective, bound, gap = solution.objective, solution.lower_bound, solution.gap
        if objective is not None and bound is not None:
            margin = float(RELATIVE_TOLERANCE) * max(1.0, abs(objective))
            if bound > objective + margin:
                yield Violation(
                    ViolationKind.BOUND_ABOVE_OBJECTIVE,
                    f"the lower bound {bound} is above the objective {objective}",
                )
            missing = max(0.0, float(objective) - float(bound))
            true_gap = missing / float(objective) if objective > 0 else 0.0
            if gap is not None and abs(gap - true_gap) > GAP_TOLERANCE:
                yield Violation(
                    ViolationKind.WRONG_GAP,
                    f"the gap is stated as {gap}, but objective and bound give {true_gap:.6g}",
                )
            if solution.status == "optimal" and true_gap > GAP_TOLERANCE:
                yield Violation(
                    ViolationKind.WRONG_STATUS,
                    f"the status is optimal, but the lower bound {bound} does not reach the "
                    f"objective {objective}",
                )
        elif gap is not None:
            yield Violation(
                ViolationKind.WRONG_GAP,
                f"the gap is stated as {gap}, but the objective or the bound is missing",
            )
        elif solution.status == "optimal":
            yield Violation(
                ViolationKind.WRONG_STATUS,
                "the status is optimal, but there is no lower bound to show it",
            )

    def _check_visits(self) -> Iterator[Violation]:
        if self._solution.status not in ("optimal", "feasible"):
            return
        visits: dict[int, list[int]] = {}
        for index, route in enumerate(self._solution.routes, start=1):
            for number in set(route.customers):
                visits.setdefault(number, []).append(index)
        for number in range(1, self._instance.n + 1):
            if number not in visits:
                yield Violation(
                    ViolationKind.MISSING_CUSTOMER,
                    f"customer {self._label(number)} is not visited",
                    customer=number,
                )
        for number, routes in sorted(visits.items()):
            if len(routes) > 1 and self._exists(number):
                listed = ", ".join(map(str, routes[:MAX_ROUTES_LISTED]))
                yield Violation(
                    ViolationKind.VISITED_TWICE,
                    f"customer {self._label(number)} is visited by {len(routes)} routes ({listed})",
                    customer=number,
                )

    # One route.

    def _check_route(self, index: int, route: Route) -> Iterator[Violation]:
        kinds = ViolationKind
        if not route.customers:
            yield Violation(kinds.EMPTY_ROUTE, "visits nobody", index)
        if (
            len(route.customers) == 1
            and self._solution.conventions.single_customer_routes == "forbid"
        ):
            yield Violation(
                kinds.SINGLE_CUSTOMER_ROUTE,
                "visits one customer only, which the conventions forbid",
                index,
                route.customers[0],
            )
        for number, times in Counter(route.customers).items():
            if not self._exists(number):
                yield Violation(
                    kinds.UNKNOWN_CUSTOMER,
                    f"there is no customer {number} (they are numbered 1 to {self._instance.n})",
                    index,
                    number,
                )
            elif times > 1:
                yield Violation(
                    kinds.VISITED_TWICE,
                    f"customer {self._label(number)} is visited {times} times",
                    index,
                    number,
                )
        if not math.isfinite(route.cost):
            yield Violation(kinds.NON_FINITE, f"the cost is {route.cost}", index)
        if not all(self._exists(number) for number in route.customers):
            return
        yield from self._check_totals(index, route)

    def _check_totals(self, index: int, route: Route) -> Iterator[Violation]:
        instance, units = self._instance, self._solution.units
        customers = [instance.customer(number) for number in route.customers]
        weight = sum(customer.weight for customer in customers)
        if weight > instance.vehicle.capacity:
            yield Violation(
                ViolationKind.OVERWEIGHT,
                f"carries {instance.units.weight_text(weight)}, above the capacity "
                f"{instance.units.weight_text(instance.vehicle.capacity)}",
                index,
            )
        if weight * units.weight_scale != route.weight * instance.units.weight_scale:
            yield Violation(
                ViolationKind.WRONG_WEIGHT,
                f"the weight is stated as {units.weight_text(route.weight)}, but the customers' "
                f"add up to {instance.units.weight_text(weight)}",
                index,
            )
        area = sum(item.width * item.length for customer in customers for item in customer.items)
        if area * self._instance_factor**2 != route.area * self._solution_factor**2:
            # Exact: the factors are powers of ten.
            stated_so = Decimal(area * self._instance_factor**2) / self._solution_factor**2
            yield Violation(
                ViolationKind.WRONG_AREA,
                f"the area is stated as {route.area}, but the items' add up to {stated_so:f}",
                index,
            )
        cost = self._cost(route)
        if cost is not None and math.isfinite(route.cost) and not self._same_cost(route.cost, cost):
            yield Violation(
                ViolationKind.WRONG_COST,
                f"the cost is stated as {route.cost}, but the tour has "
                f"{self._cost_text(cost)} under the convention "
                f"{self._solution.conventions.distance!r}",
                index,
            )

    def _check_times(self, index: int, route: Route) -> Iterator[Violation]:
        instance = self._instance
        if not all(self._exists(number) for number in route.customers):
            return
        clock = Decimal(instance.depot_ready)
        position = 0
        for number in route.customers:
            customer = instance.customer(number)
            clock += self._distance(position, number)
            if customer.due is not None and self._is_late(clock, customer.due):
                yield Violation(
                    ViolationKind.TIME_WINDOW,
                    f"reaches customer {self._label(number)} at {self._cost_text(clock)}, after "
                    f"its due time {customer.due}",
                    index,
                    number,
                )
            clock = max(clock, Decimal(customer.ready)) + Decimal(customer.service)
            position = number
        clock += self._distance(position, 0)
        if instance.depot_due is not None and self._is_late(clock, instance.depot_due):
            yield Violation(
                ViolationKind.TIME_WINDOW,
                f"is back at the depot at {self._cost_text(clock)}, after its due time "
                f"{instance.depot_due}",
                index,
            )

    # One loading plan.

    def _check_loading(self, index: int, route: Route) -> Iterator[Violation]:
        yield from self._check_items(index, route)
        yield from self._check_steps(index, route)
        floor_width = self._instance.vehicle.width * self._instance_factor
        floor_length = self._instance.vehicle.length * self._instance_factor
        visited = set(route.customers)
        # Copies and strangers are named as such above; the rest is at most the real load.
        real = {
            (placement.customer, placement.item): placement
            for placement in reversed(route.placements)
            if placement.customer in visited and self._has_item(placement)
        }
        boxes = [_Box.of(placement, self._solution_factor) for placement in real.values()]
        for box in boxes:
            if (
                box.left < 0
                or box.back < 0
                or box.right > floor_width
                or box.front > floor_length
                or box.left >= box.right
                or box.back >= box.front
            ):
                yield Violation(
                    ViolationKind.OUTSIDE_FLOOR,
                    f"{_name(box.placement)} lies outside the floor",
                    index,
                    box.placement.customer,
                )
        counts: Counter[ViolationKind] = Counter()
        for violation in self._check_pairs(index, boxes):
            kind = ViolationKind(violation.kind)
            counts[kind] += 1
            if counts[kind] <= MAX_PAIRS_NAMED:
                yield violation
            if counts.total() == MAX_PAIRS_COUNTED:
                break
        for kind, found in counts.items():
            if found > MAX_PAIRS_NAMED:
                yield Violation(
                    kind, f"and at least {found - MAX_PAIRS_NAMED} more pairs of items", index
                )

    def _check_items(self, index: int, route: Route) -> Iterator[Violation]:
        """See that the plan holds exactly the items of the route's customers, in their sizes."""
        visited = {number for number in route.customers if self._exists(number)}
        seen: set[tuple[int, int]] = set()
        for placement in route.placements:
            number, item_number = placement.customer, placement.item
            if number not in visited or not self._has_item(placement):
                reason = (
                    "the customer has no such item"
                    if number in visited
                    else "the route does not visit that customer"
                )
                yield Violation(
                    ViolationKind.UNKNOWN_ITEM,
                    f"{_name(placement)} does not belong on this floor: {reason}",
                    index,
                    number,
                )
                continue
            if (number, item_number) in seen:
                yield Violation(
                    ViolationKind.DUPLICATE_ITEM,
                    f"{_name(placement)} lies on the floor twice",
                    index,
                    number,
                )
            seen.add((number, item_number))
            item = self._instance.customer(number).items[item_number - 1]
            stated = (
                placement.width * self._solution_factor,
                placement.length * self._solution_factor,
            )
            if stated != (item.width * self._instance_factor, item.length * self._instance_factor):
                units = self._solution.units
                true_units = self._instance.units
                yield Violation(
                    ViolationKind.WRONG_ITEM_SIZE,
                    f"{_name(placement)} is drawn as {units.length_text(placement.width)} x "
                    f"{units.length_text(placement.length)}, but is "
                    f"{true_units.length_text(item.width)} x "
                    f"{true_units.length_text(item.length)}",
                    index,
                    number,
                )
        for number in sorted(visited):
            for item_number in range(1, len(self._instance.customer(number).items) + 1):
                if (number, item_number) not in seen:
                    yield Violation(
                        ViolationKind.MISSING_ITEM,
                        f"item {item_number} of customer {number} is not on the floor",
                        index,
                        number,
                    )

    def _check_steps(self, index: int, route: Route) -> Iterator[Violation]:
        """See that stops are numbered along the route, and loading steps 1, 2, 3, ..."""
        stops = {number: stop for stop, number in enumerate(route.customers, start=1)}
        for placement in route.placements:
            true_stop = stops.get(placement.customer)
            if true_stop is not None and placement.stop_index != true_stop:
                yield Violation(
                    ViolationKind.WRONG_STOP_INDEX,
                    f"{_name(placement)} has stop_index {placement.stop_index}, but the customer "
                    f"is stop {true_stop}",
                    index,
                    placement.customer,
                )
        steps = sorted(placement.load_step for placement in route.placements)
        if steps != list(range(1, len(steps) + 1)):
            yield Violation(
                ViolationKind.WRONG_LOAD_STEP,
                f"the load steps are not the numbers 1 to {len(steps)}, each once",
                index,
            )
        if not self._solution.conventions.lifo:
            return
        in_order = sorted(route.placements, key=lambda placement: placement.load_step)
        for first, then in pairwise(in_order):
            if stops.get(first.customer, 0) < stops.get(then.customer, 0):
                yield Violation(
                    ViolationKind.WRONG_LOAD_STEP,
                    f"{_name(first)} is loaded before {_name(then)}, though it is unloaded "
                    "before it, too",
                    index,
                    first.customer,
                )

    def _check_pairs(self, index: int, boxes: list[_Box]) -> Iterator[Violation]:
        stops = {
            number: stop
            for stop, number in enumerate(self._solution.routes[index - 1].customers, start=1)
        }
        for one, other in _sharing_columns(boxes):
            back, front = (one, other) if one.back <= other.back else (other, one)
            if back.front > front.back and front.front > back.back:
                yield Violation(
                    ViolationKind.OVERLAP,
                    f"{_name(one.placement)} and {_name(other.placement)} overlap",
                    index,
                    one.placement.customer,
                )
                continue
            # Two boxes in one column that do not overlap: one stands between the other and the
            # door, so it must come in later and go out earlier.
            if front.placement.load_step < back.placement.load_step:
                yield Violation(
                    ViolationKind.WRONG_LOAD_STEP,
                    f"{_name(back.placement)} is loaded after {_name(front.placement)}, which "
                    "stands in its way",
                    index,
                    back.placement.customer,
                )
            stop_of_front = stops.get(front.placement.customer)
            stop_of_back = stops.get(back.placement.customer)
            if (
                self._solution.conventions.lifo
                and stop_of_front is not None
                and stop_of_back is not None
                and stop_of_front > stop_of_back
            ):
                yield Violation(
                    ViolationKind.LIFO,
                    f"{_name(back.placement)} (stop {stop_of_back}) cannot come out: "
                    f"{_name(front.placement)} (stop {stop_of_front}) stands in its way",
                    index,
                    back.placement.customer,
                )

    # Arithmetic, on purpose not that of the instance.

    def _distance(self, start: int, end: int) -> Decimal:
        (start_x, start_y), (end_x, end_y) = self._point(start), self._point(end)
        across, along = Decimal(start_x - end_x), Decimal(start_y - end_y)
        scale = self._instance.units.coordinate_scale
        distance = (across * across + along * along).sqrt() / scale
        match self._solution.conventions.distance:
            case "truncated":
                return distance.to_integral_value(rounding=ROUND_FLOOR)
            case "rounded":
                return (distance + _HALF).to_integral_value(rounding=ROUND_FLOOR)
            case "exact":
                return distance

    def _point(self, number: int) -> tuple[int, int]:
        if number == 0:
            return self._instance.depot
        customer = self._instance.customer(number)
        return customer.x, customer.y

    def _cost(self, route: Route) -> Decimal | None:
        """Return what the tour costs, or nothing if it goes to customers that do not exist."""
        if not all(self._exists(number) for number in route.customers):
            return None
        stops = (0, *route.customers, 0)
        legs = (self._distance(a, b) for a, b in pairwise(stops))
        return sum(legs, Decimal(0))

    def _same_cost(self, stated: float, true: Decimal) -> bool:
        difference = abs(Decimal(stated) - true)
        if self._solution.conventions.distance == "exact":
            return difference <= RELATIVE_TOLERANCE * max(Decimal(1), true)
        return difference == 0

    def _cost_text(self, cost: Decimal) -> str:
        return f"{cost:.6f}".rstrip("0").rstrip(".")

    def _is_late(self, clock: Decimal, due: float) -> bool:
        limit = Decimal(due)
        return clock - limit > RELATIVE_TOLERANCE * max(Decimal(1), limit)

    def _exists(self, number: int) -> bool:
        return 1 <= number <= self._instance.n

    def _has_item(self, placement: Placement) -> bool:
        number = placement.customer
        return self._exists(number) and 1 <= placement.item <= len(
            self._instance.customer(number).items
        )

    def _label(self, number: int) -> str:
        name = self._instance.customer(number).name
        return f"{number} ({name})" if name else str(number)


@dataclass(frozen=True, slots=True)
class _Box:
    """An item on the floor, at a scale common to instance and solution."""

    placement: Placement
    left: int
    right: int
    back: int
    front: int

    @classmethod
    def of(cls, placement: Placement, factor: int) -> _Box:
        return cls(
            placement,
            left=placement.x * factor,
            right=(placement.x + placement.width) * factor,
            back=placement.y * factor,
            front=(placement.y + placement.length) * factor,
        )


def _sharing_columns(boxes: Iterable[_Box]) -> Iterator[tuple[_Box, _Box]]:
    """Yield every pair of boxes whose ranges in x have more than an edge in common."""
    by_left = sorted(boxes, key=lambda box: (box.left, box.back))
    for position, box in enumerate(by_left):
        for other in by_left[position + 1 :]:
            if other.left >= box.right:
                break
            if other.right > other.left:
                yield box, other


def _name(placement: Placement) -> str:
    return f"item {placement.item} of customer {placement.customer}"
