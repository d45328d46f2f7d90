"""Orders with roads that are dropped onto the page, and roads that are dropped for them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from format_2_cases import DISTANCES, DURATIONS, by_matrix, on_the_globe
from market_day import KILOMETRES, market_day
from serve_setting import as_value, serving, upload
from tailgate.apps.serve.form_check import check_form
from tailgate.apps.serve.limits import Limits
from tailgate.io import read_text_draft, write
from tailgate.io.templates import template_files
from tailgate.model.instance import Instance
from tailgate.solver.loading import read

NAMES = ("depot", "Mme Dupont", "Chemist")
Rows = list[list[int | float | None]]


def in_units(rows: Rows, factor: int) -> Rows:
    """Return a matrix in metres or in seconds."""
    return [[None if value is None else factor * value for value in row] for row in rows]


OSRM = {
    "code": "Ok",
    "distances": in_units(DISTANCES, 1000),
    "durations": in_units(DURATIONS, 60),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that takes two megabytes."""
    folder = tmp_path_factory.mktemp("roads")
    with serving(folder, limits=Limits(upload_bytes=2_000_000)) as one:
        yield one


def bytes_of(content: object) -> bytes:
    """Return the content of a JSON file."""
    return json.dumps(content).encode()


def square(rows: Rows, names: tuple[str, ...] = NAMES) -> bytes:
    """Return a matrix as a table with names."""
    lines = [",".join(("", *names))]
    for name, row in zip(names, rows, strict=True):
        lines.append(",".join((name, *("-" if value is None else str(value) for value in row))))
    return "\n".join(lines).encode()


