"""The map of all routes: depot, customers, and one line per truck, to scale."""

from __future__ import annotations

from collections.abc import Iterator

from tailgate.model.instance import Instance
from tailgate.model.rounding import counted
from tailgate.report.floor_view import Box
from tailgate.report.html import Html, joined, tag
from tailgate.report.map_view import MapView
from tailgate.report.plan import Plan
from tailgate.report.stop_styles import stop_style
from tailgate.report.svg_text import (
    INK,
    PAPER,
    escaped,
    paper,
    shortened,
    svg_document,
    svg_text,
    text_width,
)
from tailgate.report.truck import Truck

_DOT = 5.0
_DEPOT = 9.0
_LABEL_SIZE = 12.0
_LONGEST_LABEL = 130.0
# More names than this are no map; hovering over a place still shows its name.
_MOST_LABELS = 150
# Lines differ by colour and by dashes.
_DASHES = ("", "10 4", "3 4", "12 4 3 4", "6 6")


def route_map(plan: Plan) -> Html:
    """Return the map for a page, or a sentence where there can be none."""
    if plan.instance.travel.coordinates == "none":
        return tag("p", "There is no map: the orders have a road matrix, but no coordinates.")
    picture = Html(route_map_svg(plan))
    notes = list(_notes(plan))
    if not notes:
        return tag("figure", picture)
    lines = [notes[0], *(line for note in notes[1:] for line in (tag("br"), note))]
    return tag("figure", picture, tag("figcaption", *lines))


def _notes(plan: Plan) -> Iterator[str]:
    if plan.instance.has_kinds:
        yield joined(_legend(plan))
    if plan.solution.left_out:
        yield "Customers with a cross are left out."
    if plan.instance.travel.metric == "matrix":
        yield "Lines are straight: the plan counts with real roads, which are not drawn."


def _legend(plan: Plan) -> Iterator[Html]:
    """Yield which line is which truck, and of which kind."""
    for truck in plan.trucks:
        words = f" {truck.number}: {truck.kind} "
        yield tag("span", line_sample(truck.number), words, style="display: inline-block")


def line_sample(number: int) -> Html:
    """Return a piece of the line that a truck has on the map."""
    colour, dashes = line_style(number)
    return Html(
        '<svg class="sample" width="56" height="10" aria-hidden="true"><path d="M2,5 H54" '
        f'stroke="{colour}" stroke-width="3" stroke-dasharray="{dashes}"/></svg>'
    )


def route_map_svg(plan: Plan) -> str:
    """Draw the map as a standalone SVG document."""
    instance, view = plan.instance, MapView.of(plan.instance)
    label = f"Map of {counted(len(plan.trucks), 'route')} from the depot"
    parts = [
        paper(view.width, view.height),
        *(_route(truck, view) for truck in plan.trucks),
        *_places(plan, view),
        # With a rim that keeps the lines of the routes away from the letters.
        f'<g paint-order="stroke" stroke="{PAPER}" stroke-width="4" stroke-linejoin="round">',
        *(
            svg_text(box.left, box.bottom - 4, label, size=_LABEL_SIZE)
            for label, box in map_labels(instance, view)
        ),
        "</g>",
    ]
    return svg_document(view.width, view.height, parts, label=label, class_="map")


def map_labels(instance: Instance, view: MapView) -> list[tuple[str, Box]]:
    """Return as many names as find room beside their places without covering each other."""
    dots = [_dot_box(*view.point(*instance.depot), _DEPOT)]
    dots += [_dot_box(*view.point(c.x, c.y), _DOT) for c in instance.customers]
    names = [_depot_name(instance), *map(instance.label, range(1, instance.n + 1))]
    taken, placed = list(dots), []
    for dot, name in zip(dots[:_MOST_LABELS], names[:_MOST_LABELS], strict=True):
        label = shortened(name, _LABEL_SIZE, _LONGEST_LABEL)
        spots = _spots(dot, text_width(label, _LABEL_SIZE), _LABEL_SIZE + 3)
        free = [spot for spot in spots if _is_free(spot, taken, view)]
        if free:
            taken.append(free[0])
            placed.append((label, free[0]))
    return placed


def line_style(number: int) -> tuple[str, str]:
    """Return colour and dashes of a truck's line."""
    return stop_style(number).line, _DASHES[(number - 1) % len(_DASHES)]


def _route(truck: Truck, view: MapView) -> str:
    numbers = [0, *truck.route.customers, 0]
    places = [_place(truck.instance, number) for number in numbers]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (view.point(*place) for place in places))
    colour, dashes = line_style(truck.number)
    dashing = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<g class="route"><title>{escaped(f"{truck.title}: {truck.route_text}")}</title>'
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="3" '
        f'stroke-linejoin="round"{dashing}/></g>'
    )


def _place(instance: Instance, number: int) -> tuple[int, int]:
    if number == 0:
        return instance.depot
    customer = instance.customer(number)
    return customer.x, customer.y


def _places(plan: Plan, view: MapView) -> Iterator[str]:
    instance = plan.instance
    left_out = {order.customer for order in plan.solution.left_out}
    for number, customer in enumerate(instance.customers, start=1):
        x, y = view.point(customer.x, customer.y)
        title = f"customer {number}: {instance.label(number)}"
        cross = ""
        if number in left_out:
            title += ", left out"
            cross = _cross(x, y)
        yield (
            f"<g><title>{escaped(title)}</title>"
            f'<circle class="place" cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}" fill="{PAPER}" '
            f'stroke="{INK}" stroke-width="2"/>{cross}</g>'
        )
    x, y = view.point(*instance.depot)
    yield (
        f"<g><title>{escaped(_depot_name(instance))}</title>"
        f'<rect class="depot" x="{x - _DEPOT:.1f}" y="{y - _DEPOT:.1f}" '
        f'width="{2 * _DEPOT}" height="{2 * _DEPOT}" fill="{INK}"/></g>'
    )


def _cross(x: float, y: float) -> str:
    left, top, side = x - _DOT, y - _DOT, 2 * _DOT
    return (
        f'<path class="place" d="M{left:.1f},{top:.1f} l{side},{side} m0,-{side} l-{side},{side}" '
        f'stroke="{INK}" stroke-width="2"/>'
    )


def _depot_name(instance: Instance) -> str:
    return instance.depot_name or "depot"


def _dot_box(x: float, y: float, radius: float) -> Box:
    return Box(x - radius, y - radius, 2 * radius, 2 * radius)


def _spots(dot: Box, width: float, height: float) -> Iterator[Box]:
    """Yield the places for a label, the best first: right, left, above, below."""
    x, y = dot.centre
    yield Box(dot.right + 3, y - height / 2, width, height)
    yield Box(dot.left - 3 - width, y - height / 2, width, height)
    yield Box(x - width / 2, dot.top - 2 - height, width, height)
    yield Box(x - width / 2, dot.bottom + 2, width, height)


def _is_free(spot: Box, taken: list[Box], view: MapView) -> bool:
    inside = (
        spot.left >= 0 and spot.top >= 0 and spot.right <= view.width and spot.bottom <= view.height
    )
    return inside and not any(spot.overlaps(box) for box in taken)
