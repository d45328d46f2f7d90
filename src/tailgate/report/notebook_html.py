"""What a notebook shows: results as a sentence, a table and, where there is a plan, pictures."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from tailgate.model.aliases import RoutePath
from tailgate.model.cost_unit import CostUnit
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance
from tailgate.model.rounding import bound_text, counted, number_text
from tailgate.model.solution import Solution
from tailgate.model.units import with_unit
from tailgate.report.customer_columns import AXES, info_names
from tailgate.report.fleet_html import fleet_table, left_out_table
from tailgate.report.html import NOTHING, Column, Html, joined, numbers, table, tag
from tailgate.report.kind_use import used_trucks
from tailgate.report.loading_plan_svg import loading_plan_svg
from tailgate.report.order_rules import rule_columns
from tailgate.report.plan import Plan
from tailgate.report.route_map import route_map
from tailgate.report.svg_text import TIMES
from tailgate.report.time_words import TimeWords
from tailgate.report.trip_columns import trip_totals
from tailgate.report.truck import Truck
from tailgate.report.verdict import verdict_badge, violation_list
from tailgate.report.words import share_text, solution_values, titled
from tailgate.solver.column_generation import BoundResult
from tailgate.solver.loading import LoadingResult, Verdict, planned_route
from tailgate.solver.search.result import SolveResult

_MOST_ROWS = 60
_MOST_PICTURES = 20
_NOT_JUDGED = (
    "Not judged here, for a solution does not hold its instance: "
    "Plan.of(instance, solution) judges it and draws it."
)


def html_of(thing: object) -> str:
    """Return the HTML of an instance or a result; it needs no style and no script."""
    match thing:
        case Instance():
            return _instance(thing)
        case Plan():
            return _plan(thing)
        case Solution():
            name = tag("p", tag("b", thing.instance_name), f": {thing.status}")
            values = _solution_values(thing)
            return tag("div", name, values, _routes(thing), tag("p", _NOT_JUDGED))
        case SolveResult():
            return _solve_result(thing)
        case BoundResult():
            return _bound_result(thing)
        case LoadingResult():
            return _loading_result(thing)
    raise InputError(f"there is no picture of {type(thing).__name__}")


def _instance(instance: Instance) -> Html:
    units = instance.units
    customers = counted(instance.n, "customer")
    facts = f"{customers}, {_vehicles(instance)}; {instance.conventions.text}"
    unit, rules = CostUnit.of_instance(instance), rule_columns(instance)
    windows = instance.has_time_windows
    words = TimeWords(instance)
    titles = ("Ready", "Due", titled("Service", words.unit)) if windows else ()
    axes = AXES[instance.travel.coordinates]
    info = info_names(instance)
    columns = [
        Column("Customer"),
        Column("Name"),
        *numbers(*axes, "Weight", "Items"),
        *map(Column, (*titles, *(rule.title for rule in rules), *info)),
    ]
    rows = [
        [
            str(number),
            customer.name,
            *(units.coordinate_text(getattr(customer, axis)) for axis in axes.values()),
            units.weight_text(customer.weight),
            str(len(customer.items)),
            *(_window(words, customer) if windows else ()),
            *(rule.text(customer, unit) for rule in rules),
            *(dict(customer.info).get(name, "") for name in info),
        ]
        for number, customer in enumerate(instance.customers[:_MOST_ROWS], start=1)
    ]
    heading = tag("p", tag("b", instance.name), ": ", facts)
    return tag("div", heading, _table("Customers", columns, rows, instance.n))


def _vehicles(instance: Instance) -> str:
    """Return how many vehicles there are, kind by kind, with floor and payload."""
    units, texts = instance.units, []
    for vehicle in instance.vehicles:
        floor = f"{units.length_text(vehicle.width)} {TIMES} {units.length_text(vehicle.length)}"
        count = counted(vehicle.count, "vehicle")
        if instance.has_kinds:
            count = f'{vehicle.count} "{vehicle.name}"'
        texts.append(
            f"{count} of {with_unit(floor, units.length_unit)} and "
            f"{with_unit(units.weight_text(vehicle.capacity), units.weight_unit)}"
        )
    return ", ".join(texts)


def _window(words: TimeWords, customer: Customer) -> tuple[str, str, str]:
    due = "" if customer.due is None else words.given(customer.due)
    return words.given(customer.ready), due, number_text(customer.service)


def _plan(plan: Plan) -> Html:
    """Return the judge's verdict, the map, and the trucks to be opened one by one."""
    trucks = plan.trucks[:_MOST_PICTURES]
    drawn = [
        tag(
            "details",
            tag("summary", _truck_line(truck)),
            Html(_picture(truck, truck.title)),
            open=index == 0,
        )
        for index, truck in enumerate(trucks)
    ]
    left_out = len(plan.trucks) - len(trucks)
    return tag(
        "div",
        verdict_badge(plan),
        violation_list(plan.violations),
        tag("p", _totals(plan)) if plan.trucks else NOTHING,
        fleet_table(plan),
        left_out_table(plan) if plan.solution.left_out else NOTHING,
        route_map(plan) if plan.trucks else NOTHING,
        *drawn,
        tag("p", f"and {counted(left_out, 'truck')} more: tailgate.report.html_report shows all")
        if left_out
        else NOTHING,
    )


