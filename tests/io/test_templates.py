"""The template: tables that are read as they are, and show all that may be filled in."""

from __future__ import annotations

from pathlib import Path

import pytest

from file_cases import parse_file
from tailgate.io.csv_folder import write_tables
from tailgate.io.headings import (
    CUSTOMER_HEADINGS,
    INFO_COLUMNS,
    SETTING_HEADINGS,
    VEHICLE_HEADINGS,
)
from tailgate.io.templates import (
    template_files,
    template_instance,
    template_tables,
    template_workbook,
)
from tailgate.model.plausibility import check_plausibility
from tailgate.solver.loading import read
from tailgate.solver.search.solver import solve


def test_both_templates_are_read_as_the_same_orders(tmp_path: Path) -> None:
    """Whoever begins with the workbook or with the folder begins with the same day."""
    write_tables(template_files(), tmp_path / "csv")
    (tmp_path / "template.xlsx").write_bytes(template_workbook())
    assert parse_file(tmp_path / "csv") == template_instance()
    assert read(tmp_path / "template.xlsx") == template_instance()


def test_the_template_shows_every_column_and_explains_every_setting() -> None:
    """What is not there to overwrite is not found."""
    tables = template_tables()
    assert set(tables["vehicles"][0]) == set(VEHICLE_HEADINGS.known)
    shown = {row[0] for row in tables["settings"][1:]}
    assert set(SETTING_HEADINGS.known) - shown == {"depot x", "depot y"}
    assert all(meaning for _, _, meaning in tables["settings"])
    columns = set(tables["customers"][0])
    assert set(CUSTOMER_HEADINGS.known) - columns - set(INFO_COLUMNS) == {"x", "y"}
    assert set(INFO_COLUMNS) & columns
    assert len(tables["vehicles"]) == 3


def test_the_template_looks_like_no_mistake() -> None:
    """Warnings about our own example would be embarrassing."""
    assert check_plausibility(template_instance()) == ()


@pytest.mark.programs
def test_the_template_can_be_solved_as_it_is() -> None:
    """The first thing that people do with it."""
    result = solve(template_instance(), time_limit=60)
    assert result.status == "optimal"