def form_from(client: TestClient, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the form of files that can be read."""
    status, answer = upload(client, files)
    assert status == 200, answer
    form: dict[str, Any] = answer["form"]
    return form


def with_roads(form: dict[str, Any], roads: object) -> dict[str, Any]:
    """Return what the page has after roads were dropped."""
    travel = form["travel"] | {"metric": "matrix", "roads": roads, "detour": "", "speed": ""}
    return form | {"travel": travel}


def instance_of_form(form: dict[str, Any]) -> Instance:
    """Return the instance of a form in which nothing is wrong."""
    checked = check_form(as_value(form), Limits())
    assert checked.instance is not None, checked.problems
    return checked.instance


def globe_by_matrix() -> Instance:
    """Return the orders on the globe, by matrices."""
    return read_text_draft(json.dumps(by_matrix()), "orders", "orders").to_instance()


@pytest.mark.parametrize("ending", ["json", "xlsx", "csv"])
def test_a_day_with_roads_is_read_in_every_format(
    client: TestClient, tmp_path: Path, ending: str
) -> None:
    """What is solved from the page is what `tailgate solve` reads."""
    path = tmp_path / ("market" if ending == "csv" else f"market.{ending}")
    write(market_day(), path)
    files = path.iterdir() if path.is_dir() else [path]
    form = form_from(client, {f"market/{file.name}": file.read_bytes() for file in files})
    found = instance_of_form(form)
    assert found == read(path)
    assert found.sha256 == market_day().sha256


def test_a_folder_may_have_the_answer_of_a_map_service(client: TestClient, tmp_path: Path) -> None:
    """As on the command line, it is matrix.json in place of the two tables."""
    write(globe_by_matrix(), tmp_path / "tuesday")
    files = {file.name: file.read_bytes() for file in (tmp_path / "tuesday").iterdir()}
    for name in ("distances.csv", "durations.csv"):
        del files[name]
    form = form_from(client, {**files, "matrix.json": bytes_of(OSRM)})
    assert instance_of_form(form).sha256 == globe_by_matrix().sha256


def test_a_template_can_be_dropped_as_it_is(client: TestClient) -> None:
    """It is the first file that a planner has."""
    for name in ("template.xlsx", "template.zip"):
        answer = client.get(f"/api/templates/{name}")
        assert answer.status_code == 200
        assert f'filename="{name}"' in answer.headers["content-disposition"]
        form = form_from(client, {name: answer.content})
        assert form["units"] | {"length": "", "weight": ""} == {
            **{"length": "", "weight": "", "distance": "km", "time": "min", "cost": "EUR"}
        }
        assert instance_of_form(form).units.clock
    assert client.get("/api/templates/secrets.zip").status_code == 404


# A file that orders name.


@pytest.mark.parametrize(
    ("reference", "names"),
    [
        ("matrix.json", ("orders.json", "matrix.json")),
        ("matrix.json", ("tuesday/orders.json", "tuesday/matrix.json")),
        ("roads/osrm.json", ("tuesday/orders.json", "tuesday/roads/osrm.json")),
        ("roads/osrm.json", ("orders.json", "osrm.json")),
    ],
)
def test_a_matrix_that_orders_name_is_read(
    client: TestClient, reference: str, names: tuple[str, str]
) -> None:
    """The same answer as from the command line."""
    content = by_matrix(file=reference)
    form = form_from(client, {names[0]: bytes_of(content), names[1]: bytes_of(OSRM)})
    assert instance_of_form(form).sha256 == globe_by_matrix().sha256


def test_a_table_that_orders_name_is_read(client: TestClient) -> None:
    """Whatever it is called."""
    content = by_matrix(file="km.csv") | {"vehicles": [on_the_globe()["vehicles"][0]]}
    form = form_from(client, {"a.json": bytes_of(content), "km.csv": square(DISTANCES)})
    assert form["travel"]["roads"]["durations"] is None
    assert form["travel"]["roads"]["distances"]["places"] == 3


MISSING: list[tuple[str, dict[str, bytes], str]] = [
    ("matrix.json", {}, "'matrix.json' is not among the files; drop the orders and their matrix"),
    ("matrix.json", {"other.json": bytes_of(OSRM)}, "is not among the files"),
    ("../matrix.json", {"matrix.json": bytes_of(OSRM)}, "must not leave the folder"),
    ("/etc/passwd", {"passwd": b"x"}, "must be relative"),
    ("a\\b.json", {"b.json": bytes_of(OSRM)}, "must have / between its parts"),
    ("x" * 5_000, {"x" * 5_000: bytes_of(OSRM)}, "File name too long"),
    ("orders.json", {}, "'orders.json' is not among the files"),
]


@pytest.mark.parametrize(("reference", "others", "words"), MISSING, ids=range(len(MISSING)))
def test_a_matrix_that_is_not_there_is_asked_for(
    client: TestClient, reference: str, others: dict[str, bytes], words: str
) -> None:
    """And nothing of the server's own folders is read in its place."""
    content = by_matrix(file=reference)
    status, answer = upload(client, {"orders.json": bytes_of(content), **others})
    assert status == 422
    assert words in answer["error"]
    assert "tailgate-upload" not in answer["error"]


def test_what_orders_do_not_name_is_not_theirs(client: TestClient) -> None:
    """On the command line it would not be read, either."""
    files = {"orders.json": bytes_of(on_the_globe()), "matrix.json": bytes_of(OSRM)}
    status, answer = upload(client, files)
    assert (status, answer["notes"]) == (200, ["not read: matrix.json"])
    assert answer["form"]["travel"]["metric"] == "great-circle"


# Roads for orders that have none.


ROADS: list[tuple[dict[str, bytes], str]] = [
    ({"osrm.json": bytes_of(OSRM)}, "distances and durations"),
    ({"matrix.json": bytes_of(OSRM)}, "distances and durations"),
    ({"distances.csv": square(DISTANCES)}, "distances"),
    ({"km.csv": square(DISTANCES)}, "distances"),
    (
        {"roads/distances.csv": square(DISTANCES), "roads/durations.csv": square(DURATIONS)},
        "distances and durations",
    ),
]


@pytest.mark.parametrize(("files", "words"), ROADS, ids=range(len(ROADS)))
def test_roads_are_dropped_for_the_orders_on_the_page(
    client: TestClient, files: dict[str, bytes], words: str
) -> None:
    """The addresses came as a spreadsheet, and the roads from a map service."""
    form = form_from(client, {"orders.json": bytes_of(on_the_globe())})
    status, answer = upload(client, files, form)
    assert status == 200, answer
    assert "form" not in answer
    assert answer["roads"]["text"].endswith(f"; {words}, 1 pair without a road")
    found = instance_of_form(with_roads(form, answer["roads"]))
    assert found.distance(0, 1) == DISTANCES[0][1]
    if "durations" in words:
        assert found.sha256 == globe_by_matrix().sha256


def test_durations_come_beside_the_distances_that_are_there(client: TestClient) -> None:
    """Two files, one after the other, are the same as both at once."""
    form = form_from(client, {"orders.json": bytes_of(on_the_globe())})
    for name, rows in (("distances.csv", DISTANCES), ("durations.csv", DURATIONS)):
        status, answer = upload(client, {name: square(rows)}, form)
        assert status == 200, answer
        form = with_roads(form, answer["roads"])
    assert instance_of_form(form).sha256 == globe_by_matrix().sha256


def test_roads_may_come_with_a_spreadsheet(client: TestClient, tmp_path: Path) -> None:
    """A workbook has no way to name them."""
    path = tmp_path / "orders.xlsx"
    write(read_text_draft(json.dumps(on_the_globe()), "a", "a").to_instance(), path)
    form = form_from(client, {path.name: path.read_bytes(), "osrm.json": bytes_of(OSRM)})
    assert instance_of_form(form).sha256 == globe_by_matrix().sha256


def test_a_cell_that_is_wrong_does_not_keep_roads_away(client: TestClient) -> None:
    """They may be what is missing."""
    form = form_from(client, {"orders.json": bytes_of(on_the_globe())})
    form["customers"][0]["weight"] = "heavy"
    assert upload(client, {"osrm.json": bytes_of(OSRM)}, form)[0] == 200


def test_orders_take_the_place_of_orders_whatever_is_wrong_with_them(client: TestClient) -> None:
    """The form is not looked at unless it matters."""
    files = {"orders.json": bytes_of(on_the_globe())}
    assert upload(client, files, {"name": 3})[0] == 200


WRONG: list[tuple[dict[str, bytes], str]] = [
    ({"osrm.json": bytes_of(OSRM | {"code": "NoTable", "message": "no"})}, "answered 'NoTable'"),
    ({"ors.json": bytes_of({"error": {"code": 6004}})}, "answered with an error"),
    ({"distances.csv": square(DISTANCES, ("depot", "Mme Dupont", "Mill"))}, "no place 'Mill'"),
    ({"matrix.json": bytes_of({"distances": KILOMETRES})}, "must have 3 rows"),
    ({"a.json": bytes_of(OSRM), "b.json": bytes_of(OSRM)}, "as another file has"),
    ({"distances.csv": b""}, "empty"),
    ({"distances.csv": b"\x89PNG\0"}, "binary file"),
    ({"customers.csv": b"x"}, "give the folder"),
]


@pytest.mark.parametrize(("files", "words"), WRONG, ids=range(len(WRONG)))
def test_roads_that_cannot_be_used_are_refused_with_a_reason(
    client: TestClient, files: dict[str, bytes], words: str
) -> None:
    """With the file's own name, and nothing of the server's folders."""
    form = form_from(client, {"orders.json": bytes_of(on_the_globe())})
    status, answer = upload(client, files, form)
    assert status == 422
    assert words in answer["error"]
    assert "tailgate-upload" not in answer["error"]


def test_roads_without_orders_are_refused(client: TestClient) -> None:
    """There is nobody whom they lead to."""
    status, answer = upload(client, {"osrm.json": bytes_of(OSRM)})
    assert status == 422
    assert "drop it together with the orders, or after them" in answer["error"]


def test_names_with_markup_stay_names(client: TestClient) -> None:
    """Info is carried along as text, and its columns too."""
    content = on_the_globe()
    content["customers"][0]["info"] = {"<b>gate</b>": "<script>alert(1)</script>"}
    form = form_from(client, {"orders.json": bytes_of(content)})
    assert form["info"] == ["<b>gate</b>", "address", "phone", "note"]
    assert instance_of_form(form).customers[0].info == (
        ("<b>gate</b>", "<script>alert(1)</script>"),
    )


def test_templates_are_those_of_the_command_line(client: TestClient) -> None:
    """One source for both."""
    answer = client.get("/api/templates/template.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert {
            name: archive.read(name).decode() for name in archive.namelist()
        } == template_files()


def test_a_thousand_places_pass_and_too_much_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """A matrix is most of such a file."""
    count = 1_001
    rows = [[0 if i == j else (i * j) % 977 + 1 for j in range(count)] for i in range(count)]
    content = by_matrix(file="matrix.json")
    customer = content["customers"][0] | {"ready": "06:00", "due": "18:00"}
    content["customers"] = [customer | {"name": f"customer {i}"} for i in range(1, count)]
    content["vehicles"][0]["count"] = count
    files = {"orders.json": bytes_of(content), "matrix.json": bytes_of({"distances": rows})}
    with serving(tmp_path) as client:
        status, answer = upload(client, files)
        assert status == 200, answer
        assert answer["form"]["travel"]["roads"]["text"].startswith("road matrix, 1,001 places")
        checked = client.post("/api/check", json=answer["form"]).json()
        assert checked["valid"] or "arrives at" in checked["problems"][0]["message"]
    with serving(tmp_path, limits=Limits(upload_bytes=2_000_000)) as client:
        status, answer = upload(client, files)
        assert (status, answer["error"]) == (413, "this is too large; a request may have 3 MB")
