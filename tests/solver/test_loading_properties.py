"""Laws that every exact loading oracle keeps, tried on random small trucks."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loading_cases import (
    Size,
    check,
    cut_floor,
    in_millimetres,
    instance_of,
    is_loadable,
    plan_violations,
)
from tailgate.solver.loading import LoadingOracle, Verdict

COMMON = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass(frozen=True)
class Truck:
    """A floor and the items of every stop, in visiting order."""

    width: int
    length: int
    stops: tuple[tuple[Size, ...], ...]

    def is_loadable(self, *, lifo: bool = True) -> bool:
        """Ask a fresh oracle."""
        return is_loadable(self.width, self.length, self.stops, lifo=lifo)


@st.composite
def trucks(draw: st.DrawFn, *, most_stops: int = 5) -> Truck:
    """Draw a floor about as full as it can be, where verdicts are not obvious."""
    width = draw(st.integers(3, 24))
    length = draw(st.integers(3, 40))
    shortest_share = draw(st.sampled_from([0.05, 0.1, 0.2]))
    longest_share = draw(st.sampled_from([0.4, 0.6, 0.9]))
    sizes = st.tuples(
        *(
            st.integers(max(1, int(shortest_share * side)), max(1, int(longest_share * side)))
            for side in (width, length)
        )
    )
    stops = draw(st.lists(st.lists(sizes, min_size=1, max_size=3), min_size=2, max_size=most_stops))
    # The first item fits for sure; of the rest, the stops that are not plainly too much.
    first = stops[0][0]
    kept: list[tuple[Size, ...]] = [(first,)]
    room = width * length - first[0] * first[1]
    for stop in stops[1:]:
        area = sum(item_width * item_length for item_width, item_length in stop)
        if area <= room:
            kept.append(tuple(stop))
            room -= area
    return Truck(width, length, tuple(kept))


@COMMON
@given(trucks(), st.data())
def test_every_subsequence_of_a_loadable_route_is_loadable(
    truck: Truck, data: st.DataObject
) -> None:
    """Any part of a loadable route is loadable, also with gaps: the cache relies on it."""
    chosen = data.draw(
        st.lists(st.booleans(), min_size=len(truck.stops), max_size=len(truck.stops))
    )
    part = tuple(stop for stop, is_kept in zip(truck.stops, chosen, strict=True) if is_kept)
    if part and truck.is_loadable():
        assert replace(truck, stops=part).is_loadable()


@COMMON
@given(trucks(most_stops=6), st.data())
def test_adding_a_customer_never_helps(truck: Truck, data: st.DataObject) -> None:
    """Take a stop out wherever it is: what was infeasible without it stays so with it."""
    if len(truck.stops) < 2:
        return
    added = data.draw(st.integers(0, len(truck.stops) - 1))
    without = truck.stops[:added] + truck.stops[added + 1 :]
    if not replace(truck, stops=without).is_loadable():
        assert not truck.is_loadable()


@COMMON
@given(trucks())
def test_a_route_and_its_reverse_have_the_same_verdict(truck: Truck) -> None:
    """Reversal, by the mirror image in y: half of the cache stands on it."""
    assert truck.is_loadable() == replace(truck, stops=truck.stops[::-1]).is_loadable()


@COMMON
@given(trucks(), st.randoms(use_true_random=False))
def test_the_order_of_a_customers_items_does_not_matter(truck: Truck, dice: random.Random) -> None:
    """Items of one stop have no order among them."""
    shuffled = tuple(tuple(dice.sample(stop, len(stop))) for stop in truck.stops)
    assert truck.is_loadable() == replace(truck, stops=shuffled).is_loadable()


@COMMON
@given(trucks(), st.booleans())
def test_the_mirror_image_in_x_of_a_plan_is_a_plan(truck: Truck, lifo: bool) -> None:
    """Left and right are alike; the memory of failed states stands on it."""
    result = check(truck.width, truck.length, truck.stops, lifo=lifo, max_nodes=2_000_000)
    mirrored = [
        replace(placement, x=truck.width - placement.x - placement.width)
        for placement in result.placements
    ]
    if result.verdict is Verdict.FEASIBLE:
        instance = instance_of(truck.width, truck.length, truck.stops)
        route = range(1, instance.n + 1)
        assert plan_violations(instance, route, mirrored, lifo=lifo) == []


@COMMON
@given(trucks())
def test_loadable_with_lifo_implies_loadable_without(truck: Truck) -> None:
    """A rule less can only help."""
    if truck.is_loadable():
        assert truck.is_loadable(lifo=False)


@COMMON
@given(trucks(most_stops=4), st.randoms(use_true_random=False))
def test_without_lifo_only_the_items_matter(truck: Truck, dice: random.Random) -> None:
    """Without LIFO the order of stops and who owns an item are nothing but labels."""
    items = [size for stop in truck.stops for size in stop]
    dice.shuffle(items)
    loadable = truck.is_loadable(lifo=False)
    assert (
        replace(truck, stops=tuple((size,) for size in items)).is_loadable(lifo=False) == loadable
    )
    # One customer has no order among its items, so that LIFO has nothing to forbid.
    assert replace(truck, stops=(tuple(items),)).is_loadable(lifo=True) == loadable


@COMMON
@given(trucks(most_stops=4))
def test_without_lifo_width_and_length_may_change_places(truck: Truck) -> None:
    """The unrestricted floor has no door; a search that treats x and y unlike must not care."""
    turned = Truck(
        truck.length,
        truck.width,
        tuple(tuple((length, width) for width, length in stop) for stop in truck.stops),
    )
    assert truck.is_loadable(lifo=False) == turned.is_loadable(lifo=False)


@COMMON
@given(trucks(), st.integers(1, 40_000_000), st.integers(1, 25_000_000), st.booleans())
def test_the_unit_of_length_does_not_matter(
    truck: Truck, across: int, along: int, lifo: bool
) -> None:
    """Metres or micrometres, and not even the same across and along."""
    scaled = Truck(
        truck.width * across,
        truck.length * along,
        tuple(tuple((w * across, h * along) for w, h in stop) for stop in truck.stops),
    )
    assert truck.is_loadable(lifo=lifo) == scaled.is_loadable(lifo=lifo)


@COMMON
@given(trucks(), st.randoms(use_true_random=False), st.booleans())
def test_odd_millimetres_that_change_nothing_do_not_matter(
    truck: Truck, dice: random.Random, lifo: bool
) -> None:
    """No common divisor is left, and the verdict is known all the same."""
    blown_up = in_millimetres(truck.width, truck.length, truck.stops, dice)
    assert truck.is_loadable(lifo=lifo) == is_loadable(*blown_up, lifo=lifo)


@COMMON
@given(trucks(), st.data())
def test_a_smaller_item_or_a_larger_floor_never_hurts(truck: Truck, data: st.DataObject) -> None:
    """Monotony in every size, which sizes changed before the search (lifting) could break."""
    if not truck.is_loadable():
        return
    stops = tuple(
        tuple((data.draw(st.integers(1, w)), data.draw(st.integers(1, h))) for w, h in stop)
        for stop in truck.stops
    )
    assert replace(truck, stops=stops).is_loadable()
    larger = replace(truck, width=truck.width + 1, length=truck.length + 1)
    assert larger.is_loadable()


@COMMON
@given(st.integers(2, 24), st.integers(2, 40), st.integers(1, 14), st.integers(0, 2**32))
def test_a_floor_sawn_into_pieces_is_never_called_infeasible(
    width: int, length: int, count: int, seed: int
) -> None:
    """A full floor with a known plan: every bound that counts waste is at its limit."""
    stops = cut_floor(width, length, count, random.Random(seed))
    assert check(width, length, stops, max_nodes=20_000).verdict is not Verdict.INFEASIBLE
    backwards = check(width, length, stops[::-1], max_nodes=20_000)
    assert backwards.verdict is not Verdict.INFEASIBLE
    unrestricted = check(width, length, stops, lifo=False, max_nodes=2_000)
    assert unrestricted.verdict is not Verdict.INFEASIBLE


@COMMON
@given(trucks(most_stops=6), st.data())
def test_one_oracle_with_a_cache_keeps_the_laws_over_many_routes(
    truck: Truck, data: st.DataObject
) -> None:
    """The answers of one oracle to related routes are those of fresh ones, and all plans hold."""
    instance = instance_of(truck.width, truck.length, truck.stops)
    lifo = data.draw(st.booleans())
    oracle = LoadingOracle(instance, lifo=lifo)
    customers = st.permutations(range(1, instance.n + 1))
    for _ in range(6):
        everybody = data.draw(customers)
        route = everybody[: data.draw(st.integers(1, instance.n))]
        result = oracle.check(route)
        stops = [truck.stops[customer - 1] for customer in route]
        assert (result.verdict is Verdict.FEASIBLE) == is_loadable(
            truck.width, truck.length, stops, lifo=lifo
        )
        assert plan_violations(instance, route, result.placements, lifo=lifo) == [] or (
            result.verdict is Verdict.INFEASIBLE
        )


@pytest.mark.long
@settings(max_examples=5_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(trucks(most_stops=6), st.randoms(use_true_random=False))
def test_laws_on_thousands_of_larger_trucks(truck: Truck, dice: random.Random) -> None:
    """All laws at once, on more and larger trucks than the ordinary suite has time for."""
    loadable = truck.is_loadable()
    assert replace(truck, stops=truck.stops[::-1]).is_loadable() == loadable
    blown_up = in_millimetres(truck.width, truck.length, truck.stops, dice)
    assert is_loadable(*blown_up) == loadable
    left_out = dice.randrange(len(truck.stops))
    part = replace(truck, stops=truck.stops[:left_out] + truck.stops[left_out + 1 :])
    if loadable:
        assert truck.is_loadable(lifo=False)
        assert not part.stops or part.is_loadable()
