"""The text format of the 2L-CVRP benchmark.

Item sizes are pairs "h w": length before width. The format knows no names, and its readers expect
the conventions of the exact literature. The instances of Khebbache-Hadji et al. (2013) have two
more columns behind the demand of a node, its ready and its due time, and a heading that says so.
Some of those files declare the number of items of another one, and have the remains of another one
behind their end: there neither is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple, TypeVar

from tailgate.io.draft import (
    ZERO,
    Draft,
    DraftCustomer,
    DraftItem,
    DraftVehicle,
    ParsedDraft,
    Place,
    count,
    parse_number,
)
from tailgate.io.text_file import write_text
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides, Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.limits import MAX_CUSTOMERS, MAX_ITEMS, MAX_ITEMS_PER_CUSTOMER
from tailgate.model.validation import shown

# Two lines for every node, and the headings.
MAX_LINES = 2 * MAX_CUSTOMERS + 20

_Row = TypeVar("_Row")

_PATH = re.compile(r"customers\[(\d+)\](?:\.(\w+)(?:\[(\d+)\](?:\.(\w+))?)?)?")
_COLUMNS = ("x", "y", "demand")
_WINDOW_COLUMNS = ("ready", "due")
_COLUMN_NAMES = {"weight": "demand", "length": "h", "width": "w"}


def draft_benchmark_text(
    text: str, source: str, file_name: str, overrides: ConventionOverrides
) -> ParsedDraft:
    """Read the text of a benchmark file; ``source`` is what complaints call it."""
    reader = _Reader(source, text)
    conventions = Conventions.BENCHMARK.overridden(overrides)
    return ParsedDraft(reader.draft(file_name, conventions), reader.locate)


class _Line(NamedTuple):
    number: int
    text: str

    @property
    def is_heading(self) -> bool:
        return self.text.split()[0].casefold() == "node"


class _Reader:
    """One pass over the lines that are not blank, remembering where everything was."""

    def __init__(self, source: str, text: str) -> None:
        self._source = source
        self._lines: list[_Line] = []
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                self._lines.append(_Line(number, line.strip()))
            if len(self._lines) > MAX_LINES:
                raise self._error("end of the file", f"has more than {MAX_LINES} lines", number)
        self._next = 0
        self._line = 0
        self._vehicle_line = 0
        self._vehicle_count_line = 0
        self._node_lines: dict[int, int] = {}
        self._item_lines: dict[int, int] = {}

    def draft(self, file_name: str, conventions: Conventions) -> Draft:
        """Read the whole file."""
        name = self._name() or file_name
        customer_count = self._declared("number of customers", MAX_CUSTOMERS)
        self._vehicle_count_line = self._peek("number of vehicles").number
        vehicle_count = self._declared("number of vehicles", MAX_CUSTOMERS)
        items_line = self._peek("number of items").number
        item_count = self._declared("number of items", MAX_ITEMS)
        self._header("Capacity - height - width of vehicles")
        capacity, length, width = self._vehicle()
        heading = self._header("Node - x - y - demand").casefold()
        columns = (*_COLUMNS, *(_WINDOW_COLUMNS if "ready" in heading else ()))
        nodes = self._nodes(customer_count, columns)
        self._header("Node - number of items - h - w for each item")
        is_strict = columns == _COLUMNS
        items = self._items(customer_count, is_strict=is_strict)
        if is_strict and self._next < len(self._lines):
            line = self._take("end of the file")
            raise self._error("end of the file", f"expected nothing more, got {shown(line.text)}")
        found = sum(len(of_one) for of_one in items.values())
        if is_strict and found != item_count:
            problem = f"declares {item_count} items, but the customers have {found} together"
            raise self._error("number of items", problem, items_line)
        depot = nodes[0]
        if depot["demand"] != 0:
            problem = f"the depot must have 0, got {depot['demand']}"
            raise self._error("node 0 demand", problem, self._node_lines[0])
        if items[0]:
            raise self._error("node 0", "the depot must have 0 items", self._item_lines[0])
        return Draft(
            name=name,
            vehicles=[DraftVehicle(width, length, capacity, vehicle_count)],
            depot_x=depot["x"],
            depot_y=depot["y"],
            customers=[
                DraftCustomer(
                    x=node["x"],
                    y=node["y"],
                    weight=node["demand"],
                    items=items[number],
                    ready=node.get("ready", ZERO),
                    due=node.get("due"),
                )
                for number, node in sorted(nodes.items())
                if number > 0
            ],
            conventions=conventions,
            depot_ready=depot.get("ready", ZERO),
            depot_due=depot.get("due"),
        )

    def locate(self, path: str) -> Place:
        """Return the line and the benchmark's own words for a field of the model."""
        match = _PATH.match(path)
        if match:
            number = int(match[1]) + 1
            if match[2] == "items":
                item = "" if match[3] is None else f" item {int(match[3]) + 1}"
                side = "" if match[4] is None else f" {_COLUMN_NAMES.get(match[4], match[4])}"
                return self._place(self._item_lines[number], f"node {number}{item}{side}")
            column = _COLUMN_NAMES.get(match[2] or "", match[2] or "")
            return self._place(self._node_lines[number], f"node {number} {column}".strip())
        section, _, name = path.partition(".")
        if path == "vehicles[0].count":
            return self._place(self._vehicle_count_line, "number of vehicles")
        if section == "vehicles[0]":
            return self._place(self._vehicle_line, "height" if name == "length" else name)
        if section == "depot":
            return self._place(self._node_lines[0], f"node 0 {name}")
        return self._place(None, path)

    def _place(self, line: int | None, field: str) -> Place:
        return Place(self._source, line, field)

    def _error(self, field: str, problem: str, line: int | None = None) -> InputError:
        """Return a complaint about the line that was read last, unless another is named."""
        return self._place(line or self._line, field).error(problem)

    def _peek(self, expected: str) -> _Line:
        if self._next == len(self._lines):
            problem = "is missing: the file ends here, it is probably truncated"
            raise self._error(expected, problem, self._lines[-1].number)
        return self._lines[self._next]

    def _take(self, expected: str) -> _Line:
        line = self._peek(expected)
        self._next += 1
        self._line = line.number
        return line

    def _name(self) -> str:
        """Return the name in the preamble, unless it names what several instances share."""
        name = ""
        for word in ("instance", "class"):
            line = self._peek("Instance: NAME")
            key, colon, value = line.text.partition(":")
            if colon and key.strip().casefold() == word:
                self._next += 1
                if word == "instance":
                    name = value.strip()
        # The published files name the graph that the five classes have in common.
        return "" if name.casefold().endswith(".dat") else name

    def _declared(self, what: str, high: int) -> int:
        line = self._take(what)
        value, _, words = line.text.partition(" ")
        if what.rsplit(maxsplit=1)[-1] not in words.casefold():
            raise self._error(what, f'expected a line "15 --- {what}", got {shown(line.text)}')
        return count(value, self._place(line.number, what), low=1, high=high)

    def _header(self, header: str) -> str:
        line = self._take(header)
        if line.text.split()[0].casefold() != header.split()[0].casefold():
            raise self._error(header, f"expected this heading here, got {shown(line.text)}")
        return line.text

    def _vehicle(self) -> tuple[Decimal, Decimal, Decimal]:
        what = "capacity, height and width"
        line = self._take(what)
        self._vehicle_line = line.number
        words = line.text.split()
        if len(words) != 3:
            raise self._error(what, f"expected three numbers, got {shown(line.text)}")
        capacity, length, width = (
            self._number(word, name)
            for word, name in zip(words, ("capacity", "height", "width"), strict=True)
        )
        return capacity, length, width

    def _nodes(
        self, customer_count: int, columns: tuple[str, ...]
    ) -> dict[int, dict[str, Decimal]]:
        expected = f"{', '.join(columns[:-1])} and {columns[-1]}"

        def node(words: list[str], name: str) -> dict[str, Decimal]:
            if len(words) != len(columns):
                problem = f"expected {expected} after the number, got {len(words)} words"
                raise self._error(name, problem)
            return {
                column: self._number(word, f"{name} {column}")
                for word, column in zip(words, columns, strict=True)
            }

        return self._section(customer_count, self._node_lines, "coordinates", node)

    def _items(self, customer_count: int, *, is_strict: bool) -> dict[int, list[DraftItem]]:
        total = 0

        def items(words: list[str], name: str) -> list[DraftItem]:
            what, place = "the number of items", self._place(self._line, name)
            if not words:
                raise place.error(f"{what} is missing")
            declared = count(words[0], place, low=0, high=MAX_ITEMS_PER_CUSTOMER, what=what)
            nonlocal total
            total += declared
            if total > MAX_ITEMS:
                raise place.error(f"there are more than {MAX_ITEMS} items")
            sizes = words[1:]
            if len(sizes) != 2 * declared:
                raise place.error(
                    f"declares {declared} items, so {2 * declared} numbers (h w for each) must "
                    f"follow, got {len(sizes)}"
                )
            numbers = [
                self._number(word, f"{name} item {index // 2 + 1} {'hw'[index % 2]}")
                for index, word in enumerate(sizes)
            ]
            return [
                DraftItem(width=width, length=length)
                for length, width in zip(numbers[::2], numbers[1::2], strict=True)
            ]

        most = None if is_strict else customer_count + 1
        return self._section(customer_count, self._item_lines, "items", items, most=most)

    def _section(
        self,
        customer_count: int,
        lines: dict[int, int],
        what: str,
        parse: Callable[[list[str], str], _Row],
        most: int | None = None,
    ) -> dict[int, _Row]:
        """Read one row per node until the next heading, and see that every node is there once."""
        rows: dict[int, _Row] = {}
        while (
            self._next < len(self._lines)
            and not self._lines[self._next].is_heading
            and len(rows) != most
        ):
            line = self._take("node")
            words = line.text.split()
            place = self._place(line.number, "node")
            number = count(words[0], place, low=0, high=MAX_CUSTOMERS, what="the node number")
            name = f"node {number}"
            if number > customer_count:
                problem = f"the file declares {customer_count} customers, so nodes end there"
                raise self._error(name, problem)
            if number in lines:
                problem = f"its {what} are given twice (first in line {lines[number]})"
                raise self._error(name, problem)
            lines[number] = line.number
            rows[number] = parse(words[1:], name)
        missing = [number for number in range(customer_count + 1) if number not in rows]
        if missing:
            at_end = self._next == len(self._lines)
            problem = f"its {what} are missing ({len(rows)} of {customer_count + 1} nodes found)"
            hint = "; the file is probably truncated" if at_end else ""
            raise self._error(f"node {missing[0]}", problem + hint)
        return rows

    def _number(self, word: str, field: str) -> Decimal:
        value = parse_number(word)
        if value is None:
            raise self._error(field, f"must be a number, got {shown(word)}")
        return value


