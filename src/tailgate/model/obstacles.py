"""Why a kind of vehicle cannot serve a customer, whatever else is on its route."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tailgate.model.roads import shortest_round_trips
from tailgate.model.rounding import number_text
from tailgate.model.units import decimal_text, with_unit

if TYPE_CHECKING:
    from tailgate.model.instance import Instance


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps a kind of vehicle from serving a customer.

    Parameters
    ----------
    problem : str
        The whole sentence, of an instance with one kind of vehicle.
    field : str
        What it is about.
    reason : str
        The same as a predicate of the customer.
    of_all : str
        The predicate where the limits of several kinds follow; empty where there is no limit.
    limit : str
        The limit of this kind.
    remedy : str
        What would help, beyond correcting the field; empty if there is nothing.
    """

    problem: str
    field: str
    reason: str
    of_all: str = ""
    limit: str = ""
    remedy: str = ""


_SAY_TURN = "it would fit turned: let it be turned (turn: yes), or all items (--turn)"
_NONE_IS_TURNED = "it would fit turned, but the convention turn is none"

Obstacles = Mapping[int, Obstacle]
"""By customer; who is not in it can be served."""


def obstacles_of(view: Instance, vehicle_field: str, elsewhere: Mapping[int, str]) -> Obstacles:
    """Return why customers cannot be served by the kind of vehicle of an instance with one kind.

    ``elsewhere`` has the vehicles under way that serve a customer already.
    """
    found: dict[int, Obstacle] = {}
    for number, obstacle in (
        *_refused_access(view, vehicle_field, elsewhere),
        *_loads(view),
        *_windows(view, vehicle_field),
        *_limits(view, vehicle_field),
    ):
        found.setdefault(number, obstacle)
    for group in view.rules.groups:
        shared = _of_group(view, group, found)
        if shared is not None:
            for number in sorted(group):
                found.setdefault(number, shared)
    return found


def told_together(names: Sequence[str], obstacles: Sequence[Obstacle]) -> str:
    """Return why none of several kinds can serve a customer, as a predicate."""
    remedies = dict.fromkeys(obstacle.remedy for obstacle in obstacles if obstacle.remedy)
    return "; ".join((_reason_of_all(names, obstacles), *remedies))


def _reason_of_all(names: Sequence[str], obstacles: Sequence[Obstacle]) -> str:
    reasons = list(dict.fromkeys(obstacle.reason for obstacle in obstacles))
    if len({obstacle.of_all for obstacle in obstacles}) == 1 and obstacles[0].of_all:
        limits = dict.fromkeys(obstacle.limit for obstacle in obstacles)
        return f"{obstacles[0].of_all} {listed(limits)}"
    if len(reasons) == 1:
        return reasons[0]
    kinds = (f"{name} ({one.reason})" for name, one in zip(names, obstacles, strict=True))
    return f"can be served by no vehicle: neither by {', nor by '.join(kinds)}"


def listed(words: Iterable[str]) -> str:
    """Return words as people list them."""
    *some, final = words
    return f"{', '.join(some)} and {final}" if some else final


def _refused_access(
    view: Instance, vehicle_field: str, elsewhere: Mapping[int, str]
) -> Iterator[tuple[int, Obstacle]]:
    vehicle = view.vehicle
    for number, customer in enumerate(view.customers, start=1):
        field = f"customers[{number - 1}].vehicles"
        if vehicle.count == 0:
            # Of the only kind there is one at least, so this is reported beside other reasons.
            yield number, Obstacle("", f"{vehicle_field}.count", "there is none")
        elif customer.vehicles is not None and vehicle.name not in customer.vehicles:
            reason = f"accepts {listed(customer.vehicles)} only"
            yield number, Obstacle(f"customer {view.label(number)} {reason}", field, reason)
        elif number in elsewhere:
            reason = f"is served by {elsewhere[number]}, which is under way"
            yield number, Obstacle(f"customer {view.label(number)} {reason}", field, reason)


def _loads(view: Instance) -> Iterator[tuple[int, Obstacle]]:
    """Yield customers whose own items are too large or too heavy for an empty vehicle."""
    for number in range(1, view.n + 1):
        obstacle = _load(view, number)
        if obstacle is not None:
            yield number, obstacle


