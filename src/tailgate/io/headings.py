"""Headings of tables: the names of the format, and what else people call the same thing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tailgate.io import unsupported

# Before the heading of a column that is not for the program: an internal code, a date.
NOTE_MARK = "#"
INFO_MARK = "info:"
"""Before the name of what sheets show beside a stop."""
INFO_COLUMNS = ("address", "phone", "note", "reference")
"""What sheets show and everybody calls so; other names come after `INFO_MARK`."""

_GAPS = re.compile(r"[\s_.'\N{RIGHT SINGLE QUOTATION MARK}-]+")


def heading_key(heading: str) -> str:
    """Return what a heading is known by, whatever its case, accents, blanks and dots.

    >>> heading_key("Single-customer routes"), heading_key("Tél.")
    ('singlecustomerroutes', 'tel')
    """
    decomposed = unicodedata.normalize("NFKD", _GAPS.sub("", heading).casefold())
    return "".join(one for one in decomposed if not unicodedata.combining(one))


def info_name(heading: str) -> str | None:
    """Return the name of an info column, ``None`` if it is not one that says so.

    >>> info_name("Info: Gate code"), info_name("information")
    ('Gate code', None)
    """
    mark, name = heading[: len(INFO_MARK)], heading[len(INFO_MARK) :]
    return name.strip() if mark.casefold() == INFO_MARK else None


def info_heading(name: str) -> str:
    """Return the heading under which a piece of info is written."""
    return name if name in INFO_COLUMNS else f"{INFO_MARK} {name}"


@dataclass(frozen=True)
class Headings:
    """The columns that a table may have; in the table of fields and values, its fields.

    Parameters
    ----------
    required : tuple of str
        Columns that must be there.
    optional : tuple of str
        Columns that may be there.
    aliases : dict
        By column, what else people call it. What could mean two of them is not there.
    refused : dict
        By column, why it cannot be used: it would change the plan, and must not be lost.
    takes_info : bool
        Whether columns ``info: NAME`` are taken.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...]
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    takes_info: bool = False

    @property
    def known(self) -> tuple[str, ...]:
        """The names of the format."""
        return (*self.required, *self.optional)

    @property
    def spellings(self) -> tuple[str, ...]:
        """The names of the format and all others."""
        return (*self.known, *(alias for more in self.aliases.values() for alias in more))

    @cached_property
    def _by_key(self) -> dict[str, str]:
        aliases = ((alias, name) for name, more in self.aliases.items() for alias in more)
        # The names of the format come last, and so before any alias.
        names = ((name, name) for name in (*self.refused, *self.known))
        return {heading_key(spelled): name for spelled, name in (*aliases, *names)}

    def column(self, heading: str) -> str | None:
        """Return the column that a heading means, ``None`` if it is not known."""
        if self.takes_info:
            name = info_name(heading)
            if name is not None:
                return info_heading(name)
        return self._by_key.get(heading_key(heading))


_LENGTHS = {
    "width": ("breite", "largeur"),
    "length": ("länge", "laenge", "longueur"),
}
_WEIGHT = ("gewicht", "poids")
_CUSTOMER = (
    *("customer name", "client", "client name", "recipient"),
    *("kunde", "kundenname", "empfänger", "empfaenger"),
    *("nom client", "nom du client", "destinataire"),
)
_QUANTITY = ("qty", "anzahl", "menge", "quantité", "qté", "nombre")
_LATITUDE = ("latitude", "breite", "breitengrad")
_LONGITUDE = ("longitude", "lng", "long", "länge", "laenge", "längengrad", "laengengrad")
# A bare "vehicle" may as well be the one that came last time.
_RULES = {
    "leave out cost": (
        *("cost if left out", "cost of leaving out", "skip cost", "penalty"),
        *("auslasskosten", "kosten bei auslassung", "kosten wenn ausgelassen"),
        *("coût si non livré", "coût de non livraison", "pénalité"),
    ),
    "vehicles": (
        *("allowed vehicles", "vehicle kinds", "vehicle types", "allowed trucks"),
        *("fahrzeuge", "erlaubte fahrzeuge", "zulässige fahrzeuge", "fahrzeugtypen"),
        *("véhicules", "véhicules autorisés", "véhicules admis", "types de véhicules"),
    ),
    "not with": (
        *("not together with", "incompatible with", "incompatible"),
        *("nicht mit", "nicht zusammen mit", "unverträglich mit"),
        *("pas avec", "incompatible avec", "jamais avec"),
    ),
    "together": (
        *("together with", "same truck as", "same vehicle as"),
        *("zusammen", "zusammen mit", "gemeinsam mit"),
        *("ensemble", "ensemble avec"),
    ),
    "position": (
        *("position in route", "stop position"),
        *("position in der tour", "position im tourverlauf"),
        *("position dans la tournée",),
    ),
}
_INFO = {
    "address": ("adresse", "anschrift"),
    "phone": ("phone number", "telephone", "tel", "telefon", "telefonnummer", "mobile"),
    "note": (
        *("notes", "remark", "remarks", "comment", "comments"),
        *("notiz", "notizen", "bemerkung", "bemerkungen", "hinweis", "hinweise", "kommentar"),
        *("remarque", "remarques", "commentaire", "commentaires"),
    ),
    "reference": ("ref", "referenz", "order number", "auftragsnummer", "bestellnummer"),
}
TIME_FIELDS = frozenset(
    {
        *("ready", "due", "service", "depot ready", "depot due"),
        *("shift start", "shift end", "max duration"),
    }
)
"""Where a spreadsheet may have a time."""

