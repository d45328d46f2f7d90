"""Pictures beyond the plain loading plan: callouts, the filmstrip, the map and the chart."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import one_customer, one_route
from report_cases import HOSTILE_NAMES, furniture_day, lined_up, planned, thirty_stops, truck_of
from tailgate.model.instance import Customer, Instance, Item, Travel, Units, Vehicle
from tailgate.model.solution import Placement
from tailgate.report import html_report
from tailgate.report.callouts import callouts
from tailgate.report.filmstrip_svg import filmstrip_rows, filmstrip_svg
from tailgate.report.floor_view import Box, FloorView
from tailgate.report.gap_chart import axis_note, changes, gap_chart_svg
from tailgate.report.item_drawing import item_label
from tailgate.report.loading_plan_svg import loading_figure_svg, loading_plan_svg
from tailgate.report.map_view import MapView
from tailgate.report.plan import Plan
from tailgate.report.route_map import map_labels, route_map_svg
from tailgate.report.svg_text import text_width
from tailgate.report.truck import Truck
from tailgate.report.words import NOT_VERIFIED

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ElementTree.Element:
    """Parse a picture, which fails if it is not well formed."""
    return ElementTree.fromstring(svg)


def texts(root: ElementTree.Element) -> list[str]:
    """Return what is written in the picture."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Return the groups of a class."""
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == name]


def no_two_overlap(boxes: Sequence[Box]) -> bool:
    """Tell whether the boxes keep apart."""
    return not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def thin_items(count: int) -> Truck:
    """Return a trailer with long items of a few centimetres' width, one stop each."""
    width, apart = 60, 10_000 // count
    instance = Instance(
        name="Pipes",
        depot=(0, 0),
        customers=tuple(
            Customer(x=number, y=1, weight=1, items=(Item(width, 3000),))
            for number in range(1, count + 1)
        ),
        vehicle=Vehicle(2450, 13600, 1000),
        vehicle_count=1,
        units=Units(length_unit="mm"),
    )
    placements = [
        Placement(number, 1, width * 2 * number, apart * number, width, 3000, number, step)
        for step, number in enumerate(range(count, 0, -1), start=1)
    ]
    return truck_of(instance, one_route(instance, tuple(range(1, count + 1)), placements))


def view_of(truck: Truck) -> FloorView:
    """Return the floor as the sheets show it."""
    return FloorView.within(truck.instance.vehicle, left=100, top=50, longest=545, widest=270)


@pytest.mark.parametrize(
    "vehicle", [Vehicle(20, 40, 1), Vehicle(2450, 13600, 1), Vehicle(10**9, 1, 1), Vehicle(1, 1, 1)]
)
def test_a_floor_fits_and_keeps_its_shape(vehicle: Vehicle) -> None:
    """One scale in both directions, whatever the unit."""
    view = FloorView.within(vehicle, left=0, top=0, longest=545, widest=270)
    assert view.box.width <= 545 + 1e-6
    assert view.box.height <= 270 + 1e-6
    assert view.box.width / vehicle.length == pytest.approx(view.box.height / vehicle.width)


def test_items_without_a_label_get_one_beside_the_floor() -> None:
    """An item that cannot be identified on paper would be loaded by guess."""
    truck = thin_items(8)
    view = view_of(truck)
    found = callouts(truck, view)
    assert all(item_label(truck, one, view) is None for one in truck.route.placements)
    assert {one.placement for one in found} == set(truck.route.placements)
    assert no_two_overlap([one.box for one in found])
    for callout in found:
        assert not callout.box.overlaps(view.box)
        assert view.box.left <= callout.box.left
        assert callout.box.right <= view.box.right
        assert callout.target == view.box_of(callout.placement).centre


@given(count=st.integers(1, 16))
def test_callouts_never_overlap(count: int) -> None:
    """Where there is no room for all of them, fewer are shown."""
    truck = thin_items(count)
    boxes = [callout.box for callout in callouts(truck, view_of(truck))]
    assert no_two_overlap(boxes)


