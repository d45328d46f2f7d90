"""The loading plan as a picture: to scale, legible, and valid whatever the names are."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Units, Vehicle
from tailgate.model.solution import Placement, Route
from tailgate.report import loading_plan_svg
from tailgate.report.item_label import fitted_label, label_choices, name_choices
from tailgate.report.stop_styles import stop_style
from tailgate.report.svg_text import shortened, text_width

SVG = "{http://www.w3.org/2000/svg}"


def make_instance(*names: str) -> Instance:
    """Return customers with two items of 1.2 x 0.8 m each, on a floor of 2.4 x 7.2 m."""
    return Instance(
        name="Tuesday",
        depot=(0, 0),
        customers=tuple(
            Customer(x=1, y=1, weight=100, items=(Item(12, 8), Item(12, 8)), name=name)
            for name in names
        ),
        vehicle=Vehicle(width=24, length=72, capacity=1000),
        vehicle_count=1,
        units=Units(length_scale=10, length_unit="m", weight_unit="kg"),
    )


def make_route(instance: Instance) -> Route:
    """Lay each customer's two items side by side, the last stop against the cab."""
    stops = instance.n
    placements = []
    for row, stop in enumerate(range(stops, 0, -1)):
        for item in (1, 2):
            placements.append(
                Placement(
                    customer=stop,
                    item=item,
                    x=12 * (item - 1),
                    y=8 * row,
                    width=12,
                    length=8,
                    stop_index=stop,
                    load_step=2 * row + item,
                )
            )
    return Route(
        customers=tuple(range(1, stops + 1)),
        cost=0,
        weight=100 * stops,
        area=192 * stops,
        placements=tuple(placements),
    )


def drawn(*names: str) -> ElementTree.Element:
    """Draw the plan of these customers and parse it."""
    instance = make_instance(*names)
    return ElementTree.fromstring(loading_plan_svg(instance, make_route(instance)))


def texts(root: ElementTree.Element) -> list[str]:
    """Return what is written in the picture."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def items(root: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the groups of the items."""
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == "item"]


def test_cab_and_door_are_written() -> None:
    """Whoever loads must see which end is which."""
    written = texts(drawn("", ""))
    assert "CAB" in written
    assert "DOOR" in written


def test_items_are_drawn_to_scale_with_the_door_on_the_right() -> None:
    """y grows to the right and x upwards, both with the same number of pixels per metre."""
    instance = make_instance("", "", "")
    route = make_route(instance)
    root = ElementTree.fromstring(loading_plan_svg(instance, route))
    boxes = [_box(group.find(f"{SVG}rect")) for group in items(root)]
    left, bottom = min(box[0] for box in boxes), max(box[1] + box[3] for box in boxes)
    scale = boxes[0][2] / 8
    for placement, (x, y, width, height) in zip(route.placements, boxes, strict=True):
        assert x == pytest.approx(left + scale * placement.y, abs=0.05)
        assert y + height == pytest.approx(bottom - scale * placement.x, abs=0.05)
        assert (width, height) == pytest.approx((8 * scale, 12 * scale), abs=0.05)


def _box(rect: ElementTree.Element | None) -> tuple[float, float, float, float]:
    assert rect is not None
    x, y, width, height = (float(rect.get(name, "nan")) for name in ("x", "y", "width", "height"))
    return x, y, width, height


def test_lengths_and_weights_are_in_the_planners_units() -> None:
    """Stored integers mean nothing to a loader."""
    root = drawn("Bakery")
    written = " | ".join(texts(root))
    assert "2.4 m" in written
    assert "7.2 m" in written
    assert "weight 100 of 1000 kg" in written


def test_hovering_tells_all_about_an_item() -> None:
    """Labels may be left out for want of room; tooltips never."""
    titles = [group.findtext(f"{SVG}title") for group in items(drawn("Bakery", "Hotel"))]
    assert len(titles) == 4
    assert titles[0] is not None
    for fact in ("Stop 2", "Hotel", "item 1 of 2", "1.2 m", "0.8 m", "loaded as number 1"):
        assert fact in titles[0]


@pytest.mark.parametrize(
    "name",
    [
        "A & B <C>",
        'Hotel "Adler"',
        "O'Brien",
        "]]>",
        "Gärtnerei Müller",
        "株式会社",
        "x" * 200,
        "&amp;",
    ],
)
def test_names_are_escaped_and_kept(name: str) -> None:
    """A customer's name must neither break the picture nor be changed by it."""
    root = drawn(name, "plain")
    title = items(root)[-1].findtext(f"{SVG}title")
    assert title is not None
    assert name in title


