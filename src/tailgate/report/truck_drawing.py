"""What stands around the items in a picture: cab, walls, door, dimensions and a scale bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tailgate.report.floor_view import Box, FloorView
from tailgate.report.svg_text import ALARM, INK, LINE, SOFT_INK, svg_text, text_width
from tailgate.report.truck import Truck
from tailgate.report.words import NOT_VERIFIED

_WALL_NAME_SIZE = 11
# Shares of the floor's length, the favourite first.
_WALL_NAME_SPOTS = (0.0, 0.25, 0.5, 0.75, 1.0)


def cab(view: FloorView, *, length: float, gap: float) -> Iterator[str]:
    """Draw the driver's end, and write CAB on it."""
    right = view.box.left - gap
    left = right - length
    # As wide as the floor, but still a cab beside a very wide one.
    half = min(view.box.height / 2, 1.15 * length)
    top, bottom = view.middle - half, view.middle + half
    corner = min(24.0, half / 2)
    for y in (view.middle - 0.62 * half, view.middle + 0.62 * half):
        yield (
            f'<path class="cab" d="M{right:.1f},{y:.1f} H{view.box.left:.1f}" stroke="#CBD2D9" '
            'stroke-width="7"/>'
        )
    yield (
        f'<path class="cab" d="M{right:.1f},{top:.1f} H{left + corner:.1f} '
        f"Q{left:.1f},{top:.1f} {left:.1f},{top + corner:.1f} V{bottom - corner:.1f} "
        f"Q{left:.1f},{bottom:.1f} {left + corner:.1f},{bottom:.1f} "
        f'H{right:.1f} Z" fill="#E4E7EB" stroke="{LINE}" stroke-width="1.5"/>'
    )
    glass = left + 0.17 * length
    yield (
        f'<path class="glass" d="M{glass:.1f},{top + corner:.1f} '
        f"Q{glass - 8:.1f},{view.middle:.1f} {glass:.1f},{bottom - corner:.1f} l11,-5 "
        f'Q{glass + 4:.1f},{view.middle:.1f} {glass + 11:.1f},{top + corner + 5:.1f} Z" '
        'fill="#9FB3C8"/>'
    )
    yield svg_text(
        (glass + right) / 2 + 6,
        view.middle + 5,
        "CAB",
        size=min(15, 0.18 * length),
        bold=True,
        anchor="middle",
        fill=SOFT_INK,
    )


def floor(view: FloorView) -> str:
    """Draw the empty floor, below the items."""
    return _floor_rectangle(view, 'class="floor" fill="#F5F7FA"')


def walls(view: FloorView) -> str:
    """Draw the edge of the floor, above the items."""
    return _floor_rectangle(view, f'class="wall" fill="none" stroke="{INK}" stroke-width="2"')


def _floor_rectangle(view: FloorView, look: str) -> str:
    box = view.box
    return (
        f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" {look}/>'
    )


def wall_names(view: FloorView, taken: Sequence[Box]) -> Iterator[str]:
    """Write which wall is which, for someone who stands at the door and looks in.

    The names keep clear of the boxes that are ``taken`` by other labels along the walls.
    """
    for name, top in (("LEFT WALL", view.box.bottom + 5), ("RIGHT WALL", view.box.top - 17)):
        width = text_width(name, _WALL_NAME_SIZE, bold=True)
        # Beside the cab where the floor is shorter than the name: the door's leaf is on the right.
        first = min(view.box.left + 2, view.box.right - 2 - width)
        room = max(0.0, view.box.width - 4 - width)
        lefts = [first + share * room for share in _WALL_NAME_SPOTS]
        boxes = [Box(left, top, width, 12) for left in lefts]
        free = [box for box in boxes if not any(box.overlaps(other) for other in taken)]
        if free:
            yield svg_text(
                free[0].left, top + 10, name, size=_WALL_NAME_SIZE, bold=True, fill=SOFT_INK
            )


