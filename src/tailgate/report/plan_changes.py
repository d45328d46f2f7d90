"""What another plan does otherwise: which customers ride with another truck, come or stay.

Trucks have no identity from one plan to the next. Those of the same kind that share most customers
are taken for the same truck.
"""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.report.plan_figures import PlanFigures


@dataclass(frozen=True, slots=True)
class Move:
    """A customer that another truck serves; trucks are counted from 1 in their plan."""

    customer: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class PlanChanges:
    """What differs between two plans, by the customers' labels."""

    before: PlanFigures
    after: PlanFigures
    moved: tuple[Move, ...]
    added: tuple[str, ...]
    """Orders that the plan before did not know."""
    removed: tuple[str, ...]
    """Orders that the plan after does not know."""
    now_left_out: tuple[str, ...]
    now_served: tuple[str, ...]
    same_routes: int
    """Trucks that keep their customers and their order."""

    @classmethod
    def between(cls, before: PlanFigures, after: PlanFigures) -> PlanChanges:
        """Compare two plans."""
        old, new = _trucks(before), _trucks(after)
        same = _same_trucks(before, after)
        moved = (
            Move(name, old[name], new[name])
            for name in new
            if name in old and same.get(old[name]) != new[name]
        )
        is_kept = before.customers & after.customers
        return cls(
            before,
            after,
            moved=tuple(moved),
            added=tuple(sorted(after.customers - before.customers)),
            removed=tuple(sorted(before.customers - after.customers)),
            now_left_out=tuple(sorted(name for name in is_kept & old.keys() if name not in new)),
            now_served=tuple(sorted(name for name in is_kept & new.keys() if name not in old)),
            same_routes=sum(
                _stops(before, first) == _stops(after, second) for first, second in same.items()
            ),
        )

    @property
    def sentences(self) -> list[str]:
        """The changes in words, one line for each kind of change."""
        lines = [
            _listed("another truck", [self._move_text(move) for move in self.moved]),
            _listed("new orders", self.added),
            _listed("orders gone", self.removed),
            _listed("now left out", self.now_left_out),
            _listed("now served", self.now_served),
        ]
        return [line for line in lines if line] or ["every customer stays with its truck"]

    def _move_text(self, move: Move) -> str:
        before, after = _truck_text(self.before, move.before), _truck_text(self.after, move.after)
        return f"{move.customer} ({before} → {after})"

    def to_dict(self) -> dict[str, object]:
        """Return the changes for programs."""
        return {
            "before": self.before.title,
            "after": self.after.title,
            "moved": [
                {
                    "customer": move.customer,
                    "before": {"truck": move.before, "vehicle": _kind(self.before, move.before)},
                    "after": {"truck": move.after, "vehicle": _kind(self.after, move.after)},
                }
                for move in self.moved
            ],
            "added": list(self.added),
            "removed": list(self.removed),
            "now_left_out": list(self.now_left_out),
            "now_served": list(self.now_served),
            "same_routes": self.same_routes,
        }


def _listed(what: str, names: list[str] | tuple[str, ...]) -> str:
    return f"{what} ({len(names)}): {', '.join(names)}" if names else ""


def _truck_text(plan: PlanFigures, truck: int) -> str:
    kind = _kind(plan, truck)
    return f"truck {truck}, {kind}" if kind else f"truck {truck}"


def _kind(plan: PlanFigures, truck: int) -> str:
    return plan.solution.routes[truck - 1].vehicle


def _trucks(plan: PlanFigures) -> dict[str, int]:
    """Return the truck of every customer that is served."""
    return {
        plan.label(number): truck
        for truck, route in enumerate(plan.solution.routes, start=1)
        for number in route.customers
    }


def _stops(plan: PlanFigures, truck: int) -> list[str]:
    return [plan.label(number) for number in plan.solution.routes[truck - 1].customers]


def _same_trucks(before: PlanFigures, after: PlanFigures) -> dict[int, int]:
    """Pair trucks of equal kind, those with most customers in common first."""
    shared = [
        (-len(common), first, second)
        for first in range(1, len(before.solution.routes) + 1)
        for second in range(1, len(after.solution.routes) + 1)
        if _kind(before, first) == _kind(after, second)
        and (common := {*_stops(before, first)} & {*_stops(after, second)})
    ]
    pairs: dict[int, int] = {}
    for _, first, second in sorted(shared):
        if first not in pairs and second not in pairs.values():
            pairs[first] = second
    return pairs
