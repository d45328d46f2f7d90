"""``tailgate compare``: plans side by side at the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from builders import small_instance, small_solution
from command_runs import printed, refused
from market_day import market_day, market_plan
from tailgate.apps.cli.main import main
from tailgate.io import write_json, write_solution
from tailgate.model.solution import Solution


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Write a day, its plan, and another plan of other orders."""
    names = ("day", "plan", "small", "small-plan")
    paths = {name: str(tmp_path / f"{name}.json") for name in names}
    write_json(market_day(), paths["day"])
    write_solution(market_plan(), paths["plan"])
    write_json(small_instance(), paths["small"])
    write_solution(small_solution(), paths["small-plan"])
    return paths


def test_plans_are_compared_with_the_names_of_their_orders(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The orders may stand anywhere among the files."""
    text = printed(capsys, "compare", files["plan"], files["plan"], files["day"])
    assert "201.90 EUR" in text
    assert "no change" in text
    assert "not verified" not in text
    assert "81 km" in text


def test_without_orders_nothing_is_verified(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Two solutions are enough, and a sentence says what is missing."""
    text = printed(capsys, "compare", files["plan"], files["small-plan"])
    assert "not verified" in text
    content = json.loads(printed(capsys, "compare", files["plan"], files["plan"], "--json"))
    assert not content["verified"]
    assert [one["objective"] for one in content["plans"]] == [201.9, 201.9]
    assert content["changes"][0]["unchanged"] == [1, 2]


def test_every_plan_finds_its_own_orders(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Today's plan beside that of other orders: by fingerprint, not by place."""
    words = ("compare", files["small"], files["plan"], files["small-plan"], files["day"], "--json")
    content = json.loads(printed(capsys, *words))
    assert content["verified"]
    (change,) = content["changes"]
    assert change["removed"]
    assert change["added"]


def test_a_plan_of_unknown_orders_is_refused(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Half of the table would be verified and half not."""
    line = refused(capsys, "compare", files["day"], files["plan"], files["small-plan"])
    assert "small-plan.json: is a solution of other orders" in line


def test_a_plan_that_is_not_valid_is_not_compared(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong cost would win every comparison."""
    wrong: Solution = replace(market_plan(), objective=1)
    path = str(tmp_path / "wrong.json")
    write_solution(wrong, path)
    assert main(["compare", files["day"], files["plan"], path]) == 4
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "wrong.json: the plan has" in captured.err


def test_one_plan_is_nothing_to_compare(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The orders do not count as a plan."""
    assert "name two or more" in refused(capsys, "compare", files["day"], files["plan"])
    assert "there is no solution" in refused(capsys, "compare", files["day"])


def test_the_bare_result_is_a_cost_per_line(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """For scripts."""
    text = printed(capsys, "compare", files["plan"], files["plan"], "--quiet")
    assert text.splitlines() == ["201.90 EUR", "201.90 EUR"]
