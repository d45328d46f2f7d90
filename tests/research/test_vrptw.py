"""The 2L-VRPTW of the literature: which instances, which conventions, and values side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tailgate.io import benchmark_instance_text, write
from tailgate.model.conventions import Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.travel import Travel
from tailgate.research.experiments.experiment import Setting
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import Table
from tailgate.research.experiments.vrptw.experiment import Vrptw, solve_beside
from tailgate.research.experiments.vrptw.instances import choose, under_published_conventions
from tailgate.research.experiments.vrptw.reference import (
    PublishedPlan,
    problem_of,
    read_published_plans,
)
from tailgate.research.generate import RoadOptions, generate_instance

ROWS = "0,40,50,0,0,0,236,0,0\n1,45,68,9,10,12,167,17,1\n2,42,66,9,30,5,170,3,9\n"


def timed_text(instance: Instance) -> str:
    """Return an instance as a benchmark text with ready and due times."""
    times = [(instance.depot_ready, instance.depot_due)]
    times += [(one.ready, one.due) for one in instance.customers]
    plain = replace(
        instance,
        customers=tuple(replace(one, ready=0, due=None, service=0) for one in instance.customers),
        depot_due=None,
    )
    head, nodes, items = benchmark_instance_text(plain).split("Node ")
    lines = nodes.splitlines()
    rows = [f"{line} {ready} {due}" for line, (ready, due) in zip(lines[1:], times, strict=True)]
    return f"{head}Node - x - y - demand  Readytime Duetime\n" + "\n".join([*rows, f"Node {items}"])


@pytest.fixture
def published(tmp_path: Path) -> Setting:
    """Return a machine with three published instances, one of which has a published solution."""
    folder = tmp_path / "2l_vrptw"
    for series in ("khebbache", "solomon"):
        (folder / series).mkdir(parents=True)
    for number, name in enumerate(("A1002", "A202")):
        instance = generate_instance(6, 2, time_windows=True, seed=number)
        text = timed_text(instance)
        (folder / "khebbache" / f"2l-CVRP-{name}.txt").write_text(text, encoding="utf-8")
    (folder / "solomon" / "2L_VRPTW-C101-25-PC3.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "2l_cvrp").mkdir()
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "zhang2022_vrptw_khebbache.csv").write_text(
        "instance,method,objective,routes\nA202,BP-ED,320.2,1 2-3 4-5-6\nA202,BP-AD,319.5,1-2-3\n",
        encoding="utf-8",
    )
    return Setting(tmp_path / "out", benchmark=tmp_path / "2l_cvrp")


# --- Instances ------------------------------------------------------------------------------------


def test_instances_with_published_solutions_are_taken(published: Setting) -> None:
    """By default; without the solutions all of the series, small ones first."""
    assert [one.name for one in choose(published)] == ["A202"]
    assert published.benchmark is not None
    (published.benchmark.parent / "reference" / "zhang2022_vrptw_khebbache.csv").unlink()
    assert [(one.name, one.packing_class) for one in choose(published)] == [
        ("A202", 2),
        ("A1002", 2),
    ]
    assert "solutions are absent" in Vrptw().missing(published)[0]


def test_instances_are_asked_for_by_name_series_or_file(published: Setting, tmp_path: Path) -> None:
    """And whatever is none of them is refused with what there is."""
    setting = replace(published, instances=["A1002", "solomon"])
    assert [(one.name, one.packing_class) for one in choose(setting)] == [
        ("A1002", 2),
        ("C101-25-PC3", 3),
    ]
    file = tmp_path / "mine.json"
    write(generate_instance(5, 2, time_windows=True, seed=1), file)
    (own,) = choose(Setting(tmp_path, instances=[str(file)]))
    assert (own.name, own.source) == ("mine", "file")
    for setting, words in (
        (replace(published, instances=["Z9"]), "neither a file, nor an instance"),
        (replace(published, instances=["A202", "khebbache"]), "the same name"),
        (Setting(tmp_path, instances=["A202"]), "folder 2l_vrptw beside"),
    ):
        with pytest.raises(InputError, match=words):
            choose(setting)


def test_the_conventions_are_those_of_the_published_values(published: Setting) -> None:
    """One decimal, no weights, any number of trucks, no LIFO; windows and items stay."""
    (chosen,) = choose(published)
    plain = generate_instance(6, 2, time_windows=True, seed=1)
    instance = chosen.instance
    assert instance.travel == Travel.euclidean(decimals=1)
    assert instance.conventions == Conventions("rounded", "at-most", "allow", lifo=False)
    assert instance.vehicle_count == 6
    assert instance.vehicle.capacity >= sum(one.weight for one in instance.customers)
    assert instance.distance(0, 1) == round(
        plain.with_conventions(distance="exact").distance(0, 1), 1
    )
    for one, other in zip(instance.customers, plain.customers, strict=True):
        assert (one.ready, one.due, one.items) == (other.ready, other.due, other.items)
        assert one.service == 0


def test_roads_are_no_straight_lines() -> None:
    """A matrix cannot be measured anew."""
    with pytest.raises(InputError, match="experiment optima"):
        under_published_conventions(generate_instance(5, 2, roads=RoadOptions(), seed=1))


def test_without_the_publication_instances_are_generated(tmp_path: Path) -> None:
    """And the first remark says so; the quick form needs nothing."""
    setting = Setting(tmp_path)
    assert {one.source for one in choose(setting)} == {"generated"}
    assert "published instances are absent" in Vrptw().missing(setting)[0]
    quick = Setting(tmp_path, quick=True)
    assert {one.instance.n for one in choose(quick)} == {7}
    assert Vrptw().missing(quick) == []


# --- Published solutions --------------------------------------------------------------------------


def test_published_solutions_are_read(published: Setting) -> None:
    """By instance and method; a damaged line is named."""
    assert published.benchmark is not None
    plans = read_published_plans(published.benchmark)
    assert plans == {
        "A202": [
            PublishedPlan("BP-ED", 320.2, ((1,), (2, 3), (4, 5, 6))),
            PublishedPlan("BP-AD", 319.5, ((1, 2, 3),)),
        ]
    }
    path = published.benchmark.parent / "reference" / "zhang2022_vrptw_khebbache.csv"
    for damaged in ("instance,method\nA,B\n", "instance,method,objective,routes\nA,B,1.5,1-x\n"):
        path.write_text(damaged, encoding="utf-8")
        with pytest.raises(InputError, match=r"khebbache\.csv:2: must have the columns"):
            read_published_plans(published.benchmark)


def test_published_solutions_are_checked() -> None:
    """A value that no plan has proves nothing against ours."""
    instance = under_published_conventions(generate_instance(6, 2, time_windows=True, seed=1))
    routes = tuple((number,) for number in range(1, 7))
    plan = PublishedPlan("BP-ED", float(instance.costs.total(routes)), routes)
    assert problem_of(plan, instance, time_limit=5) == ""
    assert "costs" in problem_of(replace(plan, objective=1.0), instance, time_limit=5)
    twice = replace(plan, routes=(*routes, (1,)))
    assert "every customer once" in problem_of(twice, instance, time_limit=5)
    late = replace(plan, routes=(tuple(range(1, 7)),))
    assert "is late" in problem_of(late, instance, time_limit=5)
    tight = replace(instance, vehicle=replace(instance.vehicle, width=19, length=37))
    timeless = replace(
        tight,
        depot_due=None,
        customers=tuple(replace(one, ready=0, due=None) for one in tight.customers),
    )
    full = replace(late, objective=float(instance.costs.total(late.routes)))
    assert "cannot be loaded" in problem_of(full, timeless, time_limit=5)


# --- Reports --------------------------------------------------------------------------------------


def row(name: str, objective: float | None, bound: float | None, **changes: Any) -> Row:
    """Return the row of an instance that is proven unless changed."""
    return {
        **{"instance": name, "n": 15, "vehicles": 15, "source": "published", "packing_class": 2},
        **{"status": "optimal", "objective": objective, "lower_bound": bound, "seconds": 1.5},
        **{"lifo": False, "seed": 0, "time_limit": 60.0, "problems": [], "published": {}},
        **changes,
    }


def plans(exact: float | None, approximate: float | None, problem: str = "") -> dict[str, Any]:
    """Return the published part of a row."""
    values = {"BP-ED": exact, "BP-AD": approximate}
    return {
        method: {"objective": value, "problem": problem}
        for method, value in values.items()
        if value is not None
    }


def line(table: Table, name: str) -> dict[str, str]:
    """Return one line of a table by its columns."""
    cells = next(cells for cells in table.rows if cells[0] == name)
    return dict(zip(table.header, cells, strict=True))


def test_published_values_stand_beside_ours(tmp_path: Path) -> None:
    """Met, improved, worse; and what has no published value counts in none of them."""
    rows = [
        row("A102", 320.2, 320.2, published=plans(320.2, 320.2)),
        row("A802", 850.0, 850.0, published=plans(858.7, 856.6)),
        row("B703", 600, 550.5, status="feasible", published=plans(590.1, None)),
        row("B902", None, 10.0, status="bound_only", published=plans(None, 1267.7, "costs 1")),
    ]
    report = Vrptw().report(Setting(tmp_path), {str(i): one for i, one in enumerate(rows)})
    totals, every = report.tables
    assert line(every, "A102") == {
        **{"instance": "A102", "customers": "15", "ours": "320.2", "bound": "320.2"},
        **{"status": "optimal", "seconds": "1.50", "BP-ED": "320.2", "BP-AD": "320.2"},
        "cheaper %": "0.00",
    }
    assert line(every, "A802")["cheaper %"] == "1.01"
    assert line(every, "B703")["cheaper %"] == "-1.68"
    assert line(every, "B902")["BP-AD"] == "1,267.7*"
    assert line(every, "B902")["cheaper %"] == "-"
    assert totals.rows == (
        ("A", "2", "2", "2", "1", "1", "0", "3.0"),
        ("B", "2", "0", "1", "0", "0", "1", "3.0"),
        ("all", "4", "2", "3", "1", "1", "1", "6.0"),
    )
    assert not report.problems
    assert report.remarks == ["B902: the plan of BP-AD (1267.7): costs 1"]
    assert report.rows[3]["BP-AD problem"] == "costs 1"


def test_a_bound_above_a_sound_published_plan_is_wrong(tmp_path: Path) -> None:
    """One of the two is; a plan that our check refuses proves nothing."""
    for changes, count in (
        ({"published": plans(320.1, None)}, 1),
        ({"published": plans(320.1, 320.1, "costs 330")}, 0),
        ({"published": plans(320.2, None)}, 0),
        ({"published": plans(320.2, None), "problems": ["overlap"]}, 1),
    ):
        one = row("A102", 320.2, 320.2, **changes)
        assert len(Vrptw().report(Setting(tmp_path), {"a": one}).problems) == count
    wrong = row("A102", None, None, status="infeasible", published=plans(320.2, None))
    assert Vrptw().report(Setting(tmp_path), {"a": wrong}).problems


def test_a_task_solves_and_checks(published: Setting) -> None:
    """Its row has our optimum, and what is wrong with what was published."""
    (task,) = Vrptw().tasks(replace(published, time_limit=20.0))
    assert task.function is solve_beside
    measured = solve_beside(*task.arguments)
    assert (measured["status"], measured["problems"]) == ("optimal", [])
    assert set(measured["published"]) == {"BP-ED", "BP-AD"}
    assert all(one["problem"] for one in measured["published"].values())
    assert Vrptw().line(measured).startswith("A202, any order: optimal ")