def test_picture_needs_nothing_from_outside() -> None:
    """One file is the whole picture: no script, no style sheet, no font, no link."""
    picture = loading_plan_svg(make_instance("A", "B"), make_route(make_instance("A", "B")))
    assert picture.startswith("<svg ")
    for word in ("<script", "<link", "href", "@import", "url(http"):
        assert word not in picture


def test_every_stop_has_its_own_pattern_in_plan_and_legend() -> None:
    """Colour, hatch and number of a stop are the same on the floor and in the legend."""
    picture = loading_plan_svg(
        make_instance("A", "B"), make_route(make_instance("A", "B")), id_prefix="truck-9"
    )
    for stop in (1, 2):
        assert picture.count(f'id="truck-9-stop-{stop}"') == 1
        assert picture.count(f'fill="url(#truck-9-stop-{stop})"') == 3


def test_pairs_of_colour_and_hatch_do_not_repeat_soon() -> None:
    """No truck makes more than 56 stops, so two stops never look alike."""
    looks = {(stop_style(stop).colour, stop_style(stop).hatch) for stop in range(1, 57)}
    assert len(looks) == 56


def test_a_route_without_a_plan_is_refused() -> None:
    """An empty floor would look like a plan."""
    instance = make_instance("A")
    bare = Route(customers=(1,), cost=0, weight=0, area=0, placements=())
    with pytest.raises(InputError, match="no placements"):
        loading_plan_svg(instance, bare)


def test_a_stop_without_items_is_in_the_legend() -> None:
    """A letter takes no floor, but the driver stops there all the same."""
    instance = Instance(
        name="Letters",
        depot=(0, 0),
        customers=(Customer(x=1, y=1, weight=0, items=(), name="Town hall"),),
        vehicle=Vehicle(width=10, length=10, capacity=1),
        vehicle_count=1,
    )
    route = Route(customers=(1,), cost=0, weight=0, area=0, placements=())
    root = ElementTree.fromstring(loading_plan_svg(instance, route))
    assert any("Town hall" in line for line in texts(root))
    assert "0 items, weight 0" in texts(root)


@given(
    stop_index=st.integers(1, 120),
    name=st.text(st.characters(categories=("L", "N", "P", "S")), max_size=60),
    width=st.floats(0.5, 900),
    height=st.floats(0.5, 400),
)
def test_labels_stay_inside_their_items(
    stop_index: int, name: str, width: float, height: float
) -> None:
    """A label shrinks, turns or vanishes; it never covers a neighbour."""
    choices = label_choices(name_choices(name, 7), "L12", "2.45 x 1.2")
    label = fitted_label(stop_index, choices, (width, height))
    if label is None:
        return
    group = ElementTree.fromstring(label.svg("#000"))
    across, along = (height, width) if "rotate" in group.get("transform", "") else (width, height)
    for rect in group.iter("rect"):
        x, y, box_width, box_height = _box(rect)
        assert -across / 2 <= x
        assert x + box_width <= across / 2
        assert -along / 2 <= y
        assert y + box_height <= along / 2


def test_a_large_item_shows_number_name_and_size() -> None:
    """Where there is room, everything is written."""
    label = fitted_label(3, label_choices(["Bakery"], "L5", "0.8 x 1.2"), (300, 200))
    assert label is not None
    assert all(f">{line}</text>" in label.svg("#000") for line in ("3", "Bakery", "L5, 0.8 x 1.2"))


def test_the_loading_step_outlives_the_name() -> None:
    """Whoever loads finds the item's row of the table by it, whatever the customer is called."""
    label = fitted_label(3, label_choices(["Bakery North"], "L5", "0.8 x 1.2"), (50, 22))
    assert label is not None
    assert label.label.lines == ("L5",)


def test_a_speck_shows_nothing() -> None:
    """A label that nobody can read is left out."""
    assert fitted_label(3, label_choices(["Bakery"], "L5", "0.8 x 1.2"), (6, 6)) is None


def test_long_lines_end_in_an_ellipsis() -> None:
    """The heading must not run out of the page."""
    line = shortened("a route with very many stops", 13, 100)
    assert line.endswith("…")
    assert text_width(line, 13) <= 100
    assert shortened("short", 13, 100) == "short"
