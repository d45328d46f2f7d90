"""What the JSON files of an instance have in common, whatever their format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal

from tailgate.io.clock_times import TimeReader
from tailgate.io.draft import DraftItem, Place, Time
from tailgate.model.conventions import ConventionOverrides, Conventions
from tailgate.model.instance import Item
from tailgate.model.json_document import JsonDocument, JsonValue, path_text
from tailgate.model.json_document import Path as JsonPath
from tailgate.model.limits import MAX_ITEMS_PER_CUSTOMER
from tailgate.model.units import MAX_UNIT_CHARACTERS, Units
from tailgate.model.validation import text

CONVENTIONS_1 = tuple(Conventions.PLANNER.to_dict())
CONVENTIONS_2 = (*CONVENTIONS_1, "turn")
"""The conventions that a file of each format may state."""

_STEP = re.compile(r"(\w+)|\[(\d+)\]")


def place_in(document: JsonDocument, path: str) -> Place:
    """Return where the value with a path such as ``customers[3].weight`` is in a document."""
    steps: JsonPath = tuple(
        match[1] if match[2] is None else int(match[2]) for match in _STEP.finditer(path)
    )
    return Place(document.source or "", document.line_of(steps), path_text(steps) or None)


def place_of(value: JsonValue) -> Callable[[], Place]:
    """Return what finds the place of a value, which takes a while."""
    document, path = value.document, value.path
    return lambda: Place(document.source or "", document.line_of(path), path_text(path) or None)


def read_conventions(
    value: JsonValue | None,
    overrides: ConventionOverrides,
    names: Iterable[str],
    **stated: object,
) -> Conventions:
    """Return the planner's conventions, changed by the file's, changed by the caller's.

    ``names`` are those that the format knows; ``stated`` are conventions that the file has
    elsewhere, and none of this object.
    """
    if value is None:
        return Conventions.from_dict(stated).overridden(overrides)
    known = tuple(name for name in names if name not in stated)
    for name, member in value.members(optional=known).items():
        stated[name] = member.boolean() if name == "lifo" else member.string()
    with value.placing_errors():
        return Conventions.from_dict(stated).overridden(overrides)


def refuse_fields(value: JsonValue, sentences: Mapping[str, str]) -> None:
    """Complain about a field that is known, but not taken."""
    if isinstance(value.value, dict):
        for name in value.value:
            if name in sentences:
                value.fail(sentences[name], name)


def unit_name(value: JsonValue) -> str:
    """Return the name of a unit."""
    with value.placing_errors():
        return text(value.string(), "", max_characters=MAX_UNIT_CHARACTERS)


def moment(
    members: Mapping[str, JsonValue], name: str, times: TimeReader, *, may_be_null: bool = False
) -> Time | None:
    """Return a time of day, if it is there."""
    given = _number_or_text(members.get(name), may_be_null=may_be_null)
    return None if given is None else times.moment(given, place_of(members[name]))


def duration(
    members: Mapping[str, JsonValue], name: str, times: TimeReader, *, may_be_null: bool = False
) -> Time | None:
    """Return how long something takes, if it is there."""
    given = _number_or_text(members.get(name), may_be_null=may_be_null)
    return None if given is None else times.duration(given, place_of(members[name]))


def _number_or_text(value: JsonValue | None, *, may_be_null: bool) -> Decimal | str | None:
    if value is None or (may_be_null and value.is_null):
        return None
    return value.value if isinstance(value.value, str) else value.decimal()


def draft_item(members: Mapping[str, JsonValue]) -> DraftItem:
    """Return an item and its quantity."""
    return DraftItem(
        width=members["width"].decimal(),
        length=members["length"].decimal(),
        quantity=(
            members["quantity"].integer(low=1, high=MAX_ITEMS_PER_CUSTOMER)
            if "quantity" in members
            else 1
        ),
        name=members["name"].string() if "name" in members else "",
        turn="turn" in members and members["turn"].boolean(),
    )


def item_contents(units: Units, items: Iterable[Item]) -> list[dict[str, object]]:
    """Return items as the files write them."""
    return [
        {
            "width": Decimal(units.length_text(item.width)),
            "length": Decimal(units.length_text(item.length)),
            **stated({"name": item.name, "turn": item.turn}),
        }
        for item in items
    ]


def stated(members: Mapping[str, object]) -> dict[str, object]:
    """Leave out what a file need not say: an empty name, a time of 0 unless it is a due time."""
    return {
        name: value
        for name, value in members.items()
        if value or (name == "due" and value is not None)
    }
