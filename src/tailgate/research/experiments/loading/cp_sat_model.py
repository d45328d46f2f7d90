"""The loading query as a constraint program for OR-Tools CP-SAT, on one thread.

It shares nothing with the solver: two-dimensional intervals that must not overlap and, for two
items of different stops, the rule of the door written out as it is stated. An item that may be
turned has an optional interval per shape and axis, of which one is present; one interval of
variable size per axis took longer in every class. Where items leave in any order, two cumulative
constraints say besides that no cut through the floor holds more than fits: that makes the mean
shorter by half and more; under LIFO, where it was no help, they are left out.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ortools.sat.python import cp_model

from tailgate.model.instance import Instance, Item
from tailgate.research.experiments.loading.cp_sat import CpSatAnswer, CpSatQuery

Size = tuple[int, int]


def solve_with_cp_sat(query: CpSatQuery) -> CpSatAnswer:
    """Write the model down and solve it."""
    started = time.perf_counter()
    model = _LoadingModel(query.instance, query.route).model
    writing_seconds = time.perf_counter() - started
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if query.time_limit is not None:
        solver.parameters.max_time_in_seconds = query.time_limit
    if query.work_limit is not None:
        solver.parameters.max_deterministic_time = query.work_limit
    started = time.perf_counter()
    status = solver.solve(model)
    seconds = time.perf_counter() - started
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return CpSatAnswer("feasible", seconds, writing_seconds)
    if status == cp_model.INFEASIBLE:
        return CpSatAnswer("infeasible", seconds, writing_seconds)
    if status == cp_model.UNKNOWN:
        return CpSatAnswer("unknown", seconds, writing_seconds)
    raise RuntimeError(f"CP-SAT refuses the model: {solver.status_name(status)}")


@dataclass(frozen=True, slots=True)
class _Placed:
    """The place of an item, and its size as it lies there."""

    stop: int
    x: cp_model.IntVar
    y: cp_model.IntVar
    width: cp_model.LinearExpr | int
    length: cp_model.LinearExpr | int
    least_width: int


class _LoadingModel:
    """One route of an instance."""

    def __init__(self, instance: Instance, route: Sequence[int]) -> None:
        self.model = cp_model.CpModel()
        floor = instance.vehicle
        self._floor = (floor.width, floor.length)
        # Intervals on both axes, and the widths and lengths that belong to them.
        self._intervals: tuple[list[cp_model.IntervalVar], list[cp_model.IntervalVar]] = ([], [])
        self._sizes: tuple[list[int], list[int]] = ([], [])
        items = [
            (stop, _shapes(instance, item))
            for stop, customer in enumerate(route)
            for item in instance.customer(customer).items
        ]
        if not all(shapes for _, shapes in items):
            self.model.add_bool_or([])
            return
        placed = [self._place(stop, shapes) for stop, shapes in items]
        self.model.add_no_overlap_2d(*self._intervals)
        if instance.conventions.lifo:
            self._unload_in_order(placed)
        else:
            for axis in (0, 1):
                across = 1 - axis
                self.model.add_cumulative(
                    self._intervals[axis], self._sizes[across], self._floor[across]
                )

    def _place(self, stop: int, shapes: Sequence[Size]) -> _Placed:
        model, (width, length) = self.model, self._floor
        x = model.new_int_var(0, width - min(size[0] for size in shapes), "")
        y = model.new_int_var(0, length - min(size[1] for size in shapes), "")
        if len(shapes) == 1:
            size = shapes[0]
            self._add_intervals(
                size,
                [
                    model.new_fixed_size_interval_var(*one, "")
                    for one in zip((x, y), size, strict=True)
                ],
            )
            return _Placed(stop, x, y, *size, size[0])
        is_second = model.new_bool_var("")
        for size, is_present in zip(shapes, (~is_second, is_second), strict=True):
            self._add_intervals(
                size,
                [
                    model.new_optional_fixed_size_interval_var(*one, is_present, "")
                    for one in zip((x, y), size, strict=True)
                ],
            )
            # NoOverlap2D knows nothing of the floor's far sides.
            model.add(x <= width - size[0]).only_enforce_if(is_present)
            model.add(y <= length - size[1]).only_enforce_if(is_present)
        first, second = shapes
        return _Placed(
            stop,
            x,
            y,
            first[0] + (second[0] - first[0]) * is_second,
            first[1] + (second[1] - first[1]) * is_second,
            min(first[0], second[0]),
        )

    def _add_intervals(self, size: Size, intervals: Sequence[cp_model.IntervalVar]) -> None:
        for axis in (0, 1):
            self._intervals[axis].append(intervals[axis])
            self._sizes[axis].append(size[axis])

    def _unload_in_order(self, placed: Sequence[_Placed]) -> None:
        """Keep the item of the earlier stop nearer to the door, or the two side by side."""
        model = self.model
        for a in placed:
            for b in placed:
                if a.stop >= b.stop:
                    continue
                if a.least_width + b.least_width > self._floor[0]:
                    model.add(a.y >= b.y + b.length)
                    continue
                in_front, left, right = (model.new_bool_var("") for _ in range(3))
                model.add_bool_or([in_front, left, right])
                model.add(a.y >= b.y + b.length).only_enforce_if(in_front)
                model.add(a.x + a.width <= b.x).only_enforce_if(left)
                model.add(b.x + b.width <= a.x).only_enforce_if(right)


def _shapes(instance: Instance, item: Item) -> list[Size]:
    """Return the one or two sizes in which an item fits on the floor, or none."""
    sizes = {(item.width, item.length)}
    if instance.may_turn(item):
        sizes.add((item.length, item.width))
    floor = instance.vehicle
    return [size for size in sorted(sizes) if size[0] <= floor.width and size[1] <= floor.length]
