"""Solution files: what is written comes back, and a hostile file gets a message."""

from __future__ import annotations

import json
import math
import os
import pickle
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builders import small_instance, small_solution, with_route
from file_cases import changed, without
from fleet_day import fleet_plan
from market_day import market_plan
from tailgate.io import read_solution, write_solution
from tailgate.io.text_file import MAX_FILE_BYTES
from tailgate.model.costs import CostParts
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Units
from tailgate.model.schedule import Schedule, StopTimes
from tailgate.model.solution import LeftOut, Placement, Route, Solution, relative_gap

# The same classes, for wrong arguments that a type checker would not let through.
loose_placement: Any = Placement
loose_route: Any = Route
loose_parts: Any = CostParts
loose_stop: Any = StopTimes
loose_schedule: Any = Schedule


def test_a_solution_comes_back_from_its_file(tmp_path: Path) -> None:
    """The file is the record: nothing may be lost in it."""
    solution = small_solution(
        units=Units(length_scale=100, weight_scale=10, length_unit="m", weight_unit="kg"),
        instance_name="Tour Süd № 4",
        objective=44.25,
        gap=0.1,
    )
    file = tmp_path / "solution.json"
    write_solution(solution, file)
    assert read_solution(file) == solution
    assert Solution.from_dict(solution.to_dict()) == solution
    assert pickle.loads(pickle.dumps(solution)) == solution


def test_the_file_has_the_documented_shape(tmp_path: Path) -> None:
    """Other programs read these fields; their names are a contract."""
    file = tmp_path / "solution.json"
    write_solution(small_solution(), file)
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["format"] == "tailgate-solution-1"
    assert content["instance"] == {"name": "small", "sha256": small_instance().sha256}
    assert content["conventions"] == Conventions.BENCHMARK.to_dict()
    assert {"status", "objective", "lower_bound", "gap", "routes", "solver"} <= content.keys()
    assert content["units"]["length_scale"] == 1
    assert content["routes"][0].keys() == {"customers", "cost", "weight", "area", "placements"}
    assert content["routes"][0]["placements"][0] == {
        "customer": 2,
        "item": 1,
        "x": 0,
        "y": 0,
        "width": 4,
        "length": 2,
        "stop_index": 2,
        "load_step": 1,
    }


def test_integral_numbers_are_written_as_integers(tmp_path: Path) -> None:
    """A truncated cost of 44 is 44 and not 44.0."""
    file = tmp_path / "solution.json"
    write_solution(small_solution(objective=44.0, lower_bound=43.5, gap=0.5 / 44), file)
    text = file.read_text(encoding="utf-8")
    assert '"objective": 44,' in text
    assert '"lower_bound": 43.5,' in text


def test_a_solution_of_format_2_comes_back_from_its_file(tmp_path: Path) -> None:
    """Its times, its costs by cause and its units are part of the record."""
    file = tmp_path / "solution.json"
    write_solution(market_plan(), file)
    assert read_solution(file) == market_plan()
    assert pickle.loads(pickle.dumps(market_plan())) == market_plan()
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["format"] == "tailgate-solution-2"
    assert content["left_out"] == []
    assert content["units"]["clock"] is True
    route = content["routes"][0]
    assert (route["departure"], route["return"], route["duration"]) == (690, 800, 110)
    assert route["stops"][1] == {"customer": 2, "arrival": 750, "start": 750, "end": 760}
    assert route["fixed_cost"] + route["distance_cost"] + route["time_cost"] == route["cost"]


def test_what_is_left_out_and_locked_comes_back_from_its_file(tmp_path: Path) -> None:
    """A new plan begins with it."""
    plan = fleet_plan()
    locked = replace(
        plan,
        routes=(
            replace(plan.routes[0], locked_stops=2),
            replace(plan.routes[1], locked=True),
            *plan.routes[2:],
        ),
    )
    file = tmp_path / "solution.json"
    write_solution(locked, file)
    assert read_solution(file) == locked
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["left_out"] == [{"customer": 6, "cost": 25.5}]
    assert [route.get("locked") for route in content["routes"]] == [None, True, None]
    assert [route.get("locked_stops") for route in content["routes"]] == [2, None, None]


@pytest.mark.parametrize(
    "change", [{"locked": True}, {"locked_stops": 1}], ids=["a route", "its first stop"]
)
def test_a_lock_needs_format_2(change: dict[str, Any]) -> None:
    """Format 1 would drop it."""
    assert small_solution().is_format_1
    assert not with_route(small_solution(), 0, **change).is_format_1


