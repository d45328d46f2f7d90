"""Rows of roads and costs, without the tables: the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from fleet_instances import fleet_instance
from rich_instances import TravelKind, all_travel_kinds
from seeds import with_seeds
from tailgate.model.costs import usable_step
from tailgate.model.instance import Instance
from tailgate.model.matrix import NO_ROAD
from tailgate.model.roads import Roads
from tailgate.model.travel import Travel
from tailgate.model.units import Units
from tailgate.solver.column import views_of

ROUNDING = 1e-12


def assert_same(row: np.ndarray, expected: np.ndarray) -> None:
    """See that two rows are equal, floats but for their last digits."""
    if expected.dtype.kind == "f":
        assert row == pytest.approx(expected, rel=ROUNDING)
    else:
        assert row.tolist() == expected.tolist()


def legs_of(instance: Instance) -> tuple[np.ndarray, np.ndarray]:
    """Return all distances and durations, each computed alone."""
    roads, places = instance.roads, range(instance.n + 1)

    def table(leg: object) -> np.ndarray:
        assert callable(leg)
        values = [[leg(start, end) for end in places] for start in places]
        return np.array([[NO_ROAD if one is None else one for one in row] for row in values])

    return table(roads.distance), table(roads.duration)


@all_travel_kinds
@with_seeds(15, 300)
def test_rows_and_tables_are_what_each_road_is(travel: TravelKind, seeds: range) -> None:
    """Tables are made of whole rows at once, with the same integers as one road at a time."""
    for seed in seeds:
        instance = fleet_instance(f"rows-{seed}", travel)
        roads = instance.roads
        for legs, table, row, column in zip(
            legs_of(instance),
            (roads.distances, roads.durations),
            (roads.distances_from, roads.durations_from),
            (roads.distances_to, roads.durations_to),
            strict=True,
        ):
            if table == roads.distances and not roads.has_distances:
                continue
            assert_same(table(), legs)
            for place in range(instance.n + 1):
                assert_same(row(place), legs[place])
                assert_same(column(place), legs[:, place])


@all_travel_kinds
@with_seeds(15, 300)
def test_arcs_of_one_place_are_those_of_the_table(travel: TravelKind, seeds: range) -> None:
    """A bound over many places is computed row by row, by kinds with costs of their own."""
    for seed in seeds:
        instance = fleet_instance(f"arcs-{seed}", travel)
        for view in views_of(instance):
            for place in range(view.n + 1):
                assert view.costs.arcs_from(place) == pytest.approx(
                    view.costs.arcs[place], rel=ROUNDING
                )
                assert view.costs.arcs_to(place) == pytest.approx(
                    view.costs.arcs[:, place], rel=ROUNDING
                )


@all_travel_kinds
@with_seeds(15, 300)
def test_no_arc_of_many_places_costs_more_than_its_limit(
    travel: TravelKind, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Costs have a step only if floats can carry it: a limit too low would promise that."""
    monkeypatch.setattr("tailgate.model.costs.MOST_PLACES_IN_TABLES", 1)
    for seed in seeds:
        for view in views_of(fleet_instance(f"limit-{seed}", travel)):
            costs = view.costs
            assert costs.arc_limit >= costs.largest_arc
            assert costs.step in (
                None,
                costs.exact_step,
                usable_step([costs.exact_step], view.n + 1 + view.vehicle_count, 0.0),
            )


def test_rounded_roads_are_decided_exactly_where_floats_are_near() -> None:
    """Pythagorean distances times a detour are whole: a float may be on either side of them."""
    points = [(0, 0), *((3 * k, 4 * k) for k in range(1, 200)), (10**9, 10**9), (-(10**9), 7)]
    for convention in ("truncated", "rounded"):
        for detour in (1.2, 0.7, 1.1):
            for decimals in (0, 1, 3):
                roads = Roads(
                    Travel.euclidean(detour=detour, decimals=decimals, speed=37.3),
                    points,
                    Units(time_unit="min"),
                    convention,
                )
                for place in (0, 5, 200):
                    others = range(len(points))
                    expected = [roads.distance(place, other) for other in others]
                    assert roads.distances_from(place).tolist() == expected
                    expected = [roads.duration(place, other) for other in others]
                    assert roads.durations_from(place).tolist() == expected
