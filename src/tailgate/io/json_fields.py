"""The file ``vehicle.json`` of a CSV folder: settings and vehicle, in place of two tables."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from tailgate.io.clock_times import TimeReader
from tailgate.io.draft import Place, Time
from tailgate.io.field_table import Fields
from tailgate.io.headings import SETTING_AND_VEHICLE_HEADINGS
from tailgate.io.json_parts import place_in
from tailgate.io.text_file import read_text, source_text
from tailgate.model.json_document import JsonDocument, JsonValue, path_text

_DISTANCE = ("conventions", "distance")
"""Another name of the rounding, which is that of format 1."""
_GROUPS = {
    "travel": ("metric", "detour", "speed", "rounding", "decimals"),
    "conventions": ("fleet", "single customer routes", "lifo", "turn"),
}


def _path_of(field: str) -> tuple[str, ...]:
    """Return where a field of the table of settings is in the document."""
    if field.startswith("depot "):
        return ("depot", field.removeprefix("depot "))
    groups = (group for group, fields in _GROUPS.items() if field in fields)
    return (*groups, field.replace(" ", "_"))


_PATHS = {field: _path_of(field) for field in SETTING_AND_VEHICLE_HEADINGS.known}


def vehicle_json_fields(path: Path, times: TimeReader) -> Fields:
    """Read ``vehicle.json``."""
    return _JsonFields(JsonDocument(read_text(path), source_text(path)), times)


class _JsonFields(Fields):
    """The fields of the table of settings, wherever they are in the document."""

    def __init__(self, document: JsonDocument, times: TimeReader) -> None:
        """Refuse what is not known."""
        self._document = document
        self._times = times
        self._root = document.parse()
        stated = self._root.value
        if isinstance(stated, dict) and isinstance(stated.get("vehicles"), list):
            self._root.fail(
                "this file is for one kind of vehicles; for several write the tables vehicles.csv "
                "and settings.csv in its place",
                "vehicles",
            )
        known = (*_PATHS.values(), _DISTANCE)
        members = self._root.members(
            required=SETTING_AND_VEHICLE_HEADINGS.required,
            optional=tuple(dict.fromkeys(path[0] for path in known)),
        )
        self._values: dict[tuple[str, ...], JsonValue] = {}
        for name, value in members.items():
            self._values[name,] = value
            inner = tuple(path[1] for path in known if path[0] == name and len(path) > 1)
            for key, part in value.members(optional=inner).items() if inner else ():
                self._values[name, key] = part
        rounding = self._values.get(_PATHS["rounding"])
        if rounding is not None and _DISTANCE in self._values:
            rounding.fail("says the same as conventions.distance; leave out one of them")

    def _path(self, field: str) -> tuple[str, ...]:
        if field == "rounding" and _DISTANCE in self._values:
            return _DISTANCE
        return _PATHS.get(field, (field,))

    def _value(self, field: str) -> JsonValue | None:
        value = self._values.get(self._path(field))
        return None if value is None or value.is_null else value

    def _must(self, field: str) -> JsonValue:
        value = self._value(field)
        if value is None:
            *outer, name = self._path(field)
            owner = self._values.get(tuple(outer), self._root)
            if outer and owner is self._root:
                name = outer[0]
            owner.fail(f'lacks the field "{name}"')
        return value

    def __contains__(self, field: str) -> bool:
        """Return whether a field has a value."""
        return self._value(field) is not None

    def place(self, field: str) -> Place:
        """Return where a field is, or should be."""
        return place_in(self._document, path_text(self._path(field)))

    def text(self, field: str) -> str:
        """Return a text; empty if it is not there."""
        value = self._value(field)
        return "" if value is None else value.string()

    def flag_or_none(self, field: str) -> bool | None:
        """Return yes or no if it is there."""
        value = self._value(field)
        return None if value is None else value.boolean()

    def number(self, field: str) -> Decimal:
        """Return a number that must be there."""
        return self._must(field).decimal()

    def count(self, field: str, *, low: int, high: int) -> int:
        """Return a whole number that must be there."""
        return self._must(field).integer(low=low, high=high)

    def moment_or_none(self, field: str) -> Time | None:
        """Return a time of day if it is there."""
        given = self._given(field)
        return None if given is None else self._times.moment(given, lambda: self.place(field))

    def duration_or_none(self, field: str) -> Time | None:
        """Return how long something takes if it is there."""
        given = self._given(field)
        return None if given is None else self._times.duration(given, lambda: self.place(field))

    def _given(self, field: str) -> Decimal | str | None:
        value = self._value(field)
        if value is None:
            return None
        return value.value if isinstance(value.value, str) else value.decimal()
