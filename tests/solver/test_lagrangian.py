"""The Lagrangian bound by kinds of vehicles."""

from __future__ import annotations

import math

from tailgate.solver.column_generation.lagrangian import KindTerm, Lagrangian


def test_each_kind_uses_the_number_of_vehicles_that_costs_least() -> None:
    """As many as there are where routes pay, as few as it may where they do not."""
    assert KindTerm(-3.0, 0, 4).least == -12.0
    assert KindTerm(3.0, 0, 4).least == 0.0
    assert KindTerm(3.0, 2, 4).least == 6.0
    assert KindTerm(-3.0, 2, 4).least == -12.0
    assert KindTerm(math.inf, 0, 4).least == 0.0
    assert KindTerm(5.0, 0, 0).least == 0.0
    assert Lagrangian(100.0, (KindTerm(-3.0, 0, 4), KindTerm(5.0, 1, 2))).bound == 93.0


def test_one_route_of_a_kind_is_taken_out() -> None:
    """What is left is a bound on the rest of any plan that uses the kind."""
    both = Lagrangian(100.0, (KindTerm(-3.0, 0, 4), KindTerm(5.0, 1, 2)))
    assert both.bound_without_one_route(0) == 100.0 - 9.0 + 5.0
    assert both.bound_without_one_route(1) == 100.0 - 12.0
    assert Lagrangian(1.0, (KindTerm(0.0, 0, 0),)).bound_without_one_route(0) == math.inf


def test_the_best_dual_of_a_kind_is_not_positive_where_none_need_be_used() -> None:
    """It is the dual of a row with an upper limit alone."""
    both = Lagrangian(0.0, (KindTerm(3.0, 0, 4), KindTerm(3.0, 1, 4)))
    assert both.fleet_duals == (0.0, 3.0)
