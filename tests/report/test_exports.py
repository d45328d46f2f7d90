"""GeoJSON and GPX: what maps and navigation devices read."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from typing import Any

import pytest

from report_cases import HOSTILE_NAMES, furniture_day, lined_up, planned
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance, Travel
from tailgate.report.plan import Plan

GPX = "{http://www.topografix.com/GPX/1/1}"


def features(plan: Plan, kind: str) -> list[dict[str, Any]]:
    """Return the features of one kind."""
    collection = json.loads(plan.to_geojson())
    assert collection["type"] == "FeatureCollection"
    assert all(one["type"] == "Feature" for one in collection["features"])
    return [one for one in collection["features"] if one["properties"]["kind"] == kind]


def routes(plan: Plan) -> list[ElementTree.Element]:
    """Return the routes of the GPX document."""
    root = ElementTree.fromstring(plan.to_gpx())
    assert root.tag == f"{GPX}gpx"
    assert root.get("version") == "1.1"
    return root.findall(f"{GPX}rte")


def test_geojson_has_longitude_before_latitude() -> None:
    """RFC 7946 wants it so; the other way round is somewhere in the sea."""
    (depot,) = features(Plan.of(*furniture_day()), "depot")
    assert depot["geometry"] == {"type": "Point", "coordinates": [4.85, 45.75]}
    assert depot["properties"]["name"] == "Depot <Lyon>"


def test_geojson_has_stops_with_what_a_map_shows() -> None:
    """Name, truck, place in the tour, hours, and what the orders say."""
    stops = features(Plan.of(*furniture_day()), "stop")
    assert [stop["properties"]["name"] for stop in stops] == [
        "Hôtel <Adler>",
        "Mme Dupont",
        "École",
        "Café & Co",
    ]
    assert stops[1]["geometry"] == {"type": "Point", "coordinates": [4.885, 45.77]}
    stated = stops[1]["properties"]
    assert (stated["truck"], stated["stop"], stated["customer"]) == (1, 2, 1)
    assert (stated["arrival"], stated["window"]) == ("12:00", "12:00 to 14:00")
    assert (stated["address"], stated["info: gate code"]) == ("12 rue Neuve", "=1+1")
    assert stated["verified"] is True


def test_geojson_has_a_line_for_every_truck() -> None:
    """From the depot to the depot, with what the tour costs and takes."""
    plan = Plan.of(*furniture_day())
    first, second = features(plan, "route")
    assert first["geometry"]["type"] == "LineString"
    assert first["geometry"]["coordinates"] == [
        [4.85, 45.75],
        [4.84, 45.781],
        [4.885, 45.77],
        [4.85, 45.75],
    ]
    stated = first["properties"]
    assert stated["cost"] == plan.trucks[0].route.cost
    assert (stated["cost_unit"], stated["distance_unit"], stated["time_unit"]) == (
        "EUR",
        "km",
        "min",
    )
    assert stated["distance"] == pytest.approx(14.500454)
    assert stated["duration"] == pytest.approx(69.883333)
    assert (stated["departure"], stated["return"]) == ("11:13:15", "12:23:08")
    assert second["properties"]["truck"] == 2


def test_gpx_has_a_route_with_its_stops_in_order() -> None:
    """Names for the screen of the device, hours as comments, addresses as descriptions."""
    first, second = routes(Plan.of(*furniture_day()))
    points = first.findall(f"{GPX}rtept")
    assert [(point.get("lat"), point.get("lon")) for point in points] == [
        ("45.75", "4.85"),
        ("45.781", "4.84"),
        ("45.77", "4.885"),
        ("45.75", "4.85"),
    ]
    assert [point.findtext(f"{GPX}name") for point in points] == [
        "Depot <Lyon>",
        "1 Hôtel <Adler>",
        "2 Mme Dupont",
        "Depot <Lyon>",
    ]
    assert points[0].findtext(f"{GPX}cmt") == "leave 11:13:15"
    assert (points[2].findtext(f"{GPX}cmt") or "").startswith("arrive 12:00, service 15 min")
    assert (points[2].findtext(f"{GPX}desc") or "").startswith("12 rue Neuve; phone")
    assert points[3].findtext(f"{GPX}cmt") == "back 12:23:08"
    assert second.findtext(f"{GPX}number") == "2"


def test_gpx_keeps_the_order_of_the_schema() -> None:
    """GPX 1.1 is a sequence: name, cmt, desc, number, then the points."""
    order = ["name", "cmt", "desc", "number", "rtept"]
    for route in routes(Plan.of(*furniture_day())):
        for element in (route, *route.findall(f"{GPX}rtept")):
            found = [order.index(child.tag.removeprefix(GPX)) for child in element]
            assert found == sorted(found)


def test_no_number_has_an_exponent() -> None:
    """A hundred-millionth of a degree is written out, and so is a large cost."""
    instance = moved(1, -1, scale=10**8)
    plan = Plan.of(instance, planned(instance, [(1, 2, 3, 4)]))
    assert "[0.00000001, -0.00000001]" in plan.to_geojson()
    assert 'lat="-0.00000001" lon="0.00000001"' in plan.to_gpx()
    route = replace(plan.trucks[0].route, cost=1e-7)
    tiny = Plan.of(instance, replace(plan.solution, routes=(route,)))
    assert not re.findall(r"\d[eE][-+]?\d", tiny.to_geojson() + tiny.to_gpx())
    assert '"cost": 0.0000001,' in tiny.to_geojson()
    assert tiny.to_geojson().count('"verified": false') == 5


def moved(longitude: int, latitude: int, *, scale: int) -> Instance:
    """Return the day with everything at one place."""
    instance, _ = furniture_day()
    return replace(
        instance,
        depot=(longitude, latitude),
        customers=tuple(
            replace(one, x=longitude, y=latitude, ready=0, due=None, weight=1)
            for one in instance.customers
        ),
        units=replace(instance.units, coordinate_scale=scale),
    )


def test_the_date_line_is_west_in_gpx() -> None:
    """Its schema has longitudes below 180."""
    instance = moved(180, 0, scale=1)
    plan = Plan.of(instance, planned(instance, [(1, 2, 3, 4)]))
    assert 'lon="-180"' in plan.to_gpx()
    assert 'lon="180"' not in plan.to_gpx()
    assert "[180, 0]" in plan.to_geojson()


def test_hostile_names_stay_text() -> None:
    """Both formats are read by programs that might be fooled."""
    instance, _ = furniture_day()
    customers = tuple(
        replace(one, name=name, info=(("address", name), ("name", "x")))
        for one, name in zip(instance.customers, HOSTILE_NAMES, strict=False)
    )
    hostile = replace(instance, customers=customers, name=HOSTILE_NAMES[2], depot_name="]]>&<")
    plan = Plan.of(hostile, planned(hostile, [(2, 1), (4, 3)]))
    stops = features(plan, "stop")
    assert [stop["properties"]["address"] for stop in stops] == [
        HOSTILE_NAMES[index] for index in (1, 0, 3, 2)
    ]
    assert stops[0]["properties"]["name"] == HOSTILE_NAMES[1]
    (first, _) = routes(plan)
    assert first.findall(f"{GPX}rtept")[1].findtext(f"{GPX}name") == f"1 {HOSTILE_NAMES[1]}"


def test_what_is_not_verified_says_so() -> None:
    """A device has no red ink."""
    instance, solution = furniture_day()
    wrong = Plan.of(instance, replace(solution, objective=1))
    assert {one["properties"]["verified"] for one in features(wrong, "route")} == {False}
    root = ElementTree.fromstring(wrong.to_gpx())
    assert root.findtext(f"{GPX}metadata/{GPX}desc") == "NOT VERIFIED"
    assert all(
        (route.findtext(f"{GPX}desc") or "").endswith("NOT VERIFIED") for route in routes(wrong)
    )


@pytest.mark.parametrize("export", [Plan.to_geojson, Plan.to_gpx])
def test_other_coordinates_are_refused_with_the_remedy(export: Any) -> None:
    """A plane is nowhere on the globe, and a matrix need not have any places."""
    with pytest.raises(InputError, match=r"needs latitudes and longitudes.*x and y on a plane"):
        export(Plan.of(*lined_up(["A"])))
    instance, _ = furniture_day()
    roads = [[0 if i == j else 5 for j in range(5)] for i in range(5)]
    bare = replace(instance, travel=Travel.from_matrix(roads))
    with pytest.raises(InputError, match=r"have no coordinates; give lat and lon"):
        export(Plan.of(bare, planned(bare, [(2, 1), (4, 3)])))
