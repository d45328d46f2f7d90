"""2L-VRPTW instances of the literature that are rows of numbers in one CSV file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from file_cases import parse_file
from tailgate.io.vrptw_rows import is_vrptw_rows
from tailgate.model.conventions import Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.model.travel import Travel

ROWS = """\
0,40,50,0,0,0,236,0,0,0,0
1,45,68,90,10,12,67,17,1,0,0
2,42,66,9.5,30,5,170,3,9,4,2
"""
ROWS_INSTANCE = Instance(
    "tiny",
    (40, 50),
    (
        Customer(45, 68, 10, (Item(17, 1),), ready=12, due=67, service=90),
        Customer(42, 66, 30, (Item(3, 9), Item(4, 2)), ready=5, due=170, service=9.5),
    ),
    Vehicle(width=20, length=10, capacity=40),
    2,
    Conventions(distance="rounded", fleet="at-most", single_customer_routes="allow", lifo=False),
    depot_due=236,
    travel=Travel.euclidean(decimals=1),
)


def read_rows(folder: Path, text: str) -> Instance:
    """Write ``text`` to a file and read it."""
    file = folder / "tiny.csv"
    file.write_text(text, encoding="utf-8")
    return parse_file(file)


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        ROWS.replace("\n", "\r\n"),
        ROWS.rstrip("\n"),
        "\n" + ROWS.replace("\n", "\n\n"),
        ROWS.replace(",", ", "),
        ROWS.replace(",10,", ",10.0,"),
        "\ufeff" + ROWS,
        # Rows need not be equally long.
        ROWS.replace(",0,0,0,0\n", "\n").replace(",0,0\n", "\n"),
    ],
)
def test_rows_are_an_instance(tmp_path: Path, text: str) -> None:
    """Service before demand, width before length; neither weight nor trucks are a limit."""
    assert read_rows(tmp_path, text) == ROWS_INSTANCE


def test_distances_and_times_have_one_decimal(tmp_path: Path) -> None:
    """As in the published values: rounded, and a duration is the distance."""
    instance = read_rows(tmp_path, ROWS)
    # The root of 5 * 5 + 18 * 18.
    assert instance.distance(0, 1) == instance.duration(0, 1) == 18.7
    assert instance.clock.tick == Fraction(1, 10)
    assert instance.costs.total([(1,), (2,)]) == 2 * 18.7 + 2 * 16.1


def test_conventions_can_be_overridden(tmp_path: Path) -> None:
    """They are options here as everywhere."""
    file = tmp_path / "tiny.csv"
    file.write_text(ROWS, encoding="utf-8")
    assert parse_file(file, lifo=True, distance="exact").conventions == Conventions()


@pytest.mark.parametrize(
    ("text", "line", "field", "words"),
    [
        (ROWS.replace("45,68", "45,x"), 2, "y", "must be a number"),
        (ROWS.replace("17,1,", "17,one,"), 2, "item 1 length", "must be a number"),
        (ROWS.replace("\n2,", "\n3,"), 3, "number", "must be 2"),
        (ROWS.replace("67,17,1,0,0", "67,17,1,0"), 2, None, "got 10 cells"),
        (ROWS.replace("67,17,1,0,0", "67,0,0,17,1"), 2, "item 1", "has no size"),
        (ROWS.replace("67,17,1,0,0", "67,17,0,0,0"), 2, "item 1 length", "greater than 0"),
        (ROWS.replace("67,17,1,0,0", "67,21,1,0,0"), 2, "item 1 width", "more than the vehicle"),
        (ROWS.replace("0,40,50,0,0", "0,40,50,0,7"), 1, "demand", "the depot must have 0"),
        (ROWS.replace("236,0,0", "236,1,1"), 1, None, "must have no items"),
        (ROWS.replace("30,5,170", "-30,5,170"), 3, "demand", "negative"),
        (ROWS.replace("30,5,170", "30,5,4"), 3, "due", "before ready"),
        (ROWS.replace("12,67", "12,13"), 2, "due", "at the earliest"),
        (ROWS.split("\n", maxsplit=1)[0], None, "customers", "at least one"),
    ],
)
def test_damage_is_named_with_line_and_column(
    tmp_path: Path, text: str, line: int | None, field: str | None, words: str
) -> None:
    """Whoever has a broken file should be able to go straight to the place."""
    with pytest.raises(InputError) as caught:
        read_rows(tmp_path, text)
    assert words in caught.value.problem
    assert (caught.value.line, caught.value.field) == (line, field)
    assert caught.value.source == str(tmp_path / "tiny.csv")


@pytest.mark.parametrize(
    "text",
    [
        "name,x,y,weight\nA,1,2,3\n",
        "0,1,2,3\n",
        "1,40,50,0,0,0,236\n",
        "0;40;50;0;0;0;236\n",
        ROWS.replace("236,0,0,0,0", "236,0,0,0"),
    ],
)
def test_a_table_of_a_folder_is_no_such_file(tmp_path: Path, text: str) -> None:
    """It is still answered with the folder."""
    assert not is_vrptw_rows(text)
    with pytest.raises(InputError, match="give the folder instead"):
        read_rows(tmp_path, text)
