"""Sheets to print: one leaf of A4 per truck, loading in front and unloading on the back.

Orders with addresses, hours, roads or money get a list for the driver on a second leaf. A truck
that needs more pages gets more leaves: sheets.js sees to it that the next one begins on the front
of a leaf.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import tailgate
from tailgate.model.instance import Instance
from tailgate.model.solution import Solution
from tailgate.report.driver_list import driver_list
from tailgate.report.filmstrip_svg import filmstrip_rows
from tailgate.report.fleet_html import left_out_table
from tailgate.report.html import Html, document, joined, packaged_text, tag
from tailgate.report.loading_plan_svg import loading_figure_svg
from tailgate.report.plan import Plan
from tailgate.report.table_html import leg_table, loading_table, unloading_table
from tailgate.report.truck import Truck
from tailgate.report.turned_mark import turned_count, turned_sign
from tailgate.report.verdict import verdict_badge, violation_list
from tailgate.report.words import share_text

HASH_CHARACTERS = 12
_DRIVER = "Driver's list"
_LONG_TEXT = 300
_LOADING_RULE = (
    "Load in the order L1, L2, L3 … and keep to it: what comes later stands in the way of what "
    "came before. Distances go from the cab end of the floor and from the left wall to the "
    "nearest edge of the item. Left is your left when you stand at the door and look in. Width "
    "goes across the truck, length along it. "
)
_NOT_TURNED_RULE = "Nothing is turned, nothing is stacked."
_TURNED_RULE = (
    " marks what is turned by a quarter: as it lies, width and length are those of the orders "
    "exchanged. Nothing else is turned, nothing is stacked."
)
_LIFO_RULE = (
    "Stop 1 is unloaded first. At every stop the goods leave straight through the door; nothing "
    "of a later stop has to be moved."
)
_FREE_RULE = (
    "Stop 1 is unloaded first. This plan was made WITHOUT the rule of last in, first out: goods "
    "of later stops may have to be moved aside."
)
_UNVERIFIED_RULE = (
    "This plan has not passed the judge. Do not load or unload after it: it is shown so that its "
    "mistakes can be found."
)


def sheets_html(instance: Instance, solution: Solution) -> str:
    """Return one page with a loading sheet and an unloading sheet for every truck.

    It is made to be printed on A4 and needs nothing but itself. The solution is judged first: what
    does not pass carries the words NOT VERIFIED on every sheet.
    """
    plan = Plan.of(instance, solution)
    body = [_leaves(plan, truck) for truck in plan.trucks]
    if plan.solution.left_out:
        body.append(tag("div", _left_out(plan), class_="leaves"))
    if not body:
        body = [tag("p", "The solution has no routes, so there is nothing to load.")]
    style = packaged_text("sheets.css") + "\n".join(_page_foot(truck) for truck in plan.trucks)
    script = packaged_text("sheets.js")
    return document(f"Loading sheets: {instance.name}", *body, style=style, script=script)


def _leaves(plan: Plan, truck: Truck) -> Html:
    is_last = truck.number == truck.count and not plan.solution.left_out
    # What follows the last leaf does not matter.
    filler = () if is_last else (_filler(truck),)
    return tag("div", *_sides(plan, truck), *filler, class_="leaves")


def _filler(truck: Truck) -> Html:
    """Return a page that the script prints where the truck would end on the front of a leaf."""
    words = (
        f"This side stays empty: {truck.title} ends here, and the next one begins on a new leaf."
    )
    return tag("p", words, class_=f"filler truck-{truck.number}", hidden=True)


def _sides(plan: Plan, truck: Truck) -> Iterable[Html]:
    prefix = f"truck-{truck.number}"
    yield _side(
        plan,
        truck,
        "Loading",
        _to_fill_in("Date", "Number plate", "Name"),
        _rule(plan, _loading_rule(truck)),
        tag("figure", Html(loading_figure_svg(truck, id_prefix=prefix))),
        loading_table(truck, prefix, to_tick=True),
    )
    yield _side(
        plan,
        truck,
        "Unloading",
        _rule(plan, _LIFO_RULE if plan.solution.conventions.lifo else _FREE_RULE),
        *(
            tag("figure", Html(row), class_="film")
            for row in filmstrip_rows(truck, id_prefix=f"{prefix}-film")
        ),
        unloading_table(truck, prefix, to_tick=True),
        leg_table(truck),
    )
    if not plan.instance.is_format_1:
        yield _side(
            plan,
            truck,
            _DRIVER,
            _to_fill_in("Date", "Number plate", "Driver"),
            driver_list(truck),
            _to_fill_in("Driver's signature"),
        )


def _left_out(plan: Plan) -> Html:
    """Return the sheet of what stays at the depot, so that nobody loads it."""
    return tag(
        "section",
        tag("header", tag("h1", "Left out: not loaded"), verdict_badge(plan)),
        _listed(_origin(plan.instance)),
        left_out_table(plan, shows_cost=False),
        class_="sheet",
        id="left-out",
        aria_label="Left out",
    )


def _loading_rule(truck: Truck) -> Html:
    if turned_count(truck.route.placements):
        return joined([_LOADING_RULE, turned_sign(), _TURNED_RULE])
    return joined([_LOADING_RULE, _NOT_TURNED_RULE])


def _rule(plan: Plan, rule: str) -> Html:
    if not plan.verified:
        return tag("p", _UNVERIFIED_RULE, class_="rule alarm")
    return tag("p", rule, class_="rule alarm" if rule == _FREE_RULE else "rule")


def _side(plan: Plan, truck: Truck, task: str, *content: Html) -> Html:
    name = task.partition("'")[0].lower()
    return tag(
        "section",
        tag("header", tag("h1", f"{task}: {truck.title}"), verdict_badge(plan)),
        violation_list(plan.violations),
        _facts(truck, shows_cost=task != _DRIVER),
        *content,
        class_=f"sheet truck-{truck.number}",
        id=f"truck-{truck.number}-{name}",
        aria_label=f"{task}, {truck.title}",
    )


def _facts(truck: Truck, *, shows_cost: bool) -> Html:
    """Return the head of a sheet; customers, who sign the driver's list, see no costs."""
    trip = truck.trip
    facts = (
        ("Route", truck.route_text),
        *([("Vehicle", truck.instance.vehicle.name)] if truck.instance.vehicle.name else ()),
        *([("Locked", truck.locked_text)] if truck.locked_text else ()),
        *([("Cost", trip.cost_words)] if shows_cost else ()),
        *([("Distance", trip.distance_text)] if trip.shows_distance else ()),
        ("Floor covered", share_text(truck.fill)),
        ("Weight", truck.load_text),
        *([("Times", trip.hours_text)] if trip.is_timed else ()),
        *([("Duration", trip.duration_words)] if trip.is_timed else ()),
        *_origin(truck.orders),
    )
    return _listed(facts)


