"""The loading plan of one truck as a picture: seen from above, to scale, in the planner's units.

The truck stands across the page, cab on the left and door on the right, because floors are long
and pages are wide. So y runs from the left (cab, 0) to the right (door), and x from the bottom
(the left-hand wall of someone who looks in through the door) to the top.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tailgate.errors import InputError
from tailgate.instance import Instance
from tailgate.report.item_label import item_label_svg, name_choices, stop_number_svg
from tailgate.report.stop_styles import stop_style
from tailgate.report.svg_text import TIMES, escaped, shortened, text_width
from tailgate.solution import Placement, Route

_FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"
_INK = "#1F2933"
_SOFT_INK = "#52606D"
_LINE = "#9AA5B1"

# All in pixels of the picture's own coordinate system.
_MARGIN = 28
_HEADER_HEIGHT = 112
_CAB_LENGTH = 92
_CAB_GAP = 46
_DOOR_SPACE = 76
_FLOOR_LENGTH_LIMIT = 960
_FLOOR_WIDTH_LIMIT = 420
_SMALLEST_PAGE_WIDTH = 760
_SCALE_BAR_SPACE = 66
_LEGEND_ROW_HEIGHT = 42
_LEGEND_SWATCH_SPACE = 64
_LEGEND_MOST_COLUMNS = 4
_FOOTER_HEIGHT = 44


@dataclass(frozen=True, slots=True)
class _Page:
    """Where the floor lies on the page, and how many pixels a stored length takes."""

    left: float
    top: float
    length: float
    width: float
    pixels_per_unit: float
    page_width: float

    @property
    def right(self) -> float:
        return self.left + self.length

    @property
    def bottom(self) -> float:
        return self.top + self.width

    @property
    def middle(self) -> float:
        return self.top + self.width / 2


def loading_plan_svg(
    instance: Instance, route: Route, *, title: str | None = None, id_prefix: str = "plan"
) -> str:
    """Draw one truck's load as a standalone SVG document.

    Every stop has a colour, a hatch and its number (1 = first unloaded); hovering over an item
    tells all about it. Give each picture its own ``id_prefix`` when several share one HTML page.
    """
    if not route.placements and any(instance.customer(i).items for i in route.customers):
        raise InputError(
            "has no placements to draw; ask the loading oracle for a plan first", field="route"
        )
    page = _lay_out(instance)
    heading = title if title is not None else f"Loading plan: {instance.name}"
    columns = _legend_columns(instance, route, page)
    legend_top = page.bottom + _SCALE_BAR_SPACE
    legend_rows = -(-len(route.customers) // columns)
    page_height = legend_top + legend_rows * _LEGEND_ROW_HEIGHT + _FOOTER_HEIGHT
    stops = range(1, len(route.customers) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{page.page_width:.0f}" '
        f'height="{page_height:.0f}" viewBox="0 0 {page.page_width:.0f} {page_height:.0f}" '
        f'role="img" font-family="{_FONT}" fill="{_INK}">',
        f"<title>{escaped(heading)}</title>",
        f"<desc>{escaped(_description(instance, route))}</desc>",
        "<defs>",
        *(stop_style(stop).pattern(_pattern_id(id_prefix, stop)) for stop in stops),
        "</defs>",
        f'<rect width="{page.page_width:.0f}" height="{page_height:.0f}" fill="#FFFFFF"/>',
        *_header(instance, route, heading, page),
        *_cab(page),
        *_dimensions(instance, page),
        *_rectangle(page, 'fill="#F5F7FA"'),
        *(_item(instance, placement, page, id_prefix) for placement in route.placements),
        *_rectangle(page, f'fill="none" stroke="{_INK}" stroke-width="2"'),
        *_door(page),
        *_scale_bar(instance, page),
        *_legend(instance, route, page, legend_top, columns, id_prefix),
        _text(
            _MARGIN,
            page_height - 22,
            f"Seen from above. Stop 1 is unloaded first. Sizes are width {TIMES} length; x counts "
            "from the lower wall, y from the cab.",
            size=12,
            fill=_SOFT_INK,
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _lay_out(instance: Instance) -> _Page:
    vehicle = instance.vehicle
    pixels_per_unit = min(_FLOOR_LENGTH_LIMIT / vehicle.length, _FLOOR_WIDTH_LIMIT / vehicle.width)
    left = _MARGIN + _CAB_LENGTH + _CAB_GAP
    length = vehicle.length * pixels_per_unit
    return _Page(
        left=left,
        top=_MARGIN + _HEADER_HEIGHT,
        length=length,
        width=vehicle.width * pixels_per_unit,
        pixels_per_unit=pixels_per_unit,
        page_width=max(_SMALLEST_PAGE_WIDTH, left + length + _DOOR_SPACE + _MARGIN),
    )


def _header(instance: Instance, route: Route, heading: str, page: _Page) -> Iterator[str]:
    room = page.page_width - 2 * _MARGIN
    yield _text(_MARGIN, _MARGIN + 14, shortened(heading, 20, room, bold=True), size=20, bold=True)
    lines = (_route_text(instance, route), _description(instance, route))
    for line, y in zip(lines, (_MARGIN + 38, _MARGIN + 57), strict=True):
        yield _text(_MARGIN, y, shortened(line, 13, room), size=13, fill=_SOFT_INK)


def _route_text(instance: Instance, route: Route) -> str:
    stops = " → ".join(instance.label(number) for number in route.customers)
    return f"Route: depot → {stops} → depot"


def _description(instance: Instance, route: Route) -> str:
    vehicle, units = instance.vehicle, instance.units
    covered = sum(placement.width * placement.length for placement in route.placements)
    weight = sum(instance.customer(number).weight for number in route.customers)
    capacity = _with_unit(units.weight_text(vehicle.capacity), units.weight_unit)
    return (
        f"{_counted(len(route.customers), 'stop')}, {_counted(len(route.placements), 'item')}, "
        f"floor {100 * covered / vehicle.area:.0f} % covered, "
        f"weight {units.weight_text(weight)} of {capacity}"
    )


def _cab(page: _Page) -> Iterator[str]:
    right = page.left - _CAB_GAP
    left = right - _CAB_LENGTH
    # As wide as the floor, but still a cab beside a very wide one.
    half = min(page.width / 2, 1.15 * _CAB_LENGTH)
    top, bottom = page.middle - half, page.middle + half
    corner = min(24.0, half / 2)
    for y in (page.middle - 0.62 * half, page.middle + 0.62 * half):
        yield (
            f'<path d="M{right:.1f},{y:.1f} H{page.left:.1f}" stroke="#CBD2D9" stroke-width="7"/>'
        )
    yield (
        f'<path d="M{right:.1f},{top:.1f} H{left + corner:.1f} '
        f"Q{left:.1f},{top:.1f} {left:.1f},{top + corner:.1f} V{bottom - corner:.1f} "
        f"Q{left:.1f},{bottom:.1f} {left + corner:.1f},{bottom:.1f} "
        f'H{right:.1f} Z" fill="#E4E7EB" stroke="{_LINE}" stroke-width="1.5"/>'
    )
    glass = left + 16
    yield (
        f'<path d="M{glass:.1f},{top + corner:.1f} Q{glass - 8:.1f},{page.middle:.1f} '
        f"{glass:.1f},{bottom - corner:.1f} l11,-5 "
        f'Q{glass + 4:.1f},{page.middle:.1f} {glass + 11:.1f},{top + corner + 5:.1f} Z" '
        'fill="#9FB3C8"/>'
    )
    yield _text(
        (glass + right) / 2 + 6,
        page.middle + 5,
        "CAB",
        size=15,
        bold=True,
        anchor="middle",
        fill=_SOFT_INK,
    )


def _door(page: _Page) -> Iterator[str]:
    """Draw the open end, its two leaves swung out, and the way the goods go."""
    leaf = min(30.0, page.width / 3)
    line = f'd="M{page.right:.1f},{page.top:.1f} V{page.bottom:.1f}"'
    yield f'<path {line} stroke="#FFFFFF" stroke-width="3"/>'
    yield f'<path {line} stroke="{_INK}" stroke-width="2" stroke-dasharray="7 5"/>'
    yield (
        f'<path d="M{page.right:.1f},{page.top:.1f} l{leaf:.1f},-8 '
        f'M{page.right:.1f},{page.bottom:.1f} l{leaf:.1f},8" stroke="{_INK}" stroke-width="4" '
        'stroke-linecap="round"/>'
    )
    yield (
        f'<path d="M{page.right + 12:.1f},{page.middle:.1f} h24 m-8,-7 l8,7 l-8,7" fill="none" '
        f'stroke="{_SOFT_INK}" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>'
    )
    yield _text(
        page.right + 62,
        page.middle,
        "DOOR",
        size=15,
        bold=True,
        anchor="middle",
        fill=_SOFT_INK,
        turned=True,
    )


def _dimensions(instance: Instance, page: _Page) -> Iterator[str]:
    """Write the floor's length above it and its width between cab and floor."""
    above, beside = page.top - 18, page.left - 14
    yield (
        f'<path d="M{page.left:.1f},{above:.1f} H{page.right:.1f} '
        f"M{page.left:.1f},{above - 5:.1f} v10 M{page.right:.1f},{above - 5:.1f} v10 "
        f"M{beside:.1f},{page.top:.1f} V{page.bottom:.1f} "
        f'M{beside - 5:.1f},{page.top:.1f} h10 M{beside - 5:.1f},{page.bottom:.1f} h10" '
        f'stroke="{_LINE}" stroke-width="1.2" fill="none"/>'
    )
    yield _text(
        (page.left + page.right) / 2,
        above - 7,
        _length_text(instance, instance.vehicle.length),
        size=13,
        anchor="middle",
        fill=_SOFT_INK,
    )
    yield _text(
        beside - 8,
        page.middle,
        _length_text(instance, instance.vehicle.width),
        size=13,
        anchor="middle",
        fill=_SOFT_INK,
        turned=True,
    )


