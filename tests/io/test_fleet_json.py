"""Fleets in JSON: kinds, customers that may be left out, rules; every refusal with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from builders import real_values
from file_cases import Change, changed, without
from fleet_cases import VAN, fleet_instances, two_kinds
from tailgate.io import json_instance_text, read_text_draft
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance

FIRST, SECOND, THIRD = (("customers", index) for index in range(3))
LORRY, SECOND_KIND = ("vehicles", 0), ("vehicles", 1)


def text(*changes: Change) -> str:
    """Return the file with two kinds after some changes."""
    content = two_kinds()
    for change in changes:
        change(content)
    return json.dumps(content, indent=1)


def parse(*changes: Change) -> Instance:
    """Read the file with two kinds after some changes."""
    return read_text_draft(text(*changes), "a.json", "a").to_instance()


def test_kinds_and_rules_mean_what_they_say() -> None:
    """By name, and by number where a customer has no name."""
    instance = parse(
        changed(*FIRST, "leave_out_cost", value=250),
        changed(*FIRST, "vehicles", value=["van"]),
        changed(*FIRST, "not_with", value=["Chemist"]),
        changed(*SECOND, "together", value=["3"]),
        changed(*SECOND, "position", value="first"),
        without(*THIRD, "name"),
    )
    assert [(kind.name, kind.count) for kind in instance.vehicles] == [("12 t", 3), ("van", 4)]
    assert instance.vehicle_count == 7
    assert instance.optional == {1}
    assert instance.leave_out_cost(1) == 250
    assert [instance.accepts(1, kind) for kind in (0, 1)] == [False, True]
    assert instance.rules.apart == {(1, 2)}
    assert instance.rules.groups == (frozenset({2, 3}),)
    assert instance.rules.first == {2}


def test_a_cost_of_nothing_is_not_no_cost() -> None:
    """A customer that may be left out for nothing is not one that must be served."""
    instance = parse(changed(*FIRST, "leave_out_cost", value=0))
    assert instance.optional == {1}
    again = read_text_draft(json_instance_text(instance), "a.json", "a").to_instance()
    assert again.customers[0].leave_out_cost == 0


def test_one_kind_needs_no_name() -> None:
    """A fleet of one kind is as simple to say as before."""
    instance = parse(changed("vehicles", value=[{k: v for k, v in VAN.items() if k != "name"}]))
    assert not instance.has_kinds
    assert instance.vehicle.name == ""


def test_a_kind_may_stay_at_home() -> None:
    """A count of 0 is how a planner tries what one kind is worth."""
    instance = parse(changed(*SECOND_KIND, "count", value=0))
    assert [kind.count for kind in instance.vehicles] == [3, 0]


def test_lists_that_say_nothing_are_taken() -> None:
    """Other programs write empty lists and null for what they do not use."""
    plain = parse()
    empty = parse(
        *(changed(*FIRST, name, value=[]) for name in ("not_with", "together")),
        *(changed(*FIRST, name, value=None) for name in ("vehicles", "position")),
    )
    assert empty == plain


# Each row: the changes, the field that the message must name, and a word of the problem.
REFUSED: list[tuple[tuple[Change, ...], str, str]] = [
    # kinds
    ((without(*SECOND_KIND, "name"),), "vehicles[1].name", "where there are several kinds"),
    ((without(*LORRY, "name"),), "vehicles[0].name", "where there are several kinds"),
    ((changed(*SECOND_KIND, "name", value="12 t"),), "vehicles[1].name", "12 t"),
    ((changed(*SECOND_KIND, "count", value=-1),), "vehicles[1].count", "between 0 and"),
    ((changed(*SECOND_KIND, "width", value=0),), "vehicles[1].width", "greater than 0"),
    ((changed(*SECOND_KIND, "fixed_cost", value=-1),), "vehicles[1].fixed_cost", "between 0"),
    ((changed(*SECOND_KIND, "trips", value=2),), "vehicles[1].trips", "several trips"),
    (
        (
            changed(*SECOND_KIND, "shift_start", value="12:00"),
            changed(*SECOND_KIND, "shift_end", value="06:00"),
        ),
        "vehicles[1].shift_end",
        "write 30:00",
    ),
    # leaving out
    ((changed(*FIRST, "leave_out_cost", value=-1),), "customers[0].leave_out_cost", "between 0"),
    (
        (changed(*FIRST, "leave_out_cost", value=float("inf")),),
        "customers[0].leave_out_cost",
        "finite",
    ),
    ((changed(*FIRST, "leave_out_cost", value=1e12),), "customers[0].leave_out_cost", "between 0"),
    ((changed(*FIRST, "leave_out_cost", value="250"),), "customers[0].leave_out_cost", "number"),
    # lists of kinds
    ((changed(*FIRST, "vehicles", value=[]),), "customers[0].vehicles", "at least one kind"),
    ((changed(*FIRST, "vehicles", value="van"),), "customers[0].vehicles", "array"),
    ((changed(*FIRST, "vehicles", value=["vam"]),), "customers[0].vehicles", 'mean "van"'),
    ((changed(*FIRST, "vehicles", value=[7]),), "customers[0].vehicles[0]", "text in quotes"),
    # lists of customers
    ((changed(*FIRST, "not_with", value=["Chemis"]),), "customers[0].not_with", 'mean "Chemist"'),
    ((changed(*FIRST, "not_with", value=["Mme Dupont"]),), "customers[0].not_with", "itself"),
    ((changed(*FIRST, "together", value=["Mme Dupont"]),), "customers[0].together", "itself"),
    ((changed(*FIRST, "together", value=["Nobody"]),), "customers[0].together", "Nobody"),
    ((changed(*FIRST, "not_with", value="Chemist"),), "customers[0].not_with", "array"),
    ((changed(*FIRST, "not_with", value=[["x"]]),), "customers[0].not_with[0]", "text"),
    (
        (
            changed(*FIRST, "not_with", value=["Chemist"]),
            changed(*FIRST, "together", value=["Chemist"]),
        ),
        "customers[0].",
        "Chemist",
    ),
    # positions
    ((changed(*FIRST, "position", value="middle"),), "customers[0].position", '"first", "last"'),
    ((changed(*FIRST, "position", value=1),), "customers[0].position", "text"),
    (
        (
            changed(*FIRST, "position", value="first"),
            changed(*SECOND, "position", value="first"),
            changed(*FIRST, "together", value=["Chemist"]),
        ),
        "customers[",
        "first",
    ),
    # nobody may come
    (
        (changed(*FIRST, "vehicles", value=["van"]), changed(*FIRST, "weight", value=1300)),
        "customers[0]",
        "1200",
    ),
]


@pytest.mark.parametrize(("changes", "field", "words"), REFUSED)
def test_a_mistake_is_named_with_its_line_and_remedy(
    changes: tuple[Change, ...], field: str, words: str
) -> None:
    """What is wrong must be found at once, in a file of any length."""
    with pytest.raises(InputError) as caught:
        parse(*changes)
    error = caught.value
    assert error.source == "a.json"
    assert (error.field or "").startswith(field), str(error)
    assert words in error.problem, str(error)
    assert error.line is not None
    line = text(*changes).split("\n")[error.line - 1]
    last = (error.field or "").rpartition(".")[2]
    named = f'"{last}"' in line
    # An element has no name, and a field that is missing is looked for where it should be.
    assert named or last.endswith("]") or last == "name"


@settings(max_examples=150)
@given(instance=fleet_instances())
def test_writing_and_reading_gives_the_same_fleet(instance: Instance) -> None:
    """The writer is the inverse of the reader: every kind, count, list and cost."""
    written = json_instance_text(instance)
    again = read_text_draft(written, "a.json", "a").to_instance()
    assert real_values(again) == real_values(instance)
    assert again.sha256 == instance.sha256
    assert read_text_draft(json_instance_text(again), "a.json", "a").to_instance() == again
