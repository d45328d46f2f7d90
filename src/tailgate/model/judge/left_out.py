"""Customers that a plan does not serve: whether they may be left out, and what that costs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from tailgate.model.judge.case import Case
from tailgate.model.judge.numbers import as_written
from tailgate.model.judge.violation import Violation
from tailgate.model.judge.violation import ViolationKind as Kind


def leave_out_cost(case: Case, number: int) -> Fraction | None:
    """Return what it costs not to serve a customer; nothing if it must be served."""
    cost = case.instance.customer(number).leave_out_cost if case.exists(number) else None
    return None if cost is None else as_written(cost)


def check_left_out(case: Case, visits: Mapping[int, list[int]]) -> Iterator[Violation]:
    """Yield what is wrong with the list; ``visits`` has the routes of each customer."""
    for number, times in Counter(one.customer for one in case.solution.left_out).items():
        if not case.exists(number):
            yield Violation(
                Kind.UNKNOWN_CUSTOMER,
                f"there is no customer {number} to be left out (they are numbered 1 to "
                f"{case.instance.n})",
                customer=number,
            )
            continue
        label = case.label(number)
        if times > 1:
            message = f"customer {label} is left out {times} times"
            yield Violation(Kind.LEFT_OUT_TWICE, message, customer=number)
        if number in visits:
            message = f"customer {label} is left out, yet route {visits[number][0]} visits it"
            yield Violation(Kind.LEFT_OUT_AND_VISITED, message, customer=number)
        if leave_out_cost(case, number) is None:
            message = f"customer {label} is left out, but must be served"
            yield Violation(Kind.MISSING_CUSTOMER, message, customer=number)
    yield from _check_costs(case)


def _check_costs(case: Case) -> Iterator[Violation]:
    for one in case.solution.left_out:
        true = leave_out_cost(case, one.customer)
        if not math.isfinite(one.cost):
            message = f"the cost of leaving out customer {one.customer} is {one.cost}"
            yield Violation(Kind.NON_FINITE, message, customer=one.customer)
        elif true is not None and as_written(one.cost) != true:
            stated, right = case.cost_texts(one.cost, true)
            yield Violation(
                Kind.WRONG_LEAVE_OUT_COST,
                f"leaving out customer {case.label(one.customer)} is stated to cost {stated}, but "
                f"costs {right}",
                customer=one.customer,
            )
