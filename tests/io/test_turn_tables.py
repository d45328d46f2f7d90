"""The column that says which items may be turned, in the words of people and of spreadsheets."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from file_cases import parse_file
from table_cases import Tables, Write, both
from tailgate.io import write_csv_folder, write_json, write_xlsx
from tailgate.io.draft import Place
from tailgate.io.headings import ITEM_HEADINGS
from tailgate.io.yes_no import yes_or_no
from tailgate.model.conventions import TurnConvention
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle

PLACE = Place("items.csv", 2, "turn")
YES = ("yes", "Yes", "YES", "y", "on", "1", "x", "X", "\N{CHECK MARK}", "true", "TRUE")
YES_ELSEWHERE = ("ja", "Ja", "j", "wahr", "WAHR", "oui", "Oui", "o", "vrai", "VRAI")
NO = ("no", "No", "n", "off", "0", "-", "false", "FALSE")
NO_ELSEWHERE = ("nein", "Nein", "falsch", "FALSCH", "non", "Non", "faux", "FAUX")

TABLES: Tables = {
    "customers": "customer,x,y,weight\nBakery,3,4,10\nHotel,6,8,20\n",
    "items": "customer,width,length,quantity,turn\n"
    "Bakery,2,1,2,yes\nBakery,1,1,1,\nHotel,3,1,1,no\n",
    "vehicles": "count,width,length,capacity\n2,4,6,100\n",
    "settings": "field,value\nname,turning\ndepot x,0\ndepot y,0\n",
}
INSTANCE = Instance(
    name="turning",
    depot=(0, 0),
    customers=(
        Customer(3, 4, 10, (Item(2, 1, turn=True),) * 2 + (Item(1, 1),), "Bakery"),
        Customer(6, 8, 20, (Item(3, 1),), "Hotel"),
    ),
    vehicle=Vehicle(4, 6, 100),
    vehicle_count=2,
)


@pytest.mark.parametrize("word", [*YES, *YES_ELSEWHERE])
def test_words_that_say_yes(word: str) -> None:
    """In English, German and French, as a truth value, a number or a tick."""
    assert yes_or_no(word, PLACE) is True


@pytest.mark.parametrize("word", [*NO, *NO_ELSEWHERE])
def test_words_that_say_no(word: str) -> None:
    """Likewise."""
    assert yes_or_no(word, PLACE) is False


def test_an_empty_cell_says_nothing() -> None:
    """Which of an item means no, and of a setting the usual one."""
    assert yes_or_no("", PLACE) is None


@pytest.mark.parametrize("word", ["perhaps", "2", "-1", "yes no", "y/n", "True?", "1.0.0", "=1"])
def test_other_words_are_refused_with_their_place(word: str) -> None:
    """Guessing would turn what must not be turned."""
    with pytest.raises(InputError, match=r"^items\.csv:2: turn: must be yes or no, got") as caught:
        yes_or_no(word, PLACE)
    assert (caught.value.line, caught.value.field) == (2, "turn")


@both
def test_the_column_says_which_items_may_be_turned(write: Write, tmp_path: Path) -> None:
    """Row by row; an empty cell says no."""
    assert parse_file(write(tmp_path, TABLES)) == INSTANCE


@both
@pytest.mark.parametrize(
    "heading", ["May turn", "Rotate", "drehbar", "Drehen", "pivotable", "Peut être tourné"]
)
def test_the_column_has_other_names(write: Write, heading: str, tmp_path: Path) -> None:
    """As people call it."""
    tables = TABLES | {"items": TABLES["items"].replace("quantity,turn", f"quantity,{heading}")}
    assert parse_file(write(tmp_path, tables)) == INSTANCE
    assert ITEM_HEADINGS.column(heading) == "turn"


@both
def test_a_cell_that_says_neither_is_named_with_its_column_as_it_is_written(
    write: Write, tmp_path: Path
) -> None:
    """File, line, field, and what would be right."""
    items = TABLES["items"].replace("quantity,turn", "quantity,Drehbar")
    tables = TABLES | {"items": items.replace("Hotel,3,1,1,no", "Hotel,3,1,1,vielleicht")}
    with pytest.raises(
        InputError, match=r"items.*:4: Drehbar: must be yes or no, got 'vielleicht'"
    ):
        parse_file(write(tmp_path, tables))


@both
def test_without_the_column_nothing_is_turned(write: Write, tmp_path: Path) -> None:
    """A table of format 1 means what it meant."""
    rows = [line.rpartition(",")[0] for line in TABLES["items"].splitlines()]
    plain = parse_file(write(tmp_path, TABLES | {"items": "\n".join(rows) + "\n"}))
    assert plain.is_format_1
    assert not plain.has_turning
    assert plain.sha256 != INSTANCE.sha256


def test_truth_values_and_ticks_of_a_workbook(tmp_path: Path) -> None:
    """Cells that hold no text: a truth value, a number; and no date."""
    path = tmp_path / "orders.xlsx"
    for cell, expected in ((True, True), (False, False), (1, True), (1.0, True), (0, False)):
        _workbook(path, cell)
        assert parse_file(path).customer(1).items[0].turn is expected
    _workbook(path, datetime.date(2026, 1, 2))
    with pytest.raises(InputError, match=r"turn"):
        parse_file(path)


def _workbook(path: Path, cell: object) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    rows: dict[str, list[list[object]]] = {
        "customers": [["customer", "x", "y", "weight"], ["Bakery", 3, 4, 10]],
        "items": [["customer", "width", "length", "turn"], ["Bakery", 2, 1, cell]],
        "vehicles": [["count", "width", "length", "capacity"], [1, 4, 6, 100]],
        "settings": [["field", "value"], ["depot x", 0], ["depot y", 0]],
    }
    for name, lines in rows.items():
        sheet = book.create_sheet(name)
        for line in lines:
            sheet.append(line)
    book.save(path)


@pytest.mark.parametrize("turn", ["as-given", "all", "none"])
@pytest.mark.parametrize("suffix", ["", ".xlsx", ".json"])
def test_turning_survives_every_format(turn: TurnConvention, suffix: str, tmp_path: Path) -> None:
    """Items and convention, from one format to the next; the fingerprint stays."""
    instance = replace(INSTANCE, conventions=Conventions(turn=turn))
    path = tmp_path / f"orders{suffix}"
    write = {"": write_csv_folder, ".xlsx": write_xlsx, ".json": write_json}[suffix]
    write(instance, path)
    again = parse_file(path)
    assert again == replace(instance, name=again.name)
    assert again.sha256 == INSTANCE.sha256


@both
def test_the_settings_may_say_it_for_all_items(write: Write, tmp_path: Path) -> None:
    """In the words of the convention; the caller's goes before it."""
    tables = TABLES | {"settings": TABLES["settings"] + "turn,All\n"}
    path = write(tmp_path, tables)
    assert parse_file(path).conventions.turn == "all"
    assert parse_file(path, turn="none").conventions.turn == "none"
    wrong = TABLES | {"settings": TABLES["settings"] + "turn,some\n"}
    with pytest.raises(InputError, match=r'5: turn: must be one of "as-given", "all", "none"'):
        parse_file(write(tmp_path, wrong))


