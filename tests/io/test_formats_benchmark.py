"""The benchmark text format: the published files, their line ends, and every kind of damage."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from builders import benchmark_folder, small_instance
from file_cases import parse_file
from tailgate.io import write_benchmark
from tailgate.model.errors import InputError
from tailgate.model.instance import (
    Conventions,
    Customer,
    Instance,
    Item,
    Travel,
    Units,
    Vehicle,
)
from tailgate.solver.loading import read

TINY = """\
Instance: tiny
Class:  2
    2 --- number of customers (no depot)
    1 --- number of vehicles
    3 --- number of items
Capacity - height - width of vehicles
    90     40     20
Node - x - y - demand
    0    30.0    40.0     0.0
    1    37.0    52.0     7.0
    2    49.0    49.0    30.0
Node - number of items - h - w for each item
    0   0
    1   2   12    4    5    7
    2   1   21   10
"""

TINY_INSTANCE = Instance(
    "tiny",
    (30, 40),
    (Customer(37, 52, 7, (Item(4, 12), Item(7, 5))), Customer(49, 49, 30, (Item(10, 21),))),
    Vehicle(width=20, length=40, capacity=90),
    1,
    Conventions.BENCHMARK,
)


def read_text_as_benchmark(folder: Path, text: str, name: str = "tiny.txt") -> Instance:
    """Write ``text`` to a file and read it."""
    file = folder / name
    file.write_bytes(text.encode("utf-8"))
    return parse_file(file)


def test_lengths_stand_before_widths(tmp_path: Path) -> None:
    """Pairs are "h w", and the vehicle is "capacity height width"."""
    assert read_text_as_benchmark(tmp_path, TINY) == TINY_INSTANCE


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace("\n", "\n\n \n"),
        lambda text: "\n\r\r\n" + text + "\n\n",
        lambda text: text.rstrip("\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("  ", "\t"),
        lambda text: text.upper().replace("TINY", "tiny"),
        lambda text: text.replace("Class:  2\n", ""),
        lambda text: text.replace(".0", ""),
        lambda text: text.replace(".0", ".000"),
        # Rows in another order, still every node once.
        lambda text: "\n".join([*text.split("\n")[:8], *text.split("\n")[10:7:-1],
                                *text.split("\n")[11:]]),
    ],
)  # fmt: skip
def test_harmless_differences_are_tolerated(tmp_path: Path, rewrite: Callable[[str], str]) -> None:
    """The files were carried between systems for years; their content is what counts."""
    assert read_text_as_benchmark(tmp_path, rewrite(TINY)) == TINY_INSTANCE


def test_lines_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    r"""With ``\r\r\n`` one line is one line, not two."""
    broken = TINY.replace("49.0    30.0", "49.0    -1").replace("\n", "\r\r\n")
    with pytest.raises(InputError) as caught:
        read_text_as_benchmark(tmp_path, broken)
    assert caught.value.line == 11


def test_decimals_are_scaled_exactly(tmp_path: Path) -> None:
    """Three published instances have coordinates such as 2.5; sizes may be decimals as well."""
    text = TINY.replace("37.0", "37.25").replace("90 ", "90.5 ").replace("   12 ", "   12.125 ")
    instance = read_text_as_benchmark(tmp_path, text)
    assert instance.units == Units(length_scale=1000, weight_scale=10, coordinate_scale=100)
    assert instance.customers[0].x == 3725
    assert instance.customers[0].items[0] == Item(4000, 12125)
    assert instance.vehicle == Vehicle(20000, 40000, 905)


def test_a_dat_name_is_shared_and_the_files_name_is_taken(tmp_path: Path) -> None:
    """The five classes of a graph carry the same name inside; reports must tell them apart."""
    text = TINY.replace("Instance: tiny", "Instance: E016-03m.dat")
    assert read_text_as_benchmark(tmp_path, text, "2l_cvrp0102.txt").name == "2l_cvrp0102"
    text = TINY.replace("Instance: tiny\n", "")
    assert read_text_as_benchmark(tmp_path, text, "2l_cvrp0102.txt").name == "2l_cvrp0102"


def test_conventions_can_be_overridden(tmp_path: Path) -> None:
    """The heuristic literature uses the same files with real distances."""
    file = tmp_path / "tiny.txt"
    file.write_text(TINY)
    instance = parse_file(file, distance="exact", lifo=False)
    assert instance.conventions == replace(Conventions.BENCHMARK, distance="exact", lifo=False)


def damaged(before: str, after: str) -> str:
    """Return the tiny file with one place changed."""
    assert TINY.count(before) == 1, before
    return TINY.replace(before, after)


ITEMS_1 = "    1   2   12    4    5    7"
NODE_2 = "    2    49.0    49.0    30.0\n"
ITEMS_2 = "    2   1   21   10\n"

# --- Ready and due times behind the demand --------------------------------------------------------

TIMED = (
    TINY.replace("x - y - demand\n", "x - y - demand  Readytime Duetime\n")
    .replace("40.0     0.0\n", "40.0     0.0  0   183.00  \n")
    .replace("52.0     7.0\n", "52.0     7.0  15.5   122.00\n")
    .replace("49.0    30.0\n", "49.0    30.0  10.00   33\n")
)
TIMED_INSTANCE = replace(
    TINY_INSTANCE,
    customers=(
        replace(TINY_INSTANCE.customers[0], ready=15.5, due=122),
        replace(TINY_INSTANCE.customers[1], ready=10, due=33),
    ),
    depot_due=183,
)


def test_times_stand_behind_the_demand_where_the_heading_says_so(tmp_path: Path) -> None:
    """Capacity, number of vehicles and conventions stay those of the file."""
    assert read_text_as_benchmark(tmp_path, TIMED) == TIMED_INSTANCE


def test_remains_of_other_files_are_left_alone_where_there_are_times(tmp_path: Path) -> None:
    """Some published files declare the items of another one, and end with a piece of it."""
    text = TIMED.replace("3 --- number of items", "9 --- number of items")
    for remains in ("", "\n   1   1    1    1\n", "Instance: E023-03g.dat\nClass:  1\n"):
        assert read_text_as_benchmark(tmp_path, text + remains) == TIMED_INSTANCE


def test_damaged_times_are_named(tmp_path: Path) -> None:
    """By line and column; and a file that is cut short is still refused."""
    for before, after, line, field, word in (
        ("10.00   33", "10.00", 11, "node 2", "expected x, y, demand, ready and due"),
        ("10.00   33", "10.00   soon", 11, "node 2 due", "number"),
        ("10.00   33", "34   33", 11, "node 2 due", "before"),
        ("10.00   33", "1   3", 11, "node 2 due", "at the earliest"),
        ("0   183.00", "0   20", 10, "node 1 ready", "after the depot's due time"),
        (" Readytime Duetime", "", 9, "node 0", "expected x, y and demand"),
        ("    2   1   21   10\n", "", 14, "node 2", "truncated"),
    ):
        assert TIMED.count(before) == 1
        with pytest.raises(InputError) as caught:
            read_text_as_benchmark(tmp_path, TIMED.replace(before, after))
        assert word in caught.value.problem
        assert (caught.value.line, caught.value.field) == (line, field)


# --- Damage ---------------------------------------------------------------------------------------

# Each row: the file, the line and the field that the message must name, and a word of the problem.
BAD_FILES: list[tuple[str, int | None, str | None, str]] = [
    # counts
    (damaged("2 --- number of c", "3 --- number of c"), 11, "node 3", "missing"),
    (damaged("2 --- number of c", "1 --- number of c"), 11, "node 2", "declares 1"),
    (damaged("2 --- number of c", "0 --- number of c"), 3, "number of customers", "from 1"),
    (damaged("2 --- number of c", "two --- number of c"), 3, "number of customers", "whole"),
    (damaged("2 --- number of c", "2.5 --- number of c"), 3, "number of customers", "whole"),
    (damaged("2 --- number of c", "1e9 --- number of c"), 3, "number of customers", "100000"),
    (damaged("2 --- number of c", "9" * 5000 + " --- number of c"), 3, "number of customers", "to"),
    (damaged("1 --- number of v", "0 --- number of v"), 4, "number of vehicles", "from 1"),
    (damaged("1 --- number of v", "-1 --- number of v"), 4, "number of vehicles", "from 1"),
    (damaged("3 --- number of i", "4 --- number of i"), 5, "number of items", "have 3"),
    (damaged("    1 --- number of vehicles\n", ""), 4, "number of vehicles", "expected a line"),
    (damaged(ITEMS_1, "    1   2   12    4    5"), 14, "node 1", "4 numbers"),
    (damaged(ITEMS_1, "    1   1   12    4    5    7"), 14, "node 1", "got 4"),
    (damaged("    1   2   12", "    1   -2   12"), 14, "node 1", "from 0"),
    (damaged("    1   2   12", "    1   1e3   12"), 14, "node 1", "2000 numbers"),
    (damaged(ITEMS_1, "    1"), 14, "node 1", "missing"),
    # sizes
    (damaged("   21   10", "   0   10"), 15, "node 2 item 1 h", "greater than 0"),
    (damaged("   21   10", "   21   -10"), 15, "node 2 item 1 w", "greater than 0"),
    (damaged("   21   10", "   41   10"), 15, "node 2 item 1 h", "more than the vehicle's floor"),
    (damaged("   21   10", "   10   21"), 15, "node 2 item 1 w", "more than the vehicle's floor"),
    (damaged("   21   10", "   nan   10"), 15, "node 2 item 1 h", "number"),
    (damaged("   21   10", "   1_0   10"), 15, "node 2 item 1 h", "number"),
    (damaged("   21   10", "   ٣   10"), 15, "node 2 item 1 h", "number"),
    (damaged("   21   10", "   21   1e400"), 15, "node 2 item 1 w", "out of range"),
    (damaged("   21   10", "   21   1e-400"), 15, "node 2 item 1 w", "decimal places"),
    (damaged(ITEMS_1, "    1   2   40   20    5    7"), 14, "node 1", "cover"),
    (damaged("90     40     20", "90     0     20"), 7, "height", "greater than 0"),
    (damaged("90     40     20", "90     40     -20"), 7, "width", "greater than 0"),
    (damaged("90     40     20", "0     40     20"), 7, "capacity", "greater than 0"),
    (damaged("90     40     20", "90     40"), 7, "capacity, height and width", "three"),
    (damaged("90     40     20", "inf     40     20"), 7, "capacity", "number"),
    (damaged("90     40     20", "9e999999999     40     20"), 7, "capacity", "out of range"),
    # nodes
    (damaged("49.0    30.0", "49.0    91"), 11, "node 2 demand", "capacity"),
    (damaged("49.0    30.0", "49.0    -1"), 11, "node 2 demand", "negative"),
    (damaged("49.0    30.0", "nan    30.0"), 11, "node 2 y", "number"),
    (damaged("49.0    30.0", "49.0"), 11, "node 2", "expected x, y and demand"),
    (damaged("49.0    30.0", "49.0    30.0   8"), 11, "node 2", "expected x, y and demand"),
    (damaged("49.0    30.0", "1e10    30.0"), 11, "node 2 y", "out of range"),
    (damaged("49.0    30.0", "0.1234567891    30.0"), 11, "node 2 y", "decimal places"),
    (damaged("49.0    30.0", "0.123456789    30.0"), 10, "node 1 x", "beside 0.123456789"),
    (damaged("    2    49.0", "    1    49.0"), 11, "node 1", "twice (first in line 10)"),
    (damaged("    2    49.0", "    7    49.0"), 11, "node 7", "declares 2"),
    (damaged("    2    49.0", "    x    49.0"), 11, "node", "whole"),
    (damaged(NODE_2, ""), 10, "node 2", "missing"),
    (damaged("40.0     0.0", "40.0     1.0"), 9, "node 0 demand", "depot"),
    (damaged("    0   0\n", "    0   1   1   1\n"), 5, "number of items", "have 4"),
    # items
    (damaged(ITEMS_2, "    1   1   21   10\n"), 15, "node 1", "twice (first in line 14)"),
    (damaged(ITEMS_2, ""), 14, "node 2", "truncated"),
    (damaged(ITEMS_2, ITEMS_2 + "    3   0\n"), 16, "node 3", "declares 2"),
    (damaged(ITEMS_2, ITEMS_2 + "the end\n"), 16, "node", "whole"),
    (damaged(ITEMS_2, ITEMS_2 + "Node - colour\n"), 16, "end of the file", "nothing more"),
    # other files
    ("", None, None, "empty"),
    ("\r\r\n \n", None, None, "empty"),
    ("GIF89a", 1, "number of customers", "expected a line"),
    ("Instance: x", 1, "Instance: NAME", "truncated"),
    ("a\0b", None, None, "binary"),
    ("<html></html>", 1, "number of customers", "expected a line"),
    ("1\n" * 300_000, 200_021, "end of the file", "more than 200020 lines"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "field", "word"), BAD_FILES)
def test_damage_is_named_with_line_and_field(
    tmp_path: Path, text: str, line: int | None, field: str | None, word: str
) -> None:
    """Whoever has a broken file should be able to go straight to the place."""
    with pytest.raises(InputError) as caught:
        read_text_as_benchmark(tmp_path, text)
    error = caught.value
    assert word in error.problem
    assert (error.line, error.field) == (line, field)
    assert error.source == str(tmp_path / "tiny.txt")
    assert len(str(error)) < 500


def test_a_file_cut_after_any_line_is_refused(tmp_path: Path) -> None:
    """A truncated download must never pass as a smaller instance."""
    lines = TINY.rstrip("\n").split("\n")
    for kept in range(1, len(lines)):
        with pytest.raises(InputError, match=r"truncated|missing"):
            read_text_as_benchmark(tmp_path, "\n".join(lines[:kept]))


def test_a_depot_with_items_is_refused(tmp_path: Path) -> None:
    """Nothing is delivered to the depot."""
    text = damaged("    0   0\n", "    0   1   1   1\n").replace(
        "3 --- number of i", "4 --- number of i"
    )
    with pytest.raises(InputError, match="13: node 0: the depot must have 0 items"):
        read_text_as_benchmark(tmp_path, text)


def test_items_that_cannot_be_loaded_together_are_refused(tmp_path: Path) -> None:
    """Two items that fit singly and by area, but not beside each other, can never be delivered."""
    text = damaged(ITEMS_1, "    1   2   21   11   21   11")
    file = tmp_path / "tiny.txt"
    file.write_text(text)
    assert parse_file(file).n == 2
    with pytest.raises(InputError, match=r"tiny.txt:14: node 1: the items of customer 1 cannot"):
        read(file)
    assert read(file, check_loading=False).n == 2


def test_writing_and_reading_gives_the_same_instance(tmp_path: Path) -> None:
    """The writer is the inverse of the reader, decimals included."""
    fine = replace(
        TINY_INSTANCE,
        customers=(
            Customer(-3725, 52, 7, (Item(4125, 12000), Item(1, 1))),
            Customer(49, -49, 30, ()),
        ),
        vehicle=Vehicle(20000, 40000, 905),
        units=Units(length_scale=1000, weight_scale=10, coordinate_scale=100),
    )
    for instance in (TINY_INSTANCE, fine):
        file = tmp_path / "written.txt"
        write_benchmark(instance, file, item_class=3)
        assert parse_file(file) == instance
        assert "Class:  3\n" in file.read_text()


def test_times_are_not_dropped_in_silence(tmp_path: Path) -> None:
    """The format has no place for windows; writing without them would change the problem."""
    with pytest.raises(InputError, match="depot: has times"):
        write_benchmark(small_instance(), tmp_path / "a.txt")
    with pytest.raises(InputError, match=re.escape("customers[0]: has times")):
        write_benchmark(small_instance(depot_due=None), tmp_path / "a.txt")
    assert not (tmp_path / "a.txt").exists()


def test_what_is_format_2_is_not_dropped_in_silence(tmp_path: Path) -> None:
    """A plan without the costs and the detour would be one of another problem."""
    plain = small_instance(depot_ready=0, depot_due=None, units=Units())
    plain = replace(
        plain,
        customers=tuple(replace(one, ready=0, due=None, service=0) for one in plain.customers),
    )
    for instance in (
        replace(plain, travel=Travel.euclidean(detour=1.3)),
        replace(plain, vehicle=replace(plain.vehicle, fixed_cost=5)),
    ):
        with pytest.raises(
            InputError, match=r"has fields of format 2 .* write JSON or CSV instead"
        ):
            write_benchmark(instance, tmp_path / "a.txt")
    assert not (tmp_path / "a.txt").exists()
    write_benchmark(plain, tmp_path / "a.txt")


@pytest.mark.skipif(
    benchmark_folder() is None,
    reason="the published benchmark files are not here (set TAILGATE_BENCHMARK_DIR)",
)
def test_all_published_files_can_be_read_and_written(tmp_path: Path) -> None:
    """The 180 published files are what this format is for."""
    folder = benchmark_folder()
    assert folder is not None
    files = sorted(folder.glob("2l_cvrp*.txt"))
    assert len(files) == 180
    for file in files:
        instance = parse_file(file)
        assert instance.name == file.stem
        assert instance.conventions == Conventions.BENCHMARK
        assert (instance.vehicle.width, instance.vehicle.length) == (20, 40)
        written = tmp_path / file.name
        write_benchmark(instance, written)
        assert parse_file(written) == instance
        if file.stem.endswith("01"):
            assert all(c.items == (Item(1, 1),) for c in instance.customers)
    smallest = parse_file(folder / "2l_cvrp0102.txt")
    assert (smallest.n, smallest.vehicle_count, smallest.vehicle.capacity) == (15, 3, 90)
    decimal = parse_file(folder / "2l_cvrp1802.txt")
    assert decimal.units.coordinate_scale == 10
