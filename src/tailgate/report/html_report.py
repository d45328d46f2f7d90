"""The report on a solution: one file that opens from disk and needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tailgate
from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Instance
from tailgate.model.plausibility import check_plausibility
from tailgate.model.solution import Solution
from tailgate.report.fleet_html import fleet_table, left_out_table, rule_table
from tailgate.report.gap_chart import Progress, axis_note, changes, gap_chart_svg
from tailgate.report.html import (
    NOTHING,
    Column,
    Html,
    document,
    joined,
    numbers,
    packaged_text,
    table,
    tag,
)
from tailgate.report.kind_use import used_trucks
from tailgate.report.left_out import left_out_text
from tailgate.report.plan import Plan
from tailgate.report.route_map import line_sample, route_map
from tailgate.report.trip_columns import trip_columns, trip_totals
from tailgate.report.truck import Truck
from tailgate.report.truck_section import truck_section
from tailgate.report.verdict import verdict_badge, violation_list, warning_box
from tailgate.report.words import share_text, solution_values, titled

_STATUSES = {
    "optimal": "Optimal: it is proven that no plan is cheaper.",
    "feasible": "A valid plan; how much cheaper another might be is bounded by the gap.",
    "infeasible": "It is proven that there is no plan.",
    "bound_only": "No plan was found; that there is none is not proven.",
}
_NO_STATUS = (
    "The solution has not passed the judge: what it states of itself below is not to be trusted."
)
_MOST_HISTORY_ROWS = 40
_MANY_COLUMNS = 8


def html_report(instance: Instance, solution: Solution, *, history: Sequence[Progress] = ()) -> str:
    """Return a report with map, progress, and a plan of every truck that can be unloaded by hand.

    ``history`` has (seconds, lower bound, cost of the best plan or ``None``) for moments of the
    search; without it the report has no chart. The solution is judged first: one that does not
    pass is marked NOT VERIFIED throughout.
    """
    plan = Plan.of(instance, solution)
    content = tag(
        "main",
        _summary(plan),
        _left_out_section(plan),
        _map_section(plan),
        _progress_section(history, CostUnit.of_instance(instance)),
        *(truck_section(truck) for truck in plan.trucks),
        _rules_section(plan),
        id="content",
    )
    return document(
        f"Report: {instance.name}",
        tag("a", "Skip to the content", href="#content", class_="skip"),
        _header(plan),
        content,
        _footer(plan),
        style=packaged_text("report.css"),
        script=packaged_text("report.js"),
        color_scheme="light dark",
    )


def _header(plan: Plan) -> Html:
    links = [
        tag("a", f"Truck {truck.number}", href=f"#truck-{truck.number}") for truck in plan.trucks
    ]
    return tag(
        "header",
        tag("div", tag("h1", plan.instance.name or "Plan"), verdict_badge(plan)),
        violation_list(plan.violations),
        warning_box(check_plausibility(plan.instance)),
        tag("nav", *links, aria_label="Trucks") if links else NOTHING,
    )


def _summary(plan: Plan) -> Html:
    facts = [tag("div", tag("dt", name), tag("dd", value)) for name, value in _facts(plan)]
    return tag(
        "section",
        tag("h2", "Result", id="result"),
        tag("p", _STATUSES[plan.solution.status] if plan.verified else _NO_STATUS),
        tag("dl", *facts, class_="facts"),
        fleet_table(plan),
        _truck_table(plan) if plan.trucks else NOTHING,
        aria_labelledby="result",
    )


def _facts(plan: Plan) -> Iterator[tuple[str, str]]:
    unit = CostUnit.of_instance(plan.instance)
    yield from solution_values(plan.solution, unit)
    totals = trip_totals([truck.trip for truck in plan.trucks], plan.solution.objective)
    yield from ((name, total) for name, total in totals.items() if name != "Cost")
    yield "Trucks", used_trucks(plan)
    yield "Customers", str(plan.instance.n)
    if plan.solution.left_out:
        yield "Left out", left_out_text(plan.solution.left_out, unit)
    yield "Conventions", plan.solution.conventions.text


def _truck_table(plan: Plan) -> Html:
    trips = trip_columns([truck.trip for truck in plan.trucks], plan.solution.objective)
    has_map = plan.instance.travel.coordinates != "none"
    has_kinds = plan.instance.has_kinds
    columns = [
        Column("Truck"),
        *([Column("Vehicle")] if has_kinds else []),
        *([Column("Line on the map")] if has_map else []),
        *numbers(*(column.title for column in trips), "Floor covered", "Weight"),
        Column("Route", is_name=True),
    ]
    rows = [
        [
            tag("a", str(truck.number), href=f"#truck-{truck.number}"),
            *([truck.kind] if has_kinds else []),
            *([line_sample(truck.number)] if has_map else []),
            *(column.texts[index] for column in trips),
            share_text(truck.fill),
            truck.load_text,
            _route_cell(truck),
        ]
        for index, truck in enumerate(plan.trucks)
    ]
    class_ = "trucks many-columns" if len(columns) > _MANY_COLUMNS else "trucks"
    return tag("div", table("The trucks", columns, rows, class_=class_), class_="wide")


def _route_cell(truck: Truck) -> str:
    if not truck.locked_text:
        return truck.route_text
    return joined([truck.route_text, tag("div", tag("b", f"Locked: {truck.locked_text}"))])


def _left_out_section(plan: Plan) -> Html:
    if not plan.solution.left_out:
        return NOTHING
    return tag(
        "section",
        tag("h2", "Left out", id="left-out"),
        tag("div", left_out_table(plan), class_="wide"),
        aria_labelledby="left-out",
    )


def _rules_section(plan: Plan) -> Html:
    rules = rule_table(plan)
    if not rules:
        return NOTHING
    return tag(
        "section",
        tag("h2", "Rules", id="rules"),
        tag("div", rules, class_="wide"),
        aria_labelledby="rules",
    )


def _map_section(plan: Plan) -> Html:
    if not plan.trucks:
        return NOTHING
    return tag("section", tag("h2", "Map", id="map"), route_map(plan), aria_labelledby="map")


def _progress_section(history: Sequence[Progress], unit: CostUnit) -> Html:
    chart = gap_chart_svg(history, unit.name)
    if not chart:
        return NOTHING
    columns = numbers("Seconds", titled("Lower bound", unit.name), titled("Best plan", unit.name))
    moments = changes(history)
    # The last ones show how it ended; the chart has them all.
    rows = [
        (
            f"{seconds:.2f}",
            unit.bound_number(bound),
            "none yet" if cost is None else unit.cost_number(cost),
        )
        for seconds, bound, cost in moments[-_MOST_HISTORY_ROWS:]
    ]
    caption = "Changes of bound and plan"
    if len(moments) > len(rows):
        caption += f", the last {len(rows)} of {len(moments)}"
    return tag(
        "section",
        tag("h2", "Gap over time", id="progress"),
        tag("figure", Html(chart), tag("figcaption", axis_note(history, unit.name))),
        tag("details", tag("summary", "The same as a table"), table(caption, columns, rows)),
        aria_labelledby="progress",
    )


def _footer(plan: Plan) -> Html:
    solver = plan.solution.solver
    stated = [f"{name} {solver[name]}" for name in ("version", "seed") if name in solver]
    seconds = solver.get("seconds")
    if isinstance(seconds, (int, float)):
        stated.append(f"after {seconds:.3f} s")
    sentences = [
        f"Made by Tailgate {tailgate.__version__} from instance {plan.instance.sha256}.",
        *([f"Found by: {', '.join(stated)}."] if stated else []),
    ]
    return tag("footer", tag("p", " ".join(sentences)))
