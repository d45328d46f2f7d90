"""From where the items lie to the order in which they are loaded."""

from __future__ import annotations

from collections.abc import Sequence

from tailgate.instance import Instance
from tailgate.solution import Placement


def placements_of(
    instance: Instance,
    route: Sequence[int],
    positions: Sequence[Sequence[tuple[int, int]]],
    *,
    lifo: bool,
) -> tuple[Placement, ...]:
    """Return the plan that has these (x, y), one list for every stop, in the order of loading."""
    placed = [
        (stop_index, customer, item_number, item, position)
        for stop_index, (customer, own) in enumerate(zip(route, positions, strict=True), 1)
        for item_number, (item, position) in enumerate(
            zip(instance.customer(customer).items, own, strict=True), 1
        )
    ]
    # Loaded first: the last stop, and within a stop what stands nearest to the cab. Without
    # LIFO the stops do not matter: from the cab to the door.
    placed.sort(key=lambda entry: (-entry[0] if lifo else 0, entry[4][1], entry[4][0]))
    return tuple(
        Placement(
            customer=customer,
            item=item_number,
            x=x,
            y=y,
            width=item.width,
            length=item.length,
            stop_index=stop_index,
            load_step=load_step,
        )
        for load_step, (stop_index, customer, item_number, item, (x, y)) in enumerate(placed, 1)
    )
