"""The cells of a form: text of people, read one by one; what cannot be read is remembered."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from tailgate.io.clock_times import TimeReader, looks_like_time
from tailgate.io.draft import ZERO, Place, Time, parse_number
from tailgate.io.name_lists import split_names
from tailgate.io.yes_no import yes_or_no
from tailgate.model.errors import InputError
from tailgate.model.json_document import JsonValue, path_text
from tailgate.model.validation import shown

Level = Literal["error", "warning"]

MAX_CELL_CHARACTERS = 1_000
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a cell: an error keeps the search from starting, a warning does not."""

    path: str
    message: str
    level: Level = "error"

    def to_dict(self) -> dict[str, str]:
        """Return it as the page has it."""
        return {"path": self.path, "message": self.message, "level": self.level}


class Cells:
    """Reads cells one by one and remembers which could not be read."""

    def __init__(self, moments: Iterable[JsonValue]) -> None:
        """Find out how times of day are written; ``moments`` are all their cells.

        Most of them are right: while somebody types the 8 of 8:30, that cell alone is wrong.
        """
        self.problems: list[Problem] = []
        self.times = TimeReader()
        given = [cell for cell in moments if isinstance(cell.value, str) and cell.value.strip()]
        are_clock = [looks_like_time(self.text(cell)) for cell in given]
        is_clock = 2 * sum(are_clock) > len(given)
        for cell, is_own_clock in zip(given, are_clock, strict=True):
            if is_own_clock is is_clock and self._is_habit(cell):
                break

    def _is_habit(self, cell: JsonValue) -> bool:
        """Have a cell set how times are written, unless it cannot be read."""
        text = self.text(cell)
        given = text if looks_like_time(text) else parse_number(_with_decimal_point(text))
        if given is None:
            return False
        with suppress(InputError):
            self.times.moment(given, lambda: self._place(cell))
            return True
        return False

    def text(self, value: JsonValue) -> str:
        """Return what a cell says."""
        text = value.string().strip()
        if len(text) > MAX_CELL_CHARACTERS:
            value.fail(f"must have at most {MAX_CELL_CHARACTERS} characters, got {len(text)}")
        return text

    def number(self, value: JsonValue) -> Decimal:
        """Return the number in a cell that must hold one."""
        if not self.text(value):
            self.complain(value, "is empty; a number is needed here")
            return ZERO
        return self.number_or_none(value) or ZERO

    def number_or_none(self, value: JsonValue) -> Decimal | None:
        """Return the number in a cell that may be empty."""
        text = self.text(value)
        if not text:
            return None
        number = parse_number(_with_decimal_point(text))
        if number is None:
            remedy = "; write a decimal point, and no thousands separators" if "," in text else ""
            self.complain(value, f"must be a number and nothing else, got {shown(text)}{remedy}")
        return number

    def moment(self, value: JsonValue) -> Time | None:
        """Return a time of day, if it is given."""
        return self._time(value, self.times.moment)

    def duration(self, value: JsonValue) -> Time | None:
        """Return how long something takes, if it is given."""
        return self._time(value, self.times.duration)

    def _time(
        self,
        value: JsonValue,
        read: Callable[[Decimal | str, Callable[[], Place]], Time],
    ) -> Time | None:
        text = self.text(value)
        given = text if looks_like_time(text) else self.number_or_none(value)
        if given is None:
            return None
        try:
            return read(given, lambda: self._place(value))
        except InputError as error:
            self.complain(value, error.problem)
            return None

    def count(
        self, value: JsonValue, high: int, default: int | None = None, *, low: int = 1
    ) -> int:
        """Return a whole number; ``default`` stands for an empty cell."""
        counted = self.count_or_none(value, high, low=low)
        if counted is None and default is None and not self.text(value):
            self.complain(value, "is empty; a whole number is needed here")
        return (default or 1) if counted is None else counted

    def count_or_none(self, value: JsonValue, high: int, *, low: int = 1) -> int | None:
        """Return a whole number, if it is given and is one."""
        number = self.number_or_none(value)
        if number is None:
            return None
        if not low <= number <= high or number != number.to_integral_value():
            got = shown(self.text(value))
            self.complain(value, f"must be a whole number from {low} to {high}, got {got}")
            return None
        return int(number)

    def tick(self, value: JsonValue) -> bool:
        """Return whether a cell is ticked; it may have been pasted from a spreadsheet."""
        try:
            return bool(yes_or_no(self.text(value), self._place(value)))
        except InputError as error:
            self.complain(value, error.problem)
            return False

    def names(self, value: JsonValue, known: Collection[str]) -> tuple[str, ...]:
        """Return the names in a cell, which semicolons or commas set apart."""
        text = self.text(value)
        try:
            # A kind may have no name, and nothing is not it.
            return split_names(text, known, self._place(value)) if text else ()
        except InputError as error:
            self.complain(value, error.problem)
            return ()

    def complain(self, value: JsonValue, message: str, *inner: str) -> None:
        """Remember what is wrong with a value, or with one inside it."""
        self.problems.append(Problem(_path(value, *inner), message))

    def _place(self, value: JsonValue) -> Place:
        return Place("", None, _path(value))


def _path(value: JsonValue, *inner: str) -> str:
    # A request may have other members beside the form.
    return path_text((*value.path, *inner)).removeprefix("form.")


def _with_decimal_point(text: str) -> str:
    """Return a number with a decimal comma in the other notation, unless it might mean thousands.

    "2,45" and "0,815" can be read in one way only; "1,200" is left alone.
    """
    if "." in text or _THOUSANDS.fullmatch(text):
        return text
    return text.replace(",", ".")
