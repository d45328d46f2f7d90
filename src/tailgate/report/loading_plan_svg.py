"""The loading plan of one truck as a picture: seen from above, to scale, in the planner's units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tailgate.model.instance import Instance
from tailgate.model.rounding import counted
from tailgate.model.solution import Route
from tailgate.report import truck_drawing
from tailgate.report.callouts import callouts
from tailgate.report.floor_view import FloorView
from tailgate.report.item_drawing import item_svg, patterns
from tailgate.report.kind_views import KindViews
from tailgate.report.plan import refuse_without_placements
from tailgate.report.stop_legend import StopLegend
from tailgate.report.svg_text import (
    SOFT_INK,
    TIMES,
    escaped,
    paper,
    shortened,
    svg_document,
    svg_text,
    text_width,
)
from tailgate.report.truck import Truck
from tailgate.report.turned_mark import TURNED, turned_count
from tailgate.report.words import NOT_VERIFIED, share_text


@dataclass(frozen=True, slots=True)
class _Layout:
    """How much room the parts take, in pixels of the picture's own coordinate system."""

    margin: float
    cab_length: float
    cab_gap: float
    door_space: float
    longest_floor: float
    widest_floor: float

    def view(self, truck: Truck, top: float) -> FloorView:
        """Lay out the floor, its cab beginning at the left margin."""
        return FloorView.within(
            truck.instance.vehicle,
            left=self.margin + self.cab_length + self.cab_gap,
            top=top,
            longest=self.longest_floor,
            widest=self.widest_floor,
        )


_PICTURE = _Layout(28, 92, 46, 76, longest_floor=960, widest_floor=420)
# As wide as the text of an A4 page in CSS pixels, so that letters keep their size on paper.
_FIGURE = _Layout(2, 60, 42, 66, longest_floor=545, widest_floor=270)

_SMALLEST_PICTURE_WIDTH = 760
_SMALLEST_FIGURE_WIDTH = 420
_HEADER_HEIGHT = 124
_FIGURE_HEADER_HEIGHT = 53
_SCALE_BAR_SPACE = 66
_FIGURE_FOOT = 40
_FOOTER_GAP = 22
_FOOTER_MARGIN = 4

_HOW_TO_READ = (
    "Seen from above. The number in a disc is the stop: 1 is unloaded first. L1 is loaded first.",
    f"Sizes are width {TIMES} length. Left and right are those of someone who looks in through the "
    "door.",
)
_TURNED_RULE = (
    "The round arrow marks what is turned by a quarter; its sizes are those as it lies, too."
)
_LINE_HEIGHT = 18


def loading_plan_svg(
    instance: Instance,
    route: Route,
    *,
    title: str | None = None,
    id_prefix: str = "plan",
    verified: bool = True,
) -> str:
    """Draw one truck's load as a standalone SVG document.

    Every stop has a colour, a hatch and its number (1 = first unloaded); hovering over an item
    shows all about it. Give each picture its own ``id_prefix`` when several share one HTML page.
    A picture of a plan that the judge has not found valid says so in red.
    """
    refuse_without_placements(instance, route, field="route")
    view = KindViews(instance).of_route(route, field="route.vehicle")
    truck = Truck(view, route, verified=verified, fleet=instance)
    heading = f"Loading plan: {instance.name}" if title is None else title
    if title is None and truck.kind:
        heading += f", {truck.kind}"
    margin = _PICTURE.margin
    floor = _PICTURE.view(truck, top=margin + _HEADER_HEIGHT)
    width = max(_SMALLEST_PICTURE_WIDTH, floor.box.right + _PICTURE.door_space + margin)
    legend = StopLegend(truck, left=margin, width=width - 2 * margin)
    legend_top = floor.box.bottom + _SCALE_BAR_SPACE
    rules = [*_HOW_TO_READ, *([_TURNED_RULE] if turned_count(route.placements) else [])]
    foot = legend_top + legend.height + _FOOTER_GAP
    height = foot + _LINE_HEIGHT * len(rules) + _FOOTER_MARGIN
    parts = [
        f"<title>{escaped(heading)}</title>",
        f"<desc>{escaped(_description(truck))}</desc>",
        paper(width, height),
        *_header(truck, heading, width),
        *_truck(truck, floor, _PICTURE, id_prefix),
        *legend.svg(legend_top, id_prefix),
        *(
            svg_text(margin, foot + _LINE_HEIGHT * index, line, size=12, fill=SOFT_INK)
            for index, line in enumerate(rules)
        ),
    ]
    return svg_document(width, height, parts)


def loading_figure_svg(truck: Truck, *, id_prefix: str) -> str:
    """Draw the truck alone, for a page that has the rest around it."""
    view = _FIGURE.view(truck, top=_FIGURE_HEADER_HEIGHT)
    width = max(_SMALLEST_FIGURE_WIDTH, view.box.right + _FIGURE.door_space + _FIGURE.margin)
    height = view.box.bottom + _FIGURE_FOOT
    turned = turned_count(truck.route.placements)
    words = f", {counted(turned, 'item')} {TURNED}" if turned else ""
    title = f"{truck.title}, seen from above{words}"
    parts = [
        *_truck(truck, view, _FIGURE, id_prefix),
        *truck_drawing.stamp(truck, width - _FIGURE.margin, 14, size=14, anchor="end"),
    ]
    return svg_document(width, height, parts, label=title, class_="plan")


def _truck(truck: Truck, view: FloorView, layout: _Layout, id_prefix: str) -> Iterator[str]:
    yield patterns(truck, id_prefix)
    yield from truck_drawing.cab(view, length=layout.cab_length, gap=layout.cab_gap)
    yield from truck_drawing.dimensions(truck, view)
    yield truck_drawing.floor(view)
    for placement in truck.route.placements:
        yield item_svg(truck, placement, view, id_prefix)
    yield truck_drawing.walls(view)
    small_items = callouts(truck, view)
    yield from truck_drawing.wall_names(view, [callout.box for callout in small_items])
    yield from truck_drawing.door(view)
    yield from truck_drawing.scale_bar(truck, view)
    for callout in small_items:
        yield callout.svg()


def _header(truck: Truck, heading: str, width: float) -> Iterator[str]:
    margin = _PICTURE.margin
    room = width - 2 * margin
    stamp_width = 0.0 if truck.verified else text_width(NOT_VERIFIED, 20, bold=True) + margin
    shown = shortened(heading, 20, room - stamp_width, bold=True)
    yield svg_text(margin, margin + 14, shown, size=20, bold=True)
    yield from truck_drawing.stamp(truck, width - margin, margin + 14, size=20, anchor="end")
    lines = (f"Route: {truck.route_text}", _description(truck))
    for line, y in zip(lines, (margin + 38, margin + 57), strict=True):
        yield svg_text(margin, y, shortened(line, 13, room), size=13, fill=SOFT_INK)


def _description(truck: Truck) -> str:
    placements = truck.route.placements
    turned = turned_count(placements)
    words = f" ({turned} {TURNED})" if turned else ""
    return (
        f"{counted(len(truck.stops), 'stop')}, {counted(len(placements), 'item')}{words}, "
        f"floor {share_text(truck.fill)} covered, weight {truck.load_text}"
    )
