"""``tailgate show``: pictures, sheets and report from files."""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from builders import small_instance, small_solution, with_placement
from report_cases import mixed_fleet
from tailgate.apps.cli.main import main
from tailgate.io import write_json, write_solution

TABLES = {f"{name}.csv" for name in ("loading", "unloading", "legs", "trucks", "stops")}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """Write an instance, a plan of two trucks that is right, and one with an overlap."""
    instance = small_instance()
    solution = small_solution(instance)
    paths = [tmp_path / name for name in ("city.json", "right.json", "wrong.json")]
    write_json(instance, paths[0])
    write_solution(solution, paths[1])
    write_solution(with_placement(solution, 0, 2, x=1), paths[2])
    instance_path, right, wrong = (str(path) for path in paths)
    return instance_path, right, wrong


def names(folder: Path) -> set[str]:
    """Return what is in a folder."""
    return {path.name for path in folder.iterdir()}


def test_a_valid_plan_is_drawn(
    files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sheets, report and two pictures per truck, without any option."""
    folder = tmp_path / "deep" / "plans"
    assert main(["show", files[0], files[1], "--out", str(folder)]) == 0
    assert names(folder) == {
        "sheets.html",
        "report.html",
        "truck-1.svg",
        "truck-1-unloading.svg",
        "truck-2.svg",
        "truck-2-unloading.svg",
    }
    out = capsys.readouterr().out
    assert out.startswith("verified, and drawn:\n")
    assert f"  {folder / 'sheets.html'} (to print, from a browser)\n" in out
    assert "Truck 2 of 2" in (folder / "truck-2.svg").read_text(encoding="utf-8")


def test_the_report_goes_where_it_is_told_and_tables_are_made(
    files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--quiet`` prints the paths alone, so that a script can use them."""
    folder, report = tmp_path / "plans", tmp_path / "monday.html"
    argv = ["show", files[0], files[1], "--out", str(folder), "--report", str(report)]
    assert main([*argv, "--format", "csv", "--quiet"]) == 0
    assert names(folder) == {"sheets.html"} | TABLES
    printed = {Path(line) for line in capsys.readouterr().out.splitlines()}
    assert printed == {*folder.iterdir(), report}
    # A report of ours may be replaced.
    assert main([*argv, "--format", "csv", "--quiet"]) == 0


@pytest.mark.parametrize(
    ("formats", "more"),
    [("html", set()), ("html,csv", TABLES)],
)
def test_html_is_the_pages_and_nothing_else(
    files: tuple[str, str, str], tmp_path: Path, formats: str, more: set[str]
) -> None:
    """Who wants to print the sheets asks for them by their ending."""
    folder = tmp_path / "plans"
    assert main(["show", files[0], files[1], "--out", str(folder), "--format", formats]) == 0
    assert names(folder) == {"sheets.html", "report.html"} | more


def test_the_report_may_go_into_the_folder_that_is_made(
    files: tuple[str, str, str], tmp_path: Path
) -> None:
    """Its folder does not exist yet, and that is no mistake."""
    folder = tmp_path / "plans"
    argv = ["show", files[0], files[1], "--out", str(folder), "--format", "csv"]
    assert main([*argv, "--report", str(folder / "monday.html")]) == 0
    assert "monday.html" in names(folder)
    assert "report.html" not in names(folder)


def test_a_wrong_plan_is_refused_with_its_violations(
    files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody loads a truck after a plan that does not hold."""
    folder = tmp_path / "plans"
    assert main(["show", files[0], files[2], "--out", str(folder)]) == 4
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "not drawn: the solution has 1 violation" in captured.err
    assert "[overlap]" in captured.err
    assert not folder.exists()


def test_a_wrong_plan_can_be_drawn_in_red(
    files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To see what is wrong with it; the code still says that it did not pass."""
    folder = tmp_path / "plans"
    assert main(["show", files[0], files[2], "--out", str(folder), "--unverified"]) == 4
    assert "[overlap]" in capsys.readouterr().err
    assert len(names(folder)) == 6
    for path in folder.iterdir():
        assert "NOT VERIFIED" in path.read_text(encoding="utf-8"), path.name


def test_json_tells_verdict_and_files(
    files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same keys whether it was drawn or not."""
    argv = ["--out", str(tmp_path / "plans"), "--json"]
    assert main(["show", files[0], files[2], *argv]) == 4
    refused = json.loads(capsys.readouterr().out)
    assert (refused["valid"], refused["files"]) == (False, [])
    assert refused["violations"][0]["kind"] == "overlap"
    assert main(["show", files[0], files[1], *argv]) == 0
    drawn = json.loads(capsys.readouterr().out)
    assert (drawn["valid"], drawn["violations"]) == (True, [])
    assert all(Path(path).is_file() for path in drawn["files"])


def test_pictures_of_another_plan_are_not_mixed_with_these(
    files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A truck 3 of yesterday beside two trucks of today would be loaded, too."""
    folder = tmp_path / "plans"
    folder.mkdir()
    (folder / "truck-3.svg").write_text("<svg/>")
    assert main(["show", files[0], files[1], "--out", str(folder)]) == 2
    assert "holds pictures of another plan, such as truck-3.svg" in capsys.readouterr().err
    assert names(folder) == {"truck-3.svg"}


def test_a_fleet_is_drawn_from_its_files(tmp_path: Path) -> None:
    """Kinds, rules, locks and what is left out go through both files."""
    instance, solution = mixed_fleet()
    (order,) = solution.left_out
    write_json(instance, tmp_path / "city.json")
    explained = replace(solution, left_out=(replace(order, reason="no hours left"),))
    write_solution(explained, tmp_path / "plan.json")
    folder = tmp_path / "plans"
    argv = ["show", str(tmp_path / "city.json"), str(tmp_path / "plan.json"), "--out", str(folder)]
    assert main([*argv, "--format", "svg,csv,geojson,gpx"]) == 0
    assert names(folder) >= TABLES | {"fleet.csv", "left_out.csv", "routes.gpx", "truck-2.svg"}
    assert "Truck 2 of 2, van" in (folder / "truck-2.svg").read_text(encoding="utf-8")
    assert "no hours left" in (folder / "left_out.csv").read_text(encoding="utf-8")
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert "Locked: first stop" in report
    assert "no hours left" in report
    # A second time, as always.
    assert main([*argv, "--format", "csv"]) == 0


def test_a_table_of_another_plan_is_not_left_beside_these(
    files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """This plan leaves nothing out; yesterday's list would say otherwise."""
    folder = tmp_path / "plans"
    folder.mkdir()
    (folder / "left_out.csv").write_text("customer")
    argv = ["show", files[0], files[1], "--out", str(folder), "--format", "csv"]
    assert main(argv) == 2
    assert "holds left_out.csv of another plan" in capsys.readouterr().err
    assert names(folder) == {"left_out.csv"}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--format", "jpg"], "knows html, svg, png, pdf, csv, geojson, gpx, got 'jpg'"),
        (["--format", "svg,gpx"], "--format: gpx needs latitudes and longitudes, but the places"),
        (["--report", "report.txt"], "name it .html"),
        (["--report", "nowhere/report.html"], "does not exist; make it first"),
        (["--report", "city.html"], "is not a report of Tailgate; it is left as it is"),
    ],
)
def test_mistakes_are_told_before_anything_is_written(
    files: tuple[str, str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    complaint: str,
) -> None:
    """The message names the option and the remedy."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "city.html").write_text("<p>mine</p>")
    assert main(["show", files[0], files[1], "--out", "plans", *options]) == 2
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "plans").exists()


def test_a_file_is_no_folder(
    files: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """``--out`` with a file's name is a slip of the pen."""
    assert main(["show", files[0], files[1], "--out", files[1]]) == 2
    assert "is a file, not a folder" in capsys.readouterr().err


def test_a_solution_without_routes_has_nothing_to_draw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bound alone loads no truck."""
    instance = small_instance()
    write_json(instance, tmp_path / "city.json")
    nothing = small_solution(
        instance, status="bound_only", objective=None, lower_bound=40, gap=None, routes=()
    )
    write_solution(nothing, tmp_path / "bound.json")
    argv = ["show", str(tmp_path / "city.json"), str(tmp_path / "bound.json")]
    assert main([*argv, "--out", str(tmp_path / "plans")]) == 2
    assert "has no routes" in capsys.readouterr().err


@pytest.mark.parametrize("error", [ImportError("no module"), OSError("no library called cairo")])
def test_png_without_its_extra_names_the_extra(
    files: tuple[str, str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    """The package or the system's library may be missing; both are told before any work."""

    def refuse(_: str) -> ModuleType:
        raise error

    refusing = SimpleNamespace(import_module=refuse)
    monkeypatch.setattr("tailgate.report.picture_formats.importlib", refusing)
    folder = tmp_path / "plans"
    assert main(["show", files[0], files[1], "--out", str(folder), "--format", "png"]) == 2
    message = capsys.readouterr().err
    assert "pip install 'tailgate[pictures]'" in message
    assert ("libcairo2" in message) == isinstance(error, OSError)
    assert not folder.exists()


def test_png_and_pdf_are_made_by_the_extra(files: tuple[str, str, str], tmp_path: Path) -> None:
    """Two pictures per truck and format."""
    try:
        importlib.import_module("cairosvg")
    except (ImportError, OSError) as error:
        pytest.skip(f"the extra `pictures` is not usable here: {error}")
    folder = tmp_path / "plans"
    assert main(["show", files[0], files[1], "--out", str(folder), "--format", "png,pdf"]) == 0
    for stem in ("truck-1", "truck-1-unloading", "truck-2", "truck-2-unloading"):
        assert (folder / f"{stem}.png").read_bytes().startswith(b"\x89PNG")
        assert (folder / f"{stem}.pdf").read_bytes().startswith(b"%PDF")
    assert not list(folder.glob("*.svg"))
    assert "cairosvg" in sys.modules


def test_solve_writes_a_report_with_the_gap_over_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The search tells its progress, and the report shows it."""
    report, instance = tmp_path / "report.html", tmp_path / "city.json"
    write_json(small_instance(), instance)
    assert main(["solve", str(instance), "--report", str(report)]) == 0
    assert f"written: {report}" in capsys.readouterr().err
    text = report.read_text(encoding="utf-8")
    assert "Gap over time" in text
    assert "Optimal: it is proven that no plan is cheaper." in text


def test_solve_refuses_a_report_that_would_destroy_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the search begins, not after an hour of it."""
    instance, page = tmp_path / "city.json", tmp_path / "page.html"
    write_json(small_instance(), instance)
    page.write_text("<p>mine</p>")
    assert main(["solve", str(instance), "--report", str(page)]) == 2
    assert "is not a report of Tailgate" in capsys.readouterr().err
    assert page.read_text() == "<p>mine</p>"