def test_the_format_is_the_first_that_can_say_all_of_it() -> None:
    """Whoever knows format 1 alone can read the plan of whatever format 1 can say."""
    assert small_solution().is_format_1
    for changes in (
        {"vehicle": "van"},
        {"distance": 20},
        {"parts": CostParts(0, 20, 0)},
        {"schedule": Schedule(0, (), 20, 20)},
    ):
        changed_so = with_route(small_solution(), 1, **changes)
        assert not changed_so.is_format_1
        assert Solution.from_dict(changed_so.to_dict()) == changed_so
    for units in (Units(time_unit="h"), Units(cost_unit="EUR"), Units(clock=True)):
        assert small_solution(units=units).to_dict()["format"] == "tailgate-solution-2"


def test_orders_left_out_come_back_with_their_reason(tmp_path: Path) -> None:
    """What is not known is not in the file."""
    left_out = (LeftOut(2, 75.5), LeftOut(3, 0, "fits no vehicle: 2.6 m on floors of 2.45 m"))
    solution = replace(market_plan(), left_out=left_out)
    file = tmp_path / "solution.json"
    write_solution(solution, file)
    assert read_solution(file) == solution
    first, second = json.loads(file.read_text(encoding="utf-8"))["left_out"]
    assert first == {"customer": 2, "cost": 75.5}
    assert second["reason"] == "fits no vehicle: 2.6 m on floors of 2.45 m"


def test_a_solution_without_routes_is_a_solution(tmp_path: Path) -> None:
    """Infeasible and bound-only results have files, too."""
    solution = small_solution(
        status="infeasible", objective=None, lower_bound=None, gap=None, routes=()
    )
    file = tmp_path / "solution.json"
    write_solution(solution, file)
    assert read_solution(file) == solution


def test_units_and_solver_may_be_missing(tmp_path: Path) -> None:
    """A file written by hand or by another program need not know them."""
    content = small_solution().to_dict()
    del content["units"], content["solver"]
    file = tmp_path / "solution.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    assert read_solution(file) == replace(small_solution(), solver={})


PLACEMENT = ("routes", 1, "placements", 0)

# Each row: the change, the field that the message must name, and a word of the problem.
BAD_CONTENT: list[tuple[Callable[[dict[str, Any]], None], str | None, str]] = [
    (changed("format", value="tailgate-solution-9"), "format", "tailgate-solution-1"),
    (changed("format", value=1), "format", "must be"),
    (without("format"), None, '"format"'),
    (without("routes"), None, '"routes"'),
    (changed("rutes", value=[]), "rutes", 'did you mean "routes"'),
    (changed("instance", value="0102"), "instance", "object"),
    (changed("instance", "sha256", value=5), "instance.sha256", "text"),
    (changed("instance", "name", value="a\u0000b"), "instance.name", "control"),
    (without("instance", "name"), "instance", '"name"'),
    (changed("conventions", "lifo", value="yes"), "conventions.lifo", "true or false"),
    (changed("conventions", "fleet", value="some"), "conventions.fleet", "exactly"),
    (without("conventions", "distance"), "conventions", '"distance"'),
    (changed("status", value="excellent"), "status", "optimal"),
    (changed("status", value=None), "status", "text"),
    (changed("objective", value="44"), "objective", "number"),
    (changed("objective", value=True), "objective", "number"),
    (changed("objective", value=math.nan), "objective", "finite"),
    (changed("lower_bound", value=-math.inf), "lower_bound", "finite"),
    (changed("gap", value=[]), "gap", "number"),
    (changed("routes", value={}), "routes", "array"),
    (changed("routes", 0, value=[]), "routes[0]", "object"),
    (changed("routes", 0, "customers", value=3), "routes[0].customers", "array"),
    (changed("routes", 0, "customers", 1, value=2.5), "routes[0].customers[1]", "integer"),
    (changed("routes", 0, "customers", 1, value=None), "routes[0].customers[1]", "number"),
    (changed("routes", 0, "cost", value=None), "routes[0].cost", "number"),
    (changed("routes", 0, "weight", value=1.5), "routes[0].weight", "integer"),
    (changed("routes", 0, "area", value=10**30), "routes[0].area", "between"),
    (changed(*PLACEMENT, "x", value=0.5), "routes[1].placements[0].x", "integer"),
    (changed(*PLACEMENT, "x", value="0"), "routes[1].placements[0].x", "number"),
    (without(*PLACEMENT, "load_step"), "routes[1].placements[0]", '"load_step"'),
    (changed(*PLACEMENT, "z", value=0), "routes[1].placements[0].z", "known"),
    (changed("units", "length_scale", value=3), "units.length_scale", "power of ten"),
    (changed("units", "length_scale", value=0), "units.length_scale", "between 1"),
    (changed("units", "length", value=["m"]), "units.length", "text"),
    (changed("units", "length", value="m" * 50), "units.length", "20"),
    (changed("solver", value=[]), "solver", "object"),
    (changed("solver", "seconds", value=math.inf), "solver.seconds", "finite"),
]