def _rectangle(page: _Page, look: str) -> Iterator[str]:
    yield (
        f'<rect x="{page.left:.1f}" y="{page.top:.1f}" width="{page.length:.1f}" '
        f'height="{page.width:.1f}" {look}/>'
    )


def _item(instance: Instance, placement: Placement, page: _Page, id_prefix: str) -> str:
    units = instance.units
    style = stop_style(placement.stop_index)
    scale = page.pixels_per_unit
    left = page.left + placement.y * scale
    top = page.bottom - (placement.x + placement.width) * scale
    width, height = placement.length * scale, placement.width * scale
    size = f"{units.length_text(placement.width)} {TIMES} {units.length_text(placement.length)}"
    label = item_label_svg(
        placement.stop_index,
        name_choices(instance.customer(placement.customer).name, placement.customer),
        size,
        (width, height),
        style.ink,
    )
    return (
        f'<g class="item"><title>{escaped(_tooltip(instance, placement))}</title>'
        f'<rect x="{left:.2f}" y="{top:.2f}" width="{width:.2f}" height="{height:.2f}" '
        f'fill="url(#{_pattern_id(id_prefix, placement.stop_index)})" stroke="{style.ink}" '
        'stroke-width="1.5"/>'
        f'<g transform="translate({left + width / 2:.2f},{top + height / 2:.2f})">{label}</g></g>'
    )