def test_labels_that_want_the_same_place_stand_around_it() -> None:
    """If all were pushed to one side, the last one would be too far from its item to be shown."""
    instance, _ = lined_up(
        ["A"],
        items=(Item(60, 60),) * 4,
        vehicle=Vehicle(2450, 13600, 1000),
        units=Units(length_unit="mm"),
    )
    placements = [
        Placement(1, item, 60 * item, 6000, 60, 60, 1, load_step=item) for item in range(1, 5)
    ]
    truck = truck_of(instance, one_route(instance, (1,), placements))
    found = callouts(truck, view_of(truck))
    assert len(found) == 4
    assert no_two_overlap([one.box for one in found])
    offsets = [one.box.centre[0] - one.target[0] for one in found]
    assert offsets == sorted(offsets)
    assert sum(offsets) == pytest.approx(0, abs=10)


def test_names_of_walls_keep_clear_of_callouts() -> None:
    """The name of a wall and a label may want the same place."""
    truck = thin_items(8)
    root = parsed(loading_figure_svg(truck, id_prefix="a"))
    words = [one for one in root.iter(f"{SVG}text") if (one.text or "").endswith(" WALL")]
    assert {one.text for one in words} == {"LEFT WALL", "RIGHT WALL"}
    labels = [_label_box(group) for group in of_class(root, "callout")]
    for word in words:
        x, y = float(word.get("x", "nan")), float(word.get("y", "nan"))
        box = Box(x, y - 9, text_width(word.text or "", 11, bold=True), 11)
        assert not any(box.overlaps(label) for label in labels)


def test_names_of_walls_keep_clear_of_the_door_on_a_short_floor() -> None:
    """A floor that is wider than long is shorter than the name of its wall."""
    instance, solution = lined_up(["A"], items=(Item(12, 8),), vehicle=Vehicle(240, 20, 1000))
    truck = truck_of(instance, solution)
    root = parsed(loading_figure_svg(truck, id_prefix="a"))
    walls = next(rect for rect in root.iter(f"{SVG}rect") if rect.get("class") == "wall")
    door = float(walls.get("x", "nan")) + float(walls.get("width", "nan"))
    names = [one for one in root.iter(f"{SVG}text") if (one.text or "").endswith(" WALL")]
    assert len(names) == 2
    for name in names:
        width = text_width(name.text or "", 11, bold=True)
        assert float(name.get("x", "nan")) + width <= door


def _label_box(callout: ElementTree.Element) -> Box:
    label = next(group for group in callout.iter(f"{SVG}g") if group.get("class") == "label")
    place = label.get("transform", "").removeprefix("translate(").removesuffix(")").split(",")
    x, y = (float(number) for number in place)
    rect = next(iter(label.iter(f"{SVG}rect")))
    left, top, width, height = (
        float(rect.get(name, "nan")) for name in ("x", "y", "width", "height")
    )
    return Box(x + left, y + top, width, height)


def test_thirty_stops_of_small_items_can_be_drawn() -> None:
    """More labels than room: the picture stays clear, and the tables have them all."""
    truck = truck_of(*thirty_stops())
    picture = parsed(loading_plan_svg(truck.instance, truck.route))
    assert len(of_class(picture, "item")) == 60
    assert len(of_class(parsed(filmstrip_svg(truck)), "frame")) == 30


def test_a_filmstrip_has_a_frame_per_stop_with_what_leaves_and_what_stays() -> None:
    """Frame by frame the truck empties, in the order of the stops."""
    truck = truck_of(*lined_up(["A", "B", "C"]))
    frames = of_class(parsed(filmstrip_svg(truck)), "frame")
    assert [frame.get("data-stop") for frame in frames] == ["1", "2", "3"]
    for stop, frame in enumerate(frames, start=1):
        staying = of_class(of_class(frame, "staying")[0], "item")
        items = of_class(frame, "item")
        assert {item.get("data-stop") for item in staying} == {
            str(later) for later in range(stop + 1, 4)
        }
        leaving = [item for item in items if item not in staying]
        assert [item.get("data-stop") for item in leaving] == [str(stop)] * 2
        assert {"CAB", "DOOR"} <= set(texts(frame))


def test_every_leaving_item_has_an_arrow_through_the_door() -> None:
    """The arrow begins at the item and ends outside."""
    truck = truck_of(*lined_up(["A", "B"]))
    for frame in of_class(parsed(filmstrip_svg(truck)), "frame"):
        walls = next(rect for rect in frame.iter(f"{SVG}rect") if rect.get("class") == "wall")
        door = float(walls.get("x", "nan")) + float(walls.get("width", "nan"))
        arrows = [path for path in frame.iter(f"{SVG}path") if path.get("class") == "way-out"]
        assert len(arrows) == 2
        for arrow in arrows:
            start, _, rest = arrow.get("d", "").partition(" H")
            assert float(start.removeprefix("M").split(",")[0]) < door
            assert float(rest.split(" ")[0]) > door


