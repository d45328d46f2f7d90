"""The table of ``tailgate what-if``: what each fleet costs, and what one vehicle more is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tailgate.apps.cli.fleet_variants import Counts, own_counts
from tailgate.apps.cli.output import table
from tailgate.apps.cli.variant_result import VariantResult
from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.rounding import gap_text
from tailgate.model.units import with_unit
from tailgate.solver.search.result import LeaveOut

_NOTHING = "-"
_AS_IT_IS = "as it is"


@dataclass(frozen=True, slots=True)
class Saving:
    """What one vehicle more is worth: at least and at most; nothing where that is not known."""

    least: int | float | None
    most: int | float | None

    @classmethod
    def between(cls, fewer: VariantResult, more: VariantResult, *, may_stay: bool) -> Saving:
        """Return what is proven of the difference between two optima.

        Nothing is lost by a vehicle that may stay at the depot.
        """
        least = most = None
        if fewer.lower_bound is not None and more.objective is not None:
            least = fewer.lower_bound - more.objective
        if fewer.objective is not None and more.lower_bound is not None:
            most = fewer.objective - more.lower_bound
        if may_stay:
            least = None if least is None else max(0, least)
            most = None if most is None else max(0, most)
        return cls(least, most)

    def to_dict(self) -> dict[str, int | float | None]:
        """Return it for programs."""
        return {"least": self.least, "most": self.most}


@dataclass(frozen=True, slots=True)
class WhatIfTable:
    """All results, by the numbers of vehicles of each kind."""

    instance: Instance
    varied: tuple[int, ...]
    """The kinds whose numbers differ."""
    results: Mapping[Counts, VariantResult]
    leave_out: LeaveOut | None = None
    """Of what as little as possible was to be left out."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the kinds are called."""
        return tuple(vehicle.name for vehicle in self.instance.vehicles)

    def saving(self, counts: Counts, kind: int) -> Saving | None:
        """Return what one vehicle more of a kind is worth; nothing where that was not solved."""
        more = self.results.get(tuple(n + (k == kind) for k, n in enumerate(counts)))
        fewer = self.results.get(counts)
        if more is None or fewer is None or fewer.has_none or more.has_none:
            return None
        if self._left_out(fewer) != self._left_out(more):
            # One more serves more orders; what these cost is no loss.
            return None
        may_stay = self.instance.conventions.fleet == "at-most"
        return Saving.between(fewer, more, may_stay=may_stay)

    def _left_out(self, result: VariantResult) -> int | float:
        """Return how much is left out, where that comes before the cost."""
        if self.leave_out is None or result.solution is None:
            return 0
        orders = result.solution.left_out
        return len(orders) if self.leave_out == "number" else sum(one.cost for one in orders)

    def to_dict(self) -> dict[str, object]:
        """Return all of it for programs."""
        return {"variants": [self._content(result) for result in self.results.values()]}

    def _content(self, result: VariantResult) -> dict[str, object]:
        savings = {kind: self.saving(result.counts, kind) for kind in self.varied}
        return {
            **result.to_dict(self.names),
            "as_it_is": result.counts == own_counts(self.instance),
            "one_more_saves": [
                {"name": self.names[kind], **saving.to_dict()}
                for kind, saving in savings.items()
                if saving is not None
            ],
        }

    @property
    def text(self) -> str:
        """The table, and why some fleets have no plan."""
        header = [
            *(self._kind_title(kind) for kind in self.varied),
            *("status", "cost", "lower bound", "gap", "trucks"),
            *(["left out"] if self._leaves_out else []),
            *(self._saving_title(kind) for kind in self.varied),
            "",
        ]
        rows = [self._row(result) for result in self.results.values()]
        lines = [table(header, rows, left=frozenset({"status", ""}))]
        lines += self._explanations
        return "\n".join(lines)

    def _row(self, result: VariantResult) -> list[str]:
        unit, solution = CostUnit.of_instance(self.instance), result.solution
        bound = result.lower_bound
        row = [
            *(str(result.counts[kind]) for kind in self.varied),
            "no plan" if result.has_none else result.status.replace("_", " "),
            _NOTHING if result.objective is None else unit.cost_text(result.objective),
            _NOTHING if bound is None else unit.bound_text(bound, result.objective),
            _NOTHING if result.gap is None else gap_text(result.gap),
            _NOTHING if solution is None else str(len(solution.routes)),
        ]
        if self._leaves_out:
            row.append(_NOTHING if solution is None else str(len(solution.left_out)))
        row += [self._saving_text(result.counts, kind, unit) for kind in self.varied]
        return [*row, _AS_IT_IS if result.counts == own_counts(self.instance) else ""]

    @property
    def _leaves_out(self) -> bool:
        solutions = [result.solution for result in self.results.values()]
        return any(solution is not None and solution.left_out for solution in solutions)

    def _kind_title(self, kind: int) -> str:
        return self.names[kind] or "vehicles"

    def _saving_title(self, kind: int) -> str:
        return f"one more {self.names[kind]} saves" if len(self.varied) > 1 else "one more saves"

    def _saving_text(self, counts: Counts, kind: int, unit: CostUnit) -> str:
        saving = self.saving(counts, kind)
        if saving is None or saving.most is None:
            return _NOTHING
        most = unit.cost_number(saving.most)
        if saving.least is not None and saving.least >= saving.most:
            return with_unit(most, unit.name)
        if saving.least is None:
            return f"at most {with_unit(most, unit.name)}"
        least = unit.bound_number(saving.least)
        return with_unit(most if least == most else f"{least} to {most}", unit.name)

    @property
    def _explanations(self) -> list[str]:
        lines = [
            f"  {self.fleet_text(result.counts)}: {result.explanation}"
            for result in self.results.values()
            if result.explanation
        ]
        return ["", "why there is no plan:", *lines] if lines else []

    def fleet_text(self, counts: Counts) -> str:
        """Return a variant in words: "2 x 12 t, 4 x van".

        Parameters
        ----------
        counts : tuple of int
            The numbers of vehicles by kind.
        """
        parts = [f"{counts[kind]} x {self.names[kind] or 'vehicle'}" for kind in self.varied]
        return ", ".join(parts)