@pytest.mark.parametrize(("change", "field", "word"), BAD_CONTENT)
def test_a_wrong_field_is_named_with_its_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], field: str | None, word: str
) -> None:
    """A solution file may come from any program; what is wrong in it must be easy to find."""
    content: dict[str, Any] = json.loads(small_solution().to_json())
    change(content)
    file = tmp_path / "solution.json"
    text = json.dumps(content, indent=2)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_solution(file)
    error = caught.value
    assert error.source == str(file)
    assert error.field == field
    assert word in error.problem
    assert error.line is not None
    if field is not None:
        key = field.rsplit(".", 1)[-1].split("[")[0]
        lines = text.split("\n")
        # An element of an array stands somewhere below its array's key.
        nearby = lines[error.line - 1] if "[" not in field.rsplit(".", 1)[-1] else text
        assert f'"{key}"' in nearby
    with pytest.raises(InputError):
        Solution.from_dict(content)


# The same for the plan of format 2.
BAD_CONTENT_2: list[tuple[Callable[[dict[str, Any]], None], str, str]] = [
    (changed("left_out", value=[{"customer": 3}]), "left_out[0]", "cost"),
    (changed("left_out", value=[{"customer": 3, "cost": "1"}]), "left_out[0].cost", "number"),
    (
        changed("left_out", value=[{"customer": 3, "cost": 1, "reason": 2}]),
        "left_out[0].reason",
        "",
    ),
    (changed("routes", 0, "locked", value=1), "routes[0].locked", "true or false"),
    (changed("routes", 0, "locked_stops", value=-1), "routes[0].locked_stops", "0"),
    (changed("left_out", value=None), "left_out", "array"),
    (changed("units", "time", value="h"), "units.time", "must be min"),
    (changed("units", "clock", value=1), "units.clock", "true or false"),
    (changed("routes", 0, "vehicle", value=" van"), "routes[0].vehicle", "blank"),
    (changed("routes", 0, "distance", value="55"), "routes[0].distance", "number"),
    (changed("routes", 0, "departure", value=None), "routes[0].departure", "number"),
    (changed("routes", 0, "time_cost", value=1e30), "routes[0].time_cost", "between"),
    (without("routes", 0, "return"), "routes[0]", 'but lacks "return"'),
    (without("routes", 0, "fixed_cost"), "routes[0]", "distance_cost"),
    (changed("routes", 0, "stops", value={}), "routes[0].stops", "array"),
    (changed("routes", 0, "stops", 0, "customer", value="a"), "routes[0].stops[0].customer", "num"),
    (changed("routes", 0, "stops", 0, "start", value="9"), "routes[0].stops[0].start", "number"),
    (without("routes", 0, "stops", 0, "end"), "routes[0].stops[0]", '"end"'),
]


