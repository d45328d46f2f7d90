"""Random tiny instances in which some items may be turned, made of those without turning."""

from __future__ import annotations

import random
from dataclasses import replace

from fleet_instances import fleet_instance
from rich_instances import TravelKind
from tailgate.model.conventions import TurnConvention
from tailgate.model.instance import Conventions, Instance, Item
from tiny_instances import tiny_instance

SHARES = (0.3, 0.7, 1.0)


def turning_tiny_instance(
    seed: int | str, conventions: Conventions, *, time_windows: bool = False, most: int = 6
) -> Instance:
    """Draw customers some of whose items may be turned, or all by the convention."""
    return with_turning(
        seed, tiny_instance(seed, conventions, time_windows=time_windows, most=most)
    )


def turning_fleet_instance(
    seed: int | str, travel: TravelKind, *, kinds: int | None = None, most: int = 5
) -> Instance:
    """Draw kinds of vehicles whose floors differ, and customers whose items may be turned."""
    return with_turning(seed, fleet_instance(seed, travel, kinds=kinds, most=most))


def with_turning(seed: int | str, instance: Instance) -> Instance:
    """Return the instance with some items that may be turned, some of which are given turned.

    Such an item may fit a floor only if it is turned; some of the others, too, fit one way only.
    """
    dice = random.Random(f"turning {seed}")
    share = dice.choice(SHARES)
    rule: TurnConvention = dice.choice(("as-given", "as-given", "all"))
    customers = tuple(
        replace(
            customer,
            items=tuple(_with_turning(dice, item, share, rule) for item in customer.items),
        )
        for customer in instance.customers
    )
    return replace(
        instance, customers=customers, conventions=replace(instance.conventions, turn=rule)
    )


def _with_turning(dice: random.Random, item: Item, share: float, rule: TurnConvention) -> Item:
    may_turn = dice.random() < share
    if (may_turn or rule == "all") and dice.random() < 0.5:
        item = replace(item, width=item.length, length=item.width)
    return replace(item, turn=may_turn)