def _origin(instance: Instance) -> Sequence[tuple[str, str]]:
    """Return what ties a sheet to its orders."""
    return (
        ("Plan", instance.name),
        ("Instance", instance.sha256[:HASH_CHARACTERS]),
        ("Made by", f"Tailgate {tailgate.__version__}"),
    )


def _listed(facts: Iterable[tuple[str, str]]) -> Html:
    stated = [
        tag("div", tag("dt", name), tag("dd", value, class_=len(value) > _LONG_TEXT and "long"))
        for name, value in facts
    ]
    return tag("dl", *stated, class_="facts")


def _to_fill_in(*names: str) -> Html:
    blanks = (tag("div", tag("dt", name), tag("dd", class_="blank")) for name in names)
    return tag("dl", *blanks, class_="facts blanks")


def _page_foot(truck: Truck) -> str:
    """Return the style that writes truck and page number at the foot of each printed page."""
    title = _css_text(truck.title)
    foot = f"{title}, instance {truck.orders.sha256[:HASH_CHARACTERS]}"
    state = "" if truck.verified else ", NOT VERIFIED"
    return (
        f".truck-{truck.number} {{ page: truck-{truck.number}; }}\n"
        f"@page truck-{truck.number} {{ @bottom-left {{ content: '{foot}{state}'; }} }}"
    )


def _css_text(text: str) -> str:
    """Return a text for a string of a style sheet, in which a name can end nothing."""
    plain = " ,"
    return "".join(
        letter
        if (letter.isascii() and letter.isalnum()) or letter in plain
        else f"\\{ord(letter):x} "
        for letter in text
    )
