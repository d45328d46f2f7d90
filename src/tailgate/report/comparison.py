"""Plans side by side: one source for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from tailgate.model.rounding import number_text
from tailgate.model.units import with_unit
from tailgate.report.plan_changes import PlanChanges
from tailgate.report.plan_figures import PlanFigures

UNKNOWN = "-"
_NO_KIND = "others"


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One line of the table: what it is about, and its text for every plan."""

    name: str
    texts: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether the plans differ in this."""
        return len(set(self.texts)) > 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several plans, the first of which the others are measured by."""

    plans: tuple[PlanFigures, ...]

    @property
    def rows(self) -> list[ComparisonRow]:
        """The table; a line that no plan has something to say in is left out."""
        results = [
            self._row("status", lambda plan: plan.solution.status),
            self._row("cost", lambda plan: plan.cost_text),
            self._row("lower bound", lambda plan: plan.bound_text),
            self._row("gap", lambda plan: plan.gap_text),
        ]
        return [*_telling(results), *self.figures]

    @property
    def figures(self) -> list[ComparisonRow]:
        """The lines that are about the plans alone, and not about the searches for them."""
        rows = [
            ComparisonRow("more than the first", self._differences),
            self._row("trucks", lambda plan: str(len(plan.solution.routes)) * plan.has_plan),
            *self._kinds,
            self._row("distance", lambda plan: plan.distance_text * plan.has_plan),
            self._row("duration", lambda plan: plan.duration_text(plan.duration) * plan.has_plan),
            self._row("waiting", lambda plan: plan.duration_text(plan.waiting) * plan.has_plan),
        ]
        if any(plan.left_out for plan in self.plans):
            rows.append(self._row("left out", lambda plan: plan.left_out_text * plan.has_plan))
        rows.append(ComparisonRow("customers on another truck", self._moves))
        return _telling(rows)

    @property
    def changes(self) -> list[PlanChanges]:
        """What every further plan does otherwise than the first."""
        first, *others = self.plans
        with_plan = [plan for plan in others if plan.has_plan and first.has_plan]
        return [PlanChanges.between(first, plan) for plan in with_plan]

    def to_dict(self) -> dict[str, object]:
        """Return the comparison for programs."""
        return {
            "plans": [plan.to_dict() for plan in self.plans],
            "changes": [change.to_dict() for change in self.changes],
        }

    def _row(self, name: str, text: Callable[[PlanFigures], str]) -> ComparisonRow:
        return ComparisonRow(name, tuple(text(plan) or UNKNOWN for plan in self.plans))

    @property
    def _kinds(self) -> list[ComparisonRow]:
        """A line for every kind of vehicle that has a name, or that there are several of."""
        names = list(dict.fromkeys(name for plan in self.plans for name in plan.kinds))
        if names == [""]:
            return []
        return [self._row(f"  {name or _NO_KIND}", partial(_used_text, name)) for name in names]

    @property
    def _differences(self) -> tuple[str, ...]:
        """How much more each plan costs than the first; below 0 it is cheaper."""
        first = self.plans[0]
        return (UNKNOWN, *(_difference_text(first, plan) for plan in self.plans[1:]))

    @property
    def _moves(self) -> tuple[str, ...]:
        first, *others = self.plans
        if not first.has_plan:
            return (UNKNOWN,) * len(self.plans)
        counts = (
            str(len(PlanChanges.between(first, plan).moved)) if plan.has_plan else UNKNOWN
            for plan in others
        )
        return (UNKNOWN, *counts)


def _telling(rows: Sequence[ComparisonRow]) -> list[ComparisonRow]:
    return [row for row in rows if {*row.texts} != {UNKNOWN}]


def comparison_titles(names: Sequence[str]) -> list[str]:
    """Return names that tell plans apart; those that occur twice are counted."""
    seen: dict[str, int] = {}
    titles = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        titles.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return titles


def _used_text(name: str, plan: PlanFigures) -> str:
    if not plan.has_plan:
        return ""
    # Without its orders a plan does not say how many there are of the kinds that it leaves at home.
    used, count = plan.kinds.get(name, (0, None if plan.instance is None else 0))
    return str(used) if count is None else f"{used} of {count}"


def _difference_text(first: PlanFigures, plan: PlanFigures) -> str:
    base, cost = first.solution.objective, plan.solution.objective
    if base is None or cost is None or first.unit != plan.unit:
        return UNKNOWN
    difference = round(cost - base, 4)
    number = f"{difference:,.2f}" if plan.unit.is_money else number_text(difference)
    share = f" ({100 * difference / base:+.1f} %)" if base > 0 and difference else ""
    return with_unit(f"+{number}" if difference > 0 else number, plan.unit.name) + share
