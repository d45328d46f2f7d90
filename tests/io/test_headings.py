"""Headings as people write them: what is understood, and what would be a guess."""

from __future__ import annotations

import pytest

from tailgate.io.headings import (
    CUSTOMER_HEADINGS,
    ITEM_HEADINGS,
    SETTING_AND_VEHICLE_HEADINGS,
    SETTING_HEADINGS,
    VEHICLE_HEADINGS,
    Headings,
    heading_key,
    info_heading,
    info_name,
)

TABLES = {
    "customers": CUSTOMER_HEADINGS,
    "items": ITEM_HEADINGS,
    "vehicles": VEHICLE_HEADINGS,
    "settings": SETTING_HEADINGS,
    "vehicle": SETTING_AND_VEHICLE_HEADINGS,
}


@pytest.mark.parametrize("headings", TABLES.values(), ids=TABLES)
def test_no_heading_means_two_columns(headings: Headings) -> None:
    """An alias that could mean two columns, or is the name of another one, is not one."""
    meanings: dict[str, set[str]] = {}
    for name in (*headings.known, *headings.refused):
        meanings.setdefault(heading_key(name), set()).add(name)
    for name, aliases in headings.aliases.items():
        assert name in headings.known
        for alias in aliases:
            meanings.setdefault(heading_key(alias), set()).add(name)
    assert [key for key, names in meanings.items() if len(names) > 1] == []


@pytest.mark.parametrize(
    ("table", "heading", "column"),
    [
        ("customers", "Latitude", "lat"),
        ("customers", "BREITE", "lat"),
        ("customers", "Länge", "lon"),
        ("customers", "laengengrad", "lon"),
        ("customers", "lng", "lon"),
        ("customers", "Name", "customer"),
        ("customers", "Kunde", "customer"),
        ("customers", "client", "customer"),
        ("customers", "Open", "ready"),
        ("customers", "from", "ready"),
        ("customers", "Ouverture", "ready"),
        ("customers", "to", "due"),
        ("customers", "until", "due"),
        ("customers", "Schließt", "due"),
        ("customers", "SCHLIESST", "due"),
        ("customers", "Fermeture", "due"),
        ("customers", "Heure d\N{RIGHT SINGLE QUOTATION MARK}ouverture", "ready"),
        ("customers", "Durée", "service"),
        ("customers", "Gewicht", "weight"),
        ("customers", "Tél.", "phone"),
        ("customers", "Adresse", "address"),
        ("customers", "info: Gate code", "info: Gate code"),
        ("customers", "INFO:address", "address"),
        ("customers", "Leave-out cost", "leave out cost"),
        ("customers", "leave_out_cost", "leave out cost"),
        ("customers", "Auslasskosten", "leave out cost"),
        ("customers", "Pénalité", "leave out cost"),
        ("customers", "Erlaubte Fahrzeuge", "vehicles"),
        ("customers", "véhicules autorisés", "vehicles"),
        ("customers", "Not_with", "not with"),
        ("customers", "Nicht mit", "not with"),
        ("customers", "Incompatible avec", "not with"),
        ("customers", "Zusammen mit", "together"),
        ("customers", "ensemble", "together"),
        ("customers", "Position dans la tournée", "position"),
        ("customers", "vehicle", None),
        ("customers", "cost", None),
        ("customers", "number", None),
        ("customers", "time", None),
        ("customers", "start", None),
        ("customers", "de", None),
        ("items", "name", "name"),
        ("items", "Kunde", "customer"),
        ("items", "Breite", "width"),
        ("items", "Länge", "length"),
        ("items", "largeur", "width"),
        ("items", "Longueur", "length"),
        ("items", "qty", "quantity"),
        ("items", "Anzahl", "quantity"),
        ("items", "Quantité", "quantity"),
        ("items", "poids", "weight"),
        ("items", "depth", None),
        ("items", "info: x", None),
        ("vehicles", "Fahrzeug", "name"),
        ("vehicles", "fixed_cost", "fixed cost"),
        ("vehicles", "Coût fixe", "fixed cost"),
        ("vehicles", "Nutzlast", "capacity"),
        # A rate by the hour is not one by the unit of time.
        ("vehicles", "cost per hour", "cost_per_hour"),
        ("vehicles", "cost per km", "cost_per_km"),
        ("settings", "distance", "rounding"),
        ("settings", "currency", "cost unit"),
        ("settings", "Depot latitude", "depot lat"),
        ("settings", "width", None),
        ("vehicle", "width", "width"),
        ("vehicle", "Name", "name"),
        ("vehicle", "vehicle name", "vehicle name"),
    ],
)
def test_headings_of_three_languages_are_understood(
    table: str, heading: str, column: str | None
) -> None:
    """What planners call their columns, as long as it can mean one thing only in that table."""
    assert TABLES[table].column(heading) == column


def test_info_goes_by_its_name() -> None:
    """What sheets show is called as the planner calls it; the usual ones need no mark."""
    for name in ("address", "Gate code", "# doors", "info: x"):
        heading = info_heading(name)
        assert (info_name(heading) or heading) == name
        assert CUSTOMER_HEADINGS.column(heading) == heading
