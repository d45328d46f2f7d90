"""What pictures and sheets show of one vehicle."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from tailgate.model.instance import Instance
from tailgate.model.rounding import number_text
from tailgate.model.solution import Placement, Route
from tailgate.model.units import with_unit
from tailgate.report.words import time_text


@dataclass(frozen=True, slots=True)
class Leg:
    """The road from one stop to the next, what is on board there, and when."""

    start: str
    end: str
    distance: int | float
    weight: int
    items: int
    leaves: int | float
    arrives: int | float


@dataclass(frozen=True, slots=True)
class Truck:
    """One vehicle of a plan; its placements are in the instance's integers.

    ``number`` counts the trucks of the plan from 1; ``verified`` says that the judge found the
    whole plan valid.
    """

    instance: Instance
    route: Route
    number: int = 1
    count: int = 1
    verified: bool = True

    @property
    def title(self) -> str:
        """The truck among the others."""
        return f"Truck {self.number} of {self.count}"

    @property
    def stops(self) -> range:
        """The numbers of the stops, 1 for the first that is unloaded."""
        return range(1, len(self.route.customers) + 1)

    def customer_number(self, stop: int) -> int:
        """Return the number of the customer at a stop."""
        return self.route.customers[stop - 1]

    def label(self, stop: int) -> str:
        """Return what people call the customer at a stop."""
        return self.instance.label(self.customer_number(stop))

    def stop_text(self, stop: int) -> str:
        """Return a stop in full: its number, and the customer by name and number."""
        number = self.customer_number(stop)
        name = self.instance.customer(number).name
        return (
            f"Stop {stop}: {name} (customer {number})"
            if name
            else f"Stop {stop}: customer {number}"
        )

    @property
    def route_text(self) -> str:
        """The way of the truck in one line."""
        stops = " → ".join(self.label(stop) for stop in self.stops)
        return f"depot → {stops} → depot"

    @property
    def loading_order(self) -> list[Placement]:
        """The items as they go in, the first one first."""
        return sorted(self.route.placements, key=lambda placement: placement.load_step)

    @property
    def unloading_order(self) -> list[Placement]:
        """The items as they come out: stop by stop, and what was loaded last comes first."""
        return sorted(
            self.route.placements,
            key=lambda placement: (placement.stop_index, -placement.load_step),
        )

    @property
    def stop_indices(self) -> list[int]:
        """Every stop that a picture needs a look for, also those that only a wrong plan has."""
        return sorted({*self.stops, *(placement.stop_index for placement in self.route.placements)})

    @property
    def fill(self) -> float:
        """The share of the floor that is covered when the truck leaves the depot."""
        covered = sum(placement.width * placement.length for placement in self.route.placements)
        return covered / self.instance.vehicle.area

    @property
    def weight(self) -> int:
        """The weight on board when the truck leaves the depot."""
        return sum(self.instance.customer(number).weight for number in self.route.customers)

    @property
    def legs(self) -> list[Leg]:
        """The legs of the tour, from the depot back to the depot, each begun as early as can be."""
        clock = self.instance.depot_ready
        weight, items = self.weight, len(self.route.placements)
        labels = ["depot", *(self.label(stop) for stop in self.stops), "depot"]
        numbers = [0, *self.route.customers, 0]
        legs = []
        for stop, (start, end) in enumerate(pairwise(numbers)):
            if stop:
                customer = self.instance.customer(start)
                clock = max(clock, customer.ready) + customer.service
                weight -= customer.weight
                items -= sum(placement.stop_index == stop for placement in self.route.placements)
            distance = self.instance.distance(start, end)
            leaves, clock = clock, clock + distance
            way = (labels[stop], labels[stop + 1], distance)
            legs.append(Leg(*way, weight, items, leaves, clock))
        return legs

    @property
    def is_timed(self) -> bool:
        """Whether times matter in the orders: windows, or how long a stop takes."""
        instance = self.instance
        stops_take_time = any(one.ready or one.service for one in instance.customers)
        return instance.has_time_windows or stops_take_time or bool(instance.depot_ready)

    def visit_text(self, stop: int) -> str:
        """Return when the truck comes to a stop and leaves it, and when it may come."""
        customer = self.instance.customer(self.customer_number(stop))
        arrives, leaves = self.legs[stop - 1].arrives, self.legs[stop].leaves
        text = f"arrive {time_text(arrives)}"
        if arrives < customer.ready:
            text += f", wait until {time_text(customer.ready)}"
        text += f", leave {time_text(leaves)}"
        if customer.due is not None:
            return f"{text} (open {number_text(customer.ready)} to {number_text(customer.due)})"
        return f"{text} (open from {number_text(customer.ready)})" if customer.ready else text

    @property
    def hours_text(self) -> str:
        """When the truck leaves the depot and when it is back."""
        legs, due = self.legs, self.instance.depot_due
        text = f"leaves at {time_text(legs[0].leaves)}, back at {time_text(legs[-1].arrives)}"
        return text if due is None else f"{text} (by {number_text(due)})"

    def item_text(self, placement: Placement) -> str:
        """Return an item by name, and which one it is where its customer gets several of that name.

        The number comes last: "2 Half pallet" would read like two of them. It counts the items of
        the same name: "Half pallet (2 of 3)" must not mean one half pallet and two crates.
        """
        items = self.instance.customer(placement.customer).items
        name = items[placement.item - 1].name
        if not name:
            return f"item {placement.item} of {len(items)}"
        alike = [number for number, item in enumerate(items, start=1) if item.name == name]
        if len(alike) == 1:
            return name
        return f"{name} ({alike.index(placement.item) + 1} of {len(alike)})"

    def length_text(self, length: int) -> str:
        """Return a length in the planner's unit."""
        units = self.instance.units
        return with_unit(units.length_text(length), units.length_unit)

    def weight_text(self, weight: int) -> str:
        """Return a weight in the planner's unit."""
        units = self.instance.units
        return with_unit(units.weight_text(weight), units.weight_unit)

    def weight_words(self, weight: int) -> str:
        """Return a weight that stands among other numbers: a bare one says what it is."""
        text = self.weight_text(weight)
        return text if self.instance.units.weight_unit else f"weight {text}"

    @property
    def load_text(self) -> str:
        """The weight on board, and how much may be."""
        units, capacity = self.instance.units, self.instance.vehicle.capacity
        return f"{units.weight_text(self.weight)} of {self.weight_text(capacity)}"
