"""The loading query as a constraint program for OR-Tools CP-SAT, on one thread.

It shares nothing with the solver: two-dimensional intervals that must not overlap and, for two
items of different stops, the rule of the door written out as it is stated.
"""

from __future__ import annotations

import time

from ortools.sat.python import cp_model

from tailgate.research.experiments.loading.cp_sat import CpSatAnswer, CpSatQuery


def solve_with_cp_sat(query: CpSatQuery) -> CpSatAnswer:
    """Write the model down and solve it."""
    started = time.perf_counter()
    model = _model(query)
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


def _model(query: CpSatQuery) -> cp_model.CpModel:
    model = cp_model.CpModel()
    width, length = query.width, query.length
    items = [(size, stop) for stop, sizes in enumerate(query.stops) for size in sizes]
    if any(size[0] > width or size[1] > length for size, _ in items):
        model.add_bool_or([])
        return model
    xs = [model.new_int_var(0, width - size[0], "") for size, _ in items]
    ys = [model.new_int_var(0, length - size[1], "") for size, _ in items]
    model.add_no_overlap_2d(
        [
            model.new_fixed_size_interval_var(xs[i], size[0], "")
            for i, (size, _) in enumerate(items)
        ],
        [
            model.new_fixed_size_interval_var(ys[i], size[1], "")
            for i, (size, _) in enumerate(items)
        ],
    )
    if not query.lifo:
        return model
    for a, ((a_width, _), a_stop) in enumerate(items):
        for b, ((b_width, b_length), b_stop) in enumerate(items):
            if a_stop >= b_stop:
                continue
            # The item of the earlier stop is nearer to the door, or the two are side by side.
            if a_width + b_width > width:
                model.add(ys[a] >= ys[b] + b_length)
                continue
            in_front, left, right = (model.new_bool_var("") for _ in range(3))
            model.add_bool_or([in_front, left, right])
            model.add(ys[a] >= ys[b] + b_length).only_enforce_if(in_front)
            model.add(xs[a] + a_width <= xs[b]).only_enforce_if(left)
            model.add(xs[b] + b_width <= xs[a]).only_enforce_if(right)
    return model