def _tooltip(instance: Instance, placement: Placement) -> str:
    customer = instance.customer(placement.customer)
    item = customer.items[placement.item - 1]
    called = f" ({item.name})" if item.name else ""
    return (
        f"Stop {placement.stop_index}, customer {instance.label(placement.customer)}, "
        f"item {placement.item} of {len(customer.items)}{called}\n"
        f"width {_length_text(instance, placement.width)}, "
        f"length {_length_text(instance, placement.length)}\n"
        f"x {_length_text(instance, placement.x)}, y {_length_text(instance, placement.y)}\n"
        f"loaded as number {placement.load_step}"
    )


def _scale_bar(instance: Instance, page: _Page) -> Iterator[str]:
    """Draw a bar of a round length, about a fifth of the floor."""
    bar = _round_length(instance.vehicle.length // 5)
    right, y = page.right, page.bottom + 26
    left = right - bar * page.pixels_per_unit
    yield (
        f'<path d="M{left:.1f},{y - 5:.1f} v10 M{left:.1f},{y:.1f} H{right:.1f} '
        f'M{right:.1f},{y - 5:.1f} v10" stroke="{_SOFT_INK}" stroke-width="2" fill="none"/>'
    )
    yield _text(left - 8, y + 4, _length_text(instance, bar), size=12, anchor="end", fill=_SOFT_INK)


def _round_length(limit: int) -> int:
    """Return the largest of 1, 2, 5, 10, 20, 50, ... that is not above the limit."""
    power = 1
    while 10 * power <= limit:
        power *= 10
    return max((step * power for step in (1, 2, 5) if step * power <= limit), default=1)


def _legend_columns(instance: Instance, route: Route, page: _Page) -> int:
    longest = max(
        (
            text_width(_stop_text(instance, stop, number), 13, bold=True)
            for stop, number in enumerate(route.customers, start=1)
        ),
        default=0.0,
    )
    room = page.page_width - 2 * _MARGIN
    return max(1, min(_LEGEND_MOST_COLUMNS, int(room // (longest + _LEGEND_SWATCH_SPACE))))


def _stop_text(instance: Instance, stop: int, number: int) -> str:
    name = instance.customer(number).name
    return f"Stop {stop}: {name} (customer {number})" if name else f"Stop {stop}: customer {number}"


def _legend(
    instance: Instance, route: Route, page: _Page, top: float, columns: int, id_prefix: str
) -> Iterator[str]:
    """List the stops in visiting order, row by row."""
    units = instance.units
    column_width = (page.page_width - 2 * _MARGIN) / columns
    for index, number in enumerate(route.customers):
        stop = index + 1
        customer = instance.customer(number)
        style = stop_style(stop)
        x = _MARGIN + (index % columns) * column_width
        y = top + (index // columns) * _LEGEND_ROW_HEIGHT
        weight = _with_unit(units.weight_text(customer.weight), units.weight_unit)
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="40" height="28" '
            f'fill="url(#{_pattern_id(id_prefix, stop)})" stroke="{style.ink}" '
            'stroke-width="1.5"/>'
            f'<g transform="translate({x + 20:.1f},{y + 14:.1f})">'
            f"{stop_number_svg(stop, 12, style.ink)}</g>"
        )
        room = column_width - _LEGEND_SWATCH_SPACE + 2
        heading = shortened(_stop_text(instance, stop, number), 13, room, bold=True)
        yield _text(x + 50, y + 11, heading, size=13, bold=True)
        yield _text(
            x + 50,
            y + 27,
            shortened(f"{_counted(len(customer.items), 'item')}, weight {weight}", 12, room),
            size=12,
            fill=_SOFT_INK,
        )


def _pattern_id(id_prefix: str, stop_index: int) -> str:
    return f"{escaped(id_prefix)}-stop-{stop_index}"


def _length_text(instance: Instance, length: int) -> str:
    return _with_unit(instance.units.length_text(length), instance.units.length_unit)


def _with_unit(number: str, unit: str) -> str:
    return f"{number} {unit}" if unit else number


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _text(
    x: float,
    y: float,
    content: str,
    *,
    size: float,
    bold: bool = False,
    anchor: str = "start",
    fill: str = _INK,
    turned: bool = False,
) -> str:
    weight = ' font-weight="700"' if bold else ""
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}"{weight} text-anchor="{anchor}" '
        f'fill="{fill}"{turn}>{escaped(content)}</text>'
    )
