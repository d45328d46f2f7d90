"""Fuzzing of every reader: whatever the bytes, the answer is an object or an ``InputError``."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from builders import small_instance, small_solution
from file_cases import parse_file
from format_2_cases import DISTANCES, DURATIONS, by_matrix
from market_day import market_day, market_plan
from tailgate.io import (
    json_instance_text,
    read_solution,
    read_text_draft,
    write_benchmark,
    write_csv_folder,
    write_json,
    write_solution,
    write_xlsx,
)
from tailgate.io.templates import template_instance
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Travel, Units, Vehicle
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.solver.loading import read

PLAIN = small_instance(
    customers=(
        Customer(325, 400, 105, (Item(20, 30, "box"), Item(20, 20)), name="Bäckerei; Süd"),
        Customer(600, 800, 200, (Item(40, 20),)),
    ),
    vehicle=Vehicle(400, 600, 700),
    units=Units(length_scale=100, weight_scale=10, coordinate_scale=100, length_unit="m"),
    depot_due=None,
)
TIMED = small_instance()
FLEET = template_instance()
DAY = replace(
    FLEET,
    vehicles=FLEET.vehicles[:1],
    customers=tuple(
        replace(
            customer, leave_out_cost=None, vehicles=None, not_with=(), together=(), position=None
        )
        for customer in FLEET.customers
    ),
)
ROADS = replace(
    DAY,
    travel=Travel.from_matrix(
        DAY.distance_matrix(), 2 * DAY.distance_matrix(), coordinates="lat/lon"
    ),
    conventions=replace(DAY.conventions, distance="exact"),
)
TIMED_TEXT = """\
1 --- number of customers
1 --- number of vehicles
1 --- number of items
Capacity - height - width of vehicles
90 40 20
Node - x - y - demand Readytime Duetime
0 30 40 0 0 183
1 37 52 7 10 100
Node - number of items - h - w for each item
0 0
1 1 12 4
"""
ROWS = "0,40,50,0,0,0,236,0,0\n1,45,68,90,10,12,67,17,1\n2,42,66,9,30,5,170,3,9\n"

MATRIX_FILES = {
    "own.json": json.dumps({"distances": DISTANCES, "durations": DURATIONS}, indent=1),
    "osrm.json": json.dumps({"code": "Ok", "distances": DISTANCES, "durations": DURATIONS}),
    "roads.csv": "distances,Chemist,Mme Dupont,Lyon\nLyon,5,4,0\nMme Dupont,-,0,4.5\n"
    "Chemist,0,3,5\n",
    "valhalla.json": json.dumps(
        {
            "sources_to_targets": [
                [{"distance": 3 * abs(i - j), "time": 5 * abs(i - j)} for j in range(3)]
                for i in range(3)
            ],
            "units": "miles",
        }
    ),
}
JSON_SAMPLES = ["plain.json", "timed.json", "day.json", "roads.json", "fleet.json"]

# Pieces that have broken readers before; the fuzzer splices them in.
NASTY = [
    b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\r\r\n", b"\n\n", b'"', b"'", b",", b";", b"\t", b"{",
    b"}", b"[", b"]", b":", b"-", b"--", b".", b"e", b"1e400", b"1e-400", b"1e999999999", b"NaN",
    b"Infinity", b"-0", b"0", b"-1", b"1.5", b"0.0000000001", b"9" * 50, b"null", b"true", b'"x"',
    b"\\ud800", b"\\u0000", "٣".encode(), "\u2028".encode(), b"sep=;\n", b"Node\n", b"depot",
    b'"08:00"', b'"25:30"', b'"8h"', b'"2026-01-02"', b'"../a.json"', b"[[0]]", b"[0,null]", b'"s"',
]  # fmt: skip


def mutated(original: bytes, seed: int) -> bytes:
    """Return a valid file after a few random injuries."""
    chance = random.Random(seed)
    content = bytearray(original)
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(content) + 1)
        end = min(len(content), start + chance.choice([0, 0, 1, 1, 2, 5, 20, 200]))
        match chance.randrange(5):
            case 0:
                content[start:end] = chance.choice(NASTY)
            case 1:
                content[start:end] = chance.randbytes(end - start)
            case 2:
                content[start:end] = content[start:end] * 2
            case 3:
                del content[start:end]
            case _:
                other = chance.randrange(len(content) + 1)
                content[start:end] = content[other : other + end - start]
    return bytes(content)


def mutated_tokens(original: bytes, seed: int) -> bytes:
    """Return a valid file in which one number or word is another one: well formed, but wrong."""
    chance = random.Random(seed)
    tokens = original.replace(b",", b" , ").replace(b";", b" ; ").split(b" ")
    tokens[chance.randrange(len(tokens))] = chance.choice([*NASTY, chance.choice(tokens)])
    return b" ".join(tokens)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Valid files of every format."""
    folder = tmp_path_factory.mktemp("samples")
    write_benchmark(PLAIN, folder / "a.txt")
    (folder / "timed.txt").write_text(TIMED_TEXT, encoding="utf-8")
    (folder / "rows.csv").write_text(ROWS, encoding="utf-8")
    write_json(PLAIN, folder / "plain.json")
    write_json(TIMED, folder / "timed.json")
    write_json(DAY, folder / "day.json")
    write_json(ROADS, folder / "roads.json")
    write_json(FLEET, folder / "fleet.json")
    for name, content in MATRIX_FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    write_xlsx(PLAIN, folder / "plain.xlsx")
    write_xlsx(TIMED, folder / "timed.xlsx")
    write_csv_folder(PLAIN, folder / "plain")
    write_csv_folder(TIMED, folder / "timed")
    for name, instance in (("day", DAY), ("roads", ROADS), ("fleet", FLEET)):
        write_csv_folder(instance, folder / name)
        write_xlsx(instance, folder / f"{name}.xlsx")
    write_solution(small_solution(), folder / "solution.json")
    write_solution(market_plan(), folder / "solution-2.json")
    (folder / "fuzz").mkdir()
    return folder


