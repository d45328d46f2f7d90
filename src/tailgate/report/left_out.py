"""The orders that a plan leaves out: what stays, what that costs, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tailgate.model.cost_unit import CostUnit
from tailgate.model.exact import fraction_of
from tailgate.model.matrix import plain
from tailgate.model.rounding import counted
from tailgate.model.solution import LeftOut
from tailgate.model.units import with_unit

if TYPE_CHECKING:
    from tailgate.report.plan import Plan


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """One order that is left out, in words."""

    number: int
    customer: str
    items: int
    weight: str
    cost: str
    reason: str


def left_out_rows(plan: Plan) -> list[LeftOutRow]:
    """Return the orders that are left out, as the plan lists them."""
    instance, unit = plan.instance, CostUnit.of_instance(plan.instance)
    rows = []
    for order in plan.solution.left_out:
        customer = instance.customer(order.customer)
        weight = instance.units.weight_text(customer.weight)
        rows.append(
            LeftOutRow(
                number=order.customer,
                customer=instance.label(order.customer),
                items=len(customer.items),
                weight=with_unit(weight, instance.units.weight_unit),
                cost=unit.cost_text(order.cost),
                reason=order.reason,
            )
        )
    return rows


def left_out_text(left_out: Sequence[LeftOut], unit: CostUnit) -> str:
    """Return how many orders are left out and what that costs together; nothing for none."""
    if not left_out:
        return ""
    cost = plain(sum((fraction_of(order.cost) for order in left_out), Fraction(0)))
    return f"{counted(len(left_out), 'order')}, {unit.cost_text(cost)}"
