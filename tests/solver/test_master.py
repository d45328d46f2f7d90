"""The restricted master problem: values, duals, and what happens when the LP solver fails."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import highspy
import pytest

from tailgate.model.instance import Conventions, Customer, FleetConvention, Instance, Units, Vehicle
from tailgate.solver.column import Column, columns_of
from tailgate.solver.master import MasterError, MasterSolution, RestrictedMaster
from tailgate.solver.master.tolerances import LARGEST_DISTANCE, cost_scale
from tailgate.solver.time_limit import TimeLimit

Stops = tuple[int, ...]

NO_LIMIT = TimeLimit()
SINGLES: tuple[Stops, ...] = ((1,), (2,), (3,))
PAIRS: tuple[Stops, ...] = ((1, 2), (1, 3), (2, 3))


def circle(fleet: FleetConvention = "at-most", vehicle_count: int = 3) -> Instance:
    """Three customers 5 from the depot; a way from 1 to 2 is 6 long, to 3 it is 9.

    So a customer alone costs 10, the pairs cost 16, 19 and 19, and all three 25.
    """
    return Instance(
        name="circle",
        depot=(0, 0),
        customers=tuple(Customer(x, y, 1, ()) for x, y in ((3, 4), (-3, 4), (0, -5))),
        vehicle=Vehicle(width=1, length=1, capacity=3),
        vehicle_count=vehicle_count,
        conventions=Conventions(distance="truncated", fleet=fleet),
    )


def solved(master: RestrictedMaster) -> MasterSolution:
    """Return the solution of a master problem that has one."""
    solution = master.solve(NO_LIMIT)
    assert solution is not None
    return solution


def satisfied(master: RestrictedMaster) -> MasterSolution:
    """Return the solution with penalties so high that routes alone satisfy the rows."""
    solution = solved(master)
    while solution.artificial > 1e-6:
        master.raise_penalties()
        solution = solved(master)
    return solution


def assert_optimal(
    instance: Instance, solution: MasterSolution, routes: tuple[Stops, ...], value: float
) -> None:
    """See that the duals prove the value."""
    assert solution.value == pytest.approx(value)
    assert solution.artificial == pytest.approx(0, abs=1e-9)
    for route in routes:
        duals = sum(solution.duals[stop - 1] for stop in route) + solution.fleet_duals[0]
        reduced_cost = instance.route_cost(route) - duals
        assert reduced_cost >= -1e-6
        if Column(0, route) in solution.support:
            assert reduced_cost == pytest.approx(0, abs=1e-6)
    paid = sum(solution.duals) + instance.vehicle_count * solution.fleet_duals[0]
    assert paid == pytest.approx(value)
    if instance.conventions.fleet == "at-most":
        assert solution.fleet_duals[0] <= 1e-9
    for customer in range(1, instance.n + 1):
        visits = sum(amount for (_, route), amount in solution.support.items() if customer in route)
        assert visits == pytest.approx(1)


@pytest.mark.parametrize(
    ("fleet", "vehicle_count", "value", "routes_in_use"),
    [
        ("at-most", 3, 25, {(1, 2, 3)}),
        ("at-most", 1, 25, {(1, 2, 3)}),
        ("exactly", 1, 25, {(1, 2, 3)}),
        ("exactly", 2, 26, {(1, 2), (3,)}),
        ("exactly", 3, 30, {(1,), (2,), (3,)}),
    ],
)
def test_the_fleet_is_used_as_the_convention_says(
    fleet: FleetConvention, vehicle_count: int, value: float, routes_in_use: set[Stops]
) -> None:
    """More trucks than needed cost something only if all of them must go."""
    instance = circle(fleet, vehicle_count)
    master = RestrictedMaster(instance)
    routes = (*SINGLES, *PAIRS, (1, 2, 3))
    assert master.add(columns_of(0, routes)) == 7
    solution = satisfied(master)
    assert_optimal(instance, solution, routes, value)
    assert solution.support.keys() == set(columns_of(0, routes_in_use))


def test_duals_of_a_fractional_solution_are_the_only_ones_possible() -> None:
    """Half of every pair: each price is half of what its two pairs cost more than the third."""
    instance = circle()
    master = RestrictedMaster(instance)
    master.add(columns_of(0, PAIRS))
    # A miss of customer 3 costs a round trip, 10, and the visit is worth 11.
    cheap = solved(master)
    assert cheap.value == pytest.approx(26)
    assert cheap.artificial == pytest.approx(1)
    assert cheap.support == pytest.approx({(0, (1, 2)): 1})
    master.raise_penalties()
    solution = solved(master)
    assert_optimal(instance, solution, PAIRS, 27)
    assert solution.duals == pytest.approx((8, 8, 11))
    assert solution.fleet_duals[0] == pytest.approx(0)
    assert solution.support == pytest.approx(dict.fromkeys(columns_of(0, PAIRS), 0.5))


def test_only_penalties_in_use_are_raised() -> None:
    """A penalty sets a limit to a price, which had better stay low."""
    master = RestrictedMaster(circle())
    master.add(columns_of(0, [(1,)]))
    values = []
    for _ in range(3):
        solution = solved(master)
        values.append(solution.value)
        assert solution.support == pytest.approx({(0, (1,)): 1})
        assert solution.artificial == pytest.approx(2)
        master.raise_penalties()
    # The misses of customers 2 and 3 cost 10 each at first, and twice as much each time.
    assert values == pytest.approx([10 + 20, 10 + 40, 10 + 80])
    master.remove(Column(0, (1,)))
    assert solved(master).value == pytest.approx(10 + 160)
    master.add(columns_of(0, SINGLES))
    assert satisfied(master).value == pytest.approx(30)


def test_without_a_route_everything_is_missed() -> None:
    """The first duals come from penalties: none is above a round trip."""
    solution = solved(RestrictedMaster(circle("exactly")))
    assert solution.support == {}
    assert solution.artificial == pytest.approx(6)
    assert solution.duals == pytest.approx((10, 10, 10))


def test_a_route_and_its_reverse_are_one_column() -> None:
    """Where they cost the same, both would only make the problem degenerate."""
    master = RestrictedMaster(circle())
    assert master.canonical(Column(0, (2, 3, 1))) == (0, (1, 3, 2))
    assert master.add(columns_of(0, [(2, 1), (1, 2), (2, 1), (3,)])) == 2
    assert master.add(columns_of(0, [(1, 2)])) == 0
    assert master.column_count == 2
    assert Column(0, (2, 1)) in master
    assert Column(0, (1, 2)) in master
    assert Column(0, (1, 3)) not in master
    assert satisfied(master).support.keys() == {(0, (1, 2)), (0, (3,))}


def test_with_time_windows_directions_differ() -> None:
    """One of them may be late, and no other route stands for the one in use."""
    master = RestrictedMaster(replace(circle(), depot_due=100))
    assert master.canonical(Column(0, (2, 1))) == (0, (2, 1))
    assert master.add(columns_of(0, [(2, 1), (1, 2), (3,)])) == 3
    assert master.column_count == 3


def test_a_removed_route_is_out_and_may_come_back() -> None:
    """A column in doubt that was refuted must not bear on anything any more."""
    instance = circle()
    master = RestrictedMaster(instance)
    master.add(columns_of(0, [*SINGLES, (1, 2, 3)]))
    assert solved(master).value == pytest.approx(25)
    master.remove(Column(0, (3, 2, 1)))
    assert Column(0, (1, 2, 3)) not in master
    assert master.column_count == 3
    assert_optimal(instance, satisfied(master), SINGLES, 30)
    assert master.add(columns_of(0, [(1, 2, 3)])) == 1
    assert solved(master).value == pytest.approx(25)


def test_the_first_phase_counts_misses_and_nothing_else() -> None:
    """It decides whether there is a solution at all: duals of routes would only blur that."""
    master = RestrictedMaster(circle("exactly", 2))
    master.add(columns_of(0, [(1, 2), (1, 2, 3)]))
    master.first_phase = True
    assert master.first_phase
    solution = solved(master)
    # Once (1, 2) and once customer 3 missed, or all of them with one truck too few.
    assert solution.artificial == pytest.approx(1)
    assert solution.value > 1e5 * master.infeasibility_tolerance
    # A column that enters now is free, too.
    master.add(columns_of(0, [(3,)]))
    solution = solved(master)
    assert solution.artificial == pytest.approx(0, abs=1e-9)
    assert solution.value < master.infeasibility_tolerance
    master.first_phase = False
    assert not master.first_phase
    assert solved(master).value == pytest.approx(26)


def test_penalties_survive_the_first_phase() -> None:
    """They were raised for a reason."""
    master = RestrictedMaster(circle())
    master.add(columns_of(0, PAIRS))
    solved(master)
    master.raise_penalties()
    master.first_phase = True
    solved(master)
    master.first_phase = False
    assert solved(master).value == pytest.approx(27)


@pytest.mark.parametrize("factor", [1, 10**3, 10**8])
@pytest.mark.parametrize("scale", [1, 10**6])
def test_the_unit_of_distance_does_not_matter(factor: int, scale: int) -> None:
    """The LP solver's tolerances are absolute: they would blur millimetres or strangle light."""
    instance = replace(
        circle(),
        customers=tuple(
            replace(customer, x=factor * customer.x, y=factor * customer.y)
            for customer in circle().customers
        ),
        conventions=Conventions(distance="exact"),
        units=Units(coordinate_scale=scale),
    )
    unit = factor / scale
    master = RestrictedMaster(instance)
    master.add(columns_of(0, PAIRS))
    solution = satisfied(master)
    assert solution.value == pytest.approx((10 * 3 + 6 + 2 * math.sqrt(90)) / 2 * unit, rel=1e-9)
    assert solution.duals == pytest.approx(
        (8 * unit, 8 * unit, (5 + math.sqrt(90) - 3) * unit), rel=1e-7
    )
    # A millionth of what a distance may be in scaled costs.
    assert 1e-9 * 10 * unit / 2 < master.tolerance < 1e-6 * 10 * unit
    before = master.tolerance
    master.loosen_tolerance()
    assert master.tolerance == pytest.approx(10 * before)


