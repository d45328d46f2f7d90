"""One loading plan: its items, its steps, and whether everything comes out of the door."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from tailgate.model.instance import Vehicle
from tailgate.model.judge.case import Case
from tailgate.model.judge.violation import Finding
from tailgate.model.judge.violation import ViolationKind as Kind
from tailgate.model.solution import Placement, Route

# A pile of items that all overlap would yield a line for every pair. So many of one kind are named
# for a route; after so many in total, nobody gains by finding the rest.
MAX_PAIRS_NAMED = 100
MAX_PAIRS_COUNTED = 10_000


def check_loading(case: Case, route: Route) -> Iterator[Finding]:
    """Yield what is wrong with the loading plan of one route."""
    yield from _check_items(case, route)
    yield from _check_steps(case, route)
    vehicle = case.vehicle_of(route)
    visited = set(route.customers)
    # Duplicate and unknown items are named above; the rest is at most the real load.
    real = {
        (placement.customer, placement.item): placement
        for placement in reversed(route.placements)
        if placement.customer in visited and case.has_item(placement)
    }
    boxes = [_Box.of(placement, case.solution_factor) for placement in real.values()]
    for box in boxes:
        if vehicle is not None and not _is_inside(box, vehicle, case.instance_factor):
            yield Kind.OUTSIDE_FLOOR, f"{box.name} lies outside the floor", box.customer
    counts: Counter[Kind] = Counter()
    for finding in _check_pairs(boxes, route, lifo=case.solution.conventions.lifo):
        counts[finding[0]] += 1
        if counts[finding[0]] <= MAX_PAIRS_NAMED:
            yield finding
        if counts.total() == MAX_PAIRS_COUNTED:
            break
    for kind, found in counts.items():
        if found > MAX_PAIRS_NAMED:
            yield (kind, f"and at least {found - MAX_PAIRS_NAMED} more pairs of items", None)


def _is_inside(box: _Box, vehicle: Vehicle, factor: int) -> bool:
    is_across = 0 <= box.left < box.right <= vehicle.width * factor
    return is_across and 0 <= box.back < box.front <= vehicle.length * factor


def _check_items(case: Case, route: Route) -> Iterator[Finding]:
    """See that the plan holds exactly the items of the route's customers, in their sizes."""
    visited = {number for number in route.customers if case.exists(number)}
    seen: set[tuple[int, int]] = set()
    for placement in route.placements:
        number, item_number = placement.customer, placement.item
        if number not in visited or not case.has_item(placement):
            no_item, no_visit = "customer has no such item", "route does not visit that customer"
            reason = f"the {no_item if number in visited else no_visit}"
            message = f"{_name(placement)} does not belong on this floor: {reason}"
            yield Kind.UNKNOWN_ITEM, message, number
            continue
        if (number, item_number) in seen:
            yield Kind.DUPLICATE_ITEM, f"{_name(placement)} lies on the floor twice", number
        seen.add((number, item_number))
        item = case.instance.customer(number).items[item_number - 1]
        if placement.turned and not case.may_turn(item):
            yield Kind.TURNED_ITEM, f"{_name(placement)} is turned, but may not be", number
        sides = (item.length, item.width) if placement.turned else (item.width, item.length)
        factor, true_factor = case.solution_factor, case.instance_factor
        stated = placement.width * factor, placement.length * factor
        if stated != (sides[0] * true_factor, sides[1] * true_factor):
            drawn = map(case.solution.units.length_text, (placement.width, placement.length))
            true = " x ".join(map(case.instance.units.length_text, sides))
            message = f"{_name(placement)} is drawn as {' x '.join(drawn)}, but is {true}"
            if placement.turned:
                message += " when turned"
            yield Kind.WRONG_ITEM_SIZE, message, number
    for number in sorted(visited):
        for item_number in range(1, len(case.instance.customer(number).items) + 1):
            if (number, item_number) not in seen:
                message = f"item {item_number} of customer {number} is not on the floor"
                yield Kind.MISSING_ITEM, message, number


def _check_steps(case: Case, route: Route) -> Iterator[Finding]:
    """See that stops are numbered along the route, and loading steps 1, 2, 3, ..."""
    stops = {number: stop for stop, number in enumerate(route.customers, start=1)}
    for placement in route.placements:
        true_stop = stops.get(placement.customer)
        if true_stop is not None and placement.stop_index != true_stop:
            yield (
                Kind.WRONG_STOP_INDEX,
                f"{_name(placement)} has stop_index {placement.stop_index}, but the customer "
                f"is stop {true_stop}",
                placement.customer,
            )
    steps = sorted(placement.load_step for placement in route.placements)
    if steps != list(range(1, len(steps) + 1)):
        message = f"the load steps are not the numbers 1 to {len(steps)}, each once"
        yield Kind.WRONG_LOAD_STEP, message, None
    if not case.solution.conventions.lifo:
        return
    in_order = sorted(route.placements, key=lambda placement: placement.load_step)
    for first, then in pairwise(in_order):
        if stops.get(first.customer, 0) < stops.get(then.customer, 0):
            yield (
                Kind.WRONG_LOAD_STEP,
                f"{_name(first)} is loaded before {_name(then)}, though it is unloaded "
                "before it, too",
                first.customer,
            )


def _check_pairs(boxes: list[_Box], route: Route, *, lifo: bool) -> Iterator[Finding]:
    stops = {number: stop for stop, number in enumerate(route.customers, start=1)}
    for one, other in _sharing_columns(boxes):
        back, front = (one, other) if one.back <= other.back else (other, one)
        if back.front > front.back and front.front > back.back:
            yield Kind.OVERLAP, f"{one.name} and {other.name} overlap", one.customer
            continue
        # Two boxes in one column that do not overlap: one is between the other and the
        # door, so it must come in later and go out earlier.
        if front.placement.load_step < back.placement.load_step:
            message = f"{back.name} is loaded after {front.name}, which stands in its way"
            yield Kind.WRONG_LOAD_STEP, message, back.customer
        stop_of_front, stop_of_back = stops[front.customer], stops[back.customer]
        if lifo and stop_of_front > stop_of_back:
            message = (
                f"{back.name} (stop {stop_of_back}) cannot come out: {front.name} (stop "
                f"{stop_of_front}) stands in its way"
            )
            yield Kind.LIFO, message, back.customer


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

    @property
    def name(self) -> str:
        return _name(self.placement)

    @property
    def customer(self) -> int:
        return self.placement.customer


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
