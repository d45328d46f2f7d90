"""The JSON format: the documented example, exact decimals, and every kind of damage."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import REPOSITORY, instances, real_values, small_instance
from file_cases import changed, parse_file, tuesday, without
from tailgate.io import read_solution, write_json
from tailgate.io.text_file import MAX_FILE_BYTES
from tailgate.model.errors import InputError
from tailgate.model.instance import Conventions, Customer, Instance, Units, Vehicle
from tailgate.model.json_document import JsonDocument, format_json
from tailgate.model.judge import ViolationKind, verify
from tailgate.solver.loading import read


def documented(heading: str, language: str) -> str:
    """Return the first example in that language after a heading or a word of docs/formats.md."""
    text = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
    after = text[text.index(heading) :]
    match = re.search(rf"```{language}\n(.*?)```", after, re.DOTALL)
    assert match is not None
    return match[1]


EXAMPLE = documented("## JSON", "json")

EXAMPLE_INSTANCE = tuesday("Bakery North", units=Units(100, 10, 100, "m", "kg", "km"))


def read_text_as_json(folder: Path, text: str) -> Instance:
    """Write ``text`` to a file and read it."""
    file = folder / "instance.json"
    file.write_text(text, encoding="utf-8")
    return parse_file(file)


def test_the_documented_example_means_what_it_says(tmp_path: Path) -> None:
    """The documentation is a promise; 2.45 m is 245 hundredths, exactly."""
    assert read_text_as_json(tmp_path, EXAMPLE) == EXAMPLE_INSTANCE


def test_the_documented_solution_is_valid_for_the_documented_benchmark(tmp_path: Path) -> None:
    """The example of a solution file passes the judge."""
    (tmp_path / "tiny.txt").write_text(documented("## Benchmark text", "text"))
    (tmp_path / "solution.json").write_text(documented("## Solutions", "json"))
    instance = parse_file(tmp_path / "tiny.txt")
    assert verify(instance, read_solution(tmp_path / "solution.json")) == []


def test_every_kind_of_violation_is_documented() -> None:
    """The table of the documentation lists what the judge can say."""
    text = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
    for kind in ViolationKind:
        assert f"`{kind}`" in text


def test_optional_fields_have_the_planners_defaults(tmp_path: Path) -> None:
    """The smallest file: conventions, names, units and times may be left out."""
    text = """{"format": "tailgate-instance-1",
        "vehicle": {"width": 2, "length": 3, "capacity": 5, "count": 1}, "depot": {"x": 0, "y": 0},
        "customers": [{"x": 1, "y": 1, "weight": 0, "items": []}]}"""
    assert read_text_as_json(tmp_path, text) == Instance(
        "instance", (0, 0), (Customer(1, 1, 0, ()),), Vehicle(2, 3, 5), 1, Conventions.PLANNER
    )


def test_the_callers_conventions_go_before_the_files(tmp_path: Path) -> None:
    """An option on the command line is stronger than the file."""
    file = tmp_path / "a.json"
    file.write_text(EXAMPLE)
    assert parse_file(file, fleet="exactly").conventions == replace(
        Conventions.PLANNER, fleet="exactly"
    )


FIRST = ("customers", 0)
ITEM = (*FIRST, "items", 1)
NAN = float("nan")

# Each row: the change, the field that the message must name, and a word of the problem.
BAD_CONTENT: list[tuple[Callable[[dict[str, Any]], None], str | None, str]] = [
    (changed("format", value="tailgate-instance-3"), "format", "tailgate-instance-2"),
    (changed("format", value="tailgate-solution-1"), "format", "solution, not an instance"),
    (changed("format", value=NAN), "format", "tailgate-instance-1"),
    (without("format"), None, "not an instance"),
    (without("vehicle"), None, '"vehicle"'),
    (without("customers"), None, '"customers"'),
    (changed("customer", value=[]), "customer", 'did you mean "customers"'),
    (changed("name", value=7), "name", "text"),
    (changed("name", value="a\nb"), "name", "line breaks"),
    (changed("name", value="\ud800"), "name", "half a character"),
    (changed("units", value="m"), "units", "object"),
    (changed("units", "length", value=1), "units.length", "text"),
    (changed("units", "lenght", value="m"), "units.lenght", 'did you mean "length"'),
    (changed("units", "length", value="m" * 21), "units.length", "20"),
    (changed("conventions", "distance", value="air"), "conventions.distance", "truncated"),
    (changed("conventions", "lifo", value=1), "conventions.lifo", "true or false"),
    (changed("conventions", "liffo", value=True), "conventions.liffo", 'did you mean "lifo"'),
    (changed("vehicle", value=[2, 3]), "vehicle", "object"),
    (changed(*FIRST, "due", value="08:00"), "customers[0].due", "tailgate-instance-2"),
    (changed(*FIRST, "ready", value="8 pm"), "customers[0].ready", "unit of the distances"),
    (changed(*FIRST, "service", value="0:15"), "customers[0].service", "tailgate-instance-2"),
    (changed("depot", "ready", value="07:00"), "depot.ready", "unit of the distances"),
    (changed("depot", "due", value="soon"), "depot.due", "must be a number, got 'soon'"),
    (without("vehicle", "count"), "vehicle", '"count"'),
    (changed("vehicle", "count", value=0), "vehicle.count", "between 1"),
    (changed("vehicle", "count", value=1.5), "vehicle.count", "integer"),
    (changed("vehicle", "count", value=True), "vehicle.count", "number"),
    (changed("vehicle", "width", value=0), "vehicle.width", "greater than 0"),
    (changed("vehicle", "width", value=-2.45), "vehicle.width", "greater than 0"),
    (changed("vehicle", "width", value="2.45"), "vehicle.width", "number"),
    (changed("vehicle", "width", value=NAN), "vehicle.width", "finite"),
    (changed("vehicle", "length", value=float("-inf")), "vehicle.length", "finite"),
    (changed("vehicle", "capacity", value=0), "vehicle.capacity", "greater than 0"),
    (changed("vehicle", "capacity", value=7000), "customers[1].weight", "capacity 7000"),
    (changed("vehicle", "height", value=3), "vehicle.height", "not a known field"),
    (changed("vehicle", "length", value=1e9), "vehicle.length", "at most 10000000"),
    (changed("depot", value=None), "depot", "object"),
    (without("depot", "x"), "depot", '"x"'),
    (changed("depot", "x", value=None), "depot.x", "number"),
    (changed("depot", "due", value=-1), "depot.due", "between 0"),
    (changed("depot", "ready", value=700), "depot.due", "before"),
    (changed("depot", "ready", value="7:00"), "depot.ready", "number"),
    (changed("customers", value={}), "customers", "array"),
    (changed("customers", value=[]), "customers", "at least one"),
    (changed(*FIRST, value=[]), "customers[0]", "object"),
    (without(*FIRST, "x"), "customers[0]", '"x"'),
    (without(*FIRST, "weight"), "customers[0]", '"weight"'),
    (without(*FIRST, "items"), "customers[0]", '"items"'),
    (changed(*FIRST, "x", value=[1]), "customers[0].x", "number"),
    (changed(*FIRST, "x", value=1e10), "customers[0].x", "out of range"),
    (changed(*FIRST, "x", value=0.1234567891), "customers[0].x", "decimal places"),
    (changed(*FIRST, "weight", value=-1), "customers[0].weight", "negative"),
    (changed(*FIRST, "weight", value=24000.01), "customers[0].weight", "capacity 24000"),
    (changed(*FIRST, "ready", value=130), "customers[0].due", "before"),
    (changed("depot", "ready", value=118), "customers[0].due", "arrives"),
    (changed(*FIRST, "due", value=True), "customers[0].due", "number"),
    (changed(*FIRST, "service", value=600), "customers[0].service", "back at"),
    (changed(*FIRST, "service", value=1e13), "customers[0].service", "between 0"),
    (changed(*FIRST, "name", value="Harbour"), "customers[1].name", "both called"),
    (changed(*FIRST, "name", value="0"), "customers[0].name", "depot"),
    (changed(*FIRST, "items", value=None), "customers[0].items", "array"),
    (changed(*ITEM, value=[1, 2]), "customers[0].items[1]", "object"),
    (without(*ITEM, "width"), "customers[0].items[1]", '"width"'),
    (changed(*ITEM, "width", value=0), "customers[0].items[1].width", "greater than 0"),
    (changed(*ITEM, "width", value=-0.4), "customers[0].items[1].width", "greater than 0"),
    (changed(*ITEM, "width", value=2.46), "customers[0].items[1].width", "floor (2.45)"),
    (changed(*ITEM, "length", value=13.7), "customers[0].items[1].length", "floor (13.6)"),
    (changed(*ITEM, "quantity", value=0), "customers[0].items[1].quantity", "between 1"),
    (changed(*ITEM, "quantity", value=1.5), "customers[0].items[1].quantity", "integer"),
    (changed(*ITEM, "quantity", value=999), "customers[0].items", "1003 items"),
    (changed(*ITEM, "quantity", value=24), "customers[0].items", "cover"),
    (changed(*ITEM, "name", value="\t"), "customers[0].items[1].name", "control"),
    (changed(*ITEM, "weight", value=1), "customers[0].items[1].weight", "not a known field"),
]


@pytest.mark.parametrize(("change", "field", "word"), BAD_CONTENT)
def test_a_wrong_field_is_named_with_its_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], field: str | None, word: str
) -> None:
    """Whoever writes such files by hand or by program must find the place at once."""
    content: dict[str, Any] = json.loads(EXAMPLE)
    change(content)
    text = json.dumps(content, indent=2)
    with pytest.raises(InputError) as caught:
        read_text_as_json(tmp_path, text)
    error = caught.value
    assert error.source == str(tmp_path / "instance.json")
    assert (error.field, word in error.problem) == (field, True), str(error)
    assert error.line is not None
    last = (field or "").rsplit(".", 1)[-1]
    if last and "[" not in last:
        assert f'"{last}"' in text.split("\n")[error.line - 1]


# Each row: the text of a whole file, and a word of the problem.
HOSTILE_TEXTS: list[tuple[str, str]] = [
    ("", "empty"),
    ("{", "JSON"),
    (EXAMPLE[: len(EXAMPLE) // 2], "JSON"),
    ("null", "not an instance"),
    ("[]", "not an instance"),
    ("{}", "not an instance"),
    ("[" * 100_000, "nested"),
    ('{"a":' * 100_000, "nested"),
    ('{"a":' * 900 + "1" + "}" * 900, "not an instance"),
    (EXAMPLE.replace('"count": 2', '"count": 2, "count": 3'), "vehicle.count: duplicate key"),
    (EXAMPLE.replace('"x": -4', '"x": -4, "x": -4'), r"customers\[1\].x: duplicate key"),
    (EXAMPLE.replace('"x": -4', r'"x": -4, "\u0078": -4'), r"customers\[1\].x: duplicate key"),
    (EXAMPLE.replace("2.45", "2,45"), "JSON"),
    (EXAMPLE.replace("2.45", "NaN"), "vehicle.width: must be a finite number"),
    (EXAMPLE.replace("2.45", "1e400"), "vehicle.width: is out of range"),
    (EXAMPLE.replace("2.45", "1e-400"), "vehicle.width: .* decimal places"),
    (EXAMPLE.replace("2.45", "1e999999999"), "vehicle.width: is out of range"),
    (EXAMPLE.replace("2.45", "1e-999999999"), "vehicle.width: .* decimal places"),
    (EXAMPLE.replace("2.45", "1e99999999999999999999"), "vehicle.width: must be a finite"),
    (EXAMPLE.replace("2.45", "0e999999999"), "vehicle.width: must be greater than 0"),
    (EXAMPLE.replace("2.45", "1" + "0" * 5000), "vehicle.width: is out of range"),
    (EXAMPLE.replace("2.45", "2." + "3" * 5000), "vehicle.width: .* decimal places"),
    (EXAMPLE.replace('"count": 2', '"count": 1e999999'), "vehicle.count: must be an integer"),
    (EXAMPLE.replace('"due": 120', '"due": 1e999999'), r"customers\[0\].due: must be between"),
    (EXAMPLE.replace('"due": 120', '"due": 120.' + "3" * 40), r"customers\[0\].due: .* digits"),
    (EXAMPLE.replace('"due": 120', '"' + "d" * 10**6 + '": 120'), "not a known field"),
    (EXAMPLE.replace('"tuesday"', '"' + "d" * 10**6 + '"'), "name: must have at most 200"),
    (EXAMPLE + "\n" + EXAMPLE, "JSON"),
    ("<xml/>", "JSON"),
    (EXAMPLE.replace('"customers": [', '"customers": [' + "{}," * 100_000), "at most 100000"),
    (EXAMPLE.replace('"items": [{', '"items": [' + "{}," * 1000 + "{"), "at most 1000"),
]


@pytest.mark.parametrize(("text", "words"), HOSTILE_TEXTS)
def test_a_hostile_file_gets_a_message(tmp_path: Path, text: str, words: str) -> None:
    """Never a traceback and never a wait, whatever the file holds."""
    with pytest.raises(InputError, match=words) as caught:
        read_text_as_json(tmp_path, text)
    assert len(str(caught.value)) < 600


def test_a_misplaced_file_is_recognised(tmp_path: Path) -> None:
    """People give the wrong file of the right folder."""
    (tmp_path / "vehicle.json").write_text(documented("`vehicle.json`", "json"))
    with pytest.raises(InputError, match="give the folder"):
        read(tmp_path / "vehicle.json")
    (tmp_path / "items.csv").write_text("customer,width,length\n")
    with pytest.raises(InputError, match="give the folder"):
        read(tmp_path / "items.csv")
    with pytest.raises(InputError, match="No such file"):
        read(tmp_path / "missing.json")
    with pytest.raises(InputError, match="No such file"):
        read(tmp_path / "missing.txt")
    with pytest.raises(InputError, match="null"):
        read("a\0b.json")


def test_a_file_of_a_hundred_megabytes_is_refused_unread(tmp_path: Path) -> None:
    """The limit is checked before anything is read, and the message says what it is."""
    for name in ("huge.json", "huge.txt"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(100_000_000)
        with pytest.raises(InputError, match=r"has 100.0 MB; the limit is 32 MB"):
            read(tmp_path / name)
    assert MAX_FILE_BYTES == 32_000_000


def test_json_is_recognised_by_its_first_character(tmp_path: Path) -> None:
    """A JSON instance without the suffix is still one."""
    file = tmp_path / "instance"
    file.write_text("\n " + EXAMPLE)
    assert read(file) == EXAMPLE_INSTANCE


def test_items_that_cannot_be_loaded_together_are_refused(tmp_path: Path) -> None:
    """The line of the customer's items is named."""
    text = EXAMPLE.replace(
        '"width": 1.2, "length": 1, "quantity": 9', '"width": 1.3, "length": 6, "quantity": 3'
    )
    file = tmp_path / "a.json"
    file.write_text(text)
    line = next(i for i, one in enumerate(text.split("\n"), start=1) if "1.3" in one)
    with pytest.raises(InputError, match=r"the items of customer Harbour cannot") as caught:
        read(file)
    assert (caught.value.line, caught.value.field) == (line, "customers[1].items")