def test_costs_are_scaled_by_a_power_of_two() -> None:
    """Any other factor would round every single cost."""
    for largest in (1e-6, 0.3, 1.0, 1024.0, 1025.0, 3.1e9):
        scale = cost_scale(largest)
        assert math.frexp(scale)[0] == 0.5
        assert LARGEST_DISTANCE / 2 < largest * scale <= LARGEST_DISTANCE
    assert cost_scale(0.0) == 1.0


def test_customers_at_the_depot_are_no_trouble() -> None:
    """All distances are zero, and no scale fits them."""
    here = replace(circle(), customers=(Customer(0, 0, 1, ()), Customer(0, 0, 1, ())))
    master = RestrictedMaster(here)
    master.add(columns_of(0, [(1,), (2,)]))
    solution = solved(master)
    assert solution.value == pytest.approx(0, abs=1e-9)
    assert solution.artificial == pytest.approx(0, abs=1e-9)


def test_no_time_is_no_solution() -> None:
    """What the solver has when the time is over is no optimum."""
    master = RestrictedMaster(circle())
    master.add(columns_of(0, [*SINGLES, *PAIRS]))
    assert master.solve(TimeLimit(0)) is None
    # The limit is of one call: the next has its own.
    assert solved(master).value == pytest.approx(26)