def _load(view: Instance, number: int) -> Obstacle | None:
    customer, place = view.customers[number - 1], f"customers[{number - 1}]"
    units, vehicle = view.units, view.vehicle
    for index, item in enumerate(customer.items):
        if item.width <= vehicle.width and item.length <= vehicle.length:
            continue
        if not item.fits(vehicle.width, vehicle.length, may_turn=view.may_turn(item)):
            return _side(view, number, index)
    if customer.weight > vehicle.capacity:
        needed, limit = (
            with_unit(units.weight_text(weight), units.weight_unit)
            for weight in (customer.weight, vehicle.capacity)
        )
        return Obstacle(
            f"customer {view.label(number)} weighs {units.weight_text(customer.weight)}, more "
            f"than the vehicle's capacity {units.weight_text(vehicle.capacity)}",
            f"{place}.weight",
            f"weighs {needed}, more than the capacity {limit}",
            f"weighs {needed}, more than every vehicle carries: capacities of",
            limit,
        )
    if customer.area > vehicle.area:
        squared = units.length_scale**2
        needed, limit = (decimal_text(area, squared) for area in (customer.area, vehicle.area))
        return Obstacle(
            f"the items of customer {view.label(number)} cover {needed}, more than the vehicle's "
            f"floor area {limit}",
            f"{place}.items",
            f"does not fit: the items cover {needed} on a floor area of {limit}",
            f"fits no vehicle: the items cover {needed} on floor areas of",
            limit,
        )
    return None


def _side(view: Instance, number: int, index: int) -> Obstacle:
    """Return which side of an item is longer than that of the floor."""
    item, vehicle, units = view.customers[number - 1].items[index], view.vehicle, view.units
    named, place = f"item {index + 1}", f"customers[{number - 1}].items[{index}]"
    if view.may_turn(item):
        size, floor = (
            " x ".join(map(units.length_text, (one.width, one.length))) for one in (item, vehicle)
        )
        needed, limit = (with_unit(sides, units.length_unit) for sides in (size, floor))
        return Obstacle(
            f"{named} of customer {view.label(number)} measures {size}, more than the vehicle's "
            f"floor ({floor}), even if it is turned",
            place,
            f"does not fit, even turned: {named} measures {needed} on a floor of {limit}",
            f"fits no vehicle, even turned: {named} measures {needed} on floors of",
            limit,
        )
    side = "width" if item.width > vehicle.width else "length"
    size, floor = (units.length_text(getattr(one, side)) for one in (item, vehicle))
    needed, limit = (with_unit(length, units.length_unit) for length in (size, floor))
    would_fit = item.fits(vehicle.width, vehicle.length, may_turn=True)
    remedy = (_NONE_IS_TURNED if item.turn else _SAY_TURN) if would_fit else ""
    problem = (
        f"{named} of customer {view.label(number)} has {side} {size}, more than the vehicle's "
        f"floor ({floor})"
    )
    return Obstacle(
        f"{problem}; {remedy}" if remedy else problem,
        f"{place}.{side}",
        f"does not fit: {named} has {side} {needed} on a floor of {limit}",
        f"fits no vehicle: {named} has {side} {needed} on floors of",
        limit,
        remedy,
    )


def _limits(view: Instance, vehicle_field: str) -> Iterator[tuple[int, Obstacle]]:
    """Yield customers whom no route reaches, or none within the limits of the vehicle.

    A route that serves a customer takes at least the shortest ways there and back, whatever it
    visits on the way; the direct roads may be longer.
    """
    vehicle, costs, clock = view.vehicle, view.costs, view.clock
    has_limits = vehicle.max_duration is not None or vehicle.max_distance is not None
    if not has_limits and not view.has_missing_roads:
        return
    numbers = range(1, view.n + 1)
    suspects = [number for number in numbers if not view.is_within_limits((number,))]
    if not suspects:
        return
    durations = shortest_round_trips(clock.durations())
    for number in suspects:
        if durations[number] == math.inf:
            reason = "cannot be reached, or not be left: there is no road"
            problem = f"customer {view.label(number)} {reason}"
            yield number, Obstacle(problem, f"customers[{number - 1}]", reason)
            continue
        least = durations[number] + clock.service[number]
        if clock.exceeds(least):
            shown = number_text(clock.time(math.ceil(least) if clock.tick else least))
            limit = number_text(vehicle.max_duration or 0)
            yield (
                number,
                Obstacle(
                    f"customer {view.label(number)} is served by a vehicle that is out for "
                    f"{shown} at least, longer than max_duration ({limit})",
                    f"{vehicle_field}.max_duration",
                    f"takes a vehicle {shown} at least, longer than max_duration ({limit})",
                ),
            )
    if vehicle.max_distance is None:
        return
    distances = shortest_round_trips(costs.distance_steps())
    for number in suspects:
        if costs.distance_limit(vehicle.max_distance) < distances[number] < math.inf:
            reason = (
                f"is {costs.distance_text(distances[number])} away and back, farther than "
                f"max_distance ({number_text(vehicle.max_distance)})"
            )
            problem = f"customer {view.label(number)} {reason}"
            yield number, Obstacle(problem, f"{vehicle_field}.max_distance", reason)


