"""Road matrices beside the tables: squares with names, or the answer of a map service."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import openpyxl
import pytest

from file_cases import parse_file
from table_cases import Tables, Write, both, folder_of, with_change, workbook_of
from tailgate.io import write_csv_folder, write_xlsx
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Travel, Vehicle
from tailgate.model.matrix import Matrix

Rows = list[list[float | None]]

TABLES: Tables = {
    "customers": "customer,weight,ready,due\nNorth,3,08:00,12:00\nSouth,4,,\n",
    "items": "customer,width,length\nNorth,1,1\nSouth,1,1\n",
    "vehicles": "count,width,length,capacity,cost per time\n1,2,3,9,0.5\n",
    "settings": "depot name,Hall 4\ndepot ready,06:00\ndistance unit,km\n",
    "distances": "distances (m),Hall 4,South,North\n"
    "depot,0,5000,4000\nNorth,4500,,0\nSouth,,0,3000\n",
    "durations": ",depot,North,South\ndepot,0,9,11.5\nNorth,10,0,7\nSouth,12,8,0\n",
}


def changed(table: str, before: str, after: str, tables: Tables) -> Tables:
    """Return tables with one place changed."""
    return with_change(tables, table, before, after)


NO_ROAD = changed("distances", "North,4500,,0", "North,4500,null,0", TABLES)
NO_ROAD = changed("durations", "North,10,0,7", "North,10,0,-", NO_ROAD)
WHOLE = changed("distances", "South,,0,3000", "South,5500,0,3000", NO_ROAD)


@both
def test_squares_are_read_in_any_order_and_unit(write: Write, tmp_path: Path) -> None:
    """Places go by their names, metres become kilometres, and a missing road is none."""
    instance = parse_file(write(tmp_path, WHOLE))
    assert instance.travel.metric == "matrix"
    assert instance.travel.coordinates == "none"
    distances: Rows = [[0, 4, 5], [4.5, 0, None], [5.5, 3, 0]]
    durations: Rows = [[0, 9, 11.5], [10, 0, None], [12, 8, 0]]
    assert instance.travel.distances == Matrix.of(distances, "distances")
    assert instance.travel.durations == Matrix.of(durations, "durations")
    assert instance.has_missing_roads


@both
def test_one_square_is_enough(write: Write, tmp_path: Path) -> None:
    """Durations come from the speed, or distances are not needed because nothing uses them."""
    tables = changed("distances", "North,4500,,0", "North,4500,6000,0", WHOLE | TABLES)
    tables = changed("distances", "South,,0,3000", "South,5500,0,3000", tables)
    del tables["durations"]
    tables["settings"] += "speed,60\n"
    assert parse_file(write(tmp_path, tables)).duration(0, 1) == 4


def test_durations_alone_will_do_where_time_is_what_costs(tmp_path: Path) -> None:
    """And where distance costs, the message says what is missing."""
    tables = {name: text for name, text in TABLES.items() if name != "distances"}
    instance = parse_file(folder_of(tmp_path, tables))
    assert instance.route_cost([1, 2]) == 0.5 * (9 + 7 + 12)
    tables = changed("vehicles", "cost per time", "cost per distance", tables)
    with pytest.raises(InputError, match=r"durations.csv: distances: must be given: the cost need"):
        parse_file(folder_of(tmp_path, tables))


def test_the_answer_of_a_map_service_is_taken_as_it_is(tmp_path: Path) -> None:
    """Metres and seconds become kilometres and minutes, exactly."""
    tables = {name: text for name, text in TABLES.items() if not name.startswith("d")}
    answer = {
        "code": "Ok",
        "distances": [[0, 4000, 5000], [4500, 0, 6000], [5500, 3000, 0]],
        "durations": [[0, 500, 700], [610, 0, 400], [700, 480, 0]],
    }
    (folder_of(tmp_path, tables) / "matrix.json").write_text(json.dumps(answer), encoding="utf-8")
    instance = parse_file(tmp_path)
    assert instance.distance(1, 0) == 4.5
    assert instance.travel.durations is not None
    assert instance.clock.tick == Fraction(1, 60)
    assert instance.clock.duration(0, 1) == 500


def test_a_matrix_goes_with_coordinates_and_vehicle_json(tmp_path: Path) -> None:
    """Maps and exports want to know where the places are."""
    tables = changed("customers", "customer,weight", "customer,lat,lon,weight", WHOLE)
    tables = changed("customers", "North,", "North,45.77,4.88,", tables)
    tables = changed("customers", "South,", "South,45.7,4.9,", tables)
    del tables["vehicles"], tables["settings"]
    (tmp_path / "vehicle.json").write_text(
        '{"count": 1, "width": 2, "length": 3, "capacity": 9, "distance_unit": "km",'
        ' "depot": {"name": "Hall 4", "lat": 45.75, "lon": 4.85, "ready": "06:00"}}',
        encoding="utf-8",
    )
    instance = parse_file(folder_of(tmp_path, tables))
    assert (instance.travel.metric, instance.travel.coordinates) == ("matrix", "lat/lon")
    assert instance.distance(0, 1) == 4


@pytest.mark.parametrize("as_workbook", [False, True])
def test_what_is_written_is_read_back(as_workbook: bool, tmp_path: Path) -> None:
    """Also seconds, which are no decimals of minutes, and roads that are missing."""
    instance = parse_file(folder_of(tmp_path, changed("durations", ",depot", "(s),depot", WHOLE)))
    assert instance.travel.durations is not None
    if as_workbook:
        write_xlsx(instance, tmp_path / "out.xlsx")
        assert parse_file(tmp_path / "out.xlsx") == instance
    else:
        write_csv_folder(instance, tmp_path / "out")
        assert parse_file(tmp_path / "out") == instance


D, T, S = "distances", "durations", "settings"
REFUSED: list[tuple[Tables, str, int | None, str | None, str]] = [
    (TABLES, D, 3, "South", "the road from North to South is missing; write null"),
    (changed(D, "North,4500,null,0", "Nort,4500,null,0", WHOLE), D, 3, None, 'mean "North"'),
    (changed(D, "South,5500,0,3000\n", "", WHOLE), D, 1, None, "the row of South is missing"),
    (changed(T, "9,11.5", "-9,11.5", WHOLE), T, 2, "North", "negative"),
    (changed(T, "9,11.5", "inf,11.5", WHOLE), T, 2, "North", "must be a number"),
    (changed(T, "0,9,11.5", "1,9,11.5", WHOLE), T, 2, "Hall 4", "must be 0 from a place to its"),
    (changed(T, "10,0,-", "10,0,7", WHOLE), T, None, "durations", "but not both"),
    (changed(D, "(m)", "(ft)", WHOLE), D, 1, None, "'ft' cannot be converted"),
    (changed(S, "depot name", "detour,1.2\ndepot name", WHOLE), S, 1, "detour", "not for dista"),
    (changed(S, "depot name", "rounding,exact\ndepot name", WHOLE), S, 1, "rounding", "leave it"),
    (changed(S, "depot name", "decimals,1\ndepot name", WHOLE), S, 1, "decimals", "leave it out"),
    (changed(S, "depot name", "metric,euclidean\ndepot name", WHOLE), S, 1, "metric",
     "contradicts distances.csv and durations.csv"),
    (changed(S, "depot name", "speed,9\ndepot name", WHOLE), S, 1, "speed", "contradicts the dur"),
    (changed(S, "depot name", "depot x,9\ndepot name", WHOLE), S, 1, "depot x", "no coordinates"),
]  # fmt: skip


@pytest.mark.parametrize(("tables", "table", "line", "field", "word"), REFUSED)
def test_a_mistake_is_named_with_table_line_and_place(
    tmp_path: Path, tables: Tables, table: str, line: int | None, field: str | None, word: str
) -> None:
    """A million cells: the message must find the one that is wrong."""
    folder = folder_of(tmp_path, tables)
    with pytest.raises(InputError) as caught:
        parse_file(folder)
    error = caught.value
    assert word in error.problem, str(error)
    assert (error.source, error.line, error.field) == (str(folder / f"{table}.csv"), line, field)


def test_a_workbook_names_the_sheet(tmp_path: Path) -> None:
    """The reader of squares is the same; only where they are differs."""
    with pytest.raises(InputError, match=r"orders.xlsx, sheet distances:3: South: the road from N"):
        parse_file(workbook_of(tmp_path, TABLES))
    with pytest.raises(InputError, match=r"sheet distances:1: the column of South is missing"):
        parse_file(workbook_of(tmp_path, changed(D, "Hall 4,South,", "Hall 4,", TABLES)))


def test_two_matrices_in_two_ways_are_refused(tmp_path: Path) -> None:
    """Which of them would count is nobody's guess."""
    (folder_of(tmp_path, WHOLE) / "matrix.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds matrix.json and distances.csv"):
        parse_file(tmp_path)


