"""What the orders demand of a plan: who may come, with whom, where in the route, or not at all."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Customer, Instance
from tailgate.model.rounding import number_text

_SEPARATOR = "; "


@dataclass(frozen=True, slots=True)
class RuleColumn:
    """One rule in a table of customers; ``name`` is the field that holds it."""

    name: str
    title: str
    is_cost: bool = False

    def value(self, customer: Customer) -> str | int | float | None:
        """Return what is demanded of a customer: names in one text, a cost, or nothing."""
        value: str | int | float | tuple[str, ...] | None = getattr(customer, self.name)
        if isinstance(value, tuple):
            return _SEPARATOR.join(value) or None
        return value

    def text(self, customer: Customer, unit: CostUnit) -> str:
        """Return the same for people."""
        value = self.value(customer)
        if value is None or isinstance(value, str):
            return value or ""
        return unit.cost_text(value)

    def cell(self, customer: Customer) -> str:
        """Return the same for a spreadsheet, which has the unit in its heading."""
        value = self.value(customer)
        if value is None or isinstance(value, str):
            return value or ""
        return number_text(value)


_COLUMNS = (
    RuleColumn("vehicles", "Vehicles that may come"),
    RuleColumn("not_with", "Not with"),
    RuleColumn("together", "Together with"),
    RuleColumn("position", "Position"),
    RuleColumn("leave_out_cost", "Leave-out cost", is_cost=True),
)


def rule_columns(instance: Instance) -> list[RuleColumn]:
    """Return the rules that some customer has; plain orders have none."""
    return [
        column
        for column in _COLUMNS
        if any(column.value(customer) is not None for customer in instance.customers)
    ]
