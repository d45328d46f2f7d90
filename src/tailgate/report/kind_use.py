"""How many vehicles of each kind a plan uses, how far they drive, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tailgate.model.exact import fraction_of
from tailgate.model.instance import Vehicle
from tailgate.model.matrix import plain
from tailgate.report.plan import Plan
from tailgate.report.trip import Trip
from tailgate.report.truck import Truck


@dataclass(frozen=True, slots=True)
class KindUse:
    """The trucks of one kind in a plan."""

    vehicle: Vehicle
    trucks: tuple[Truck, ...]

    @property
    def used_text(self) -> str:
        """How many leave, of how many there are."""
        return f"{len(self.trucks)} of {self.vehicle.count}"

    @property
    def text(self) -> str:
        """How many leave, and what the kind is called."""
        return f'{self.used_text} "{self.vehicle.name}"'

    @property
    def trips(self) -> list[Trip]:
        """Their tours."""
        return [truck.trip for truck in self.trucks]

    @property
    def stops(self) -> int:
        """How many customers they serve."""
        return sum(len(truck.stops) for truck in self.trucks)

    @property
    def weight(self) -> int:
        """What they carry together."""
        return sum(truck.weight for truck in self.trucks)

    @property
    def cost(self) -> int | float:
        """What the plan says that they cost together."""
        costs = (fraction_of(truck.route.cost) for truck in self.trucks)
        return plain(sum(costs, Fraction(0)))

    @property
    def distance(self) -> int | float | None:
        """How far they drive together; nothing where distances are not known."""
        distances = [trip.distance for trip in self.trips]
        return sum(one for one in distances if one is not None) if None not in distances else None

    @property
    def duration(self) -> int | float | None:
        """How long they are out together; nothing where a road does not exist."""
        tables = [trip.timetable for trip in self.trips]
        return sum(one.duration for one in tables if one) if None not in tables else None

    @property
    def waiting(self) -> int | float | None:
        """How long they wait together; nothing where a road does not exist."""
        tables = [trip.timetable for trip in self.trips]
        return sum(one.waiting for one in tables if one) if None not in tables else None


def kind_uses(plan: Plan) -> list[KindUse]:
    """Return the kinds in the order in which the instance has them."""
    if not plan.instance.has_kinds:
        return [KindUse(plan.instance.vehicle, plan.trucks)]
    return [
        KindUse(vehicle, tuple(truck for truck in plan.trucks if truck.kind == vehicle.name))
        for vehicle in plan.instance.vehicles
    ]


def used_trucks(plan: Plan) -> str:
    """Return how many trucks leave, of how many there are, and of which kinds."""
    text = f"{len(plan.trucks)} of {plan.instance.vehicle_count}"
    if not plan.instance.has_kinds:
        return text
    return f"{text}: {', '.join(use.text for use in kind_uses(plan))}"
