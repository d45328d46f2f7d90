"""Items that may be turned: what the model says of them, and what the judge lets pass."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from builders import one_route, small_instance
from tailgate.io import json_instance_text, read_text_draft
from tailgate.model.conventions import TurnConvention
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Customer, Instance, Item, Units, Vehicle
from tailgate.model.judge import ViolationKind, verify
from tailgate.model.plausibility import check_plausibility
from tailgate.model.solution import Placement, Solution

Kind = ViolationKind
PIPE = Item(4, 1, "pipe")
CRATE = Item(2, 1)


def narrow(*items: Item, turn: TurnConvention = "as-given") -> Instance:
    """Return one customer, and a floor on which a pipe fits only if it is turned."""
    return Instance(
        name="narrow",
        depot=(0, 0),
        customers=(Customer(3, 4, 10, items),),
        vehicle=Vehicle(3, 6, 100),
        conventions=Conventions(turn=turn),
    )


def turned_at(x: int, y: int, width: int, length: int, *, turned: bool = True) -> Placement:
    """Return the first item of the only customer as it lies turned."""
    return Placement(1, 1, x, y, width, length, stop_index=1, load_step=1, turned=turned)


def kinds_found(instance: Instance, *placements: Placement) -> set[str]:
    """Return what the judge finds wrong with a plan of one route."""
    return {one.kind for one in verify(instance, one_route(instance, (1,), placements))}


# The model.


def test_an_item_may_not_be_turned_unless_it_says_so() -> None:
    """What has never said anything of turning means what it meant."""
    assert not Item(1, 2).turn
    instance = small_instance()
    assert instance.is_format_1
    assert not instance.has_turning
    assert not any(instance.may_turn(item) for one in instance.customers for item in one.items)


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_turn_is_yes_or_no(value: Any) -> None:
    """A word or a number is a mistake of whoever fills in a form."""
    with pytest.raises(InputError, match=r"turn"):
        Item(1, 2, turn=value)


@pytest.mark.parametrize(
    ("rule", "allowed"), [("as-given", {2}), ("all", {1, 2}), ("none", set[int]())]
)
def test_the_convention_decides_which_items_may_be_turned(
    rule: TurnConvention, allowed: set[int]
) -> None:
    """Those that say so, all of them, or none."""
    items = (Item(1, 2), Item(2, 3, turn=True))
    instance = narrow(*items, turn=rule)
    assert {index for index, item in enumerate(items, 1) if instance.may_turn(item)} == allowed
    assert instance.has_turning == bool(allowed)


def test_an_unknown_convention_of_turning_is_refused() -> None:
    """With the words that are known."""
    with pytest.raises(InputError, match=r"turn: must be one of .*as-given.*all.*none"):
        Conventions.from_dict({"turn": "some"})


def test_the_convention_of_turning_is_stated_where_it_is_not_the_default() -> None:
    """Logs and files of problems without turning stay as they are."""
    assert "turn" not in Conventions.PLANNER.to_dict()
    assert "turn" not in Conventions.BENCHMARK.text
    turning = Conventions(turn="all")
    assert turning.text.endswith("lifo on, turn all")
    assert Conventions.from_dict(turning.to_dict()) == turning


def test_the_fingerprint_covers_which_items_may_be_turned() -> None:
    """Each item by itself; a name is no part of it, and no is the same as nothing."""
    plain = narrow(CRATE, CRATE)
    assert narrow(Item(2, 1, turn=False), CRATE).sha256 == plain.sha256
    may = replace(CRATE, turn=True)
    prints = {
        one.sha256 for one in (plain, narrow(may, CRATE), narrow(CRATE, may), narrow(may, may))
    }
    assert len(prints) == 4
    assert narrow(replace(may, name="crate"), CRATE).sha256 == narrow(may, CRATE).sha256


def test_the_convention_of_turning_is_no_part_of_the_fingerprint() -> None:
    """As no convention is: a plan that turns items is verified against the file as it is."""
    instance = small_instance()
    turning = instance.with_conventions(turn="all")
    assert turning.sha256 == instance.sha256
    assert not turning.is_format_1
    assert turning.with_conventions(turn="as-given").is_format_1


@pytest.mark.parametrize("turn", ["as-given", "all", "none"])
def test_turning_survives_the_json_file(turn: TurnConvention) -> None:
    """Items and convention, in format 2, which says more than format 1."""
    instance = narrow(CRATE, replace(CRATE, turn=True, name="crate"), turn=turn)
    text = json_instance_text(instance)
    content = json.loads(text)
    assert content["format"] == "tailgate-instance-2"
    assert [item.get("turn", False) for item in content["customers"][0]["items"]] == [False, True]
    read = read_text_draft(text, "narrow.json", "narrow").to_instance()
    assert read == instance
    assert read.sha256 == instance.sha256


@pytest.mark.parametrize("place", ["item", "conventions"])
def test_format_1_cannot_say_that_items_are_turned(place: str) -> None:
    """Older versions would load them as they are; the remedy is named."""
    content = json.loads(json_instance_text(small_instance()))
    if place == "item":
        content["customers"][0]["items"][0]["turn"] = True
        field = r"customers\[0\]\.items\[0\]\.turn"
    else:
        content["conventions"]["turn"] = "all"
        field = r"conventions\.turn"
    with pytest.raises(InputError, match=rf'{field}: .*format 2.*"tailgate-instance-2"'):
        read_text_draft(json.dumps(content), "small.json", "small")


# What fits.


def test_an_item_that_fits_one_way_only_is_no_obstacle_if_it_may_be_turned() -> None:
    """By itself or by the convention; squares and items that fit both ways need no turning."""
    assert not narrow(replace(PIPE, turn=True)).is_hopeless(1)
    assert not narrow(PIPE, turn="all").is_hopeless(1)


def test_who_may_not_turn_an_item_is_told_that_it_would_fit_turned() -> None:
    """The most likely mistake: nobody has said that the pipe may be turned."""
    with pytest.raises(
        InputError,
        match=r"items\[0\]\.width: .* width 4, .* \(3\); it would fit turned: .*turn: yes",
    ):
        narrow(PIPE)
    with pytest.raises(InputError, match=r"would fit turned, but the convention turn is none"):
        narrow(replace(PIPE, turn=True), turn="none")
    with pytest.raises(InputError, match=r"more than the vehicle's floor \(3\)$"):
        narrow(Item(7, 1))


def test_an_item_that_fits_neither_way_is_refused_with_both_sides() -> None:
    """One side alone would not explain it."""
    with pytest.raises(
        InputError, match=r"items\[0\]: item 1 .* 4 x 4, more than .* \(3 x 6\), even if it is turn"
    ):
        narrow(Item(4, 4, turn=True))


def test_several_kinds_of_vehicles_are_all_tried_both_ways() -> None:
    """A pipe fits the van turned, the lorry as it is, and the cart not at all."""
    kinds = (
        Vehicle(3, 6, 100, name="van"),
        Vehicle(6, 3, 100, name="lorry"),
        Vehicle(3, 3, 100, name="cart"),
    )
    customers = (Customer(3, 4, 10, (replace(PIPE, turn=True),)),)
    instance = Instance("kinds", (0, 0), customers, vehicles=kinds)
    assert [instance.accepts(1, kind) for kind in range(3)] == [True, True, False]
    with pytest.raises(InputError, match=r"fits no vehicle, even turned: item 1 measures 7 x 4 on"):
        Instance(
            "none", (0, 0), (Customer(3, 4, 10, (Item(7, 4, turn=True),)),), vehicles=kinds[::2]
        )
    with pytest.raises(InputError, match=r"width 4 on floors of 3; it would fit turned: let it"):
        Instance("as given", (0, 0), (Customer(3, 4, 10, (PIPE,)),), vehicles=kinds[::2])


def test_an_order_that_is_left_out_for_want_of_turning_is_doubted() -> None:
    """It is no mistake of the instance, and most likely one of whoever filled it in."""
    pipe = Customer(3, 4, 10, (CRATE, PIPE), "Plumber", leave_out_cost=5)
    instance = replace(narrow(CRATE), customers=(pipe, Customer(1, 1, 1, (CRATE,))))
    (warning,) = [one for one in check_plausibility(instance) if one.code == "would_fit_turned"]
    assert warning.message.startswith("item 2 of customer Plumber fits no vehicle as it is given")
    assert "it would fit turned" in warning.message
    assert warning.remedy == "say turn yes if it may be turned by a quarter"
    assert warning.field == "customers[0].items[1].turn"
    larger = replace(pipe, items=(Item(7, 1),))
    others = (
        replace(instance, conventions=Conventions(turn="all")),
        replace(instance, customers=(larger, *instance.customers[1:])),
    )
    for other in others:
        assert "would_fit_turned" not in [one.code for one in check_plausibility(other)]


def test_a_wide_floor_is_no_mistake_where_items_may_be_turned() -> None:
    """That all are longer than wide says nothing of the floor then."""
    vehicle = Vehicle(260, 240, 1000)
    instance = Instance("wide", (0, 0), (Customer(3, 4, 1, (Item(80, 120),)),), vehicle, 1)
    assert "wide_floor" in [one.code for one in check_plausibility(instance)]
    turning = instance.with_conventions(turn="all")
    assert "wide_floor" not in [one.code for one in check_plausibility(turning)]


# The judge.


@pytest.mark.parametrize("turn", ["as-given", "all"])
def test_a_turned_item_is_judged_as_it_lies(turn: TurnConvention) -> None:
    """A pipe of 4 x 1 that lies 1 x 4 on a floor of 3 x 6."""
    instance = narrow(replace(PIPE, turn=turn == "as-given"), turn=turn)
    assert kinds_found(instance, turned_at(2, 0, 1, 4)) == set()
    assert kinds_found(instance, turned_at(3, 0, 1, 4)) == {Kind.OUTSIDE_FLOOR}
    assert kinds_found(instance, turned_at(2, 3, 1, 4)) == {Kind.OUTSIDE_FLOOR}


def test_an_item_that_may_not_be_turned_must_not_be() -> None:
    """Neither by its own word, nor under a convention that lets none be turned."""
    assert kinds_found(narrow(CRATE), turned_at(0, 0, 1, 2)) == {Kind.TURNED_ITEM}
    free = narrow(replace(CRATE, turn=True), turn="none")
    assert kinds_found(free, turned_at(0, 0, 1, 2)) == {Kind.TURNED_ITEM}
    # A square looks the same, but whoever fetches it with a fork comes from another side.
    assert kinds_found(narrow(Item(2, 2)), turned_at(0, 0, 2, 2)) == {Kind.TURNED_ITEM}
    assert kinds_found(narrow(Item(2, 2, turn=True)), turned_at(0, 0, 2, 2)) == set()


def test_sides_and_turned_must_agree() -> None:
    """Whoever loads by the plan reads either of them."""
    instance = narrow(replace(CRATE, turn=True))
    assert kinds_found(instance, turned_at(0, 0, 2, 1)) == {Kind.WRONG_ITEM_SIZE}
    assert kinds_found(instance, turned_at(0, 0, 1, 2, turned=False)) == {Kind.WRONG_ITEM_SIZE}
    assert kinds_found(instance, turned_at(0, 0, 1, 3)) == {Kind.WRONG_ITEM_SIZE}
    assert kinds_found(instance, turned_at(0, 0, 2, 1, turned=False)) == set()


def test_turned_items_overlap_and_stand_in_the_way_as_they_lie() -> None:
    """Two crates beside each other would overlap if they lay as they are given."""
    crates = (Customer(3, 4, 1, (CRATE,)), Customer(4, 3, 1, (CRATE,)))
    base = narrow(CRATE, turn="all")
    two = replace(base, customers=crates)
    first = Placement(1, 1, 0, 0, 1, 2, stop_index=1, load_step=2, turned=True)
    second = Placement(2, 1, 1, 0, 2, 1, stop_index=2, load_step=1)

    def found(*placements: Placement) -> set[str]:
        return {one.kind for one in verify(two, one_route(two, (1, 2), placements))}

    assert found(second, first) == set()
    assert found(replace(second, x=0), first) == {Kind.OVERLAP}
    # In one column the first stop's crate needs a free way to the door.
    behind = replace(second, x=0, y=2)
    assert Kind.LIFO in found(behind, first)


def test_a_turned_item_is_compared_at_the_scale_of_the_solution() -> None:
    """Half a metre is 5 in one file and 50 in the other."""
    instance = replace(narrow(replace(CRATE, turn=True)), units=Units(length_scale=10))
    solution = one_route(instance, (1,), (turned_at(0, 0, 10, 20),))
    finer = replace(
        solution,
        units=replace(solution.units, length_scale=100),
        routes=tuple(replace(one, area=one.area * 100) for one in solution.routes),
    )
    assert verify(instance, finer) == []


def test_the_convention_of_the_solution_decides() -> None:
    """Verify needs the file and the plan, and no option to be repeated."""
    given = narrow(CRATE)
    plan = one_route(given.with_conventions(turn="all"), (1,), (turned_at(0, 0, 1, 2),))
    assert plan.conventions.turn == "all"
    assert verify(given, plan) == []
    restated = replace(plan, conventions=replace(plan.conventions, turn="as-given"))
    assert {one.kind for one in verify(given, restated)} == {Kind.TURNED_ITEM}


# Solution files.


def test_a_turned_placement_survives_the_solution_file() -> None:
    """In format 2, in which every placement says whether it is turned."""
    instance = narrow(replace(CRATE, turn=True), CRATE)
    placements = (
        turned_at(0, 0, 1, 2),
        Placement(1, 2, 1, 0, 2, 1, stop_index=1, load_step=2),
    )
    plan = one_route(instance, (1,), placements)
    content = json.loads(plan.to_json())
    assert content["format"] == "tailgate-solution-2"
    stated = content["routes"][0]["placements"]
    assert [one["turned"] for one in stated] == [True, False]
    assert Solution.from_dict(content) == plan
    for placement in stated:
        del placement["turned"]
    assert not any(one.turned for one in Solution.from_dict(content).routes[0].placements)


def test_a_plan_that_turns_nothing_stays_in_format_1() -> None:
    """Older versions read it, and it says nothing of turning."""
    plan = one_route(narrow(CRATE), (1,), (turned_at(0, 0, 2, 1, turned=False),))
    content = json.loads(plan.to_json())
    assert content["format"] == "tailgate-solution-1"
    assert "turn" not in plan.to_json()
    content["routes"][0]["placements"][0]["turned"] = True
    with pytest.raises(InputError, match=r"placements\[0\]\.turned: is not a known field"):
        Solution.from_dict(content)


@pytest.mark.parametrize("value", ["yes", 1, None, []])
def test_turned_is_true_or_false(value: object) -> None:
    """Files of other programs are told what is wrong."""
    plan = one_route(narrow(replace(CRATE, turn=True)), (1,), (turned_at(0, 0, 1, 2),))
    content = json.loads(plan.to_json())
    content["routes"][0]["placements"][0]["turned"] = value
    with pytest.raises(InputError, match=r"placements\[0\]\.turned: must be true or false"):
        Solution.from_dict(content)