def write_benchmark(instance: Instance, path: PathLike, *, item_class: int = 0) -> None:
    """Write a benchmark file; ``item_class`` is the class 1-5 of the generator, 0 if it has none.

    What the format cannot hold is as in `benchmark_instance_text`.
    """
    write_text(path, benchmark_instance_text(instance, item_class=item_class))


def benchmark_instance_text(instance: Instance, *, item_class: int = 0) -> str:
    """Return the text of a benchmark file.

    The format has no place for customers' and items' names, units or conventions; those are left
    out. Time windows and all of format 2 are not: an instance that has them is refused.
    """
    _refuse_times(instance)
    if not instance.is_format_1:
        raise InputError(
            "has fields of format 2 (roads, costs, limits, info, turning), which benchmark text "
            "cannot hold; write JSON or CSV instead"
        )
    units, vehicle = instance.units, instance.vehicle
    item_count = sum(len(customer.items) for customer in instance.customers)
    points = [(*instance.depot, 0), *((c.x, c.y, c.weight) for c in instance.customers)]
    lines = [
        f"Instance: {instance.name}",
        f"Class:  {item_class}",
        f"{instance.n:5d} --- number of customers (no depot)",
        f"{instance.vehicle_count:5d} --- number of vehicles",
        f"{item_count:5d} --- number of items",
        "Capacity - height - width of vehicles",
        _row(
            units.weight_text(vehicle.capacity),
            units.length_text(vehicle.length),
            units.length_text(vehicle.width),
        ),
        "Node - x - y - demand",
    ]
    for number, (x, y, weight) in enumerate(points):
        lines.append(
            _row(
                str(number),
                units.coordinate_text(x),
                units.coordinate_text(y),
                units.weight_text(weight),
            )
        )
    lines.append("Node - number of items - h - w for each item")
    for number, items in enumerate([(), *(c.items for c in instance.customers)]):
        sizes = (units.length_text(size) for item in items for size in (item.length, item.width))
        lines.append(_row(str(number), str(len(items)), *sizes))
    return "\n".join(lines) + "\n"


def _row(*words: str) -> str:
    return " ".join(f"{word:>6}" for word in words)


def _refuse_times(instance: Instance) -> None:
    timed = [
        f"customers[{index}]"
        for index, customer in enumerate(instance.customers)
        if customer.has_times
    ]
    if instance.depot_ready or instance.depot_due is not None:
        timed.insert(0, "depot")
    if timed:
        raise InputError(
            "has times, which the benchmark text format cannot hold; write JSON or CSV instead",
            field=timed[0],
        )
