"""What customers demand of their company and their place in a route."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailgate.model.customer import Customer, Position
from tailgate.model.errors import InputError
from tailgate.model.rules import Rules


def customers(*demands: dict[str, Any]) -> tuple[Customer, ...]:
    """Return customers that are called A, B, C and so on."""
    return tuple(
        Customer(0, 0, 0, (), name, **one) for name, one in zip("ABCDEFGH", demands, strict=False)
    )


def keeps(stops: Sequence[int], all_customers: Sequence[Customer]) -> bool:
    """Return whether a route keeps the rules, straight from what customers say."""
    labels = [all_customers[number - 1].name for number in stops]
    for place, number in enumerate(stops):
        customer = all_customers[number - 1]
        if customer.position == "first" and place > 0:
            return False
        if customer.position == "last" and place < len(stops) - 1:
            return False
        if any(label in labels for label in customer.not_with):
            return False
    return all(
        (one.name in labels) == (label in labels) for one in all_customers for label in one.together
    )


@st.composite
def demanding_customers(draw: st.DrawFn) -> tuple[Customer, ...]:
    """Draw up to five customers with rules that may contradict each other."""
    names = "ABCDE"[: draw(st.integers(2, 5))]
    found: list[dict[str, Any]] = []
    for name in names:
        others = st.sampled_from([other for other in names if other != name])
        few = st.lists(others, max_size=1).map(tuple)
        position: Position | None = draw(st.sampled_from((None, None, None, "first", "last")))
        company = {"not_with": draw(few), "together": draw(few)}
        found.append({"position": position} | company)
    return customers(*found)


@given(everybody=demanding_customers())
def test_rules_are_what_customers_say(everybody: tuple[Customer, ...]) -> None:
    """Pairs, groups and places by number, against the definition by names."""
    numbers = range(1, len(everybody) + 1)
    routes = [r for size in range(1, len(everybody) + 1) for r in permutations(numbers, size)]
    try:
        rules = Rules.of(everybody)
    except InputError:
        # Somebody can be on no route at all, or contradicts itself beside others.
        served = {number for route in routes if keeps(route, everybody) for number in route}
        assert served != set(numbers)
        return
    for route in routes:
        assert rules.allows(route) == keeps(route, everybody), (rules, route)
    assert rules.is_empty == all(keeps(route, everybody) for route in routes)
    assert len(rules.partners) == sum(map(len, rules.groups))


def test_pairs_hold_both_ways_and_chains_are_groups() -> None:
    """One of two says it; whoever rides with my companion rides with me."""
    rules = Rules.of(
        customers(
            {"not_with": ("B",), "position": "first"},
            {"not_with": ("A", "C")},
            {"together": ("D",)},
            {"position": "last"},
            {"together": ("C",)},
        )
    )
    assert rules.apart == {(1, 2), (2, 3)}
    assert rules.groups == (frozenset({3, 4, 5}),)
    assert (rules.first, rules.last) == (frozenset({1}), frozenset({4}))
    assert rules.enemies == {1: {2}, 2: {1, 3}, 3: {2}}
    assert set(rules.partners) == {3, 4, 5}
    assert not rules.is_empty
    assert Rules.of(customers({}, {})).is_empty


# Each row: what customers demand, the field that is named, and words of the problem.
CONTRADICTIONS: list[tuple[tuple[dict[str, Any], ...], str, str]] = [
    (({"not_with": ("A",)}, {}), "customers[0].not_with", "customer A names itself"),
    (({}, {"together": ("B",)}), "customers[1].together", "customer B names itself"),
    (
        ({"not_with": ("Z",)}, {}),
        "customers[0].not_with",
        "there is no customer 'Z'",
    ),
    (({"together": ("b",)}, {}), "customers[0].together", 'did you mean "B"?'),
    (
        ({"not_with": ("B",), "together": ("B",)}, {}),
        "customers[0].not_with",
        "customers A and B must not share a truck, but ride together; take one of the two",
    ),
    (
        ({"together": ("C",)}, {"not_with": ("A",)}, {"together": ("B",)}),
        "customers[1].not_with",
        "customers A and B must not share a truck, but ride together (with C)",
    ),
    (
        ({"together": ("B",), "position": "first"}, {"position": "first"}),
        "customers[1].position",
        "customers A and B ride together, but only one customer of a route can be first",
    ),
    (
        ({"together": ("B",), "position": "last"}, {"together": ("C",)}, {"position": "last"}),
        "customers[2].position",
        "customers A and C ride together, but only one customer of a route can be last",
    ),
]


@pytest.mark.parametrize(("demands", "field", "words"), CONTRADICTIONS)
def test_a_contradiction_is_explained(
    demands: tuple[dict[str, Any], ...], field: str, words: str
) -> None:
    """No plan could keep both, so whoever wrote them must choose."""
    with pytest.raises(InputError) as caught:
        Rules.of(customers(*demands))
    assert caught.value.field == field
    assert words in caught.value.problem


# Each row: a field, a value that no customer can have, and a word of the problem.
BAD_DEMANDS: list[tuple[str, object, str]] = [
    ("leave_out_cost", -1, "between 0"),
    ("leave_out_cost", float("inf"), "finite"),
    ("leave_out_cost", "much", "number"),
    ("vehicles", (), "at least one kind"),
    ("vehicles", "van", "sequence"),
    ("vehicles", ("van", "van"), "twice"),
    ("not_with", ("",), "empty"),
    ("not_with", ("A", "A"), "twice"),
    ("together", (3,), "text"),
    ("position", "middle", '"first", "last"'),
]


@pytest.mark.parametrize(("field", "value", "word"), BAD_DEMANDS)
def test_a_demand_of_the_wrong_kind_is_refused(field: str, value: object, word: str) -> None:
    """The message names the argument."""
    with pytest.raises(InputError) as caught:
        customers({field: value})
    assert (caught.value.field or "").startswith(field)
    assert word in caught.value.problem


def test_a_long_chain_is_one_group() -> None:
    """Each names the next one only; the time must not grow with the square of the chain."""
    count = 20_000
    customers = [
        Customer(0, 0, 0, (), together=(str(number + 1),) if number < count else ())
        for number in range(1, count + 1)
    ]
    assert Rules.of(customers).groups == (frozenset(range(1, count + 1)),)
