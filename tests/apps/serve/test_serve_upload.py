"""Files that are dropped onto the page, friendly ones and hostile ones."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from builders import REPOSITORY
from serve_setting import form_at, serving, upload
from tailgate.apps.serve.limits import Limits
from tailgate.io import write
from tailgate.solver.loading import read

EXAMPLES = REPOSITORY / "examples"
GARDEN = EXAMPLES / "garden_centres"
TABLES = {
    name: (GARDEN / name).read_bytes() for name in ("customers.csv", "items.csv", "vehicle.json")
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that takes two megabytes."""
    folder = tmp_path_factory.mktemp("upload")
    with serving(folder, limits=Limits(upload_bytes=2_000_000)) as one:
        yield one


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return an archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def test_one_file_of_each_format_is_read(client: TestClient, tmp_path: Path) -> None:
    """Whatever a planner has is taken."""
    write(read(GARDEN), tmp_path / "garden.xlsx")
    for path in (
        EXAMPLES / "random-n15-c2-s1.txt",
        EXAMPLES / "trailer.json",
        tmp_path / "garden.xlsx",
    ):
        status, answer = upload(client, {path.name: path.read_bytes()})
        assert status == 200, answer
        assert answer["form"] == form_at(path)


def test_a_folder_is_read_as_files_and_as_a_zip(client: TestClient) -> None:
    """Browsers give the files of a folder one by one, perhaps with its name."""
    expected = form_at(GARDEN)
    others = {"routes.csv": b"truck,route\n", ".DS_Store": b"\0", "__MACOSX/._items.csv": b"\0"}
    inside = {f"tuesday/{name}": content for name, content in TABLES.items()}
    for files in (TABLES, TABLES | others, inside, {"all.zip": zipped(inside | others)}):
        status, answer = upload(client, files)
        assert status == 200, answer
        assert answer["form"] == expected
        if "routes.csv" in files:
            assert answer["notes"] == ["not read: routes.csv"]


def test_a_zip_may_hold_one_file_of_any_format(client: TestClient) -> None:
    """Mail programs pack everything."""
    path = EXAMPLES / "trailer.json"
    status, answer = upload(client, {"x.zip": zipped({"trailer.json": path.read_bytes()})})
    assert status == 200
    assert answer["form"] == form_at(path)


def test_a_broken_cell_is_named_with_its_file_and_line(client: TestClient) -> None:
    """Nobody finds it otherwise; and the server's folders are nobody's business."""
    broken = TABLES | {"items.csv": TABLES["items.csv"].replace(b"0.72", b"0,72", 1)}
    status, answer = upload(client, broken)
    assert status == 422
    assert answer["error"].startswith("items.csv:")
    for message in (answer["error"], upload(client, {"a/b/c.json": b"{"})[1]["error"]):
        assert "tmp" not in message
        assert "tailgate-upload" not in message


def test_a_file_that_is_wrong_as_a_whole_can_still_be_mended(client: TestClient) -> None:
    """An item that is too wide is a cell to correct, and no reason to refuse the file."""
    wide = TABLES | {"items.csv": TABLES["items.csv"].replace(b"1.2,2.05", b"9.2,2.05")}
    status, answer = upload(client, wide)
    assert status == 200
    checked = client.post("/api/check", json=answer["form"]).json()
    assert [problem["path"] for problem in checked["problems"]] == ["customers[7].items[0].width"]


WRONG: list[tuple[dict[str, bytes], str]] = [
    ({}, "there are 0 files"),
    ({"a.json": b"{}", "b.json": b"{}"}, "there are 2 files"),
    ({"a.json": b"{}"}, 'must be an object with "format"'),
    ({"a.json": b'{"format": "tailgate-solution-1"}'}, "a solution, not an instance"),
    ({"customers.csv": TABLES["customers.csv"]}, "give the folder"),
    ({"customers.csv": b"x", "items.csv": b"x"}, "lacks vehicle.json"),
    ({**TABLES, "vehicle.json": b"", "vehicle.csv": b"x"}, "vehicle.json: the file is empty"),
    (
        {"customers.csv": b"x", "items.csv": b"x", "vehicle.csv": b"x"},
        "}}; not read: vehicle.csv",
    ),
    ({"a/items.csv": b"x", "b/items.csv": b"x"}, "items.csv is there twice"),
    ({"a.txt": b"\x89PNG\r\n\0\0"}, "binary file"),
    ({"a.exe": b"MZ\0\0"}, "binary file"),
    ({"a.txt": b""}, "empty"),
    ({"a.xlsx": b"PK\x03\x04 but no more"}, "not a workbook that can be read"),
    ({"a.xlsx": b"customer;x;y"}, "not a workbook"),
    ({"a.zip": b"PK\x03\x04 but no more"}, "cannot be unpacked"),
    ({"a.zip": zipped({"../../customers.csv": b"x"})}, "outside itself"),
    ({"a.zip": zipped({"/etc/passwd": b"x"})}, "outside itself"),
    ({"a.zip": zipped({"..\\..\\items.csv": b"x"})}, "outside itself"),
    ({"a.zip": zipped({"b.zip": zipped({"c.json": b"{}"})})}, "binary file"),
    ({"a.zip": zipped({"bomb.json": b" " * 50_000_000})}, "more than 2 MB"),
    ({"a.zip": zipped({f"{number}": b"" for number in range(1_001)})}, "more than 2 MB"),
    ({"../../../etc/passwd": b"x"}, "number of customers"),
    ({"<script>alert(1)</script>.json": b"{}"}, 'must be an object with "format"'),
    ({"nul\0byte.json": b"{}"}, 'must be an object with "format"'),
]


@pytest.mark.parametrize(("files", "words"), WRONG, ids=range(len(WRONG)))
def test_what_cannot_be_read_is_refused_with_a_reason(
    client: TestClient, files: dict[str, bytes], words: str
) -> None:
    """Hostile or merely wrong: one sentence, and nothing outside a folder of our own."""
    status, answer = upload(client, files)
    assert status == 422
    assert words in answer["error"]


def test_a_workbook_that_unpacks_to_too_much_is_refused(client: TestClient) -> None:
    """It is a zip, too, and may be a bomb."""
    bomb = zipped({"[Content_Types].xml": b"<a/>", "xl/workbook.xml": b" " * 60_000_000})
    status, answer = upload(client, {"a.xlsx": bomb})
    assert status == 422
    assert "when unpacked" in answer["error"]


def test_an_archive_that_lies_about_its_sizes_is_refused(client: TestClient) -> None:
    """No more is unpacked of an entry than it states."""
    packed = bytearray(zipped({"bomb.json": b" " * 5_000_000}))
    packed = packed.replace((5_000_000).to_bytes(4, "little"), (1_000).to_bytes(4, "little"))
    status, answer = upload(client, {"a.zip": bytes(packed)})
    assert status == 422
    assert "cannot be unpacked" in answer["error"]


def test_bytes_that_are_not_base64_are_refused(client: TestClient) -> None:
    """Another program may have sent them."""
    body = {"files": [{"name": "a.json", "content": "<!>"}]}
    response = client.post("/api/read", json=body)
    assert response.status_code == 422
    assert "base64" in response.json()["error"]


def test_more_customers_than_the_page_takes_are_refused(tmp_path: Path) -> None:
    """The command line has no such limit, and the message says so."""
    with serving(tmp_path, limits=Limits(customers=9)) as client:
        status, answer = upload(client, TABLES)
    assert status == 422
    assert "use tailgate solve" in answer["error"]
