"""One item in a picture: its rectangle in the look of its stop, its label, and all about it."""

from __future__ import annotations

from tailgate.model.solution import Placement
from tailgate.report.floor_view import FloorView
from tailgate.report.item_label import FittedLabel, fitted_label, label_choices, name_choices
from tailgate.report.stop_styles import stop_style
from tailgate.report.svg_text import TIMES, escaped
from tailgate.report.truck import Truck
from tailgate.report.turned_mark import TURNED
from tailgate.report.words import load_step_text


def item_svg(truck: Truck, placement: Placement, view: FloorView, id_prefix: str) -> str:
    """Draw an item with the fullest label that fits inside it, and a tooltip."""
    return box_svg(
        placement,
        view,
        id_prefix,
        label=item_label(truck, placement, view),
        tooltip=_tooltip(truck, placement),
    )


def item_label(truck: Truck, placement: Placement, view: FloorView) -> FittedLabel | None:
    """Return what stands on an item in a loading plan."""
    units, customer = truck.instance.units, truck.instance.customer(placement.customer)
    size = f"{units.length_text(placement.width)} {TIMES} {units.length_text(placement.length)}"
    names = name_choices(customer.name, placement.customer)
    step, is_turned = load_step_text(placement.load_step), placement.turned
    choices = label_choices(names, step, size, is_turned=is_turned)
    box = view.box_of(placement)
    return fitted_label(placement.stop_index, choices, (box.width, box.height), is_turned=is_turned)


def step_label(placement: Placement, view: FloorView) -> FittedLabel | None:
    """Return what stands on an item in a small picture."""
    box = view.box_of(placement)
    choices = [(load_step_text(placement.load_step),)]
    return fitted_label(placement.stop_index, choices, (box.width, box.height))


def box_svg(
    placement: Placement,
    view: FloorView,
    id_prefix: str,
    *,
    label: FittedLabel | None,
    tooltip: str,
) -> str:
    """Draw an item's rectangle in the look of its stop, with a label in its middle."""
    style = stop_style(placement.stop_index)
    box = view.box_of(placement)
    x, y = box.centre
    written = "" if label is None else label.svg(style.ink)
    return (
        f'<g class="item" data-stop="{placement.stop_index}">'
        f"<title>{escaped(tooltip)}</title>"
        f'<rect x="{box.left:.2f}" y="{box.top:.2f}" width="{box.width:.2f}" '
        f'height="{box.height:.2f}" fill="url(#{pattern_id(id_prefix, placement.stop_index)})" '
        f'stroke="{style.ink}" stroke-width="1.5"/>'
        f'<g class="label" transform="translate({x:.2f},{y:.2f})">{written}</g></g>'
    )


def patterns(truck: Truck, id_prefix: str) -> str:
    """Return the definitions of every look that a picture of the truck uses."""
    defined = (stop_style(stop).pattern(pattern_id(id_prefix, stop)) for stop in truck.stop_indices)
    return f"<defs>{''.join(defined)}</defs>"


def pattern_id(id_prefix: str, stop_index: int) -> str:
    """Return the name of a stop's look within a page."""
    return f"{escaped(id_prefix)}-stop-{stop_index}"


def _tooltip(truck: Truck, placement: Placement) -> str:
    return (
        f"Stop {placement.stop_index}, customer {truck.instance.label(placement.customer)}: "
        f"{truck.item_text(placement)}\n"
        f"width {truck.length_text(placement.width)}, "
        f"length {truck.length_text(placement.length)}\n"
        f"{_turned_text(truck, placement)}"
        f"{truck.length_text(placement.y)} from the cab, "
        f"{truck.length_text(placement.x)} from the left wall\n"
        f"loaded as number {placement.load_step}"
    )


def _turned_text(truck: Truck, placement: Placement) -> str:
    """Return a line that says how the orders give an item that is turned."""
    if not placement.turned:
        return ""
    item = truck.instance.customer(placement.customer).items[placement.item - 1]
    width, length = truck.length_text(item.width), truck.length_text(item.length)
    return f"{TURNED} by a quarter: ordered as width {width}, length {length}\n"
