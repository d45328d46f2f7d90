"""Which customers share a truck, which do not, and who is first or last on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from tailgate.model import validation
from tailgate.model.customer import Customer
from tailgate.model.errors import InputError


@dataclass(frozen=True)
class Rules:
    """What customers demand of the route that serves them, by their numbers.

    Parameters
    ----------
    apart : frozenset of (int, int)
        Pairs that must not share a truck, the smaller number first.
    groups : tuple of frozenset of int
        Customers that ride on the same truck, all of them or none; no two groups overlap.
    first : frozenset of int
        Customers that are the first stop of their route.
    last : frozenset of int
        Customers that are the last stop of their route.

    Examples
    --------
    >>> rules = Rules(apart=frozenset({(1, 4)}), groups=(frozenset({2, 3}),), first=frozenset({3}))
    >>> rules.allows((3, 2)), rules.allows((2, 3)), rules.allows((3, 1)), rules.allows((1, 4))
    (True, False, False, False)
    """

    apart: frozenset[tuple[int, int]] = frozenset()
    groups: tuple[frozenset[int], ...] = ()
    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()

    @cached_property
    def is_empty(self) -> bool:
        """Whether every route is allowed."""
        return not (self.apart or self.groups or self.first or self.last)

    @cached_property
    def partners(self) -> Mapping[int, frozenset[int]]:
        """The group of every customer that is in one."""
        return {number: group for group in self.groups for number in group}

    @cached_property
    def enemies(self) -> Mapping[int, frozenset[int]]:
        """Whom a customer must not share a truck with; customers without any are left out."""
        found: dict[int, set[int]] = {}
        for one, other in self.apart:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
        return {number: frozenset(others) for number, others in found.items()}

    def allows(self, route: Sequence[int]) -> bool:
        """Return whether a route keeps every rule.

        Parameters
        ----------
        route : sequence of int
            Customer numbers in the order of the visits.
        """
        if self.is_empty:
            return True
        if not self.first.isdisjoint(route[1:]) or not self.last.isdisjoint(route[:-1]):
            return False
        stops, nobody = frozenset(route), frozenset[int]()
        return all(
            stops.isdisjoint(self.enemies.get(number, nobody))
            and self.partners.get(number, nobody) <= stops
            for number in route
        )

    @classmethod
    def of(cls, customers: Sequence[Customer]) -> Rules:
        """Return the rules of customers 1..n, having refused those that contradict each other.

        Parameters
        ----------
        customers : sequence of Customer
            Customers 1..n.
        """
        return _RuleBook(customers).rules()


class _RuleBook:
    """The rules as customers state them, by labels."""

    def __init__(self, customers: Sequence[Customer]) -> None:
        self._customers = customers
        self._numbers: dict[str, int] = {}
        if any(customer.not_with or customer.together for customer in customers):
            labels = (one.name or str(number) for number, one in enumerate(customers, start=1))
            self._numbers = {label: number for number, label in enumerate(labels, start=1)}

    def rules(self) -> Rules:
        """Return them by numbers."""
        apart = frozenset(
            (min(pair), max(pair))
            for number, customer in enumerate(self._customers, start=1)
            for pair in self._pairs(number, "not_with", customer.not_with)
        )
        groups = self._groups()
        self._refuse_enemies_together(apart, groups)
        first, last = self._at("first"), self._at("last")
        self._refuse_two_at("first", first, groups)
        self._refuse_two_at("last", last, groups)
        return Rules(apart, groups, first, last)

    def _pairs(self, number: int, field: str, labels: Sequence[str]) -> Iterable[tuple[int, int]]:
        for label in labels:
            other = self._numbers.get(label)
            place = f"customers[{number - 1}].{field}"
            if other is None:
                unknown = validation.shown(label) + validation.did_you_mean(label, self._numbers)
                raise InputError(f"there is no customer {unknown}", field=place)
            if other == number:
                raise InputError(f"customer {label} names itself; leave that out", field=place)
            yield number, other

    def _groups(self) -> tuple[frozenset[int], ...]:
        """Return who rides together, by whatever chain of customers."""
        group_of: dict[int, set[int]] = {}
        for number, customer in enumerate(self._customers, start=1):
            for one, other in self._pairs(number, "together", customer.together):
                both = (group_of.setdefault(each, {each}) for each in (one, other))
                smaller, larger = sorted(both, key=len)
                if smaller is not larger:
                    larger |= smaller
                    group_of |= dict.fromkeys(smaller, larger)
        groups = {id(group): group for group in group_of.values()}
        return tuple(sorted(map(frozenset, groups.values()), key=min))

    def _refuse_enemies_together(
        self, apart: frozenset[tuple[int, int]], groups: tuple[frozenset[int], ...]
    ) -> None:
        if not groups:
            return
        group_of = {number: group for group in groups for number in group}
        for one, other in sorted(apart):
            group = group_of.get(one, frozenset())
            if other not in group:
                continue
            others = group - {one, other}
            chain = f" (with {self._listed(others)})" if others else ""
            holder = one if self._label(other) in self._customers[one - 1].not_with else other
            raise InputError(
                f"customers {self._listed((one, other))} must not share a truck, but ride "
                f"together{chain}; take one of the two rules away",
                field=f"customers[{holder - 1}].not_with",
            )

    def _at(self, position: str) -> frozenset[int]:
        return frozenset(
            number
            for number, customer in enumerate(self._customers, start=1)
            if customer.position == position
        )

    def _refuse_two_at(
        self, position: str, numbers: frozenset[int], groups: tuple[frozenset[int], ...]
    ) -> None:
        for group in groups:
            for one, other in combinations(sorted(group & numbers), 2):
                raise InputError(
                    f"customers {self._listed((one, other))} ride together, but only one customer "
                    f"of a route can be {position}; take one position away",
                    field=f"customers[{other - 1}].position",
                )

    def _label(self, number: int) -> str:
        return self._customers[number - 1].name or str(number)

    def _listed(self, numbers: Iterable[int]) -> str:
        *some, final = map(self._label, sorted(numbers))
        return f"{', '.join(some)} and {final}" if some else final