def _windows(view: Instance, vehicle_field: str) -> Iterator[tuple[int, Obstacle]]:
    """Yield customers who cannot be served in time, neither directly nor by a detour."""
    if not view.has_time_windows:
        return
    clock, depot_due = view.clock, view.clock.due[0]
    numbers = range(1, view.n + 1)
    suspects = [number for number in numbers if not clock.keeps((number,))]
    if not suspects:
        return
    arrivals = clock.earliest_arrivals(0, clock.ready[0])
    latest = clock.latest_starts()

    def shown_time(ticks: int | float) -> str:
        return view.units.time_text(clock.time(ticks))

    for number in suspects:
        place, label = f"customers[{number - 1}]", view.label(number)
        arrival = arrivals[number]
        if arrival == math.inf:
            reason = (
                "cannot be reached in time: there is no road, or only over customers who are "
                "closed by then"
            )
            yield number, Obstacle(f"customer {label} {reason}", place, reason)
            continue
        if clock.is_late(number, arrival):
            reason = (
                f"is due by {shown_time(clock.due[number])}, but a vehicle that leaves the depot "
                f"at {shown_time(clock.ready[0])} arrives at {shown_time(arrival)} at the earliest"
            )
            yield number, Obstacle(f"customer {label} {reason}", f"{place}.due", reason)
            continue
        if max(arrival, clock.ready[number]) <= latest[number]:
            continue
        leaves = max(arrival, clock.ready[number]) + clock.service[number]
        back = clock.earliest_arrivals(number, leaves)[0]
        if back == math.inf:
            reason = "there is no road, or only over customers who are closed by then"
            problem = f"no vehicle comes back from customer {label}: {reason}"
            yield number, Obstacle(problem, place, f"cannot be left again: {reason}")
            continue
        if not clock.is_late(0, back):
            continue
        # Name what costs most of the time, if it is not the drive itself.
        wait = max(0, clock.ready[number] - arrival)
        cause = "depot_due"
        is_shift = view.depot_due is None or clock.ticks(view.depot_due) > depot_due
        if is_shift:
            cause = f"{vehicle_field}.shift_end"
        if wait or clock.service[number]:
            is_shift = False
            cause = f"{place}.ready" if wait > clock.service[number] else f"{place}.service"
        back_too_late = (
            f"is back at {shown_time(back)} at the earliest, after the "
            f"{'shift' if is_shift else 'depot'}'s due time {shown_time(depot_due)}"
        )
        problem = f"a vehicle that serves customer {label} {back_too_late}"
        yield number, Obstacle(problem, cause, f"takes a vehicle that {back_too_late}")


def _of_group(view: Instance, group: frozenset[int], found: Obstacles) -> Obstacle | None:
    """Return why a vehicle cannot serve customers that ride together, if it cannot."""
    numbers = sorted(group)
    labels, vehicle, units = listed(map(view.label, numbers)), view.vehicle, view.units
    field = f"customers[{numbers[0] - 1}].together"

    def together(reason: str) -> Obstacle:
        return Obstacle(f"customers {labels} ride together, but {reason}", field, reason)

    for number in numbers:
        if number in found:
            reason = f"customer {view.label(number)} {found[number].reason}"
            return together(reason)
    weight = sum(view.customer(number).weight for number in numbers)
    if weight > vehicle.capacity:
        return together(
            f"{labels} weigh {units.weight_text(weight)} together, more than the capacity "
            f"{units.weight_text(vehicle.capacity)}"
        )
    area = sum(view.customer(number).area for number in numbers)
    if area > vehicle.area:
        needed, limit = (decimal_text(one, units.length_scale**2) for one in (area, vehicle.area))
        return together(f"the items of {labels} cover {needed}, more than the floor area {limit}")
    if vehicle.max_stops is not None and len(numbers) > vehicle.max_stops:
        return together(
            f"{labels} are {len(numbers)} stops, more than max_stops ({vehicle.max_stops})"
        )
    return None
