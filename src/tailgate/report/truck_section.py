"""One truck in the report: its plan with a slider that unloads it, and its tables."""

from __future__ import annotations

import json

from tailgate.model.rounding import counted
from tailgate.report.html import NOTHING, Html, tag
from tailgate.report.loading_plan_svg import loading_figure_svg
from tailgate.report.table_html import leg_table, loading_table, unloading_table
from tailgate.report.truck import Truck
from tailgate.report.words import load_step_text, share_text


def truck_section(truck: Truck) -> Html:
    """Return the section of the report that shows one truck."""
    name, trip = f"truck-{truck.number}", truck.trip
    distance = f", {trip.distance_text}" if trip.shows_distance else ""
    return tag(
        "section",
        tag("h2", truck.title, id=name),
        tag("p", f"Route: {truck.route_text}"),
        tag("p", f"Locked: {truck.locked_text}") if truck.locked_text else NOTHING,
        tag(
            "p",
            f"Cost {trip.cost_words}{distance}, floor {share_text(truck.fill)} covered, "
            f"weight {truck.load_text}",
        ),
        tag("p", f"The truck {trip.hours_text}; duration {trip.duration_words}")
        if trip.is_timed
        else NOTHING,
        tag("figure", Html(loading_figure_svg(truck, id_prefix=f"{name}-plan"))),
        _slider(truck, name),
        tag("div", loading_table(truck, f"{name}-plan"), class_="wide"),
        tag("div", unloading_table(truck, f"{name}-plan"), class_="wide"),
        tag("div", leg_table(truck), class_="wide"),
        class_="truck",
        aria_labelledby=name,
    )


def _slider(truck: Truck, name: str) -> Html:
    """Return the slider; the script shows it, for without a script it could do nothing."""
    states = unloading_states(truck)
    return tag(
        "div",
        tag("label", "Unload stop by stop", for_=f"{name}-slider"),
        tag(
            "input",
            type="range",
            class_="unloader",
            id=f"{name}-slider",
            min=0,
            max=len(states) - 1,
            step=1,
            value=0,
            autocomplete="off",
            aria_valuetext=states[0],
            data_states=json.dumps(states),
        ),
        tag("output", states[0], for_=f"{name}-slider", aria_live="off"),
        class_="control",
        hidden=True,
    )


def unloading_states(truck: Truck) -> list[str]:
    """Return what each position of the slider shows: the depot, every stop, the way back."""
    legs = truck.legs
    states = [
        f"Leaving the depot: {counted(legs[0].items, 'item')} on board, "
        f"{truck.weight_words(legs[0].weight)}."
    ]
    for stop in truck.stops:
        leaving = [
            load_step_text(placement.load_step)
            for placement in truck.unloading_order
            if placement.stop_index == stop
        ]
        out = f"{', '.join(leaving)} out" if leaving else "nothing to unload"
        states.append(
            f"Stop {stop}, {truck.label(stop)}: {out}. "
            f"{counted(legs[stop].items, 'item')} left on board, "
            f"{truck.weight_words(legs[stop].weight)}."
        )
    return [*states, "Back to the depot: the truck is empty."]
