"""What another plan does otherwise, by the names of customers: who moves, comes, or stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tailgate.report.plan_figures import PlanFigures
from tailgate.solver.search.plan_change import OldRoute, PlanChange, plan_change


@dataclass(frozen=True, slots=True)
class PlanChanges:
    """Two plans, perhaps of different orders, and what is between them.

    Customers are the same if they have the same label.
    """

    before: PlanFigures
    after: PlanFigures
    change: PlanChange

    @classmethod
    def between(cls, before: PlanFigures, after: PlanFigures) -> PlanChanges:
        """Compare two plans."""
        here = after.numbers
        labels = {number: label for label, number in before.numbers.items()}
        routes = []
        for route in before.solution.routes:
            stops = [labels[number] for number in route.customers]
            kept = tuple(here[label] for label in stops if label in here)
            routes.append(OldRoute(route.vehicle, kept, lost_stops=len(kept) < len(stops)))
        gone = [label for label in before.numbers if label not in here]
        return cls(before, after, plan_change(routes, gone, after.solution))

    @property
    def added(self) -> list[str]:
        """Orders that the plan before did not know."""
        return [label for label in self.after.numbers if label not in self.before.numbers]

    @property
    def now_left_out(self) -> list[str]:
        """Who was served, and is not any more."""
        return [self.after.label(number) for number in self.change.dropped]

    @property
    def now_served(self) -> list[str]:
        """Who was left out, and is served now."""
        labels = map(self.after.label, self.change.added)
        return [label for label in labels if label in self.before.numbers]

    @property
    def moved(self) -> list[str]:
        """Who rides with another truck than before."""
        return [self.after.label(move.customer) for move in self.change.moved]

    @property
    def sentences(self) -> list[str]:
        """The changes in words, one line for each sort of change."""
        moves = [
            f"{self.after.label(move.customer)} ({_truck_text(self.before, move.before)} → "
            f"{_truck_text(self.after, move.now)})"
            for move in self.change.moved
        ]
        others = [_truck_text(self.after, truck) for truck in self.change.reordered]
        lines = [
            _listed("on another truck", moves),
            _listed("in another order, or by another vehicle", others),
            _listed("new orders", self.added),
            _listed("orders gone", self.change.gone),
            _listed("now left out", self.now_left_out),
            _listed("now served", self.now_served),
        ]
        return [line for line in lines if line] or ["no change"]

    def to_dict(self) -> dict[str, object]:
        """Return the changes for programs."""
        return {
            "before": self.before.title,
            "after": self.after.title,
            "moved": [
                {
                    "customer": self.after.label(move.customer),
                    "before": {"truck": move.before, "vehicle": _kind(self.before, move.before)},
                    "after": {"truck": move.now, "vehicle": _kind(self.after, move.now)},
                }
                for move in self.change.moved
            ],
            "added": self.added,
            "removed": list(self.change.gone),
            "now_left_out": self.now_left_out,
            "now_served": self.now_served,
            "reordered": list(self.change.reordered),
            "unchanged": list(self.change.unchanged),
        }


def _listed(what: str, names: Sequence[str]) -> str:
    return f"{what} ({len(names)}): {', '.join(names)}" if names else ""


def _truck_text(plan: PlanFigures, truck: int) -> str:
    kind = _kind(plan, truck)
    return f"truck {truck}, {kind}" if kind else f"truck {truck}"


def _kind(plan: PlanFigures, truck: int) -> str:
    return plan.solution.routes[truck - 1].vehicle
