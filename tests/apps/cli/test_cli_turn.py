"""Items that may be turned at the command line: one option, and plans that need none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_runs import printed, refused
from tailgate.apps.cli.main import main
from tailgate.io import read_solution, write_json
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.solver.loading import read

# The second order is longer than the floor is, and as wide as nothing.
TEXT = """\
3 --- number of customers
1 --- number of vehicles
4 --- number of items
Capacity - height - width of vehicles
90 3 6
Node - x - y - demand
0 30 40 0
1 37 52 7
2 49 49 30
3 52 64 16
Node - number of items - h - w for each item
0 0
1 1 1 2
2 1 4 1
3 2 2 3 1 1
"""


@pytest.fixture
def city(tmp_path: Path) -> str:
    """Write orders as benchmark text, of which one item fits only if it is turned."""
    path = tmp_path / "city.txt"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


@pytest.fixture
def mixed(tmp_path: Path) -> str:
    """Write orders of which one item may be turned by its own word."""
    customers = (
        Customer(3, 4, 1, (Item(4, 1, turn=True), Item(1, 2)), "Bakery"),
        Customer(6, 8, 1, (Item(2, 2),), "Hotel"),
    )
    path = tmp_path / "mixed.json"
    write_json(Instance("mixed", (0, 0), customers, Vehicle(3, 6, 10), 2), path)
    return str(path)


def test_an_item_that_fits_only_turned_is_refused_with_the_remedy(
    city: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Benchmark text has no place to say it; the item is named with its line."""
    for command in (["solve", city], ["bound", city], ["pack", city, "--route", "1"]):
        line = refused(capsys, *command)
        assert "city.txt:14" in line
        assert "it would fit turned: let it be turned (turn: yes), or all items (--turn)" in line


def test_a_plan_that_turns_items_is_verified_against_the_file_as_it_is(
    city: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The plan says under which convention it is one; nobody repeats the option or guesses."""
    out = str(tmp_path / "plan.json")
    text = printed(capsys, "solve", city, "--turn", "--out", out)
    assert "lifo on, turn all" in text
    plan = read_solution(out)
    assert plan.conventions.turn == "all"
    assert any(one.turned for route in plan.routes for one in route.placements)
    text = printed(capsys, "verify", city, out)
    assert text.startswith("valid: ")
    assert "turn all" in text
    printed(capsys, "show", city, out, "--out", str(tmp_path / "report"))
    assert list((tmp_path / "report").glob("*.html"))
    text = printed(capsys, "compare", city, out, out)
    assert "not verified" not in text


def test_a_plan_whose_convention_is_taken_away_is_refused(
    city: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without it the item that is turned may not be; the file says so as for any other mistake."""
    out = tmp_path / "plan.json"
    printed(capsys, "solve", city, "--turn", "--out", str(out))
    content = json.loads(out.read_text(encoding="utf-8"))
    del content["conventions"]["turn"]
    out.write_text(json.dumps(content), encoding="utf-8")
    assert main(["verify", city, str(out)]) == 2
    assert "would fit turned" in capsys.readouterr().err
    wide = Path(city).read_text(encoding="utf-8").replace("90 3 6", "90 6 6")
    Path(city).write_text(wide, encoding="utf-8")
    printed(capsys, "solve", city, "--turn", "--out", str(out), "--quiet")
    assert printed(capsys, "verify", city, str(out), "--quiet").strip() == "valid"


def test_bound_and_solve_agree_on_the_problem(
    city: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both take the option, and print it with their result."""
    bound = json.loads(printed(capsys, "bound", city, "--turn", "--json"))
    solve = json.loads(printed(capsys, "solve", city, "--turn", "--json"))
    for command in ("bound", "solve"):
        assert "  turning      all items may be turned\n" in printed(
            capsys, command, city, "--turn"
        )
    assert bound["conventions"]["turn"] == solve["conventions"]["turn"] == "all"
    assert bound["lower_bound"] <= solve["objective"] + 1e-6


def test_a_result_says_how_many_items_may_be_turned(
    mixed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By their own word, which no convention shows."""
    for command in ("bound", "solve"):
        text = printed(capsys, command, mixed)
        assert "  turning      1 of 3 items may be turned\n" in text
        assert "turning" not in printed(capsys, command, mixed, "--turn", "--quiet")


def test_pack_says_what_may_be_turned_and_what_is(
    mixed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the table for people, and per placement for machines."""
    text = printed(capsys, "pack", mixed, "--route", "1-2")
    assert "turning    1 of 3 items may be turned, 1 is" in text
    (row,) = [line for line in text.splitlines() if line.endswith("turned")]
    assert row.split()[-3:] == ["1", "4", "turned"]
    content = json.loads(printed(capsys, "pack", mixed, "--route", "1-2", "--json"))
    assert content["turn"] == "as-given"
    turned = {(one["customer"], one["item"]): one["turned"] for one in content["placements"]}
    assert turned == {(1, 1): True, (1, 2): False, (2, 1): False}


def test_pack_says_nothing_of_turning_where_nothing_may_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not used is not in the way."""
    path = tmp_path / "plain.json"
    write_json(
        Instance("plain", (0, 0), (Customer(3, 4, 1, (Item(2, 1),)),), Vehicle(3, 6, 10), 1), path
    )
    assert "turn" not in printed(capsys, "pack", str(path), "--route", "1")
    assert "turning    all items may be turned, none is" in printed(
        capsys, "pack", str(path), "--route", "1", "--turn"
    )


def test_no_turn_goes_before_what_the_items_say(
    mixed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then the pipe fits no way, and the message names the convention."""
    line = refused(capsys, "solve", mixed, "--no-turn")
    assert "it would fit turned, but the convention turn is none" in line


def test_generated_orders_state_that_their_items_may_be_turned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a file of format 2; benchmark text has no place for it."""
    out = tmp_path / "made.json"
    words = ("generate", "-n", "6", "--class", "2", "--turn", "--out")
    printed(capsys, *words, str(out))
    made = read(out)
    assert made.conventions.turn == "all"
    assert made.has_turning
    line = refused(capsys, *words, str(tmp_path / "made.txt"))
    assert "--turn: benchmark text has no place for conventions" in line


def test_a_search_is_not_resumed_with_other_items_turned(
    mixed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is proven of one problem is not of the other; the convention is named."""
    kept = str(tmp_path / "search")
    printed(capsys, "solve", mixed, "--checkpoint", kept)
    assert main(["solve", mixed, "--resume", kept, "--quiet"]) == 0
    capsys.readouterr()
    line = refused(capsys, "solve", mixed, "--resume", kept, "--turn")
    assert "another problem: turn is 'as-given' there and 'all' here; state the conv" in line


def test_a_plan_of_other_orders_is_kept_as_far_as_it_can_be(
    mixed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An item that may be turned by now is another item: its plan is one of other orders."""
    plan, other = str(tmp_path / "plan.json"), tmp_path / "other.json"
    printed(capsys, "solve", mixed, "--out", plan, "--quiet")
    content = json.loads(Path(mixed).read_text(encoding="utf-8"))
    content["customers"][1]["items"][0]["turn"] = True
    other.write_text(json.dumps(content), encoding="utf-8")
    line = refused(capsys, "solve", str(other), "--keep", plan)
    assert "is a plan for other orders" in line
    words = ("solve", str(other), "--keep", plan, "--keep-orders", mixed, "--quiet")
    assert printed(capsys, *words)