def test_vehicle_json_may_say_it_for_all_items(tmp_path: Path) -> None:
    """Beside the other conventions."""
    vehicle = (
        '{"count": 2, "width": 4, "length": 6, "capacity": 100, "depot": {"x": 0, "y": 0},\n'
        ' "conventions": {"turn": "all"}}'
    )
    for name in ("customers", "items"):
        (tmp_path / f"{name}.csv").write_text(TABLES[name], encoding="utf-8")
    (tmp_path / "vehicle.json").write_text(vehicle, encoding="utf-8")
    assert parse_file(tmp_path).conventions.turn == "all"
    (tmp_path / "vehicle.json").write_text(vehicle.replace('"all"', "true"), encoding="utf-8")
    with pytest.raises(InputError, match=r"vehicle\.json:2: conventions\.turn: must be text"):
        parse_file(tmp_path)


def test_benchmark_text_says_nothing_of_turning(tmp_path: Path) -> None:
    """Its items are not turned unless the caller says so, which is a convention of the plan."""
    path = tmp_path / "tiny.txt"
    path.write_text(
        "1 --- number of customers\n1 --- number of vehicles\n1 --- number of items\n"
        "Capacity - height - width of vehicles\n90 4 2\n"
        "Node - x - y - demand\n0 30 40 0\n1 37 52 7\n"
        "Node - number of items - h - w for each item\n0 0\n1 1 1 2\n",
        encoding="utf-8",
    )
    given, turned = parse_file(path), parse_file(path, turn="all")
    assert not given.has_turning
    assert turned.has_turning
    assert turned.sha256 == given.sha256
