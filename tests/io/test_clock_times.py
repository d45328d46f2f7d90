"""Times as people write them: which are read, which are refused, and what may stand together."""

from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailgate.io.clock_times import (
    CellTime,
    TimeReader,
    cell_problem,
    exact_clock_text,
    looks_like_time,
    minutes_of,
    time_cell_text,
)
from tailgate.io.draft import Place
from tailgate.model.errors import InputError
from tailgate.model.exact import fraction_of
from tailgate.model.units import clock_text


def place(field: str = "due", line: int | None = 3, source: str = "a.csv") -> Place:
    """Return where a time may have been."""
    return Place(source, line, field)


MINUTES: list[tuple[str, int | Fraction]] = [
    ("08:00", 480),
    ("8:00", 480),
    ("0:15", 15),
    ("00:00", 0),
    ("24:00", 1440),
    ("25:30", 1530),
    ("100:00", 6000),
    ("8:30 pm", 1230),
    ("8:30PM", 1230),
    ("8:30 p.m.", 1230),
    ("12:00 am", 0),
    ("12:30 pm", 750),
    ("8 am", 480),
    ("8 p.m.", 1200),
    ("8h30", 510),
    ("8h", 480),
    ("8 H 05", 485),
    ("08:00:30", Fraction(961, 2)),
    ("08:00:20", Fraction(1441, 3)),
    ("08:00:20.5", 480 + Fraction(41, 120)),
]


@pytest.mark.parametrize(("text", "minutes"), MINUTES)
def test_a_clock_is_read_in_minutes(text: str, minutes: int | Fraction) -> None:
    """However people write it, to the second."""
    assert minutes_of(text) == minutes
    assert looks_like_time(text)
    reader = TimeReader()
    assert reader.moment(text, place) == minutes
    assert reader.clock


NO_TIMES = [
    "",
    "8",
    "08.00",
    "8:3",
    "08:60",
    "08:00:60",
    "-1:00",
    "13:00 pm",
    "0:30 am",
    "13 pm",
    "8:30 xm",
    "noon",
    "\u0660\u0668:00",
    "8h3",
    "1e3:00",
    "9" * 50 + ":00",
    "8::00",
    ":30",
]


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_no_clock_shows_is_no_time(text: str) -> None:
    """A typing error must not become another time."""
    assert minutes_of(text) is None
    with pytest.raises(InputError, match=r"a\.csv:3: due: must be a number, or a time such as"):
        TimeReader().moment(text, place)


@given(
    st.integers(0, 10**7).map(lambda seconds: seconds / 60)
    | st.floats(0, 10**6).map(lambda time: round(time, 9))
)
def test_every_time_can_be_written_as_a_clock_shows_it(minutes: float) -> None:
    """The writer is the inverse of the reader, for parts of a second, too."""
    assert minutes_of(exact_clock_text(minutes)) == fraction_of(minutes)


@given(st.integers(0, 10**6))
def test_what_is_shown_is_read_back(seconds: int) -> None:
    """Sheets, pages and files show whole seconds in the same way."""
    minutes = seconds // 60 if seconds % 60 == 0 else seconds / 60
    assert clock_text(minutes) == exact_clock_text(minutes)
    assert minutes_of(clock_text(minutes)) == Fraction(seconds, 60)


def test_numbers_stay_numbers() -> None:
    """In the unit of the file, whatever it is."""
    reader = TimeReader()
    assert reader.moment(Decimal("7.25"), place) == Decimal("7.25")
    assert reader.duration(Decimal(3), place) == 3
    assert not reader.clock
    reader.check_unit("h", place)


def test_durations_are_numbers_or_hours_and_minutes() -> None:
    """Beside clock times a number is in minutes."""
    reader = TimeReader()
    assert reader.moment("08:00", place) == 480
    assert reader.duration(Decimal(15), place) == 15
    assert reader.duration("0:15", place) == 15
    assert reader.duration("1h30", place) == 90