@pytest.mark.parametrize(("change", "field", "word"), BAD_CONTENT_2)
def test_a_wrong_field_of_format_2_is_named_with_its_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], field: str, word: str
) -> None:
    """Its fields are read with the same distrust."""
    content: dict[str, Any] = json.loads(market_plan().to_json())
    change(content)
    file = tmp_path / "solution.json"
    file.write_text(json.dumps(content, indent=2), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_solution(file)
    assert (caught.value.source, caught.value.field) == (str(file), field)
    assert word in caught.value.problem
    assert caught.value.line is not None
    with pytest.raises(InputError):
        Solution.from_dict(content)


# Each row: the text of a whole file, and a word of the problem.
HOSTILE_TEXTS: list[tuple[str, str]] = [
    ("", "empty"),
    ("  \n\n ", "empty"),
    ("{", "JSON"),
    ("null", "object"),
    ("[]", "object"),
    ('"format"', "object"),
    ("{}", "not a solution"),
    ("{'format': 1}", "JSON"),
    ("[" * 100_000, "nested"),
    ('{"a":' * 100_000, "nested"),
    ('{"format": "tailgate-solution-1", "format": "tailgate-solution-1"}', "duplicate key"),
    ("Instance: E016-03m.dat\nClass: 1\n", "JSON"),
    ('{"format": "tailgate-solution-1"} trailing', "JSON"),
    ('{"format": Infinity}', "must be"),
]


@pytest.mark.parametrize(("text", "word"), HOSTILE_TEXTS)
def test_a_hostile_file_gets_a_message(tmp_path: Path, text: str, word: str) -> None:
    """Never a traceback, whatever the file holds."""
    file = tmp_path / "solution.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=word) as caught:
        read_solution(file)
    assert caught.value.source == str(file)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "number", ["1e400", "1e999999999", "1e99999999999999999999", "1" + "0" * 5000, "-1e9999999"]
)
@pytest.mark.parametrize("field", ["objective", "cost", "x", "seconds"])
def test_absurd_numbers_are_refused(tmp_path: Path, number: str, field: str) -> None:
    """Numbers beyond every limit are refused by name, without computing with them."""
    text = small_solution(solver={"seconds": 7777}).to_json()
    before = {"objective": "44", "cost": "20", "x": "0", "seconds": "7777"}[field]
    assert f'"{field}": {before}' in text
    file = tmp_path / "solution.json"
    file.write_text(text.replace(f'"{field}": {before}', f'"{field}": {number}', 1))
    with pytest.raises(InputError) as caught:
        read_solution(file)
    assert (caught.value.field or "").endswith(field)
    assert len(str(caught.value)) < 500


def test_a_deep_solver_section_is_refused(tmp_path: Path) -> None:
    """The solver's section is free in form, but not endless."""
    text = small_solution(solver={"options": 7777}).to_json()
    file = tmp_path / "solution.json"
    file.write_text(text.replace("7777", "[" * 300 + "]" * 300))
    with pytest.raises(InputError, match="nested"):
        read_solution(file)


