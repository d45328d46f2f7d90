"""What pictures and sheets show of one vehicle."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.solution import Placement, Route
from tailgate.model.units import with_unit
from tailgate.report.trip import Trip


@dataclass(frozen=True, slots=True)
class Leg:
    """The road from one stop to the next, what is on board there, and when.

    ``distance`` is ``None`` where distances are not known, and the times where a road of the tour
    does not exist.
    """

    start: str
    end: str
    distance: int | float | None
    weight: int
    items: int
    leaves: int | float | None
    arrives: int | float | None


@dataclass(frozen=True, slots=True)
class Truck:
    """One vehicle of a plan; its placements are in the instance's integers.

    ``instance`` has the orders with the truck's own kind of vehicle alone, and ``fleet``, if given,
    with all kinds. ``number`` counts the trucks of the plan from 1; ``verified`` says that the
    judge found the whole plan valid.
    """

    instance: Instance
    route: Route
    number: int = 1
    count: int = 1
    verified: bool = True
    fleet: Instance | None = None
    trip: Trip = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Prepare times and costs; they are computed when they are asked for."""
        unit = CostUnit.of_instance(self.orders)
        trip = Trip(self.instance, self.route.customers, self.route.cost, unit)
        object.__setattr__(self, "trip", trip)

    @property
    def orders(self) -> Instance:
        """The instance with all kinds of vehicles."""
        return self.instance if self.fleet is None else self.fleet

    @property
    def kind(self) -> str:
        """What the kind of vehicle is called, where there are several; nothing elsewhere."""
        return self.instance.vehicle.name if self.orders.has_kinds else ""

    @property
    def title(self) -> str:
        """The truck among the others, with its kind where there are several."""
        title = f"Truck {self.number} of {self.count}"
        return f"{title}, {self.kind}" if self.kind else title

    @property
    def locked_text(self) -> str:
        """What of the route stays as it is when the plan is made again; nothing where all is free.

        A truck may be on the road already.
        """
        stops = self.route.locked_stops
        if self.route.locked:
            return "whole route"
        return f"first {stops} stops" if stops > 1 else "first stop" if stops else ""

    def is_locked(self, stop: int) -> bool:
        """Return whether a stop stays where it is when the plan is made again."""
        return self.route.locked or stop <= self.route.locked_stops

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
        """The legs of the tour, from the depot back to the depot."""
        weight, items = self.weight, len(self.route.placements)
        labels = ["depot", *(self.label(stop) for stop in self.stops), "depot"]
        numbers = [0, *self.route.customers, 0]
        times = self._leg_times()
        has_distances = self.instance.roads.has_distances
        legs = []
        for stop, (start, end) in enumerate(pairwise(numbers)):
            if stop:
                weight -= self.instance.customer(start).weight
                items -= sum(placement.stop_index == stop for placement in self.route.placements)
            distance = self.instance.distance(start, end) if has_distances else None
            way = (labels[stop], labels[stop + 1], distance)
            legs.append(Leg(*way, weight, items, *times[stop]))
        return legs

    def _leg_times(self) -> list[tuple[int | float | None, int | float | None]]:
        """Return when each leg begins and ends; nothing where some road does not exist."""
        table = self.trip.timetable
        if table is None:
            return [(None, None)] * (len(self.route.customers) + 1)
        leaves = [table.departure, *(visit.end for visit in table.visits)]
        arrives = [*(visit.arrival for visit in table.visits), table.back]
        return list(zip(leaves, arrives, strict=True))

    def info_text(self, stop: int) -> str:
        """Return what the orders say about a stop, the address before all that needs a name."""
        info = dict(self.instance.customer(self.customer_number(stop)).info)
        address = info.pop("address", "")
        named = (f"{name}: {text}" for name, text in info.items() if text)
        return "; ".join(filter(None, (self.position_text(stop), address, *named)))

    def position_text(self, stop: int) -> str:
        """Return whether a rule of the orders says where this customer stands in its route."""
        position = self.orders.customer(self.customer_number(stop)).position
        return "" if position is None else f"must be the {position} stop"

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
