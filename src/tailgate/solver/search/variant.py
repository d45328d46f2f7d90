"""An instance that is solved in place of another, and how its plans read there.

Kinds of vehicles that are equal in all but their names are one kind to the search: otherwise it
would prove the same thing for each of them. A vehicle that must begin with some stops is a kind of
its own. Routes cost the same in both, so bounds hold in both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tailgate.model.customer import Customer
from tailgate.model.instance import Instance
from tailgate.model.solution import Route, Solution
from tailgate.solver.column import Column
from tailgate.solver.loading import on_the_road


@dataclass(frozen=True, slots=True)
class Variant:
    """Two instances with the same customers, and other kinds of vehicles."""

    original: Instance
    instance: Instance
    """That is solved."""
    kinds: tuple[tuple[int, ...], ...]
    """By kind of the instance that is solved: the kind of each of its vehicles in the original."""
    locks: Mapping[int, Lock] = field(default_factory=dict)
    """By kind of the instance that is solved: what its only vehicle keeps."""

    @property
    def is_same(self) -> bool:
        """Whether there is nothing to translate."""
        return self.instance is self.original

    def to_original(self, solution: Solution) -> Solution:
        """Return a plan of the instance that was solved as one of the original."""
        if self.is_same:
            return solution
        free = [list(kinds) for kinds in self.kinds]
        routes = []
        for route in solution.routes:
            kind = kind_of(self.instance, route)
            read = on_the_road(self.original.of_kind(free[kind].pop(0)), route)
            lock = self.locks.get(kind)
            if lock is not None:
                read = replace(read, locked=lock.is_whole, locked_stops=lock.stops_stated)
            routes.append(read)
        return replace(
            solution,
            instance_name=self.original.name,
            instance_sha256=self.original.sha256,
            routes=tuple(routes),
        )

    def from_original(self, solution: Solution) -> Solution:
        """Return a plan of the original as one of the instance that is solved."""
        if self.is_same:
            return solution
        return replace(
            solution,
            instance_name=self.instance.name,
            instance_sha256=self.instance.sha256,
            routes=tuple(
                on_the_road(self.instance.of_kind(self._kind_here(route)), route)
                for route in solution.routes
            ),
        )

    def _kind_here(self, route: Route) -> int:
        return self.column_here(Column(kind_of(self.original, route), route.customers)).kind

    def column_here(self, column: Column) -> Column:
        """Return a column of the original as one of the instance that is solved."""
        for kind, lock in self.locks.items():
            if column.route[: len(lock.stops)] == lock.stops:
                return Column(kind, column.route)
        unlocked = (kind for kind in range(len(self.kinds)) if kind not in self.locks)
        return Column(
            next(kind for kind in unlocked if column.kind in self.kinds[kind]), column.route
        )


@dataclass(frozen=True, slots=True)
class Lock:
    """What a vehicle keeps: all its stops, or the first of them."""

    stops: tuple[int, ...]
    is_whole: bool

    @property
    def stops_stated(self) -> int:
        """What a solution states as the number of its locked stops."""
        return 0 if self.is_whole else len(self.stops)


def kind_of(instance: Instance, route: Route) -> int:
    """Return the kind of vehicle that drives a route of a solution."""
    return instance.kind_named(route.vehicle) if instance.has_kinds else 0


def same(instance: Instance) -> Variant:
    """Return an instance in place of itself."""
    kinds = ((kind,) * vehicle.count for kind, vehicle in enumerate(instance.vehicles))
    return Variant(instance, instance, tuple(kinds))


def without_equal_kinds(variant: Variant) -> Variant:
    """Return a variant in which kinds that are equal in all but their names are one."""
    instance = variant.instance
    classes = instance.interchangeable_kinds
    if len(classes) == len(instance.vehicles):
        return variant
    representative = {kind: group[0] for group in classes for kind in group}
    names = {
        vehicle.name: instance.vehicles[representative[kind]].name
        for kind, vehicle in enumerate(instance.vehicles)
    }
    merged = replace(
        instance,
        customers=tuple(_renamed(customer, names) for customer in instance.customers),
        vehicles=tuple(
            replace(
                instance.vehicles[group[0]],
                count=sum(instance.vehicles[kind].count for kind in group),
            )
            for group in classes
        ),
    )
    kinds = tuple(tuple(one for kind in group for one in variant.kinds[kind]) for group in classes)
    locks = {
        new: variant.locks[group[0]]
        for new, group in enumerate(classes)
        if group[0] in variant.locks
    }
    return Variant(variant.original, merged, kinds, locks)


def _renamed(customer: Customer, names: Mapping[str, str]) -> Customer:
    """Return a customer who accepts the kinds that stand for those it has named."""
    accepted = customer.vehicles
    if accepted is None:
        return customer
    return replace(customer, vehicles=tuple(dict.fromkeys(names[name] for name in accepted)))


def with_locks(instance: Instance, locks: Sequence[tuple[int, Lock]]) -> Variant:
    """Return a variant in which each lock has a vehicle of its own, taken from its kind.

    Nobody else rides in a vehicle that keeps all its stops.
    """
    # The only kind may have no name.
    names = [vehicle.name or "vehicle" for vehicle in instance.vehicles]
    counts = [vehicle.count for vehicle in instance.vehicles]
    kept = []
    for number, (kind, lock) in enumerate(locks, start=1):
        counts[kind] -= 1
        kept.append(_KeptVehicle(f"{names[kind]}, kept {number}", kind, lock))
    free = [
        replace(vehicle, name=name, count=count)
        for vehicle, name, count in zip(instance.vehicles, names, counts, strict=True)
    ]
    under_way = [
        replace(
            instance.vehicles[one.kind],
            name=one.name,
            count=1,
            first_stops=tuple(map(instance.label, one.lock.stops)),
        )
        for one in kept
    ]
    customers = tuple(
        _on_board(customer, number, names, kept)
        for number, customer in enumerate(instance.customers, start=1)
    )
    return Variant(
        instance,
        replace(instance, customers=customers, vehicles=(*free, *under_way)),
        (*((kind,) * count for kind, count in enumerate(counts)), *((one.kind,) for one in kept)),
        {len(free) + number: one.lock for number, one in enumerate(kept)},
    )


@dataclass(frozen=True, slots=True)
class _KeptVehicle:
    name: str
    kind: int
    lock: Lock


def _on_board(
    customer: Customer, number: int, names: Sequence[str], kept: Sequence[_KeptVehicle]
) -> Customer:
    """Return a customer with the kinds that may serve it, vehicles under way among them."""
    for one in kept:
        if number in one.lock.stops:
            # It is on its vehicle: nothing is left to decide about it.
            return replace(customer, vehicles=(one.name,), leave_out_cost=None)
    accepted = names if customer.vehicles is None else customer.vehicles
    may_follow = (one.name for one in kept if not one.lock.is_whole and names[one.kind] in accepted)
    return replace(customer, vehicles=(*accepted, *may_follow))
