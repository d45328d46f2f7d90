"""Which due times a route misses: the verdict of ``pack`` is without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tailgate.model.instance import Instance
from tailgate.model.rounding import number_text
from tailgate.report.truck import Truck
from tailgate.solver.loading import planned_route


@dataclass(frozen=True, slots=True)
class LateArrival:
    """A customer whom a truck reaches too late; ``customer`` is ``None`` for the depot."""

    customer: int | None
    label: str
    arrives: int | float
    due: int | float

    def to_dict(self) -> dict[str, object]:
        """Return it for machines."""
        return {"customer": self.customer, "arrives": self.arrives, "due": self.due}

    def __str__(self) -> str:
        """Return it for people."""
        what = "is back at the depot" if self.customer is None else f"reaches {self.label}"
        return f"{what} at {number_text(self.arrives)}, due {number_text(self.due)}"


def late_arrivals(instance: Instance, customers: Sequence[int]) -> list[LateArrival]:
    """Return every due time that a truck misses which leaves as early as it may."""
    if not instance.has_time_windows:
        return []
    truck = Truck(instance, planned_route(instance, customers, ()))
    ends = zip(
        (*customers, None),
        (*map(instance.label, customers), ""),
        (leg.arrives for leg in truck.legs),
        (*(instance.customer(number).due for number in customers), instance.depot_due),
        strict=True,
    )
    return [
        LateArrival(number, label, arrives, due)
        for number, label, arrives, due in ends
        if due is not None and instance.is_late(number or 0, arrives)
    ]


def late_text(late: Sequence[LateArrival]) -> str:
    """Return all of them in one line."""
    return "; ".join(map(str, late))