def door(view: FloorView) -> Iterator[str]:
    """Draw the open end, its two leaves swung out, and the way the goods go."""
    right, middle = view.box.right, view.middle
    leaf = min(30.0, view.box.height / 3)
    line = f'd="M{right:.1f},{view.box.top:.1f} V{view.box.bottom:.1f}"'
    yield f'<path class="gap" {line} stroke="#FFFFFF" stroke-width="3"/>'
    yield f'<path class="wall" {line} stroke="{INK}" stroke-width="2" stroke-dasharray="7 5"/>'
    yield (
        f'<path class="wall" d="M{right:.1f},{view.box.top:.1f} l{leaf:.1f},-8 '
        f'M{right:.1f},{view.box.bottom:.1f} l{leaf:.1f},8" stroke="{INK}" stroke-width="4" '
        'stroke-linecap="round"/>'
    )
    yield (
        f'<path class="soft-line" d="M{right + 12:.1f},{middle:.1f} h20 m-8,-7 l8,7 l-8,7" '
        f'fill="none" stroke="{SOFT_INK}" stroke-width="2.5" stroke-linecap="round" '
        'stroke-linejoin="round"/>'
    )
    yield svg_text(
        right + 53, middle, "DOOR", size=15, bold=True, anchor="middle", fill=SOFT_INK, upwards=True
    )


def dimensions(truck: Truck, view: FloorView) -> Iterator[str]:
    """Write the floor's length above it and its width between cab and floor."""
    box, vehicle = view.box, truck.instance.vehicle
    above, beside = box.top - 31, box.left - 12
    yield (
        f'<path class="line" d="M{box.left:.1f},{above:.1f} H{box.right:.1f} '
        f"M{box.left:.1f},{above - 5:.1f} v10 M{box.right:.1f},{above - 5:.1f} v10 "
        f"M{beside:.1f},{box.top:.1f} V{box.bottom:.1f} "
        f'M{beside - 5:.1f},{box.top:.1f} h10 M{beside - 5:.1f},{box.bottom:.1f} h10" '
        f'stroke="{LINE}" stroke-width="1.2" fill="none"/>'
    )
    length, width = truck.length_text(vehicle.length), truck.length_text(vehicle.width)
    middle = box.left + box.width / 2
    yield svg_text(middle, above - 7, length, size=13, anchor="middle", fill=SOFT_INK)
    yield svg_text(
        beside - 8, view.middle, width, size=13, anchor="middle", fill=SOFT_INK, upwards=True
    )


def scale_bar(truck: Truck, view: FloorView) -> Iterator[str]:
    """Draw a bar of a round length, about a fifth of the floor."""
    bar = _round_length(truck.instance.vehicle.length // 5)
    right, y = view.box.right, view.box.bottom + 26
    left = right - bar * view.pixels_per_unit
    yield (
        f'<path class="soft-line" d="M{left:.1f},{y - 5:.1f} v10 M{left:.1f},{y:.1f} H{right:.1f} '
        f'M{right:.1f},{y - 5:.1f} v10" stroke="{SOFT_INK}" stroke-width="2" fill="none"/>'
    )
    yield svg_text(left - 8, y + 4, truck.length_text(bar), size=12, anchor="end", fill=SOFT_INK)


def stamp(truck: Truck, x: float, y: float, *, size: float, anchor: str) -> Iterator[str]:
    """Say in red that the judge has not found the plan valid, where that is so."""
    if not truck.verified:
        yield svg_text(x, y, NOT_VERIFIED, size=size, bold=True, anchor=anchor, fill=ALARM)


def _round_length(limit: int) -> int:
    """Return the largest of 1, 2, 5, 10, 20, 50, ... that is not above the limit."""
    power = 1
    while 10 * power <= limit:
        power *= 10
    return max((step * power for step in (1, 2, 5) if step * power <= limit), default=1)