def test_rows_of_a_filmstrip_show_every_stop_once() -> None:
    """A page may end between two rows; none may be lost there."""
    truck = truck_of(*lined_up([f"Stop no. {number}" for number in range(7)]))
    rows = [parsed(row) for row in filmstrip_rows(truck, id_prefix="film")]
    shown = [frame.get("data-stop") for row in rows for frame in of_class(row, "frame")]
    assert shown == [str(stop) for stop in range(1, 8)]


@pytest.mark.parametrize("draw", ["plan", "figure", "film"])
def test_a_plan_that_is_not_verified_says_so_in_red(draw: str) -> None:
    """Nobody may take such a picture for a plan."""
    instance, solution = lined_up(["A", "B"])
    for verified in (True, False):
        truck = Truck(instance, solution.routes[0], verified=verified)
        svg = {
            "plan": loading_plan_svg(instance, solution.routes[0], verified=verified),
            "figure": loading_figure_svg(truck, id_prefix="a"),
            "film": filmstrip_svg(truck),
        }[draw]
        marks = [one for one in parsed(svg).iter(f"{SVG}text") if one.text == NOT_VERIFIED]
        assert [mark.get("fill") for mark in marks] == ([] if verified else ["#C00000"])


def test_pictures_survive_hostile_names() -> None:
    """They stay well formed and show the names as they are."""
    instance, solution = lined_up(HOSTILE_NAMES)
    truck = truck_of(instance, solution)
    plan = Plan.of(instance, solution)
    for svg in (
        loading_figure_svg(truck, id_prefix="a"),
        filmstrip_svg(truck),
        route_map_svg(plan),
    ):
        root = parsed(svg)
        assert not list(root.iter(f"{SVG}script"))
        titles = " ".join(title.text or "" for title in root.iter(f"{SVG}title"))
        if "customer" in titles:
            assert all(name in titles for name in HOSTILE_NAMES)


places = st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000))


@given(st.lists(places, min_size=1, max_size=25), places)
def test_names_on_the_map_never_overlap(
    spots: list[tuple[int, int]], depot: tuple[int, int]
) -> None:
    """Customers may live next door to each other; then some names are left out."""
    instance = Instance(
        name="City",
        depot=depot,
        customers=tuple(
            Customer(x=x, y=y, weight=1, items=(Item(1, 1),), name=f"Customer no. {number}")
            for number, (x, y) in enumerate(spots)
        ),
        vehicle=Vehicle(10, 10, 100),
        vehicle_count=1,
    )
    view = MapView.of(instance)
    labels = map_labels(instance, view)
    assert no_two_overlap([box for _, box in labels])
    for label, box in labels:
        assert text_width(label, 12) <= box.width + 1e-9
        assert box.left >= 0
        assert box.right <= view.width
    for x, y in [depot, *spots]:
        across, down = view.point(x, y)
        assert 0 <= across <= view.width
        assert 0 <= down <= view.height


def test_the_map_shows_north_above_and_every_route() -> None:
    """A map that is upside down sends people the wrong way."""
    instance, solution = lined_up(["A", "B", "C"])
    view = MapView.of(instance)
    assert view.point(0, 10)[1] < view.point(0, 0)[1]
    assert view.point(10, 0)[0] > view.point(0, 0)[0]
    root = parsed(route_map_svg(Plan.of(instance, solution)))
    lines = list(root.iter(f"{SVG}polyline"))
    assert len(lines) == 1
    # Depot, three customers, depot.
    assert len((lines[0].get("points") or "").split()) == 5


def test_a_map_of_the_globe_is_not_stretched() -> None:
    """At 45.75 degrees north a degree of longitude is 0.70 as long as one of latitude."""
    view = MapView.of(furniture_day()[0])
    (x, y), (east, _), (_, north) = (
        view.point(*place) for place in ((4850, 45750), (4860, 45750), (4850, 45760))
    )
    assert north < y
    assert (east - x) / (y - north) == pytest.approx(math.cos(math.radians(45.7555)))


