"""What can be taken away: sheets, report, solution, tables, maps, the orders, templates."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from tailgate.apps.serve.job import HistoryPoint, Job
from tailgate.io.json_instance import draft_json_text, json_instance_text
from tailgate.io.templates import template_files, template_workbook
from tailgate.io.text_file import MAX_FILE_BYTES, MAX_FILE_MEGABYTES
from tailgate.io.xlsx_workbook import write_xlsx
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.solution import Solution
from tailgate.report import html_report, sheets_html
from tailgate.report.csv_tables import csv_tables
from tailgate.report.gap_chart import gap_chart_svg
from tailgate.report.plan import Plan
from tailgate.solver.search.leave_out import with_everything_optional
from tailgate.solver.search.result import LeaveOut

WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def instance_of(job: Job) -> Instance:
    """Return the instance of a job, which is asked for again and again while it runs."""
    return _instance_of_text(job.instance_text, job.name, job.options.leave_out)


@lru_cache(maxsize=32)
def _instance_of_text(text: str, name: str, leave_out: LeaveOut | None) -> Instance:
    """Return the orders of which the plans are plans."""
    instance = draft_json_text(text, name, name, {}).to_instance()
    return instance if leave_out is None else with_everything_optional(instance, leave_out)


def chart_svg(job: Job, seconds: float, history: Sequence[HistoryPoint], unit: str) -> str:
    """Return bound and best plan over time, as in the report, up to now; or nothing yet."""
    now = (seconds, job.lower_bound or 0.0, job.objective)
    known = [point for point in (*history, now) if point[1] > 0 or point[2] is not None]
    return gap_chart_svg(known, unit)


def workbook_bytes(instance: Instance) -> bytes:
    """Return the orders as a workbook."""
    with tempfile.TemporaryDirectory(prefix="tailgate-workbook-") as folder:
        path = Path(folder) / "orders.xlsx"
        write_xlsx(instance, path)
        return path.read_bytes()


def instance_bytes(instance: Instance) -> bytes:
    """Return the orders as JSON; refuse more than can be read again."""
    content = json_instance_text(instance).encode("utf-8")
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            f"as JSON the orders have more than {MAX_FILE_MEGABYTES} MB, which nobody could read "
            "again; save them as a spreadsheet"
        )
    return content


def template(name: str) -> tuple[str, bytes] | None:
    """Return the type and the content of a template to overwrite with orders."""
    if name == "template.xlsx":
        return WORKBOOK_TYPE, template_workbook(name)
    if name == "template.zip":
        return "application/zip", zip_bytes(template_files())
    return None


Document = Callable[[Instance, Solution, Sequence[HistoryPoint]], str | bytes]

_UTF_8 = "charset=utf-8"
_PLAN_DOCUMENTS: dict[str, tuple[str, Document]] = {
    "sheets.html": (
        f"text/html; {_UTF_8}",
        lambda instance, solution, _history: sheets_html(instance, solution),
    ),
    "report.html": (
        f"text/html; {_UTF_8}",
        lambda instance, solution, history: html_report(instance, solution, history=history),
    ),
    "solution.json": (
        f"application/json; {_UTF_8}",
        lambda _instance, solution, _history: solution.to_json(),
    ),
    "tables.zip": (
        "application/zip",
        lambda instance, solution, _history: zip_bytes(csv_tables(Plan.of(instance, solution))),
    ),
}
_MAP_DOCUMENTS: dict[str, tuple[str, Document]] = {
    "routes.geojson": (
        "application/geo+json",
        lambda instance, solution, _history: Plan.of(instance, solution).to_geojson(),
    ),
    "routes.gpx": (
        f"application/gpx+xml; {_UTF_8}",
        lambda instance, solution, _history: Plan.of(instance, solution).to_gpx(),
    ),
}


def documents_of(instance: Instance) -> dict[str, tuple[str, Document]]:
    """Return the files that there are of a plan: the type of each, and how it is made."""
    if instance.travel.coordinates == "lat/lon":
        return _PLAN_DOCUMENTS | _MAP_DOCUMENTS
    return _PLAN_DOCUMENTS


def zip_bytes(texts: Mapping[str, str]) -> bytes:
    """Return files as an archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return packed.getvalue()


def file_name(job: Job, name: str) -> str:
    """Return a name for a download that every system takes."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in job.name)
    stem = "-".join(part for part in plain.split("-") if part)[:60]
    return f"{stem}-run-{job.number}-{name}" if stem else f"run-{job.number}-{name}"