def test_files_that_are_no_text_files_are_refused(tmp_path: Path) -> None:
    """Folders, pipes, missing, binary and huge files each get their own message."""
    with pytest.raises(InputError, match="No such file"):
        read_solution(tmp_path / "missing.json")
    with pytest.raises(InputError, match="folder"):
        read_solution(tmp_path)
    with pytest.raises(InputError, match="null"):
        read_solution("a\0b")
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\x7fELF\0\0\0")
    with pytest.raises(InputError, match="binary"):
        read_solution(binary)
    binary.write_bytes('{"a": "é"}'.encode("latin-1"))
    with pytest.raises(InputError, match="UTF-8"):
        read_solution(binary)
    binary.write_bytes('{"a": 1}'.encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        read_solution(binary)
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(InputError, match="the limit is"):
        read_solution(huge)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(InputError, match="regular"):
            read_solution(tmp_path / "pipe")


def test_permission_problems_become_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of somebody else gets a message (simulated, for the superuser may read it)."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    file = tmp_path / "solution.json"
    file.write_text("{}")
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        read_solution(file)


def test_writing_replaces_the_file_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash in the middle must leave the old file whole and no litter."""
    file = tmp_path / "solution.json"
    write_solution(small_solution(), file)

    def crash(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", crash)
        with pytest.raises(InputError, match="No space left"):
            write_solution(small_solution(objective=1), file)
    assert read_solution(file) == small_solution()
    assert [entry.name for entry in tmp_path.iterdir()] == ["solution.json"]
    write_solution(small_solution(objective=45), file)
    assert read_solution(file).objective == 45


def test_a_written_file_has_ordinary_permissions(tmp_path: Path) -> None:
    """The temporary file's private mode must not survive, and an old file's mode must."""
    file = tmp_path / "solution.json"
    mask = os.umask(0o022)
    try:
        write_solution(small_solution(), file)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    file.chmod(0o600)
    write_solution(small_solution(), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="needs named pipes and links")
def test_links_are_followed_and_devices_stay_devices(tmp_path: Path) -> None:
    """``--out /dev/null`` must not turn the device into a file."""
    write_solution(small_solution(), "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_solution(small_solution(), tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert read_solution(tmp_path / "real.json") == small_solution()


def test_writing_where_one_cannot_gives_a_message(tmp_path: Path) -> None:
    """A missing folder is a user's mistake, not a crash."""
    with pytest.raises(InputError, match="cannot be written: No such file"):
        write_solution(small_solution(), tmp_path / "missing" / "solution.json")
    with pytest.raises(InputError, match="cannot be written"):
        write_solution(small_solution(), tmp_path)


def test_what_json_cannot_hold_is_refused_before_the_file_is_touched(tmp_path: Path) -> None:
    """NaN is not JSON; a file with it could not be read back."""
    file = tmp_path / "solution.json"
    for solution in (
        small_solution(objective=math.nan),
        with_route(small_solution(), 0, cost=math.inf),
        small_solution(solver={"object": object()}),
        small_solution(solver={"text": "\ud800"}),
    ):
        with pytest.raises(InputError, match="cannot be written as JSON"):
            write_solution(solution, file)
    assert not file.exists()


@pytest.mark.parametrize(
    ("build", "argument"),
    [
        (lambda: loose_placement(1, 1, 0.5, 0, 1, 1, 1, 1), "x"),
        (lambda: loose_placement(1, 1, 0, 0, 1, 1, 1, "1"), "load_step"),
        (lambda: loose_route("12", 1, 1, 1), "customers"),
        (lambda: loose_route((1, None), 1, 1, 1), "customers[1]"),
        (lambda: loose_route((1,), "1", 1, 1), "cost"),
        (lambda: loose_route((1,), 1, 1.5, 1), "weight"),
        (lambda: loose_route((1,), 1, 1, 1, ((1, 2),)), "placements[0]"),
        (lambda: loose_route((1,), 10**400, 1, 1), "cost"),
        (lambda: loose_route((1,), 1, 1, 1, vehicle=3), "vehicle"),
        (lambda: loose_route((1,), 1, 1, 1, distance="far"), "distance"),
        (lambda: loose_route((1,), 1, 1, 1, parts=(1, 2, 3)), "parts"),
        (lambda: loose_route((1,), 1, 1, 1, schedule={}), "schedule"),
        (lambda: loose_parts(1, None, 1), "distance"),
        (lambda: loose_stop(1.5, 1, 1, 1), "customer"),
        (lambda: loose_stop(1, 1, "08:00", 1), "start"),
        (lambda: loose_schedule(1, (), 1, "long"), "duration"),
        (lambda: loose_schedule(1, ((1, 1, 1, 1),), 1, 1), "stops[0]"),
        (lambda: small_solution(instance_sha256=None), "instance_sha256"),
        (lambda: small_solution(conventions={}), "conventions"),
        (lambda: small_solution(status="done"), "status"),
        (lambda: small_solution(objective="44"), "objective"),
        (lambda: small_solution(routes=None), "routes"),
        (lambda: small_solution(solver=None), "solver"),
    ],
)
def test_constructors_name_the_wrong_argument(build: Callable[[], object], argument: str) -> None:
    """Solutions are built in code, too."""
    with pytest.raises(InputError) as caught:
        build()
    assert caught.value.field == argument


def test_the_relative_gap() -> None:
    """The gap is measured against the objective, and never negative."""
    assert relative_gap(100, 90) == 0.1
    assert relative_gap(100, 100) == 0
    assert relative_gap(100, 100.0000001) == 0
    assert relative_gap(0, 0) == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"format": "tailgate-instance-1", "name": "x"}', "this is an instance, not a solution"),
        ('{"format": null}', 'must be "tailgate-solution-1" or "tailgate-solution-2", got null'),
        ('{"name": "x"}', "is not a solution"),
    ],
)
def test_a_file_of_another_kind_is_called_so(text: str, words: str, tmp_path: Path) -> None:
    """Complaints about its single fields would lead astray."""
    path = tmp_path / "solution.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_solution(path)


@pytest.mark.parametrize("text", [r"\ud800", r"half \uDC00", r"\ud83d alone"])
def test_half_a_character_is_refused(text: str, tmp_path: Path) -> None:
    """JSON can spell what is no text; read, it could never be written again."""
    path = tmp_path / "solution.json"
    content = small_solution().to_json().replace('"tailgate-solution-1"', f'"{text}"', 1)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="half a character") as caught:
        read_solution(path)
    assert caught.value.line == 2


def test_a_whole_character_may_be_escaped(tmp_path: Path) -> None:
    """A pair of escapes is one character."""
    path = tmp_path / "solution.json"
    name = json.dumps(small_solution().instance_name)
    path.write_text(
        small_solution().to_json().replace(name, r'"\ud83d\ude9a"', 1), encoding="utf-8"
    )
    assert read_solution(path).instance_name == "\U0001f69a"
