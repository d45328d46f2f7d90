"""Customers that ride together: whether they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tailgate.model.judge.case import Case
from tailgate.model.judge.violation import Violation
from tailgate.model.judge.violation import ViolationKind as Kind


def check_together(case: Case, visits: Mapping[int, list[int]]) -> Iterator[Violation]:
    """Yield customers that are not on the truck of those that they ride with.

    Of a chain of customers every link is looked at, which is enough. Who is neither visited nor
    left out is named elsewhere.
    """
    whereabouts: dict[int, list[int]] = {one.customer: [] for one in case.solution.left_out}
    whereabouts |= visits
    for number, customer in enumerate(case.instance.customers, start=1):
        for label in customer.together:
            other = case.numbers[label]
            if number not in whereabouts or other not in whereabouts:
                continue
            if whereabouts[number] != whereabouts[other]:
                yield Violation(
                    Kind.TOGETHER,
                    f"customers {case.label(number)} and {case.label(other)} ride together, but "
                    f"the first is {_on(whereabouts[number])} and the second "
                    f"{_on(whereabouts[other])}",
                    customer=number,
                )


def _on(routes: list[int]) -> str:
    return f"on route {routes[0]}" if routes else "left out"
