"""Files of matrices: whose answers are taken, in which units, and every kind of mistake."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from file_cases import parse_file
from format_2_cases import DISTANCES, DURATIONS, by_matrix
from tailgate.io.draft import DraftUnits
from tailgate.io.matrix_file import Matrices, file_beside, read_matrix_file
from tailgate.io.matrix_rows import MatrixField, PlaceNames
from tailgate.io.matrix_square import MatrixSquare, square_cells
from tailgate.model.errors import InputError
from tailgate.model.matrix import Matrix
from tailgate.model.travel import Travel

NAMES = PlaceNames(["Bakery", ""], "Lyon")
KM_AND_MIN = DraftUnits(distance="km", time="min")

METRES: list[list[Any]] = [[0, 1500.5, 800], [1400, 0, None], [900.3, 50, 0]]
SECONDS: list[list[Any]] = [[0, 100, 60.2], [90, 0, None], [61, 7, 0]]
PLACES = [{"location": [4.85, 45.75], "distance": 1.2, "name": ""}] * 3


def osrm(**changes: Any) -> dict[str, Any]:
    """Return an answer of the service table of OSRM."""
    answer = {"code": "Ok", "distances": METRES, "durations": SECONDS}
    return answer | {"sources": PLACES, "destinations": PLACES} | changes


def openrouteservice(units: str | None = None) -> dict[str, Any]:
    """Return an answer of the service matrix of openrouteservice."""
    query = {"profile": "driving-hgv", "metrics": ["distance", "duration"]}
    scale = {None: 1, "m": 1, "km": 1000, "mi": 1000}[units]
    distances = [[value and value / scale for value in row] for row in METRES]
    return {
        "distances": distances,
        "durations": SECONDS,
        "sources": PLACES,
        "destinations": PLACES,
        "metadata": {"service": "matrix", "query": query | ({"units": units} if units else {})},
    }


def valhalla(units: str = "kilometers") -> dict[str, Any]:
    """Return an answer of Valhalla, in which every road is an object."""
    roads = [
        [
            {
                "distance": None if metres is None else metres / 1000,
                "time": seconds,
                "from_index": row,
                "to_index": column,
            }
            for column, (metres, seconds) in enumerate(zip(*both, strict=True))
        ]
        for row, both in enumerate(zip(METRES, SECONDS, strict=True))
    ]
    return {"sources_to_targets": roads, "units": units, "algorithm": "costmatrix"}


def short_valhalla() -> dict[str, Any]:
    """Return an answer of Valhalla that was asked not to be verbose."""
    kilometres = [[value and value / 1000 for value in row] for row in METRES]
    answer = {"distances": kilometres, "durations": SECONDS}
    return {"sources_to_targets": answer, "units": "kilometers"}


def read(
    folder: Path, content: object, units: DraftUnits = KM_AND_MIN, names: PlaceNames = NAMES
) -> Matrices:
    """Write a file and read it."""
    file = folder / "matrix.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return read_matrix_file(file, names, units)


def in_units(values: list[list[Any]], factor: Fraction) -> Matrix:
    """Return what a matrix of metres or seconds is worth."""
    return Matrix.of(values, "distances", step=factor)


@pytest.mark.parametrize("answer", [osrm, openrouteservice, valhalla, short_valhalla])
@pytest.mark.parametrize(
    ("units", "per_metre", "per_second"),
    [
        (KM_AND_MIN, Fraction(1, 1000), Fraction(1, 60)),
        (DraftUnits(), Fraction(1, 1000), Fraction(1, 60)),
        (DraftUnits(distance="m", time="s"), Fraction(1), Fraction(1)),
        (DraftUnits(distance="mi", time="h"), Fraction(1000, 1609344), Fraction(1, 3600)),
    ],
)
def test_answers_of_map_services_are_recognised_and_converted(
    answer: Callable[[], dict[str, Any]],
    units: DraftUnits,
    per_metre: Fraction,
    per_second: Fraction,
    tmp_path: Path,
) -> None:
    """Exactly: a second is a sixtieth of a minute, and no float of it."""
    matrices = read(tmp_path, answer(), units)
    assert matrices.distances == in_units(METRES, per_metre)
    assert matrices.durations == in_units(SECONDS, per_second)


@pytest.mark.parametrize("units", ["m", "km", "mi"])
def test_openrouteservice_says_its_unit(units: str, tmp_path: Path) -> None:
    """Whoever asked for miles gets miles."""
    worth = {"m": Fraction(1, 1000), "km": Fraction(1, 1000), "mi": Fraction(1609344, 10**9)}
    assert read(tmp_path, openrouteservice(units)).distances == in_units(METRES, worth[units])


def test_valhalla_says_its_unit(tmp_path: Path) -> None:
    """Miles, if the question asked for them."""
    miles = read(tmp_path, valhalla("miles")).distances
    assert miles == in_units(METRES, Fraction(1609344, 10**9))


def test_our_own_file_is_in_the_units_of_the_instance_or_in_its_own(tmp_path: Path) -> None:
    """One matrix will do."""
    both = read(tmp_path, {"distances": DISTANCES, "durations": DURATIONS})
    assert both.distances == Matrix.of(DISTANCES, "distances")
    assert both.durations == Matrix.of(DURATIONS, "durations")
    alone = read(tmp_path, {"durations": SECONDS, "durations_unit": "s"})
    assert alone == Matrices(durations=in_units(SECONDS, Fraction(1, 60)))
    # Any unit will do that is not converted.
    furlongs = read(tmp_path, {"distances": DISTANCES}, DraftUnits(distance="furlong"))
    assert furlongs.distances == Matrix.of(DISTANCES, "distances")


SQUARE = """distances,2,depot,Bakery
Bakery,-,1.5,0
depot,2,0,4
2,,5,3
"""
SORTED: list[list[Any]] = [[0, 4, 2], [1.5, 0, None], [5, 3, 0]]


def test_a_table_is_put_in_order_by_its_names(tmp_path: Path) -> None:
    """Spreadsheets sort; the blank diagonal is what people leave."""
    matrices = read(tmp_path, SQUARE)
    assert matrices == Matrices(distances=in_units(SORTED, Fraction(1)))


def test_a_table_says_what_it_is_and_in_which_unit(tmp_path: Path) -> None:
    """Its corner is the only place for it."""
    durations = read(tmp_path, SQUARE.replace("distances", "durations (s)"))
    assert durations == Matrices(durations=in_units(SORTED, Fraction(1, 60)))
    assert read(tmp_path, SQUARE.replace("distances", "")) == read(tmp_path, SQUARE)


@pytest.mark.parametrize("name", ["Lyon", "depot", "DEPOT", "0"])
def test_the_depot_goes_by_several_names(name: str, tmp_path: Path) -> None:
    """Its own, and what messages call it."""
    assert read(tmp_path, SQUARE.replace("depot", name)) == read(tmp_path, SQUARE)


def test_a_table_with_semicolons_has_decimal_commas(tmp_path: Path) -> None:
    """As a spreadsheet in half of Europe exports it."""
    german = SQUARE.replace(",", ";").replace("1.5", "1,5")
    assert read(tmp_path, german) == read(tmp_path, SQUARE)
    with pytest.raises(InputError, match=r":3: Lyon: '2\.0' has another decimal mark"):
        read(tmp_path, german.replace("depot;2;0", "depot;2;2.0"))


@pytest.mark.parametrize("field", ["distances", "durations"])
def test_a_matrix_is_written_as_a_table_that_is_read_back(field: MatrixField) -> None:
    """In another unit, where its own has no decimals for it."""
    names = PlaceNames(["=1+1", "a;b"], "")
    labels = ["depot", "=1+1", "a;b"]
    for step in (Fraction(1), Fraction(1, 1000), Fraction(1, 60), Fraction(125, 201168)):
        unit = "mi" if field == "distances" else "min"
        if field == "distances" and step == Fraction(1, 60):
            continue
        if field == "durations" and step == Fraction(125, 201168):
            continue
        matrix = Matrix.of(METRES, field, step=step)
        rows = square_cells(matrix, field, labels, unit)
        square = MatrixSquare(list(enumerate(rows, start=1)), source="a.csv")
        units = DraftUnits(distance=unit) if field == "distances" else DraftUnits(time=unit)
        assert square.matrix(field, names, units) == matrix


WRONG_TABLES: list[tuple[str, str, int | None, str | None, str]] = [
    ("distances,", "lengths,", 1, None, "first cell must be empty, \"distances\" or \"durations\""),
    ("distances,", "distances (s),", 1, None, "cannot be converted"),
    ("distances,2", "distances,3", 1, None, "no place '3'"),
    (",Bakery\n", ",Bakry\n", 1, None, 'did you mean "Bakery"'),
    (",Bakery\n", ",depot\n", 1, None, "two columns for 'depot'"),
    (",Bakery\n", "\n", 1, None, "the column of Bakery is missing"),
    (",Bakery\n", ",\n", 1, None, "a column has no name"),
    ("\nBakery,", "\n2,", 4, None, "two rows for '2'"),
    ("\nBakery,-,1.5,0", "", 1, None, "the row of Bakery is missing"),
    ("-,1.5", ",1.5", 2, "2", "from Bakery to 2 is missing; write null or - if it cannot be dr"),
    ("-,1.5", "far,1.5", 2, "2", "must be a number (from Bakery to 2), got 'far'"),
    ("-,1.5", "1_0,1.5", 2, "2", "must be a number"),
    ("-,1.5", "1e,1.5", 2, "2", "must be a number"),
    ("-,1.5", "nan,1.5", 2, "2", "must be a number"),
    ("-,1.5", "1e999,1.5", 2, "2", "must be finite"),
    ("-,1.5", "-3,1.5", 2, "2", "must not be negative, got -3 (from Bakery to 2)"),
    ("1.5,0", "1.5,7", 2, "Bakery", "must be 0 from a place to itself, got 7"),
    ("1.5,0", "1.5,-", 2, "Bakery", "must be 0 from a place to itself"),
    ("1.5,0", "1.5,0,4", 2, None, "has 4 values, more than there are columns"),
    ("1.5,0", "1.5e-10,0", 2, "Lyon", "more than 9 decimal places"),
    (SQUARE, "\n", None, None, "the file is empty"),
    ('1.5,0', '"1.5,0', 2, None, "not a proper CSV row"),
    (SQUARE, 'from\tLyon\nLyon\t"0"5\n', 2, None, "CSV row: a tab expected after"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "field", "words"), WRONG_TABLES)
def test_a_mistake_in_a_table_is_told_with_its_place(
    old: str, new: str, line: int | None, field: str | None, words: str, tmp_path: Path
) -> None:
    """The row and the column are those of the spreadsheet."""
    assert old in SQUARE
    with pytest.raises(InputError) as caught:
        read(tmp_path, SQUARE.replace(old, new, 1))
    error = caught.value
    assert words in error.problem, str(error)
    assert (error.source, error.line, error.field) == (str(tmp_path / "matrix.json"), line, field)


SHORT = [[0, 1], [1, 0]]
WRONG_FILES: list[tuple[object, str | None, str]] = [
    ([[0, 1], [1, 0]], None, "must be an object with"),
    ({}, None, "has neither distances nor durations"),
    ({"matrix": METRES}, "matrix", "is not a known field (known here: distances, durations"),
    ({"distances": METRES, "distance_unit": "m"}, "distance_unit", "is not a known field"),
    ({"distances": METRES, "distances_unit": "ft"}, "distances_unit", "must be one of km, m, mi"),
    ({"distances": METRES, "distances_unit": ["m"]}, "distances_unit", "must be one of km, m, mi"),
    ({"distances": SHORT}, "distances", "must have 3 rows (the depot and 2 customers"),
    ({"distances": [[0, 1, 2], [1, 0], [1, 1, 0]]}, "distances[1]", "from Bakery to 2 is missing"),
    ({"distances": [[0, 1, 2], [1, 0, "x"], [1, 1, 0]]}, "distances[1][2]", "must be a number, or"),
    ({"distances": [[0, 1, 2], [1, 0, -1], [1, 1, 0]]}, "distances[1][2]", "negative, got -1"),
    ({"distances": [[0, 1, 2], [1, 0, 1], [1, 1, 1]]}, "distances[2][2]", "from 2 to 2"),
    (
        {"distances": [[0, 1, 2], [1, 0, float("inf")], [1, 1, 0]]},
        "distances[1][2]",
        "must be finite",
    ),
    (
        {"distances": [[0, 1, 2], [1, 0, float("nan")], [1, 1, 0]]},
        "distances[1][2]",
        "must be finite",
    ),
    ({"distances": [[0, 1, 2], [1, 0, 10**400], [1, 1, 0]]}, "distances[1][2]", "too large"),
    (osrm(code="NoTable", message="none"), "code", "the service answered 'NoTable': 'none'"),
    (osrm(distances=None, durations=None), None, "has neither distances nor durations"),
    (osrm(distances=SHORT), "distances", "must have 3 rows"),
    ({"error": {"code": 6004}}, "error", "the service answered with an error"),
    ({"error_code": 442, "error": "No path"}, "error", "answered with an error: 'No path'"),
    ({"sources_to_targets": 3}, "sources_to_targets", "must be an array of rows"),
    (
        {"sources_to_targets": [[{"distance": 1}]]},
        "sources_to_targets[0][0]",
        'must be an object with "distance" and "time"',
    ),
    (
        valhalla() | {"sources_to_targets": valhalla()["sources_to_targets"][:2]},
        "sources_to_targets",
        "must have 3 rows",
    ),
    (valhalla("parsecs"), "units", "must be one of kilometers, miles"),
    (
        openrouteservice() | {"metadata": {"query": {"units": "ft"}}},
        "metadata.query.units",
        "must be one of",
    ),
]


@pytest.mark.parametrize(("content", "field", "words"), WRONG_FILES)
def test_a_mistake_in_a_file_is_told_with_its_place(
    content: object, field: str | None, words: str, tmp_path: Path
) -> None:
    """The names of the places are in the message, for nobody counts columns."""
    with pytest.raises(InputError) as caught:
        read(tmp_path, json.dumps(content, indent=1))
    error = caught.value
    assert words in error.problem, str(error)
    assert (error.source, error.field) == (str(tmp_path / "matrix.json"), field)
    assert error.line is not None


def test_a_bad_road_of_valhalla_is_found(tmp_path: Path) -> None:
    """In its own words, and on its line."""
    answer = valhalla()
    answer["sources_to_targets"][1][0]["time"] = -5
    with pytest.raises(InputError, match=r"negative, got -5 \(from Bakery to Lyon\)") as caught:
        read(tmp_path, json.dumps(answer, indent=1))
    assert caught.value.field == "sources_to_targets[1][0].time"
    assert caught.value.line is not None
    line = (tmp_path / "matrix.json").read_text().split("\n")[caught.value.line - 1]
    assert '"time": -5' in line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"distances": [[0]], "distances": [[0]]}', "'distances' is there twice"),
        ('{"distances": [[0, 1', "is not valid JSON"),
        ("[" * 100_000, "not a sensible JSON file|not valid JSON"),
        ('{"distances": ' + "9" * 5000 + "}", "not a sensible JSON file"),
        ("", "the file is empty"),
    ],
)
def test_a_broken_file_is_refused(text: str, words: str, tmp_path: Path) -> None:
    """Never with a traceback."""
    with pytest.raises(InputError, match=words) as caught:
        read(tmp_path, text)
    assert caught.value.source == str(tmp_path / "matrix.json")


def instance_with(folder: Path, file: object) -> Path:
    """Write an instance that names a file of matrices."""
    path = folder / "instance.json"
    path.write_text(json.dumps(by_matrix(file=file)), encoding="utf-8")
    return path


def test_an_instance_names_a_file_beside_it_or_below(tmp_path: Path) -> None:
    """The roads of a region serve every day of the week."""
    (tmp_path / "roads").mkdir()
    (tmp_path / "roads" / "lyon.json").write_text(json.dumps(osrm()), encoding="utf-8")
    instance = parse_file(instance_with(tmp_path, "roads/lyon.json"))
    assert instance.travel.distances == in_units(METRES, Fraction(1, 1000))
    assert instance.duration(0, 1) == 100 / 60
    assert instance.travel.coordinates == "lat/lon"
    # A link within the folder is as good as the file.
    (tmp_path / "link.json").symlink_to(tmp_path / "roads" / "lyon.json")
    assert parse_file(instance_with(tmp_path, "link.json")) == instance


def test_a_table_beside_the_instance_is_matched_by_names(tmp_path: Path) -> None:
    """Its distances are driven at the speed that is given."""
    table = "distances,Chemist,Mme Dupont,Lyon\nLyon,5,4,0\nMme Dupont,-,0,4.5\nChemist,0,3,5\n"
    (tmp_path / "roads.csv").write_text(table, encoding="utf-8")
    instance = parse_file(instance_with(tmp_path, "roads.csv"))
    assert instance.travel == Travel.from_matrix(DISTANCES, coordinates="lat/lon")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../matrix.json", "must not leave the folder of the instance"),
        ("roads/../../matrix.json", "must not leave the folder"),
        ("..", "must not leave the folder"),
        ("/etc/passwd", "must be relative to the folder"),
        ("\\\\server\\matrix.json", "must have / between its parts"),
        ("roads\\matrix.json", "must have / between its parts"),
        ("C:matrix.json", "must be relative to the folder"),
        ("C:/matrix.json", "must be relative to the folder"),
        ("", "must be the name of a file"),
        (" ", "must be the name of a file"),
        ("a\0b", "must be the name of a file"),
        ("a\nb", "must be the name of a file"),
        ("out.json", "is a link that leaves the folder of the instance; copy the file there"),
        ("out/matrix.json", "is a link that leaves the folder"),
        ("loop.json", "cannot be|No such file|link"),
        ("missing.json", "No such file.*check its spelling"),
        ("inside", "is a folder, not a file"),
        (7, "must be text in quotes"),
    ],
)
def test_no_file_outside_the_folder_can_be_named(name: object, words: str, tmp_path: Path) -> None:
    """An instance from a stranger must not read other files of the machine."""
    folder = tmp_path / "folder"
    (folder / "inside").mkdir(parents=True)
    (tmp_path / "matrix.json").write_text(json.dumps(osrm()), encoding="utf-8")
    (folder / "out.json").symlink_to(tmp_path / "matrix.json")
    (folder / "out").symlink_to(tmp_path)
    (folder / "loop.json").symlink_to(folder / "loop.json")
    with pytest.raises(InputError, match=words) as caught:
        parse_file(instance_with(folder, name))
    assert caught.value.source is not None


def test_a_pipe_is_no_file_of_matrices(tmp_path: Path) -> None:
    """It would keep the reader waiting for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a regular file"):
        parse_file(instance_with(tmp_path, "pipe"))


