"""Several names in a cell: what people type, and what is written is read back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fleet_cases import LIST_NAMES
from tailgate.io.draft import Place
from tailgate.io.name_lists import joined_names, split_names
from tailgate.model.errors import InputError

PLACE = Place("customers.csv", 3, "not with")
KNOWN = {"Bakery", "Harbour", "Miller, Sons & Co", "A; B", 'The "Anchor"'}


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("", ()),
        ("Bakery", ("Bakery",)),
        ("Bakery; Harbour", ("Bakery", "Harbour")),
        ("Bakery;Harbour;", ("Bakery", "Harbour")),
        ("Bakery,Harbour", ("Bakery", "Harbour")),
        ("Bakery , Harbour", ("Bakery", "Harbour")),
        ("Bakery\nHarbour", ("Bakery", "Harbour")),
        ("Miller, Sons & Co", ("Miller, Sons & Co",)),
        ("Miller, Sons & Co; Bakery", ("Miller, Sons & Co", "Bakery")),
        ('Bakery, "Miller, Sons & Co"', ("Bakery", "Miller, Sons & Co")),
        ("A; B", ("A; B",)),
        ('"A; B"; Bakery', ("A; B", "Bakery")),
        ('The "Anchor"', ('The "Anchor"',)),
        ('The "Anchor"; Bakery', ('The "Anchor"', "Bakery")),
        ("3; 5", ("3", "5")),
        ("Nobody, Unknown", ("Nobody", "Unknown")),
    ],
)
def test_a_cell_means_what_people_mean(cell: str, names: tuple[str, ...]) -> None:
    """With semicolons or commas, one below the other, and with names that have such marks."""
    assert split_names(cell, KNOWN, PLACE) == names


def test_a_quote_that_is_not_closed_is_named_with_its_cell() -> None:
    """Half of the names would be lost."""
    with pytest.raises(InputError, match=r"customers.csv:3: not with: is not a list of names") as c:
        split_names('"Bakery; Harbour', KNOWN, PLACE)
    assert "write A; B" in c.value.problem


@settings(max_examples=500)
@given(known=st.lists(LIST_NAMES, max_size=6, unique=True), data=st.data())
def test_what_is_joined_is_split_again(known: list[str], data: st.DataObject) -> None:
    """Whatever names there are beside: also one that looks like a list of others."""
    names: list[str] = data.draw(st.lists(LIST_NAMES, max_size=3, unique=True))
    is_name: bool = data.draw(st.booleans())
    if names and is_name:
        known = [*known, "; ".join(names)]
    assert split_names(joined_names(names, known), known, PLACE) == tuple(names)
