"""What ``tailgate solve`` keeps of an earlier plan: trucks, or their first stops."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tailgate.apps.cli.arguments import positive_number
from tailgate.apps.cli.standard_streams import (
    read_orders,
    read_plan,
    refuse_both,
    refuse_standard_stream,
)
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.rounding import counted
from tailgate.model.solution import Route, Solution


def add_keeping(parser: argparse.ArgumentParser) -> None:
    """Add the options of re-planning."""
    group = parser.add_argument_group("re-planning: the day has begun, and something has changed")
    group.add_argument(
        "--keep",
        metavar="SOL.json",
        type=Path,
        help='keep what is locked in this plan: trucks that are "locked", and the first '
        '"locked_stops" of others; the rest is planned again. - is the standard input',
    )
    group.add_argument(
        "--keep-orders",
        metavar="INSTANCE",
        help="with --keep: the orders that this plan was made for, where others are solved now; "
        "customers are the same if they have the same name",
    )
    group.add_argument(
        "--keep-trucks",
        metavar="N,N",
        type=_truck_numbers,
        default=(),
        help="with --keep: lock these trucks, by their number in that plan, such as 1,3",
    )
    group.add_argument(
        "--keep-stops",
        metavar="N=S,N=S",
        type=_first_stops,
        default={},
        help="with --keep: truck N is under way and keeps its first S stops, such as 2=1,4=3",
    )


def kept_plan(arguments: argparse.Namespace) -> Solution | None:
    """Return the plan of which something is kept, with all its locks."""
    if arguments.keep is None:
        for field, given in (
            ("--keep-orders", arguments.keep_orders),
            ("--keep-trucks", arguments.keep_trucks),
            ("--keep-stops", arguments.keep_stops),
        ):
            if given:
                raise InputError("is about no plan; add --keep PLAN.json", field=field)
        return None
    refuse_both(arguments.instance, arguments.keep, "--keep")
    plan = read_plan(arguments.keep)
    return with_locks(plan, arguments.keep_trucks, arguments.keep_stops)


def kept_orders(arguments: argparse.Namespace, plan: Solution | None) -> Instance | None:
    """Return the orders that the plan was made for, where they are others."""
    if arguments.keep_orders is None:
        return None
    refuse_standard_stream(arguments.keep_orders, "--keep-orders")
    return read_orders(arguments.keep_orders, [] if plan is None else [plan])


def refuse_other_orders(
    arguments: argparse.Namespace, plan: Solution | None, instance: Instance
) -> None:
    """Refuse a plan of other orders as long as these are not named."""
    if plan is None or arguments.keep_orders is not None:
        return
    if plan.instance_sha256 != instance.sha256:
        raise InputError(
            f"{arguments.keep} is a plan for other orders; name these with --keep-orders, so that "
            "customers can be matched by their names",
            field="--keep",
        )


def with_locks(plan: Solution, trucks: tuple[int, ...], stops: Mapping[int, int]) -> Solution:
    """Return a plan with further locks; trucks are counted from 1."""
    for field, numbers in (("--keep-trucks", trucks), ("--keep-stops", tuple(stops))):
        missing = [number for number in numbers if number > len(plan.routes)]
        if missing:
            there = counted(len(plan.routes), "truck")
            raise InputError(f"there is no truck {missing[0]}; the plan has {there}", field=field)
    routes = (
        _locked(route, number, number in trucks, stops.get(number))
        for number, route in enumerate(plan.routes, start=1)
    )
    return replace(plan, routes=tuple(routes))


def _locked(route: Route, number: int, is_locked: bool, stops: int | None) -> Route:
    if stops is not None and stops > len(route.customers):
        raise InputError(
            f"truck {number} has {counted(len(route.customers), 'stop')}, and cannot keep {stops}",
            field="--keep-stops",
        )
    if is_locked:
        return replace(route, locked=True)
    return route if stops is None else replace(route, locked_stops=stops)


def _truck_numbers(text: str) -> tuple[int, ...]:
    return tuple(positive_number(word.strip()) for word in text.split(","))


def _first_stops(text: str) -> dict[int, int]:
    stops = {}
    for word in text.split(","):
        truck, equals, count = word.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(
                f"must be TRUCK=STOPS, such as 2=1,4=3 for the first stop of truck 2 and the first "
                f"three of truck 4, got {text!r}"
            )
        number = positive_number(truck.strip())
        if number in stops:
            raise argparse.ArgumentTypeError(f"names truck {number} twice: {text!r}")
        stops[number] = positive_number(count.strip())
    return stops