def test_a_file_of_more_than_256_megabytes_is_refused_unread(tmp_path: Path) -> None:
    """The limit is checked before anything is read."""
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(257_000_000)
    with pytest.raises(InputError, match=r"has 257.0 MB; the limit is 256 MB"):
        parse_file(instance_with(tmp_path, "huge.json"))


def test_a_folder_may_be_named_in_any_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative paths are those of the instance, not of the shell."""
    (tmp_path / "matrix.json").write_text(json.dumps(osrm()), encoding="utf-8")
    instance_with(tmp_path, "matrix.json")
    monkeypatch.chdir(tmp_path)
    assert parse_file("instance.json").travel.metric == "matrix"
    assert file_beside(Path(), "matrix.json").resolve() == (tmp_path / "matrix.json").resolve()


def big_matrix(places: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return distances in metres with a decimal, as map services give them."""
    values = np.round(np.random.default_rng(1).uniform(100, 90_000, (places, places)), 1)
    np.fill_diagonal(values, 0)
    return values


@pytest.mark.parametrize("kind", ["service", "inline", "table"])
def test_a_thousand_places_are_read_and_checked(kind: str, tmp_path: Path) -> None:
    """A million roads, twice: nothing is quadratic in them."""
    places = 1000
    values = big_matrix(places).tolist()
    content = by_matrix()
    content["vehicles"][0] |= {"count": 500, "max_distance": None, "cost_per_distance": None}
    content["depot"] = {"name": "Lyon"}
    content["customers"] = [
        {"name": f"customer {number}", "weight": 1, "items": []} for number in range(1, places)
    ]
    names = ["Lyon", *(one["name"] for one in content["customers"])]
    matrices = {"distances": values, "durations": values}
    if kind == "inline":
        content["travel"] = matrices | {"distances_unit": "m", "durations_unit": "s"}
    elif kind == "service":
        content["travel"] = {"file": "matrix.json"}
        (tmp_path / "matrix.json").write_text(json.dumps({"code": "Ok", **matrices}))
    else:
        content["travel"] = {"file": "matrix.csv"}
        rows = [
            ["distances (m)", *names],
            *([name, *row] for name, row in zip(names, values, strict=True)),
        ]
        text = "\n".join(",".join(map(str, row)) for row in rows)
        (tmp_path / "matrix.csv").write_text(text)
    (tmp_path / "instance.json").write_text(json.dumps(content))
    instance = parse_file(tmp_path / "instance.json")
    assert instance.travel.distances is not None
    assert instance.travel.distances.places == places