CUSTOMER_HEADINGS = Headings(
    required=("customer",),
    optional=(
        *("x", "y", "lat", "lon", "weight", "ready", "due", "service"),
        *("leave out cost", "vehicles", "not with", "together", "position", *INFO_COLUMNS),
    ),
    aliases={
        "customer": ("name", "nom", *_CUSTOMER),
        "lat": _LATITUDE,
        "lon": _LONGITUDE,
        "weight": (*_WEIGHT, "total weight", "gesamtgewicht", "poids total"),
        "ready": (
            *("open", "opens", "opening", "open from", "from", "earliest", "window start"),
            *("von", "ab", "offen ab", "offen von", "öffnet", "öffnung", "frühestens"),
            *("ouverture", "ouvert de", "heure d'ouverture"),
        ),
        "due": (
            *("close", "closes", "closing", "open until", "to", "until", "till", "latest"),
            *("window end", "bis", "offen bis", "schließt", "schließung", "spätestens"),
            *("fermeture", "jusqu'à", "heure de fermeture"),
        ),
        "service": (
            *("service time", "service duration", "unloading time", "duration"),
            *("dauer", "servicezeit", "standzeit", "entladezeit"),
            *("durée", "durée de service", "temps de service"),
        ),
        **_RULES,
        **_INFO,
    },
    refused=unsupported.CUSTOMER_FIELDS,
    takes_info=True,
)

ITEM_HEADINGS = Headings(
    required=("customer", "width", "length"),
    optional=("quantity", "name", "weight", "turn"),
    aliases={
        "customer": _CUSTOMER,
        **_LENGTHS,
        "quantity": (*_QUANTITY, "count", "pieces", "pcs", "stück", "stk", "pièces"),
        "name": (
            *("item", "item name", "description", "product"),
            *("artikel", "bezeichnung", "produkt", "article", "désignation", "produit"),
        ),
        "weight": (*_WEIGHT, "unit weight", "stückgewicht", "poids unitaire"),
        "turn": (
            *("may turn", "may be turned", "turnable", "can be turned", "rotate", "rotatable"),
            *("drehbar", "drehen", "darf gedreht werden"),
            *("tourner", "tournable", "pivotable", "orientable", "peut être tourné"),
        ),
    },
    refused=unsupported.ITEM_FIELDS,
)

_COSTS = ("fixed cost", "cost per distance", "cost per time")
_LIMITS = ("shift start", "shift end", "max duration", "max distance", "max stops")
_VEHICLE_ALIASES = {
    **_LENGTHS,
    "capacity": (
        *("payload", "max weight", "nutzlast", "zuladung", "kapazität"),
        *("charge utile", "capacité"),
    ),
    "count": (*_QUANTITY, "quantity"),
    "fixed cost": ("fixed costs", "fixkosten", "coût fixe", "coûts fixes"),
    "shift start": ("shift from", "start of shift", "schichtbeginn", "début de poste"),
    "shift end": ("shift until", "end of shift", "schichtende", "fin de poste"),
    "max duration": ("höchstdauer", "durée max", "durée maximale"),
    "max stops": ("max stopps", "arrêts max"),
}
VEHICLE_HEADINGS = Headings(
    required=("count", "width", "length", "capacity"),
    optional=("name", *_COSTS, *_LIMITS),
    aliases={
        **_VEHICLE_ALIASES,
        "name": (
            *("vehicle", "vehicle name", "vehicle type", "truck", "kind", "type", "nom"),
            *("fahrzeug", "fahrzeugtyp", "véhicule", "type de véhicule"),
        ),
    },
    refused=unsupported.VEHICLE_FIELDS,
)

_DEPOT_ALIASES = {
    "depot name": ("depot", "dépôt"),
    "depot lat": ("depot latitude", "depot breitengrad", "latitude du dépôt"),
    "depot lon": ("depot longitude", "depot lng", "depot längengrad", "longitude du dépôt"),
    "depot ready": ("depot open", "depot opens", "depot from", "depot von", "depot ab"),
    "depot due": ("depot close", "depot closes", "depot until", "depot to", "depot bis"),
}
UNITS = ("length", "weight", "distance", "time", "cost")
_UNIT_FIELDS = tuple(f"{quantity} unit" for quantity in UNITS)
SETTING_HEADINGS = Headings(
    required=(),
    optional=(
        *("name", "depot name", "depot x", "depot y", "depot lat", "depot lon"),
        *("depot ready", "depot due", *_UNIT_FIELDS),
        *("metric", "detour", "speed", "rounding", "decimals"),
        *("fleet", "single customer routes", "lifo", "turn"),
    ),
    aliases={
        **_DEPOT_ALIASES,
        "cost unit": ("currency", "währung", "devise"),
        # Its name among the conventions.
        "rounding": ("distance",),
        "speed": ("geschwindigkeit", "vitesse"),
        "detour": ("umweg", "umwegfaktor"),
    },
)
"""Fields of the table of settings, which goes with the table of vehicles."""

VEHICLE_NAME = "vehicle name"
SETTING_AND_VEHICLE_HEADINGS = Headings(
    required=("width", "length", "capacity", "count"),
    optional=(*SETTING_HEADINGS.optional, VEHICLE_NAME, *_COSTS, *_LIMITS),
    aliases={**SETTING_HEADINGS.aliases, **_VEHICLE_ALIASES},
    refused={
        field: sentence
        for field, sentence in unsupported.VEHICLE_FIELDS.items()
        if field != "depot"
    },
)
"""Fields of a workbook's sheet that has the settings and the vehicle."""
