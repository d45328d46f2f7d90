"""Instances with several kinds of vehicles, customers that may be left out, and rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from builders import names
from format_2_cases import format_2_instances, on_the_globe
from tailgate.model.instance import Instance, Vehicle

LIST_NAMES = st.text("a;,\"' =-", min_size=1, max_size=5).filter(
    lambda name: name == name.strip() and name.casefold() not in ("0", "depot")
)
"""Names with all that separates, quotes or guards names in a cell."""

VAN: dict[str, Any] = {"name": "van", "count": 4, "width": 1.8, "length": 3.2, "capacity": 1200}


def two_kinds() -> dict[str, Any]:
    """Return the content of a file with two kinds of vehicles and three customers."""
    content = on_the_globe()
    content["vehicles"].append(dict(VAN))
    content["customers"].append(
        {"name": "Miller, Sons & Co", "lat": 45.72, "lon": 4.9, "weight": 55, "items": []}
    )
    return content


def _costs() -> st.SearchStrategy[int | float]:
    return st.integers(0, 9999).map(lambda cents: cents // 100 if cents % 100 == 0 else cents / 100)


@st.composite
def fleet_instances(draw: st.DrawFn) -> Instance:
    """Instances of format 2 with kinds, and with rules that some routes keep."""
    base = draw(format_2_instances())
    named = draw(st.lists(names | LIST_NAMES, min_size=1, max_size=3, unique=True))
    vehicles = tuple(
        _kind(draw, base.vehicle, name, least=0 if index else 1) for index, name in enumerate(named)
    )
    labels = [base.label(number) for number in range(1, base.n + 1)]
    if draw(st.booleans()):
        own = LIST_NAMES.filter(lambda name: not name.isdecimal())
        labels = draw(st.lists(own, min_size=base.n, max_size=base.n, unique=True))
    route_of = [draw(st.integers(0, 1)) for _ in labels]
    customers = tuple(
        replace(
            customer,
            name="" if label == str(index + 1) else label,
            leave_out_cost=draw(st.none() | _costs()),
            vehicles=draw(st.none() | _some(named).map(lambda some: _once(*some, named[0]))),
            **_rules(draw, index, labels, route_of),
        )
        for index, (customer, label) in enumerate(zip(base.customers, labels, strict=True))
    )
    return replace(base, vehicles=vehicles, customers=customers)


def _kind(draw: st.DrawFn, vehicle: Vehicle, name: str, *, least: int) -> Vehicle:
    return replace(
        vehicle,
        name=name,
        count=draw(st.integers(least, 5)),
        width=draw(st.integers(10, 50)),
        length=draw(st.integers(10, 50)),
        capacity=draw(st.integers(300, 10**6)),
        fixed_cost=draw(_costs()),
        cost_per_distance=draw(st.none() | _costs()),
        max_stops=draw(st.none() | st.integers(3, 9)),
    )


def _some(labels: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    if not labels:
        return st.just(())
    return st.lists(st.sampled_from(labels), max_size=2, unique=True).map(tuple)


def _rules(draw: st.DrawFn, index: int, labels: list[str], route_of: list[int]) -> dict[str, Any]:
    """Draw rules that are kept if customers are in these routes, in the order of their numbers."""
    own = route_of[index]
    here = [label for label, route in zip(labels, route_of, strict=True) if route == own]
    there = [label for label, route in zip(labels, route_of, strict=True) if route != own]
    ends = [None, *(["first"] if here[0] == labels[index] else [])]
    ends += ["last"] if here[-1] == labels[index] else []
    return {
        "not_with": draw(_some(there)),
        "together": draw(_some([label for label in here if label != labels[index]])),
        "position": draw(st.sampled_from(ends)),
    }


def _once(*labels: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(labels))