def test_a_matrix_is_not_rounded_by_an_option(tmp_path: Path) -> None:
    """The option would be ignored in silence otherwise."""
    with pytest.raises(InputError, match=r"distances.csv: distances: is a matrix, .* \(--distance"):
        parse_file(folder_of(tmp_path, WHOLE), distance="rounded")


def test_a_matrix_that_no_workbook_could_carry_is_not_written(tmp_path: Path) -> None:
    """It would be too large to be read again, after minutes of writing."""
    zeros = [[0] * 901] * 901
    customers = tuple(Customer(0, 0, 0, ()) for _ in range(900))
    instance = Instance(
        *("wide", (0, 0), customers, Vehicle(1, 1, 1), 1), travel=Travel.from_matrix(zeros)
    )
    with pytest.raises(InputError, match=r"room for 800000 roads only; write a CSV folder or JSON"):
        write_xlsx(instance, tmp_path / "wide.xlsx")
    write_csv_folder(instance, tmp_path / "wide")
    assert parse_file(tmp_path / "wide") == instance


def test_a_cell_far_to_the_right_costs_no_memory(tmp_path: Path) -> None:
    """A row of one cell is as wide as that cell is far; wider rows are cut and then refused."""
    path = workbook_of(tmp_path, WHOLE)
    book = openpyxl.load_workbook(path)
    book["distances"]["XFD1"] = "far"
    for line in range(5, 3000):
        book["distances"][f"E{line}"] = 1
    book.save(path)
    with pytest.raises(InputError, match="sheet distances:"):
        parse_file(path)
