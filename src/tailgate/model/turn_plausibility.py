"""What looks like a mistake in which items may be turned."""

from __future__ import annotations

from tailgate.model.instance import Instance

Seen = tuple[str, str] | None
"""What was seen, with its numbers, and the remedy."""


def would_fit_turned(instance: Instance) -> Seen:
    """An order that is left out, for nobody has said that its item may be turned.

    Where the order must be served, the instance is refused with the same words.
    """
    found = _first_that_would_fit(instance)
    if found is None:
        return None
    number, index = found
    return (
        f"item {index + 1} of customer {instance.label(number)} fits no vehicle as it is given, so "
        "that the customer is left out; it would fit turned",
        "say turn yes if it may be turned by a quarter",
    )


def item_that_would_fit(instance: Instance) -> str:
    """Return where the first such item is."""
    found = _first_that_would_fit(instance)
    number, index = (1, 0) if found is None else found
    return f"customers[{number - 1}].items[{index}].turn"


def _first_that_would_fit(instance: Instance) -> tuple[int, int] | None:
    """Return customer and place of the first item that fits vehicles only as it may not lie."""
    for number in sorted(instance.optional):
        if not instance.is_hopeless(number):
            continue
        for index, item in enumerate(instance.customer(number).items):
            if instance.may_turn(item):
                continue
            as_given, turned = (
                any(
                    item.fits(vehicle.width, vehicle.length, may_turn=may_turn)
                    for vehicle in instance.vehicles
                )
                for may_turn in (False, True)
            )
            if turned and not as_given:
                return number, index
    return None