class Failing:
    """Lets the LP solver fail so many times, and counts its runs."""

    def __init__(
        self,
        master: RestrictedMaster,
        monkeypatch: pytest.MonkeyPatch,
        failures: int,
        status: highspy.HighsModelStatus = highspy.HighsModelStatus.kSolveError,
    ) -> None:
        self.runs: list[tuple[Any, Any]] = []
        highs = master._highs
        run, get_status = highs.run, highs.getModelStatus

        def counted_run() -> object:
            self.runs.append(
                (
                    highs.getOptionValue("solver")[1],
                    highs.getOptionValue("dual_feasibility_tolerance")[1],
                )
            )
            return run()

        monkeypatch.setattr(highs, "run", counted_run)
        monkeypatch.setattr(
            highs,
            "getModelStatus",
            lambda: status if len(self.runs) <= failures else get_status(),
        )


@pytest.mark.parametrize("failures", [0, 1, 2, 3])
def test_a_failure_of_the_solver_is_not_the_end(
    failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked again, each time in a way that fails less often."""
    instance = circle()
    master = RestrictedMaster(instance)
    master.add(columns_of(0, PAIRS))
    satisfied(master)
    failing = Failing(master, monkeypatch, failures)
    assert_optimal(instance, solved(master), PAIRS, 27)
    attempts = [("simplex", 1e-9), ("simplex", 1e-9), ("simplex", 1e-7), ("ipm", 1e-7)]
    assert failing.runs == attempts[: failures + 1]
    # The next problem is solved as precisely as ever.
    solved(master)
    assert failing.runs[-1] == ("simplex", 1e-9)


def test_a_solver_that_always_fails_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """One message, with the size of the problem, and not a value that nobody has proven."""
    master = RestrictedMaster(circle())
    master.add(columns_of(0, SINGLES))
    failing = Failing(master, monkeypatch, 99)
    with pytest.raises(MasterError, match="problem of 11 columns"):
        master.solve(NO_LIMIT)
    assert len(failing.runs) == 4


def test_a_failure_when_the_time_is_over_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver has not failed; it was stopped."""
    master = RestrictedMaster(circle())
    master.add(columns_of(0, SINGLES))
    failing = Failing(master, monkeypatch, 99, highspy.HighsModelStatus.kTimeLimit)
    assert master.solve(TimeLimit(0)) is None
    assert len(failing.runs) == 1


@pytest.mark.parametrize("flaw", [{"dual_valid": False}, {"row_dual": [math.nan] * 4}])
def test_an_optimum_without_prices_is_none(
    flaw: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bounds are made of duals: the solver must not get away without them."""
    master = RestrictedMaster(circle())
    master.add(columns_of(0, SINGLES))
    get_solution, seen = master._highs.getSolution, []

    def flawed_at_first() -> object:
        solution = get_solution()
        seen.append(solution)
        if len(seen) > 1:
            return solution
        names = ("value_valid", "dual_valid", "col_value", "row_dual")
        return SimpleNamespace(**({name: getattr(solution, name) for name in names} | flaw))

    monkeypatch.setattr(master._highs, "getSolution", flawed_at_first)
    assert solved(master).value == pytest.approx(30)
    assert len(seen) == 2
