"""The variants of a fleet that ``tailgate what-if`` solves."""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.limits import MAX_CUSTOMERS
from tailgate.model.validation import did_you_mean, shown

MAX_VARIANTS = 1_000
OPTION = "--vehicles"

Counts = tuple[int, ...]
"""How many vehicles there are of each kind, in the order of the instance."""


@dataclass(frozen=True, slots=True)
class CountRange:
    """So many vehicles of a kind; without a name of the only kind that there is."""

    name: str
    least: int
    most: int

    @property
    def counts(self) -> range:
        """The numbers of vehicles to try."""
        return range(self.least, self.most + 1)


def count_range(text: str) -> CountRange:
    """Read "12 t=2..4", "12 t=3", or "2..4" where there is one kind."""
    name, _, numbers = text.rpartition("=")
    least, dots, most = (part.strip() for part in numbers.partition(".."))
    bounds = [_number(part, text) for part in ((least, most) if dots else (least, least))]
    if bounds[0] > bounds[1]:
        raise argparse.ArgumentTypeError(f"ends before it begins: {text!r}; write 2..4")
    return CountRange(name.strip(), *bounds)


def _number(text: str, whole: str) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= 9
    if not is_number or int(text) > MAX_CUSTOMERS:
        raise argparse.ArgumentTypeError(
            f'must be KIND=A..B with whole numbers up to {MAX_CUSTOMERS}, such as "12 t=2..4", or '
            f"2..4 where there is one kind, got {whole!r}"
        )
    return int(text)


def own_counts(instance: Instance) -> Counts:
    """Return the fleet as the instance has it."""
    return tuple(vehicle.count for vehicle in instance.vehicles)


def varied_kinds(instance: Instance, ranges: Sequence[CountRange]) -> Mapping[int, range]:
    """Return the numbers of vehicles to try by kind, in the order of the instance."""
    names = [vehicle.name for vehicle in instance.vehicles]
    found: dict[int, range] = {}
    for one in ranges:
        if not one.name and len(names) > 1:
            raise InputError(
                f"there are several kinds; name one: {_example(names, one)}", field=OPTION
            )
        if one.name and one.name not in names:
            there = f"there are {', '.join(map(shown, names))}" if any(names) else "write 2..4"
            hint = did_you_mean(one.name, names) or f"; {there}"
            raise InputError(f"there is no kind {shown(one.name)}{hint}", field=OPTION)
        kind = names.index(one.name) if one.name else 0
        if kind in found:
            raise InputError(f"names {shown(names[kind]) or 'the kind'} twice", field=OPTION)
        found[kind] = one.counts
    variants = math.prod(map(len, found.values()))
    if variants > MAX_VARIANTS:
        raise InputError(
            f"makes {variants:,} variants, and at most {MAX_VARIANTS:,} are solved; ask for fewer",
            field=OPTION,
        )
    return dict(sorted(found.items()))


def _example(names: Sequence[str], one: CountRange) -> str:
    return " or ".join(f'"{name}={one.least}..{one.most}"' for name in names)


def all_counts(instance: Instance, varied: Mapping[int, range]) -> list[Counts]:
    """Return every combination, the smallest fleet first."""
    own = own_counts(instance)
    choices = [varied.get(kind, (count,)) for kind, count in enumerate(own)]
    return list(itertools.product(*choices))


def with_counts(instance: Instance, counts: Counts) -> Instance:
    """Return the same orders with another fleet; one that cannot serve them is refused."""
    vehicles = (
        replace(vehicle, count=count)
        for vehicle, count in zip(instance.vehicles, counts, strict=True)
    )
    return replace(instance, vehicles=tuple(vehicles))
