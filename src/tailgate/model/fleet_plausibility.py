"""What looks like a mistake in kinds of vehicles, and in the costs of leaving customers out."""

from __future__ import annotations

import math

from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.units import with_unit

Seen = tuple[str, str] | None
"""What was seen, with its numbers, and the remedy."""

# No fleet has floors of which one is so many times wider than another.
UNLIKE_WIDTHS = 8
# Of what the cheapest route to a customer costs: below, next to nobody would be served.
CHEAP_SHARE = 0.02
# Of what all customers cost if each has a vehicle of its own.
EXPENSIVE_TIMES = 100


def unlike_floors(instance: Instance) -> Seen:
    """The floor of one kind in metres, that of another in centimetres."""
    narrow, wide = (choose(instance.vehicles, key=lambda kind: kind.width) for choose in (min, max))
    if wide.width < UNLIKE_WIDTHS * narrow.width:
        return None
    units = instance.units
    first, second = (
        f"{kind.name} {with_unit(units.length_text(kind.width), units.length_unit)}"
        for kind in (narrow, wide)
    )
    return (
        f"the floors are of very different widths ({first}, {second})",
        "give all floors in the same unit",
    )


def leave_out_in_distance(instance: Instance) -> Seen:
    """Costs of leaving out beside routes that cost their distance."""
    if not instance.optional or any(kind.names_rates for kind in instance.vehicles):
        return None
    unit = instance.units.distance_unit
    return (
        "no vehicle has a cost per distance or time, so that a route costs its distance, and what "
        f"it costs to leave a customer out is in units of distance{f' ({unit})' if unit else ''}",
        "give cost_per_distance or cost_per_time if it is meant as money",
    )


def cheap_to_leave_out(instance: Instance) -> Seen:
    """Costs of leaving out in another unit: it would never pay to serve anybody."""
    costs = _costs(instance)
    if not costs or not all(0 < left_out < CHEAP_SHARE * served for left_out, served in costs):
        return None
    left_out, served = max(costs)
    text = CostUnit.of_instance(instance).cost_text
    return (
        f"leaving a customer out costs {text(left_out)} at most, and a route to that one at least "
        f"{text(served)}",
        "give leave_out_cost in the unit of the other costs",
    )


def expensive_to_leave_out(instance: Instance) -> Seen:
    """A large number that means: this customer must be served."""
    costs = _costs(instance)
    if not costs:
        return None
    left_out, _ = max(costs)
    total = sum(served for _, served in costs) / len(costs) * instance.n
    if left_out <= EXPENSIVE_TIMES * total:
        return None
    text = CostUnit.of_instance(instance).cost_text
    return (
        f"leaving a customer out costs {text(left_out)}, and serving all of them one by one about "
        f"{text(math.ceil(total))}",
        "leave leave_out_cost out where a customer must be served",
    )


def first_optional(instance: Instance) -> str:
    """Return where the first cost of leaving out is."""
    return f"customers[{min(instance.optional) - 1}].leave_out_cost"


def _costs(instance: Instance) -> list[tuple[int | float, int | float]]:
    """Return for each customer that may be left out what that costs, and a route to it alone."""
    kinds = range(len(instance.vehicles))
    costs = []
    for number in sorted(instance.optional):
        served = min(
            (
                instance.of_kind(kind).route_cost((number,))
                for kind in kinds
                if instance.accepts(number, kind)
            ),
            default=math.inf,
        )
        if math.isfinite(served):
            costs.append((instance.leave_out_cost(number), served))
    return costs