def check(reader: Callable[[Path], object], path: Path) -> None:
    """See that the reader returns something sound or complains properly."""
    try:
        thing = reader(path)
    except InputError as error:
        complaint = error
    else:
        check_sound(thing)
        return
    assert str(complaint).isprintable()
    assert len(str(complaint)) < 2000
    assert complaint.source is not None


def check_sound(thing: object) -> None:
    """See that what was read can be worked with."""
    if isinstance(thing, Solution):
        assert Solution.from_dict(thing.to_dict()) == thing
        for violation in (*verify(TIMED, thing), *verify(market_day(), thing)):
            assert str(violation)
    else:
        assert isinstance(thing, Instance)
        assert len(thing.sha256) == 64
        for kind in range(len(thing.vehicles)):
            assert thing.of_kind(kind).route_cost(range(1, min(thing.n, 10) + 1)) >= 0
        assert repr(thing)
        again = read_text_draft(json_instance_text(thing), "again", "again").to_instance()
        assert again.sha256 == thing.sha256


seeds = st.integers(0, 2**32)
mutators = st.sampled_from([mutated, mutated_tokens])
fuzzing = settings(max_examples=300)


@pytest.mark.parametrize(
    ("name", "read_file"),
    [
        # Text with counts and sections invites unchecked indices.
        ("a.txt", parse_file),
        ("timed.txt", parse_file),
        ("rows.csv", parse_file),
        # What is read is judged as well, and the judge must not fail either.
        ("solution.json", read_solution),
        ("solution-2.json", read_solution),
    ],
)
@fuzzing
@given(seed=seeds, mutate=mutators)
def test_injured_text_files(
    samples: Path,
    name: str,
    read_file: Callable[[Path], Instance | Solution],
    seed: int,
    mutate: Callable[[bytes, int], bytes],
) -> None:
    """A damaged file is read or refused, and nothing else happens."""
    file = samples / "fuzz" / name
    file.write_bytes(mutate((samples / name).read_bytes(), seed))
    check(read_file, file)


@fuzzing
@given(seed=seeds, mutate=mutators, sample=st.sampled_from(JSON_SAMPLES))
def test_injured_json_files(
    samples: Path, seed: int, mutate: Callable[[bytes, int], bytes], sample: str
) -> None:
    """Nearly right JSON reaches the deeper checks."""
    file = samples / "fuzz" / "a.json"
    file.write_bytes(mutate((samples / sample).read_bytes(), seed))
    check(parse_file, file)


@pytest.mark.parametrize("name", MATRIX_FILES)
@fuzzing
@given(seed=seeds, mutate=mutators)
def test_injured_files_of_matrices(
    samples: Path, name: str, seed: int, mutate: Callable[[bytes, int], bytes]
) -> None:
    """Those of map services, and a table; the instance beside them is sound."""
    folder = samples / "fuzz" / "matrices"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(mutate((samples / name).read_bytes(), seed))
    content = by_matrix(file=name)
    (folder / "instance.json").write_text(json.dumps(content), encoding="utf-8")
    check(parse_file, folder / "instance.json")


@fuzzing
@given(
    seed=seeds,
    mutate=mutators,
    sample=st.sampled_from(["plain", "timed"]),
    victim=st.sampled_from(["customers.csv", "items.csv", "vehicle.json"]),
    decimal_commas=st.booleans(),
)
def test_injured_csv_folders(
    samples: Path,
    seed: int,
    mutate: Callable[[bytes, int], bytes],
    sample: str,
    victim: str,
    decimal_commas: bool,
) -> None:
    """Each of the three files in turn is injured, in both dialects."""
    folder = samples / "fuzz" / "csv"
    folder.mkdir(exist_ok=True)
    for name in ("customers.csv", "items.csv", "vehicle.json"):
        content = (samples / sample / name).read_bytes()
        if decimal_commas and name.endswith(".csv"):
            content = content.replace(b";", b"").replace(b",", b";").replace(b".", b",")
        (folder / name).write_bytes(mutate(content, seed) if name == victim else content)
    check(parse_file, folder)