def test_a_clock_beside_a_plain_number_is_refused_with_both_places() -> None:
    """8 beside 08:00 could be a minute or an hour."""
    first, second = place("ready", 2), place("due", 7, "b.csv")
    reader = TimeReader()
    reader.moment("08:00", lambda: first)
    with pytest.raises(InputError) as caught:
        reader.moment(Decimal(9), lambda: second)
    assert str(caught.value).startswith(
        "b.csv:7: due: 9 is a plain number, but '08:00' (ready, line 2, a.csv) is not; write all"
    )
    # The first kind is the habit, so later ones of it are no mistake.
    assert reader.moment("09:00", place) == 540


def test_a_plain_number_beside_a_clock_is_refused_likewise() -> None:
    """Also where the clock is a duration: it says that times are minutes."""
    reader = TimeReader()
    reader.moment(Decimal(8), lambda: place("ready", 2))
    for read in (reader.moment, reader.duration):
        with pytest.raises(InputError, match=r"as a clock shows it, but 8 \(ready, line 2\) is no"):
            read("0:15", place)
    assert not reader.clock


def test_clock_times_are_minutes() -> None:
    """Whoever names another unit means something else by it."""
    reader = TimeReader()
    reader.moment("08:00", lambda: place("ready", 2))
    for unit in ("", "min"):
        reader.check_unit(unit, place)
    with pytest.raises(InputError, match=r"must be min, for '08:00' \(ready, line 2\) .* got 'h'"):
        reader.check_unit("h", lambda: place("time unit", 9))


def test_a_format_without_clocks_says_what_to_do() -> None:
    """And says so only about what is a time of a clock."""
    reader = TimeReader(refusal="write format 2")
    with pytest.raises(InputError, match="must be a number, got '08:00': write format 2"):
        reader.moment("08:00", place)
    with pytest.raises(InputError, match=r"must be a number, got 'soon'$"):
        reader.moment("soon", place)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2026-01-02", "is a date without a time; write the time alone"),
        ("2026-01-02 08:00", "has a date; write the time alone"),
        ("2026-01-02T08:00", "has a date"),
    ],
)
def test_dates_are_refused(text: str, words: str) -> None:
    """A plan is for one day."""
    with pytest.raises(InputError, match=words):
        TimeReader().moment(text, place)


def test_a_spreadsheet_may_have_dates_if_they_are_one_day() -> None:
    """It is the time of day that counts; the next day is hours beyond 24."""
    reader = TimeReader(takes_dates=True)
    assert reader.moment("2026-01-02 08:00", place) == 480
    assert reader.moment("2026-01-02T09:30:00", place) == 570
    assert reader.moment("10:00", place) == 600
    with pytest.raises(InputError, match=r"another day than 2026-01-02.* 25:30 for half past one"):
        reader.moment("2026-01-03 01:30", place)
    with pytest.raises(InputError, match="date without a time"):
        reader.moment("2026-01-02", place)
    with pytest.raises(InputError, match="must be a number, or a time such as"):
        reader.moment("2026-01-02 early", place)


CELLS: list[tuple[CellTime, str]] = [
    (datetime.time(8, 30), "08:30"),
    (datetime.time(8, 30, 20), "08:30:20"),
    # A spreadsheet keeps fractions of a day.
    (datetime.time(8, 29, 59, 999_999), "08:30"),
    (datetime.timedelta(hours=25, minutes=30), "25:30"),
    (datetime.datetime(1900, 1, 1, 1, 30), "25:30"),
    (datetime.datetime(1900, 1, 1, 0, 0), "24:00"),
    (datetime.datetime(2026, 1, 2, 8, 30), "2026-01-02 08:30"),
    (datetime.datetime(2026, 1, 2), "2026-01-02"),
    (datetime.date(2026, 1, 2), "2026-01-02"),
]


@pytest.mark.parametrize(("value", "text"), CELLS)
def test_a_cell_that_is_a_time_is_text_for_the_reader(value: CellTime, text: str) -> None:
    """What a cell shows is what is meant."""
    assert time_cell_text(value) == text
    assert looks_like_time(text)


def test_a_date_in_a_field_for_something_else_is_explained() -> None:
    """A spreadsheet takes 1.2 for the first of February."""
    problem = cell_problem(datetime.datetime(2026, 2, 1), "C3")
    assert "the cell C3 holds '2026-02-01', a date or a time" in problem
    assert "format the cell as text or number" in problem
