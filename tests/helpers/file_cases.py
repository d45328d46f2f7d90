"""Instances and the content of files, as tests of formats need them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Unpack

from tailgate.io import read_draft
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides, DistanceConvention
from tailgate.model.instance import Conventions, Customer, Instance, Item, Units, Vehicle

Change = Callable[[dict[str, Any]], None]


def parse_file(path: PathLike, **overrides: Unpack[ConventionOverrides]) -> Instance:
    """Read an instance of any format, without asking whether its customers can be loaded."""
    return read_draft(path, **overrides).to_instance()


def changed(*path: str | int, value: Any) -> Change:
    """Return a change of one value in a file's content."""

    def change(content: dict[str, Any]) -> None:
        _innermost(content, path)[path[-1]] = value

    return change


def without(*path: str | int) -> Change:
    """Return the removal of one value from a file's content."""

    def change(content: dict[str, Any]) -> None:
        del _innermost(content, path)[path[-1]]

    return change


def _innermost(content: Any, path: tuple[str | int, ...]) -> Any:
    for step in path[:-1]:
        content = content[step]
    return content


def tuesday(bakery: str, **changes: Any) -> Instance:
    """Return two orders in metres and kilograms; the first customer is called ``bakery``."""
    items = (Item(80, 120, "pallet"),) * 4 + (Item(240, 60, "shelf"),)
    instance = Instance(
        name="tuesday",
        depot=(0, 0),
        customers=(
            Customer(1250, 300, 18405, items, name=bakery, ready=30, due=120, service=15),
            Customer(-400, 2275, 72000, (Item(120, 100),) * 9, name="Harbour"),
        ),
        vehicle=Vehicle(width=245, length=1360, capacity=240000),
        vehicle_count=2,
        conventions=Conventions.PLANNER,
        units=Units(100, 10, 100, "m", "kg"),
        depot_due=600,
    )
    return replace(instance, **changes)


def places_only(
    points: list[tuple[int, int]], scale: int, distance: DistanceConvention
) -> Instance:
    """Return an instance without goods: a depot and customers at the points."""
    depot, *rest = points
    return Instance(
        "places",
        depot,
        tuple(Customer(x, y, 0, ()) for x, y in rest),
        Vehicle(1, 1, 1),
        1,
        Conventions(distance=distance),
        Units(coordinate_scale=scale),
    )
