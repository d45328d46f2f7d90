"""``tailgate template``: tables to overwrite, which nothing of one's own is lost for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_runs import refused
from tailgate.apps.cli.main import main
from tailgate.io.templates import template_instance
from tailgate.solver.loading import read


@pytest.mark.parametrize("name", ["orders.xlsx", "orders"])
def test_the_template_is_written_and_read(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A workbook or a folder, by the name; the next step is printed."""
    path = tmp_path / name
    assert main(["template", str(path)]) == 0
    assert capsys.readouterr().out.endswith(f"then: tailgate solve {path}\n")
    assert read(path) == template_instance()


def test_json_and_quiet_name_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For scripts that go on with them."""
    folder = tmp_path / "orders"
    assert main(["template", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["path"] == str(folder)
    assert sorted(told["files"]) == sorted(map(str, folder.iterdir()))
    assert main(["template", str(folder), "--force", "--quiet"]) == 0
    assert capsys.readouterr().out == f"{folder}\n"


def test_nothing_is_overwritten_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Yesterday's orders are worth more than a template."""
    path = tmp_path / "orders.xlsx"
    path.write_bytes(b"mine")
    assert "exists already; overwrite it with --force" in refused(capsys, "template", str(path))
    assert path.read_bytes() == b"mine"
    assert main(["template", str(path), "--force", "--quiet"]) == 0
    capsys.readouterr()
    (tmp_path / "customers.csv").write_text("mine")
    assert "exists already" in refused(capsys, "template", str(tmp_path))


@pytest.mark.parametrize("name", ["orders.json", "orders.csv", "missing/orders"])
def test_other_names_are_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what would do."""
    said = refused(capsys, "template", str(tmp_path / name))
    assert "choose .xlsx, or a folder without a dot" in said or "make it first" in said
