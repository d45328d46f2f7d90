"""``-`` as a file: instances and solutions from the standard input, results to the output."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tailgate.apps.cli.main import main
from tailgate.io import read_solution, write
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import read

Pipe = Callable[[bytes], None]
Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A mistake would make a file that is called so."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Pipe:
    """Put something into the standard input."""

    def put(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return put


@pytest.fixture(params=["json", "txt"])
def instance(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a file in each of the two formats that are one text."""
    path = tmp_path / f"day.{request.param}"
    write(generate_instance(5, 2, seed=1), path)
    return path


@pytest.fixture
def solution(instance: Path, capsys: Output) -> Path:
    """Return the optimum of the same instance."""
    path = instance.with_name("plan.json")
    assert main(["solve", str(instance), "--out", str(path)]) == 0
    capsys.readouterr()
    return path


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["solve", "-", "--quiet"], ""),
        (["pack", "-", "--route", "1-2", "--quiet"], "feasible"),
        (["bound", "-", "--quiet"], ""),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_an_instance_comes_from_the_standard_input(
    argv: list[str], words: str, instance: Path, pipe: Pipe, capsys: Output
) -> None:
    """Recognised by its content, for it has no name; with the result that the file has."""
    pipe(instance.read_bytes())
    assert main(argv) == 0
    piped = capsys.readouterr()
    assert words in piped.out
    assert main([argv[0], str(instance), *argv[2:]]) == 0
    assert capsys.readouterr() == piped


@pytest.mark.parametrize("which", ["instance", "solution"])
def test_judge_and_pictures_take_either_file_from_there(
    which: str, instance: Path, solution: Path, pipe: Pipe, tmp_path: Path, capsys: Output
) -> None:
    """One of the two: the other is a file."""
    paths = {"instance": instance, "solution": solution}
    words = ["-" if name == which else str(path) for name, path in paths.items()]
    pipe(paths[which].read_bytes())
    assert main(["verify", *words]) == 0
    assert capsys.readouterr().out.startswith("valid")
    pipe(paths[which].read_bytes())
    assert main(["show", *words, "--out", str(tmp_path / "plans")]) == 0
    assert (tmp_path / "plans" / "sheets.html").exists()


@pytest.mark.parametrize(
    "argv",
    [
        ["verify", "-", "-"],
        ["show", "-", "-", "--out", "plans"],
        ["solve", "-", "--warm-start", "-"],
    ],
    ids=lambda argv: argv[0],
)
def test_both_at_once_are_refused(argv: list[str], pipe: Pipe, capsys: Output) -> None:
    """The second would be read as empty."""
    pipe(b"{}")
    assert main(argv) == 2
    assert "one of the two" in capsys.readouterr().err


def test_a_solution_to_begin_with_comes_from_the_standard_input(
    instance: Path, solution: Path, pipe: Pipe, capsys: Output
) -> None:
    """Where a solution is read, it may be piped."""
    pipe(solution.read_bytes())
    command = ["solve", str(instance), "--warm-start", "-", "--node-limit", "1", "--quiet"]
    assert main(command) == 0
    assert float(capsys.readouterr().out) == read_solution(solution).objective


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"format": "tailgate-instance-1",\n "oops": 2}', "<stdin>:"),
        (b'{"format":\n\n oops}', "<stdin>:3: is not valid JSON"),
        (b"MIT licence\nand no instance\n", "<stdin>:"),
        (b"", "<stdin>: the file is empty"),
        (b"PK\x03\x04\0\0", "<stdin>: this is a binary file"),
        (b"name\n\xff\n", "<stdin>:2: byte 0xff"),
    ],
    ids=["json", "no json", "text", "empty", "binary", "encoding"],
)
def test_a_complaint_names_the_standard_input_and_the_line(
    content: bytes, words: str, pipe: Pipe, capsys: Output
) -> None:
    """As it does for files; there is no traceback, whatever is piped in."""
    pipe(content)
    assert main(["solve", "-"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"tailgate: {words}"), error
    assert error.count("\n") == 1


def test_a_closed_standard_input_is_told(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    """A service may have none."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["solve", "-"]) == 2
    assert "<stdin>" in capsys.readouterr().err


def test_a_solution_goes_to_the_standard_output(instance: Path, capsys: Output) -> None:
    """Nothing else does then: the report goes where notes go."""
    assert main(["solve", str(instance), "--out", "-"]) == 0
    told = capsys.readouterr()
    solution = Solution.from_dict(json.loads(told.out))
    assert verify(read(instance), solution) == []
    assert "objective" in told.err
    assert not Path("-").exists()
    assert main(["solve", str(instance), "--out", "-", "--json"]) == 2
    assert "--json" in capsys.readouterr().err


@pytest.mark.parametrize("written_format", ["json", "txt"])
def test_a_generated_instance_goes_to_the_standard_output(
    written_format: str, tmp_path: Path, capsys: Output
) -> None:
    """The same bytes as in a file."""
    command = ["generate", "-n", "5", "--class", "2", "--format", written_format, "--out"]
    assert main([*command, "-"]) == 0
    told = capsys.readouterr()
    path = tmp_path / f"day.{written_format}"
    assert main([*command, str(path)]) == 0
    assert told.out == path.read_text(encoding="utf-8")
    assert "5 customers" in told.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--format", "csv"], "several files"),
        (["--count", "2"], "one instance"),
        (["--json"], "--json"),
    ],
    ids=["csv", "count", "json"],
)
def test_what_the_standard_output_cannot_hold_is_refused(
    options: list[str], words: str, capsys: Output
) -> None:
    """Two documents in one stream are none."""
    assert main(["generate", "-n", "5", "--class", "2", "--out", "-", *options]) == 2
    assert words in capsys.readouterr().err


def test_the_verdict_of_pack_goes_to_the_standard_output(
    instance: Path, tmp_path: Path, capsys: Output
) -> None:
    """One route as JSON, a table as a table."""
    assert main(["pack", str(instance), "--route", "1-2", "--out", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["route"] == [1, 2]
    routes = tmp_path / "routes.csv"
    routes.write_text("route\n1-2\n", encoding="utf-8")
    assert main(["pack", str(instance), "--routes", str(routes), "--out", "-"]) == 0
    assert capsys.readouterr().out.startswith("route,verdict")
    assert not Path("-").exists()


def test_commands_can_be_joined_by_pipes() -> None:
    """Real processes, as in a shell."""
    program = [sys.executable, "-m", "tailgate"]
    made = subprocess.run(
        [*program, "generate", "-n", "5", "--class", "2", "--out", "-"],
        capture_output=True,
        check=True,
    )
    solved = subprocess.run(
        [*program, "solve", "-", "--out", "-", "--quiet"],
        input=made.stdout,
        capture_output=True,
        check=True,
    )
    assert solved.stderr == b""
    assert json.loads(solved.stdout)["status"] == "optimal"
