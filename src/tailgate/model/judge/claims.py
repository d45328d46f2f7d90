"""What the solution says as a whole: its instance, status, objective, bound and visits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from tailgate.model.judge.case import Case
from tailgate.model.judge.left_out import check_left_out, leave_out_cost
from tailgate.model.judge.numbers import NO_TOLERANCE, RELATIVE_TOLERANCE, is_same
from tailgate.model.judge.sharing import check_together
from tailgate.model.judge.violation import Violation
from tailgate.model.judge.violation import ViolationKind as Kind

MAX_ROUTES_LISTED = 10

# A gap is a ratio that solvers print rounded.
GAP_TOLERANCE = 1e-6


def check_claims(case: Case) -> Iterator[Violation]:
    """Yield what is wrong with the solution as a whole."""
    if case.solution.instance_sha256 != case.instance.sha256:
        yield Violation(
            Kind.WRONG_INSTANCE,
            "the solution belongs to another instance: its file names sha256 "
            f"{case.solution.instance_sha256[:16]!r}..., the instance has "
            f"{case.instance.sha256[:16]!r}...",
        )
    yield from _check_conventions(case)
    yield from _check_units(case)
    yield from _check_values(case)
    yield from _check_visits(case)


def _check_conventions(case: Case) -> Iterator[Violation]:
    stated = case.solution.conventions.distance
    if case.instance.travel.metric == "matrix" and stated != "exact":
        yield Violation(
            Kind.WRONG_CONVENTIONS,
            f"the convention is {stated!r}, but the distances of a matrix are taken as they are, "
            "which is called 'exact'",
        )


def _check_units(case: Case) -> Iterator[Violation]:
    """Refuse another unit of time or cost; a solution that names none has that of its instance."""
    own, stated = case.instance.units, case.solution.units
    for quantity, true, claimed in (
        ("times", own.time_unit, stated.time_unit),
        ("costs", own.cost_unit, stated.cost_unit),
    ):
        if claimed and true and claimed != true:
            yield Violation(
                Kind.WRONG_UNITS,
                f"the {quantity} are stated in {claimed}, but those of the instance are in {true}",
            )


def _check_values(case: Case) -> Iterator[Violation]:
    solution = case.solution
    claims = {
        name: value
        for name in ("objective", "lower_bound", "gap")
        if (value := getattr(solution, name)) is not None
    }
    infinite = [name for name, value in claims.items() if not math.isfinite(value)]
    for name in infinite:
        yield Violation(Kind.NON_FINITE, f"{name} is {claims[name]}")
    has_routes = solution.status in ("optimal", "feasible")
    if has_routes:
        yield from _check_fleet(case)
    elif solution.routes or solution.left_out or solution.objective is not None:
        yield Violation(
            Kind.WRONG_STATUS,
            f"the status is {solution.status}, yet there are routes or an objective",
        )
    if has_routes and solution.objective is None:
        yield Violation(
            Kind.WRONG_STATUS, f"the status is {solution.status}, yet there is no objective"
        )
    if solution.status == "bound_only" and solution.lower_bound is None:
        yield Violation(Kind.WRONG_STATUS, "the status is bound_only, yet there is no bound")
    if infinite:
        return
    yield from _check_objective(case)
    yield from _check_bound(case)


def _check_fleet(case: Case) -> Iterator[Violation]:
    rule = case.solution.conventions.fleet
    words, verb = ("exactly", "must") if rule == "exactly" else ("at most", "may")
    kinds = case.instance.vehicles
    for kind in kinds:
        # A route that names none of several kinds is named elsewhere.
        used = sum(case.vehicle_of(route) is kind for route in case.solution.routes)
        if used > kind.count or (rule == "exactly" and used != kind.count):
            named = f" of the kind {kind.name!r}" if len(kinds) > 1 else ""
            yield Violation(
                Kind.WRONG_VEHICLE_COUNT,
                f"{used} vehicles{named} leave the depot, but {words} {kind.count} {verb}",
            )


def _check_objective(case: Case) -> Iterator[Violation]:
    solution = case.solution
    if solution.objective is None or solution.status not in ("optimal", "feasible"):
        return
    total, tolerance = Fraction(0), NO_TOLERANCE
    for route in solution.routes:
        journey = case.journey(route)
        if journey is None or journey.cost is None:
            return
        total += journey.cost
        tolerance = max(tolerance, journey.tolerance)
    for one in solution.left_out:
        cost = leave_out_cost(case, one.customer)
        if cost is None:
            return
        total += cost
        tolerance = max(tolerance, NO_TOLERANCE if cost.denominator == 1 else RELATIVE_TOLERANCE)
    if not is_same(solution.objective, total, tolerance):
        stated, true = case.cost_texts(solution.objective, total)
        payers = "the routes and the customers left out" if solution.left_out else "the routes"
        yield Violation(
            Kind.WRONG_OBJECTIVE,
            f"the objective is {stated}, but {payers} cost {true}{case.measured}",
        )


def _check_bound(case: Case) -> Iterator[Violation]:
    solution = case.solution
    objective, bound, gap = solution.objective, solution.lower_bound, solution.gap
    if objective is not None and bound is not None:
        margin = float(RELATIVE_TOLERANCE) * max(1.0, abs(objective))
        bound_text, objective_text = case.cost_texts(bound, objective)
        if bound > objective + margin:
            yield Violation(
                Kind.BOUND_ABOVE_OBJECTIVE,
                f"the lower bound {bound_text} is above the objective {objective_text}",
            )
        missing = max(0.0, float(objective) - float(bound))
        true_gap = missing / float(objective) if objective > 0 else 0.0
        if gap is not None and abs(gap - true_gap) > GAP_TOLERANCE:
            yield Violation(
                Kind.WRONG_GAP,
                f"the gap is stated as {gap:.6g}, but objective and bound give {true_gap:.6g}",
            )
        if solution.status == "optimal" and true_gap > GAP_TOLERANCE:
            yield Violation(
                Kind.WRONG_STATUS,
                f"the status is optimal, but the lower bound {bound_text} does not reach the "
                f"objective {objective_text}",
            )
    elif gap is not None:
        yield Violation(
            Kind.WRONG_GAP,
            f"the gap is stated as {gap:.6g}, but the objective or the bound is missing",
        )
    elif solution.status == "optimal":
        yield Violation(
            Kind.WRONG_STATUS, "the status is optimal, but there is no lower bound to show it"
        )


def _check_visits(case: Case) -> Iterator[Violation]:
    if case.solution.status not in ("optimal", "feasible"):
        return
    visits: dict[int, list[int]] = {}
    for index, route in enumerate(case.solution.routes, start=1):
        for number in set(route.customers):
            visits.setdefault(number, []).append(index)
    yield from check_left_out(case, visits)
    yield from check_together(case, visits)
    left_out = {one.customer for one in case.solution.left_out}
    for number in range(1, case.instance.n + 1):
        if number not in visits and number not in left_out:
            yield Violation(
                Kind.MISSING_CUSTOMER,
                f"customer {case.label(number)} is not visited",
                customer=number,
            )
    for number, routes in sorted(visits.items()):
        if len(routes) > 1 and case.exists(number):
            listed = ", ".join(map(str, routes[:MAX_ROUTES_LISTED]))
            yield Violation(
                Kind.VISITED_TWICE,
                f"customer {case.label(number)} is visited by {len(routes)} routes ({listed})",
                customer=number,
            )
