"""How many items may be turned, in words."""

from __future__ import annotations

from collections.abc import Iterable

from tailgate.model.instance import Instance
from tailgate.model.rounding import counted


def may_turn_text(instance: Instance, customers: Iterable[int]) -> str:
    """Return how many items of some customers may be turned; empty if none may."""
    items = [item for number in customers for item in instance.customer(number).items]
    may = sum(map(instance.may_turn, items))
    if not may:
        return ""
    which = "all items" if may == len(items) else f"{may:,} of {counted(len(items), 'item')}"
    return f"{which} may be turned"


def turning_lines(instance: Instance) -> list[str]:
    """Return the line of a result that follows its conventions; none if nothing may be turned."""
    text = may_turn_text(instance, range(1, instance.n + 1))
    return [f"  turning      {text}"] if text else []