def test_the_place_of_an_item_counts_entries_not_pieces(tmp_path: Path) -> None:
    """With quantities the fifth piece may stand in the second entry; the file has entries."""
    text = EXAMPLE.replace('"width": 2.4,', '"width": 2.5,')
    with pytest.raises(InputError) as caught:
        read_text_as_json(tmp_path, text)
    assert caught.value.field == "customers[0].items[1].width"
    assert "item 5 of customer Bakery North" in caught.value.problem


@settings(max_examples=40)
@given(instance=instances())
def test_writing_and_reading_gives_the_same_instance(
    tmp_path_factory: pytest.TempPathFactory, instance: Instance
) -> None:
    """The writer is the inverse of the reader: every value, name, unit and convention."""
    file = tmp_path_factory.mktemp("json") / "a.json"
    write_json(instance, file)
    again = parse_file(file)
    assert again.sha256 == instance.sha256
    # The reader takes the coarsest scale that will do; after one round nothing changes any more.
    write_json(again, file)
    assert parse_file(file) == again
    assert real_values(again) == real_values(instance)


def test_a_read_instance_is_the_same_after_a_round(tmp_path: Path) -> None:
    """For what came from a file, the round trip is exact, scales included."""
    write_json(EXAMPLE_INSTANCE, tmp_path / "a.json")
    assert parse_file(tmp_path / "a.json") == EXAMPLE_INSTANCE
    write_json(small_instance(), tmp_path / "a.json")
    assert parse_file(tmp_path / "a.json") == small_instance()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=15,
)


@given(json_values)
def test_formatted_json_is_json(value: object) -> None:
    """Our own writer, needed for exact decimals, writes what the standard library reads."""
    assert json.loads(format_json(value)) == value


def test_formatted_json_keeps_every_digit() -> None:
    """A float would make 0.3 of 0.30000000000000000001."""
    assert format_json({"a": Decimal("0.30000000000000000001")}) == '{"a": 0.30000000000000000001}'


@given(value=json_values, indent=st.sampled_from([None, 1]))
def test_the_line_of_every_value_is_found(value: object, indent: int | None) -> None:
    """The scan for lines must agree with the parser about where values are."""
    text = json.dumps(value, indent=indent)
    document = JsonDocument(text, None)

    def check(inner: object, path: tuple[str | int, ...]) -> None:
        line = document.line_of(path)
        assert line is not None
        if not isinstance(inner, (dict, list)):
            assert json.dumps(inner) in text.split("\n")[line - 1]
        if isinstance(inner, dict):
            for key, member in inner.items():
                check(member, (*path, key))
        if isinstance(inner, list):
            for index, element in enumerate(inner):
                check(element, (*path, index))

    check(value, ())
