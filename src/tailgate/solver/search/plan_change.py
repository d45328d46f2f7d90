"""What a new plan does otherwise than the one before: for those who know the old one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tailgate.model.instance import Instance
from tailgate.model.solution import Solution


@dataclass(frozen=True, slots=True)
class Move:
    """A customer whose route is another one than before.

    Parameters
    ----------
    customer : int
        The customer's number.
    before : int
        The route of the old plan, counted from one.
    now : int
        The route of the new plan, counted from one.
    """

    customer: int
    before: int
    now: int


@dataclass(frozen=True, slots=True)
class PlanChange:
    """What a new plan does otherwise than the one before.

    A route of the new plan goes on with the route of the old one with which it shares most
    customers; a vehicle under way goes on with its own. Customers are the numbers of the new
    instance.

    Parameters
    ----------
    unchanged : tuple of int
        Routes of the new plan, counted from one, with the stops and the vehicle of before.
    reordered : tuple of int
        Routes with the customers of before in another order, or with another kind of vehicle.
    moved : tuple of Move
        Customers who ride with others than before.
    added : tuple of int
        Customers who are served and were not: new ones, and those left out before.
    dropped : tuple of int
        Customers who were served and are left out now.
    gone : tuple of str
        Labels of the customers of the old plan whom the new instance does not have.

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> plan = tailgate.solve(instance).solution
    >>> tailgate.solve(instance, keep=plan).change.is_empty
    True
    """

    unchanged: tuple[int, ...]
    reordered: tuple[int, ...]
    moved: tuple[Move, ...]
    added: tuple[int, ...]
    dropped: tuple[int, ...]
    gone: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the new plan is the old one."""
        return not (self.reordered or self.moved or self.added or self.dropped or self.gone)

    def sentences(self, instance: Instance) -> list[str]:
        """Return the change for people, a line each.

        Parameters
        ----------
        instance : Instance
            The instance of the new plan.
        """
        lines = [f"{label} is gone" for label in self.gone]
        lines += [f"{instance.label(number)} is new" for number in self.added]
        lines += [f"{instance.label(number)} is left out now" for number in self.dropped]
        lines += [
            f"{instance.label(move.customer)} moves from route {move.before} of the old plan to "
            f"route {move.now}"
            for move in self.moved
        ]
        lines += [f"route {number} has another order or vehicle" for number in self.reordered]
        return lines

    def to_dict(self) -> dict[str, object]:
        """Return what ``tailgate solve --json`` prints."""
        return {
            "unchanged": list(self.unchanged),
            "reordered": list(self.reordered),
            "moved": [
                {"customer": one.customer, "before": one.before, "now": one.now}
                for one in self.moved
            ],
            "added": list(self.added),
            "dropped": list(self.dropped),
            "gone": list(self.gone),
        }


@dataclass(frozen=True, slots=True)
class OldRoute:
    """A route of the old plan, by the numbers of the new instance; who is gone is left out."""

    vehicle: str
    stops: tuple[int, ...]
    lost_stops: bool = False
    """Whether somebody is gone."""


def plan_change(old: Sequence[OldRoute], gone: Sequence[str], new: Solution) -> PlanChange:
    """Return what a new plan does otherwise."""
    before = {stop: number for number, one in enumerate(old, start=1) for stop in one.stops}
    now = {stop: index for index, route in enumerate(new.routes, 1) for stop in route.customers}
    under_way = {
        before[route.customers[0]]: index
        for index, route in enumerate(new.routes, 1)
        if (route.locked or route.locked_stops) and route.customers[0] in before
    }
    successor = _successors(before, now, under_way)
    unchanged, reordered = [], []
    for index, route in enumerate(new.routes, start=1):
        number = next((n for n, other in successor.items() if other == index), None)
        if number is None:
            continue
        known = old[number - 1]
        same_vehicle = known.vehicle in ("", route.vehicle)
        if known.stops == route.customers and same_vehicle:
            if not known.lost_stops:
                unchanged.append(index)
        elif set(known.stops) == set(route.customers):
            reordered.append(index)
    moved = [
        Move(stop, before[stop], index)
        for stop, index in sorted(now.items())
        if stop in before and successor.get(before[stop]) != index
    ]
    return PlanChange(
        tuple(unchanged),
        tuple(reordered),
        tuple(moved),
        tuple(sorted(now.keys() - before.keys())),
        tuple(sorted(before.keys() - now.keys())),
        tuple(gone),
    )


def _successors(
    before: Mapping[int, int], now: Mapping[int, int], under_way: Mapping[int, int]
) -> dict[int, int]:
    """Return for old routes the new ones that go on with them.

    First what is under way, then those with most customers in common.
    """
    shared: dict[tuple[int, int], int] = {}
    for stop in before.keys() & now.keys():
        pair = before[stop], now[stop]
        shared[pair] = shared.get(pair, 0) + 1
    found = dict(under_way)
    for old, new in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        if old not in found and new not in found.values():
            found[old] = new
    return found