def test_a_map_across_the_date_line_keeps_neighbours_together() -> None:
    """179 degrees east and west are two degrees apart, not 358."""
    instance, _ = furniture_day()
    places = (179_000, 179_500, -179_500, -179_000)
    customers = tuple(
        replace(one, x=x, due=None) for one, x in zip(instance.customers, places, strict=True)
    )
    moved = replace(
        instance, depot=(179_900, 45_750), customers=customers, vehicle=Vehicle(24, 72, 1000)
    )
    view = MapView.of(moved)
    across = [view.point(x, 45_750)[0] for x in (*places[:2], 179_900, *places[2:])]
    assert across == sorted(across)
    assert across[0] >= 0
    assert across[-1] <= view.width


def test_roads_that_are_not_drawn_are_not_pretended() -> None:
    """With a matrix the lines are a sketch, and without coordinates there is no map at all."""
    instance, _ = furniture_day()
    roads = [[0 if i == j else 5 for j in range(5)] for i in range(5)]
    drawn = replace(instance, travel=Travel.from_matrix(roads, coordinates="lat/lon"))
    bare = replace(instance, travel=Travel.from_matrix(roads))
    for changed, note in (
        (instance, ""),
        (drawn, "roads, which are not drawn"),
        (bare, "There is no map: the orders have a road matrix, but no coordinates."),
    ):
        solution = planned(changed, [(2, 1), (4, 3)])
        pages = (html_report(changed, solution), Plan.of(changed, solution)._repr_html_())
        for page in pages:
            assert note in page
            assert ("which are not drawn" in page) == ("not drawn" in note)
            assert (' class="map"' in page) == (changed is not bare)
        assert ("Line on the map" in pages[0]) == (changed is not bare)


def test_one_customer_at_the_depot_has_a_map() -> None:
    """All places in one point leave no extent to scale by."""
    view = MapView.of(one_customer(5, 5, Item(1, 1), Vehicle(1, 1, 1), depot=(5, 5)))
    assert all(math.isfinite(number) for number in (*view.point(5, 5), view.width, view.height))


def test_the_chart_keeps_changes_and_the_end() -> None:
    """A search reports thousands of moments at which nothing has changed."""
    history = [(0.0, -math.inf, None), (1.0, 10.0, None), (2.0, 10.0, None), (3.0, 10.0, 20.0)]
    history += [(4.0 + step, 15.0, 20.0) for step in range(1000)]
    assert changes(history) == [
        (1.0, 10.0, None),
        (3.0, 10.0, 20.0),
        (4.0, 15.0, 20.0),
        (1003.0, 15.0, 20.0),
    ]


@given(
    st.lists(
        st.tuples(
            st.floats(0, 1e6),
            st.floats(0, 1e9) | st.just(-math.inf),
            st.none() | st.floats(0, 1e9),
        ),
        max_size=20,
    ).map(lambda moments: sorted(moments, key=lambda moment: moment[0]))
)
def test_any_history_can_be_drawn(history: list[tuple[float, float, float | None]]) -> None:
    """Every point lies inside the picture, whatever the search has told."""
    svg = gap_chart_svg(history, "km")
    if not svg:
        assert changes(history) == []
        return
    root = parsed(svg)
    assert "nan" not in svg
    assert "inf" not in svg
    lines = [
        path for path in root.iter(f"{SVG}path") if path.get("class") in ("bound", "best-plan")
    ]
    for line in lines:
        for step in line.get("d", "").removeprefix("M").replace(",", " ").split():
            if step[0] == "V":
                assert 0 <= float(step[1:]) <= 320
            elif step[0] == "H":
                assert 0 <= float(step[1:]) <= 760


def test_the_chart_says_where_its_axis_begins() -> None:
    """A line on the axis is not a value."""
    history = [(0, 0.0, None), (1, 95.0, 100.1)]
    assert axis_note(history, "km").startswith("The cost axis begins at 76 km;")
    assert axis_note([(0, 90.0, None), (1, 95.0, 100.0)], "km") == ""
    assert axis_note([], "km") == ""


def test_costs_on_the_axis_are_never_written_with_an_exponent() -> None:
    """A planner reads 1.25e+06 as a mistake of the program."""
    chart = gap_chart_svg([(0, 1_200_000.0, None), (1, 1_250_000.0, 1_300_000.0)], "m")
    assert ">1250000<" in chart
    assert "e+06" not in chart
