"""``tailgate verify``: the judge at the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from builders import REPOSITORY
from command_runs import printed
from market_day import market_day, market_plan, market_vehicle
from tailgate.apps.cli.main import main
from tailgate.io import read_solution, write_json, write_solution
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.model.schedule import Schedule, StopTimes
from tailgate.model.solution import Placement, Route, Solution, Status


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """Write an instance, a solution that is right, and one with a wrong cost."""
    instance = Instance(
        name="pair",
        depot=(0, 0),
        customers=tuple(Customer(x=3, y=4, weight=1, items=(Item(10, 10),)) for _ in range(2)),
        vehicle=Vehicle(width=10, length=20, capacity=2),
        vehicle_count=1,
    )
    placements = tuple(
        Placement(
            customer=3 - step,
            item=1,
            x=0,
            y=10 * (step - 1),
            width=10,
            length=10,
            stop_index=3 - step,
            load_step=step,
        )
        for step in (1, 2)
    )
    right = Solution(
        instance_name="pair",
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status="feasible",
        objective=10,
        lower_bound=None,
        gap=None,
        routes=(Route(customers=(1, 2), cost=10, weight=2, area=200, placements=placements),),
    )
    wrong = replace(right, objective=9, routes=(replace(right.routes[0], cost=9),))
    paths = tuple(str(tmp_path / name) for name in ("pair.json", "right.json", "wrong.json"))
    write_json(instance, paths[0])
    write_solution(right, paths[1])
    write_solution(wrong, paths[2])
    return paths[0], paths[1], paths[2]


def test_a_right_solution_is_valid(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Code 0, and the conventions under which it was judged."""
    out = printed(capsys, "verify", files[0], files[1])
    assert out.startswith("valid: 1 route, cost 10")
    assert "distance exact" in out


def test_costs_are_rounded_as_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One plan, one cost: solve, bound and verify print the same digits, with the same unit."""
    garden, plan = str(REPOSITORY / "examples" / "garden_centres"), str(tmp_path / "plan.json")
    assert main(["solve", garden, "--out", plan]) == 0
    # 119.87401926: to the nearest it would be 119.8740.
    assert "  objective    119.8741 km\n" in capsys.readouterr().out
    assert main(["verify", garden, plan]) == 0
    assert capsys.readouterr().out.startswith("valid: 3 routes, cost 119.8741 km\n")
    assert main(["bound", garden]) == 0
    assert "a plan, and 119.8741 km is the optimum" in capsys.readouterr().out


def test_a_wrong_solution_is_code_four(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every violation is printed with its kind."""
    out = printed(capsys, "verify", files[0], files[2], code=4)
    assert out.startswith("invalid: ")
    assert "wrong_cost: route 1: the cost is stated as 9" in out


def test_a_solution_of_format_2_is_judged_on_its_times(
    files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every kind of violation reaches people and machines by its name."""
    right = read_solution(files[1])
    times = (StopTimes(1, 5, 5, 5), StopTimes(2, 5, 5, 5))
    schedule = Schedule(departure=0, stops=times, back=10, duration=10)
    path = str(tmp_path / "timed.json")
    write_solution(replace(right, routes=(replace(right.routes[0], schedule=schedule),)), path)
    assert printed(capsys, "verify", files[0], path).startswith("valid: 1 route, cost 10")
    late = replace(schedule, departure=1, duration=9)
    timed = replace(right.routes[0], schedule=late, distance=11)
    write_solution(replace(right, routes=(timed,)), path)
    out = printed(capsys, "verify", files[0], path, code=4)
    assert "wrong_schedule: route 1: the departure is stated as 1, but" in out
    result = json.loads(printed(capsys, "verify", files[0], path, "--json", code=4))
    kinds = [one["kind"] for one in result["violations"]]
    assert kinds == ["wrong_distance", "wrong_schedule", "wrong_schedule"]
    assert {one["route"] for one in result["violations"]} == {1}


def test_a_day_with_roads_hours_and_money_is_verified_from_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Times are shown as the instance shows them, and costs in its unit."""
    day, plan = str(tmp_path / "day.json"), str(tmp_path / "plan.json")
    write_json(market_day(), day)
    write_solution(market_plan(), plan)
    assert printed(capsys, "verify", day, plan).startswith("valid: 2 routes, cost 201.9")
    late = replace(market_day(), vehicle=market_vehicle(shift_end=799))
    write_json(late, day)
    write_solution(market_plan(late), plan)
    out = printed(capsys, "verify", day, plan, code=4)
    assert "shift: route 1: is back at the depot at 13:20, after its shift ends at 13:19" in out


def test_json_lists_the_violations(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Machines get valid and violations, as the contract says."""
    result = json.loads(printed(capsys, "verify", files[0], files[1], "--json"))
    assert result == {"valid": True, "violations": []}
    result = json.loads(printed(capsys, "verify", files[0], files[2], "--json", code=4))
    assert result["valid"] is False
    assert set(result["violations"][0]) == {"kind", "message", "route", "customer"}


def test_quiet_prints_one_word(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A script may read the word instead of the code."""
    assert main(["verify", files[0], files[1], "--quiet"]) == 0
    assert main(["verify", files[0], files[2], "--quiet"]) == 4
    assert capsys.readouterr().out == "valid\ninvalid\n"


def test_a_file_that_is_no_solution_is_bad_input(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Unreadable is not the same as wrong: code 2, not 4."""
    assert main(["verify", files[0], files[0]]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"tailgate: {files[0]}:")
    assert "this is an instance, not a solution" in captured.err


@pytest.mark.parametrize(
    ("status", "lower_bound", "sentence"),
    [
        ("bound_only", 8.5, "no plan to verify: the file states that no plan was found"),
        ("infeasible", None, "no plan to verify: the file states that there is no plan"),
    ],
)
def test_a_file_without_a_plan_is_not_called_valid(
    files: tuple[str, str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    status: Status,
    lower_bound: float | None,
    sentence: str,
) -> None:
    """A script that ships what is valid must not ship nothing at all."""
    nothing = replace(
        read_solution(files[1]),
        status=status,
        objective=None,
        lower_bound=lower_bound,
        routes=(),
    )
    path = str(tmp_path / "nothing.json")
    write_solution(nothing, path)
    assert main(["verify", files[0], path]) == 4
    out = capsys.readouterr().out
    assert out.startswith(sentence)
    assert "valid" not in out
    assert main(["verify", files[0], path, "--quiet"]) == 4
    assert capsys.readouterr().out == "no plan\n"
    assert main(["verify", files[0], path, "--json"]) == 4
    result = json.loads(capsys.readouterr().out)
    assert result["valid"] is False
    assert [one["kind"] for one in result["violations"]] == ["no_plan"]
    assert set(result["violations"][0]) == {"kind", "message", "route", "customer"}


def test_no_routes_for_customers_are_violations(
    files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that claims a plan and visits nobody is wrong, customer by customer."""
    empty = replace(read_solution(files[1]), objective=0, routes=())
    path = str(tmp_path / "empty.json")
    write_solution(empty, path)
    assert main(["verify", files[0], path]) == 4
    out = capsys.readouterr().out
    assert "missing_customer: customer 1 is not visited" in out
    assert "missing_customer: customer 2 is not visited" in out
