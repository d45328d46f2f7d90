"""The driver's list: the stops of a truck in order, with a box for each signature."""

from __future__ import annotations

from collections.abc import Iterator

from tailgate.model.rounding import counted
from tailgate.report.html import NOTHING, Column, Html, joined, table, tag
from tailgate.report.tables import LegRow, leg_rows
from tailgate.report.trip import LATE
from tailgate.report.truck import Truck

_SIGNATURE = Html('<span class="signature" role="img" aria-label="to be signed"></span>')


def driver_list(truck: Truck) -> Html:
    """Return the stops with address, hours, load and the way to the next one."""
    titles = [
        "Stop",
        "Customer",
        *(["Arrive", "Open", "Leave"] if truck.trip.is_timed else []),
        "Load",
        *(["To the next"] if truck.instance.roads.has_distances else []),
        "Signature",
    ]
    rows = list(_rows(truck, leg_rows(truck)))
    return table("Stops in the order of the visits", list(map(Column, titles)), rows, class_="tour")


def _rows(truck: Truck, legs: list[LegRow]) -> Iterator[list[str]]:
    trip, depot = truck.trip, tag("b", truck.instance.depot_name or "depot")
    ways = [[leg.distance] if truck.instance.roads.has_distances else [] for leg in legs]
    items = counted(len(truck.route.placements), "item")
    load = joined([_line(items), _line(truck.weight_words(truck.weight))])
    leaving: list[str] = []
    back: list[str] = []
    if trip.is_timed:
        leaving = ["", "", tag("b", trip.departure_text)]
        back = [_late(trip.return_text), _closing(truck), ""]
    yield ["", depot, *leaving, load, *ways[0], ""]
    for stop in truck.stops:
        yield [
            str(stop),
            _customer(truck, stop),
            *(_hours(truck, stop) if trip.is_timed else []),
            _load(truck, stop),
            *ways[stop],
            _SIGNATURE,
        ]
    yield ["", depot, *back, "", *([""] if ways[0] else []), ""]


def _customer(truck: Truck, stop: int) -> Html:
    """Return who gets the goods, and all that the orders say: address, phone, note."""
    customer = truck.instance.customer(truck.customer_number(stop))
    said = [
        _line(text if name == "address" else f"{name}: {text}")
        for name, text in sorted(customer.info, key=lambda entry: entry[0] != "address")
        if text
    ]
    position = truck.position_text(stop)
    rule = [_line(position)] if position else []
    return joined([tag("b", truck.label(stop)), *rule, *said])


def _hours(truck: Truck, stop: int) -> list[str]:
    trip, words = truck.trip, truck.trip.words
    customer = truck.instance.customer(truck.customer_number(stop))
    window = words.window(customer.ready, customer.due)
    if trip.timetable is None:
        return ["", window, ""]
    visit = trip.timetable.visits[stop - 1]
    arrival = words.time(visit.arrival)
    waits = _line(f"wait {words.duration(visit.waiting)}") if visit.waiting else NOTHING
    serves = _line(f"service {words.duration(customer.service)}") if customer.service else NOTHING
    return [
        joined([_late(f"{arrival} {LATE}" if visit.is_late else arrival), waits]),
        window,
        joined([tag("b", words.time(visit.end)), serves]),
    ]


def _load(truck: Truck, stop: int) -> Html:
    customer = truck.instance.customer(truck.customer_number(stop))
    items = counted(len(customer.items), "item")
    return joined([_line(items), _line(truck.weight_words(customer.weight))])


def _closing(truck: Truck) -> str:
    closing = truck.trip.closing_text
    return f"by {closing}" if closing else ""


def _late(time: str) -> Html:
    return tag("b", time, class_="alarm" if time.endswith(LATE) else False)


def _line(text: str) -> Html:
    return tag("div", text)
