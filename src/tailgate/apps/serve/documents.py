"""What can be taken away: the solution, the report, the loading sheets, the orders."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from tailgate.apps.serve.job import HistoryPoint, Job
from tailgate.io.json_instance import draft_json_text, json_instance_text
from tailgate.io.xlsx_workbook import write_xlsx
from tailgate.model.instance import Instance
from tailgate.model.rounding import cost_text
from tailgate.model.solution import Route, Solution
from tailgate.report import html_report, sheets_html
from tailgate.report.gap_chart import gap_chart_svg

WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def instance_of(job: Job) -> Instance:
    """Return the instance of a job, which is asked for again and again while it runs."""
    return _instance_of_text(job.instance_text, job.name)


@lru_cache(maxsize=32)
def _instance_of_text(text: str, name: str) -> Instance:
    return draft_json_text(text, name, name, {}).to_instance()


def chart_svg(job: Job, seconds: float, history: Sequence[HistoryPoint], unit: str) -> str:
    """Return bound and best plan over time, as in the report, up to now; or nothing yet."""
    now = (seconds, job.lower_bound or 0.0, job.objective)
    known = [point for point in (*history, now) if point[1] > 0 or point[2] is not None]
    return gap_chart_svg(known, unit)


def distance_unit_of(job: Job) -> str:
    """Return in what a job's costs are, or nothing; its orders are not checked for that."""
    try:
        unit = json.loads(job.instance_text)["units"]["distance"]
    except (ValueError, TypeError, KeyError):
        return ""
    return str(unit)


def workbook_bytes(instance: Instance) -> bytes:
    """Return the orders as a workbook."""
    with tempfile.TemporaryDirectory(prefix="tailgate-workbook-") as folder:
        path = Path(folder) / "orders.xlsx"
        write_xlsx(instance, path)
        return path.read_bytes()


def instance_bytes(instance: Instance) -> bytes:
    """Return the orders as JSON."""
    return json_instance_text(instance).encode("utf-8")


Document = Callable[[Instance, Solution, Sequence[HistoryPoint]], str]

DOCUMENTS: dict[str, tuple[str, Document]] = {
    "solution.json": ("application/json", lambda _instance, solution, _history: solution.to_json()),
    "report.html": (
        "text/html",
        lambda instance, solution, history: html_report(instance, solution, history=history),
    ),
    "sheets.html": (
        "text/html",
        lambda instance, solution, _history: sheets_html(instance, solution),
    ),
}
"""By the name of the file: its type, and how it is made."""


def facts(instance: Instance) -> dict[str, object]:
    """Return what two runs are compared by, besides their results."""
    units, vehicle, rules = instance.units, instance.vehicle, instance.conventions
    floor = f"{units.length_text(vehicle.width)} x {units.length_text(vehicle.length)}"
    return {
        "customers": instance.n,
        "items": sum(len(customer.items) for customer in instance.customers),
        "trucks": f"{'up to' if rules.fleet == 'at-most' else 'exactly'} {instance.vehicle_count}",
        "floor": f"{floor} {units.length_unit}".rstrip(),
        "payload": f"{units.weight_text(vehicle.capacity)} {units.weight_unit}".rstrip(),
        "unloading": "straight out of the door" if rules.lifo else "items may be moved aside",
        "distances": rules.distance,
        "single stops": "allowed" if rules.single_customer_routes == "allow" else "not allowed",
        "distance_unit": units.distance_unit,
        "fingerprint": instance.sha256[:12],
    }


def plan_content(instance: Instance, solution: Solution) -> dict[str, object]:
    """Return the trucks of a plan for the page."""
    return {
        "trucks": [_truck(instance, route) for route in solution.routes],
        "unused": max(0, instance.vehicle_count - len(solution.routes)),
    }


def _truck(instance: Instance, route: Route) -> dict[str, object]:
    units, vehicle = instance.units, instance.vehicle
    return {
        "stops": [instance.label(number) for number in route.customers],
        "cost": cost_text(route.cost),
        "weight": f"{units.weight_text(route.weight)} {units.weight_unit}".rstrip(),
        "weight_share": route.weight / vehicle.capacity,
        "floor_share": route.area / vehicle.area,
        "items": len(route.placements),
    }


def file_name(job: Job, name: str) -> str:
    """Return a name for a download that every system takes."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in job.name)
    stem = "-".join(part for part in plain.split("-") if part)[:60]
    return f"{stem}-run-{job.number}-{name}" if stem else f"run-{job.number}-{name}"
