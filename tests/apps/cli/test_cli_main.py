"""The program as a whole: help, versions, exit codes, closed pipes and health."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from builders import one_customer
from tailgate.apps.cli import doctor
from tailgate.apps.cli.main import build_parser, main
from tailgate.apps.cli.output import duration_text, table
from tailgate.apps.cli.signals import PROGRAM as SIGNALS
from tailgate.io import write_json
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.model.units import with_equal_decimals
from tailgate.solver.network import read_weights, weights

PROGRAM = [sys.executable, "-m", "tailgate.apps.cli.main"]
COMMANDS = ["solve", "pack", "bound", "verify", "show", "generate", "doctor"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Help has an example and the options that all share; a seed only where something is random."""
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"examples:\n  tailgate {command}" in text
    for option in ("--json", "--quiet"):
        assert option in text
    assert ("--seed" in text) == (command in ("bound", "generate", "solve"))
    assert "130 interrupted" in text


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The program's own help is the table of contents."""
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"\n    {command} " in text for command in COMMANDS)


def test_examples_in_the_help_are_accepted_by_the_parser(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An example that does not parse teaches the wrong thing."""
    for command in COMMANDS:
        assert main([command, "--help"]) == 0
    examples = [
        # Up to the pipe, behind which stands another command.
        line.partition("|")[0].split()[1:]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("  tailgate ")
    ]
    assert len(examples) >= 8
    parser = build_parser()
    for example in examples:
        assert parser.parse_args(example).run is not None


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    """Bug reports begin with it."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tailgate {importlib.metadata.version('tailgate')}\n"


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["paint"],
        ["pack"],
        ["verify", "only-one"],
        ["doctor", "--colour"],
        ["pack", "a", "--route", "1", "--rou", "2"],  # no guessing of shortened options
        ["pack", "a", "--route", "1", "--time-limit", "nan"],
        ["pack", "a", "--route", "1", "--time-limit", "0"],
        ["pack", "a", "--route", "1", "--max-nodes", "-5"],
        ["pack", "a", "--route", "1", "--max-nodes", "1" * 30],
        ["bound"],
        ["bound", "a", "--screen", "guess"],
        ["bound", "a", "--time-limit", "0"],
    ],
)
def test_wrong_usage_is_code_two(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing on the standard output, and a way to the help on the other one."""
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "--help" in captured.err


def test_a_mistyped_option_leads_to_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    """And to the help of the command that has it."""
    assert main(["pack", "a", "--route", "1", "--timelimit=5"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("tailgate pack: unrecognized arguments: --timelimit=5; did you mean")
    assert told.endswith('"--time-limit"?; see: tailgate pack --help\n')


def test_an_interrupt_is_code_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C is not an error to be traced."""

    def interrupt() -> dict[str, object]:
        raise KeyboardInterrupt

    monkeypatch.setattr(doctor, "_examine_benchmark", interrupt)
    assert main(["doctor"]) == 130
    assert capsys.readouterr().err == "tailgate: interrupted\n"


def test_an_interrupt_that_became_an_error_is_still_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A package that is being loaded may catch it: the installation is not broken by that."""

    def broken() -> tuple[dict[str, str], dict[str, str]]:
        monkeypatch.setattr(SIGNALS, "received", 1)
        return {}, {"compiled core": "cannot be loaded"}

    monkeypatch.setattr(doctor, "_examine_core", broken)
    assert main(["doctor"]) == 130
    assert capsys.readouterr().out == ""


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    """``tailgate pack ... | head`` must end quietly."""
    write_json(one_customer(1, 1, Item(1, 1), Vehicle(10, 10, 10)), tmp_path / "one.json")
    (tmp_path / "routes.csv").write_text("route\n" + "1\n" * 30_000, encoding="utf-8")
    process = subprocess.Popen(
        [*PROGRAM, "pack", str(tmp_path / "one.json"), "--routes", str(tmp_path / "routes.csv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b"route,verdict")
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=30) == 0
    process.stderr.close()


def test_letters_that_the_terminal_lacks_do_not_end_the_program(tmp_path: Path) -> None:
    """A name in another script must not crash an old terminal."""
    instance = Instance(
        name="names",
        depot=(0, 0),
        customers=(Customer(x=1, y=1, weight=1, items=(Item(1, 1),), name="Müller 株"),),
        vehicle=Vehicle(width=10, length=10, capacity=10),
        vehicle_count=1,
    )
    write_json(instance, tmp_path / "names.json")
    completed = subprocess.run(
        [*PROGRAM, "pack", str(tmp_path / "names.json"), "--route", "1"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert completed.returncode == 0
    assert b"M\\xfcller" in completed.stdout


def test_doctor_finds_this_installation_healthy(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Versions, build and both answers of the self test."""
    monkeypatch.setenv("TAILGATE_BENCHMARK_DIR", str(tmp_path))
    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["healthy"] is True
    assert set(report["versions"]) == {"python", "tailgate", "numpy", "highspy", "rich"}
    outcomes = {"feasible load": "ok", "infeasible load": "ok", "HiGHS": "ok"}
    assert report["self_test"] == outcomes
    assert (report["benchmark_folder"], report["benchmark_files"]) == (None, 0)
    assert report["build"]
    assert report["weights"] == {name: read_weights(name).sha256 for name in ("default", "paper")}
    assert main(["doctor", "--quiet"]) == 0
    assert capsys.readouterr().out == "healthy\n"


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("full", "full: 2 of 180 files"),
        ("empty", "empty, named in TAILGATE_BENCHMARK_DIR, has no 2l_cvrp*.txt"),
        ("none", "none, named in TAILGATE_BENCHMARK_DIR, is not a folder"),
        ("", "not found; name its folder in TAILGATE_BENCHMARK_DIR"),
    ],
)
def test_doctor_tells_what_the_benchmark_folder_holds(
    folder: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Any folder would do for a mistyped variable, and tests would be skipped unnoticed."""
    monkeypatch.chdir(tmp_path)
    for name in ("full", "empty"):
        (tmp_path / name).mkdir()
    for number in ("0101", "0102"):
        (tmp_path / "full" / f"2l_cvrp{number}.txt").touch()
    monkeypatch.setenv("TAILGATE_BENCHMARK_DIR", folder)
    assert main(["doctor"]) == 0
    assert words in capsys.readouterr().out


def test_the_package_is_a_program() -> None:
    """``python -m tailgate`` works where no script is on the path."""
    completed = subprocess.run(
        [sys.executable, "-m", "tailgate", "--version"], capture_output=True, text=True, check=True
    )
    assert completed.stdout.startswith("tailgate ")


def test_an_interrupt_while_the_program_loads_is_quiet() -> None:
    """Ctrl-C in the first moment is not an error to be traced, either."""
    script = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'tailgate.apps.cli.main': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from tailgate.__main__ import main\n"
        "sys.exit(main())"
    )
    completed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (completed.returncode, completed.stderr) == (130, "tailgate: interrupted\n")


def test_doctor_names_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing package is told, not stumbled over."""
    version = importlib.metadata.version

    def version_without_highspy(name: str) -> str:
        if name == "highspy":
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(importlib.metadata, "version", version_without_highspy)
    assert main(["doctor"]) == 2
    out = capsys.readouterr().out
    assert out.startswith("NOT HEALTHY")
    assert "not installed" in out


@pytest.mark.parametrize(
    ("damage", "words"), [("cut", "its checksum is wrong"), ("gone", "is not part of this")]
)
def test_doctor_tells_a_damaged_network(
    damage: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Such a download would otherwise be found out in the middle of an experiment."""
    default, paper = (tmp_path / f"{name}.safetensors" for name in weights.PACKAGED)
    shutil.copy(weights._FOLDER / default.name, default)
    if damage == "cut":
        paper.write_bytes((weights._FOLDER / paper.name).read_bytes()[:-4])
    monkeypatch.setattr(weights, "_FOLDER", tmp_path)
    assert main(["doctor", "--json"]) == 2
    report = json.loads(capsys.readouterr().out)
    assert report["healthy"] is False
    assert len(report["weights"]["default"]) == 64
    assert words in report["weights"]["paper"]


def test_tables_are_aligned_whatever_the_script() -> None:
    """Wide letters take two cells of a terminal."""
    text = table(["name", "n"], [["株式", "1"], ["ab", "10"]], left=frozenset({"name"}))
    assert text.splitlines() == ["name   n", "株式   1", "ab    10"]


def test_numbers_of_a_column_have_equal_decimals() -> None:
    """2.4 below 0.815 is hard to compare."""
    assert with_equal_decimals(["2.4", "0.815", "1"]) == ["2.400", "0.815", "1.000"]
    assert with_equal_decimals(["20", "4"]) == ["20", "4"]
    assert with_equal_decimals([]) == []


@pytest.mark.parametrize(
    ("seconds", "text"), [(3.2e-5, "32 µs"), (0.0041, "4.1 ms"), (12.34, "12.3 s")]
)
def test_durations_are_handy(seconds: float, text: str) -> None:
    """Nobody counts the zeros of 0.000032."""
    assert duration_text(seconds) == text