@fuzzing
@given(
    seed=seeds,
    mutate=mutators,
    sample=st.sampled_from(["day", "roads", "fleet"]),
    victim=st.sampled_from(
        ["customers", "items", "vehicles", "settings", "distances", "durations"]
    ),
)
def test_injured_tables_of_format_2(
    samples: Path, seed: int, mutate: Callable[[bytes, int], bytes], sample: str, victim: str
) -> None:
    """Hours, items, costs, settings and matrices, each in turn."""
    folder = samples / "fuzz" / sample
    folder.mkdir(exist_ok=True)
    for file in (samples / sample).iterdir():
        content = file.read_bytes()
        (folder / file.name).write_bytes(mutate(content, seed) if file.stem == victim else content)
    check(parse_file, folder)


@settings(max_examples=100)
@given(
    seed=seeds,
    mutate=mutators,
    sample=st.sampled_from(["plain.xlsx", "timed.xlsx", "day.xlsx", "roads.xlsx", "fleet.xlsx"]),
    victim=st.integers(0, 100),
)
# A complaint of openpyxl that goes over several lines.
@example(seed=8062, mutate=mutated, sample="plain.xlsx", victim=42)
def test_injured_workbooks(
    samples: Path, seed: int, mutate: Callable[[bytes, int], bytes], sample: str, victim: int
) -> None:
    """The archive itself, or one of the parts in it, packed again so that its checksum is right."""
    file = samples / "fuzz" / "a.xlsx"
    with zipfile.ZipFile(samples / sample) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    names = [*parts, None]
    injured = names[victim % len(names)]
    if injured is None:
        file.write_bytes(mutate((samples / sample).read_bytes(), seed))
    else:
        parts[injured] = mutate(parts[injured], seed)
        with zipfile.ZipFile(file, "w") as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
    check(parse_file, file)


json_leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        [
            *("tailgate-instance-1", "tailgate-instance-2", "tailgate-solution-2"),
            *("exact", "optimal", 10**400, "08:00", "25:30", "8h30", [[0, 1], [1, 0]]),
        ]
    )
)
json_keys = st.text(max_size=4) | st.sampled_from(
    [
        *("format", "vehicle", "depot", "customers", "items", "width", "length", "x", "y"),
        *("weight", "lat", "lon", "vehicles", "travel", "file", "distances", "durations", "speed"),
    ]
)
json_values = st.recursive(
    json_leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(json_keys, inner, max_size=4),
    max_leaves=12,
)


def with_value(content: object, path: list[int], value: object) -> object:
    """Return the content with ``value`` in place of the part that the path leads to."""
    if not path or not content or not isinstance(content, (dict, list)):
        return value
    if isinstance(content, dict):
        key = sorted(content)[path[0] % len(content)]
        return content | {key: with_value(content[key], path[1:], value)}
    index = path[0] % len(content)
    inner = with_value(content[index], path[1:], value)
    return [*content[:index], inner, *content[index + 1 :]]


@settings(max_examples=150)
@given(value=json_values, path=st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_any_value_anywhere_in_a_json_file(samples: Path, value: object, path: list[int]) -> None:
    """A random value takes the place of a random part of a valid file."""
    readers: dict[str, Callable[[Path], object]] = {
        "timed.json": parse_file,
        "day.json": parse_file,
        "roads.json": parse_file,
        "solution.json": read_solution,
        "solution-2.json": read_solution,
    }
    for sample, reader in readers.items():
        content = json.loads((samples / sample).read_text(encoding="utf-8"))
        file = samples / "fuzz" / "value.json"
        file.write_text(json.dumps(with_value(content, path, value)), encoding="utf-8")
        check(reader, file)


@settings(max_examples=150)
@given(content=st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
@example(b"")
@example(b"{")
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe")
def test_any_bytes_at_all(samples: Path, content: bytes) -> None:
    """Files that have nothing to do with Tailgate."""
    folder = samples / "fuzz"
    for name in ("any.txt", "any.json", "any"):
        (folder / name).write_bytes(content)
        check(lambda path: read(path, check_loading=False), folder / name)
    check(read_solution, folder / "any.json")
    anything = folder / "anything"
    anything.mkdir(exist_ok=True)
    for victim in ("customers.csv", "items.csv", "vehicle.json"):
        for name in ("customers.csv", "items.csv", "vehicle.json"):
            source = (samples / "plain" / name).read_bytes()
            (anything / name).write_bytes(content if name == victim else source)
        check(parse_file, anything)