def _totals(plan: Plan) -> str:
    totals = trip_totals([truck.trip for truck in plan.trucks], plan.solution.objective)
    kinds = {"trucks": used_trucks(plan)} if plan.instance.has_kinds else {}
    return ", ".join(f"{name.lower()} {total}" for name, total in (totals | kinds).items())


def _truck_line(truck: Truck) -> str:
    trip = truck.trip
    words = [
        trip.cost_words,
        *([trip.distance_text] if trip.shows_distance else ()),
        *([trip.hours_text, f"duration {trip.duration_words}"] if trip.is_timed else ()),
        f"floor {share_text(truck.fill)}",
        f"weight {truck.load_text}",
        *([f"locked: {truck.locked_text}"] if truck.locked_text else ()),
    ]
    return f"{truck.title}: {truck.route_text}; {', '.join(words)}"


def _picture(truck: Truck, title: str) -> str:
    """Draw a truck; its ids must be its own, for all outputs of a notebook share one page."""
    content = f"{truck.instance.sha256} {truck.number} {truck.route}"
    prefix = f"plan-{hashlib.sha256(content.encode('utf-8')).hexdigest()[:12]}"
    return loading_plan_svg(
        truck.instance,
        truck.route,
        title=f"{truck.instance.name}: {title}",
        id_prefix=prefix,
        verified=truck.verified,
    )


def _solve_result(result: SolveResult) -> Html:
    if result.solution is None:
        return tag("div", tag("p", result.headline))
    if result.instance is None:
        shown = joined([_routes(result.solution), tag("p", _NOT_JUDGED)])
    else:
        shown = _plan(Plan.of(result.instance, result.solution))
    return tag("div", tag("p", result.headline), _solution_values(result.solution), shown)


def _solution_values(solution: Solution) -> Html:
    values = solution_values(solution, CostUnit.of_solution(solution))
    return tag("p", ", ".join(f"{name.lower()} {value}" for name, value in values))


def _routes(solution: Solution) -> Html:
    has_kinds = len({route.vehicle for route in solution.routes}) > 1
    kinds = [Column("Vehicle")] if has_kinds else []
    columns = [Column("Truck"), *kinds, Column("Customers"), *numbers("Cost")]
    unit = CostUnit.of_solution(solution)
    rows = [
        (
            str(number),
            *([route.vehicle] if has_kinds else ()),
            _numbers(route.customers),
            unit.cost_text(route.cost),
        )
        for number, route in enumerate(solution.routes[:_MOST_ROWS], start=1)
    ]
    routes = _table("Routes", columns, rows, len(solution.routes))
    return joined([routes, _left_out(solution)]) if solution.left_out else routes


def _left_out(solution: Solution) -> Html:
    """Return the orders left out, by number: a solution does not hold the names."""
    unit = CostUnit.of_solution(solution)
    columns = [Column("Customer"), *numbers("Cost"), Column("Reason")]
    rows = [
        (str(order.customer), unit.cost_text(order.cost), order.reason)
        for order in solution.left_out[:_MOST_ROWS]
    ]
    return _table("Left out", columns, rows, len(solution.left_out))


def _numbers(customers: RoutePath) -> str:
    return "-".join(map(str, customers))


def _bound_result(result: BoundResult) -> Html:
    proven = "no plan exists"
    if result.lower_bound is not None:
        proven = with_unit(bound_text(result.lower_bound), result.cost_unit)
    columns = [Column("Customers"), *numbers("Value")]
    support = result.support[:_MOST_ROWS]
    rows = [(_numbers(customers), f"{value:.4f}") for customers, value in support]
    words = (
        f"{result.status}; lower bound {proven}; {counted(result.iterations, 'iteration')}, "
        f"{counted(result.exact_checks, 'loading check')}"
    )
    routes = _table("Routes of the relaxation", columns, rows, len(result.support))
    return tag("div", tag("p", words), routes)


def _loading_result(result: LoadingResult) -> Html:
    words = (
        f"{result.verdict.value}, decided by {result.decided_by} after "
        f"{counted(result.nodes, 'node')} and {result.seconds:.6f} s"
    )
    instance = result.instance
    if instance is None or result.verdict is not Verdict.FEASIBLE or not result.placements:
        return tag("div", tag("p", words))
    route = planned_route(instance, result.route, result.placements)
    return tag("div", tag("p", words), Html(_picture(Truck(instance, route), "loading plan")))


def _table(
    caption: str, columns: Sequence[Column], rows: Sequence[Sequence[str]], count: int
) -> Html:
    """Return a table, and how many rows were left out of it."""
    if not rows:
        return NOTHING
    more = count - len(rows)
    shown = table(caption, columns, rows)
    return joined([shown, tag("p", f"and {more} more")]) if more else shown
