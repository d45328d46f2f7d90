"""Kinds of vehicles that differ in nothing but their name are one kind to the solver.

Otherwise every route would be there once for each of them, and every plan in many ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tailgate.model.instance import Instance
from tailgate.solver.column import Column


@dataclass(frozen=True)
class MergedKinds:
    """An instance whose kinds all differ, and which kinds of the original each stands for."""

    original: Instance
    instance: Instance
    members: tuple[tuple[int, ...], ...]
    """By kind: those of the original."""

    @classmethod
    def of(cls, instance: Instance) -> MergedKinds:
        """Merge the kinds of an instance; where there is nothing to merge it stays as it is."""
        members = instance.interchangeable_kinds
        if len(members) == len(instance.vehicles):
            return cls(instance, instance, members)
        vehicles = tuple(
            replace(
                instance.vehicles[kinds[0]],
                count=sum(instance.vehicles[kind].count for kind in kinds),
            )
            for kinds in members
        )
        name_of = {
            instance.vehicles[kind].name: instance.vehicles[kinds[0]].name
            for kinds in members
            for kind in kinds
        }
        customers = tuple(
            customer
            if customer.vehicles is None
            else replace(
                customer, vehicles=tuple(dict.fromkeys(name_of[name] for name in customer.vehicles))
            )
            for customer in instance.customers
        )
        return cls(instance, replace(instance, customers=customers, vehicles=vehicles), members)

    def told_apart(self, columns: Iterable[Column]) -> list[Column]:
        """Return the columns of a plan by the kinds of the original, each within its number."""
        used: Counter[int] = Counter()
        told = []
        for column in columns:
            kind = next(
                kind
                for kind in self.members[column.kind]
                if used[kind] < self.original.vehicles[kind].count
            )
            used[kind] += 1
            told.append(Column(kind, column.route))
        return told

    def merged(self, columns: Iterable[Column]) -> list[Column]:
        """Return columns of the original by merged kinds."""
        merged = {kind: index for index, kinds in enumerate(self.members) for kind in kinds}
        return [Column(merged[kind], route) for kind, route in columns]
