"""Kill -9 at every step on disk of every command: nothing is half, and it can go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builders import benchmark_folder
from killing import killed_at_every_step
from tailgate.apps.cli.main import main
from tailgate.io import read_solution, write
from tailgate.model.instance import Instance
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import read
from tailgate.solver.search import checkpoint_codec
from whole_files import assert_all_whole

pytestmark = pytest.mark.programs

OPTIMUM = 341


@pytest.fixture
def instance(tmp_path: Path) -> str:
    """Return a file that is solved at once, though not without branching."""
    path = tmp_path / "day.json"
    write(generate_instance(7, 2, seed=15), path)
    return str(path)


def test_solve_leaves_the_old_plan_or_the_new_one(instance: str, tmp_path: Path) -> None:
    """Plan, report and checkpoint: each is there wholly or not at all, and the search goes on."""
    old = tmp_path / "old"
    old.mkdir()
    assert main(["solve", instance, "--node-limit", "1", "--out", str(old / "plan.json")]) == 0
    before = (old / "plan.json").read_bytes()
    files = ["--out", "{folder}/plan.json", "--report", "{folder}/plan.html"]
    command = ["solve", instance, *files, "--checkpoint", "{folder}/search.checkpoint"]
    folders = killed_at_every_step(command, tmp_path / "runs", given=old)
    for folder in folders:
        names = assert_all_whole(folder)
        stored = (folder / "plan.json").read_bytes()
        assert stored == before or read_solution(folder / "plan.json").status == "optimal"
        if "search.checkpoint" in names:
            checkpoint_codec.read(folder / "search.checkpoint", read(instance))
            option = "--resume"
        else:
            option = "--checkpoint"
        again = ["solve", instance, option, str(folder / "search.checkpoint"), "--out"]
        assert main([*again, str(folder / "plan.json")]) == 0
        assert read_solution(folder / "plan.json").objective == OPTIMUM
        assert main(["verify", instance, str(folder / "plan.json")]) == 0


def test_bound_leaves_a_whole_recording_or_none(instance: str, tmp_path: Path) -> None:
    """It is written while the search runs, which takes hours where it matters."""
    command = ["bound", instance, "--record", "{folder}/queries.parquet"]
    folders = killed_at_every_step(command, tmp_path / "runs", modules=("pyarrow.parquet",))
    found = [assert_all_whole(folder) for folder in folders]
    assert (found[0], found[-1]) == (set(), {"queries.parquet"})
    again = str(folders[0] / "queries.parquet")
    assert main(["bound", instance, "--record", again]) == 0


def test_pack_leaves_the_old_table_or_the_new_one(instance: str, tmp_path: Path) -> None:
    """Nobody takes the first half of a table for all of it."""
    routes = tmp_path / "routes.csv"
    routes.write_text("route\n1-2\n3\n4-5-6\n", encoding="utf-8")
    old = tmp_path / "old"
    old.mkdir()
    (old / "verdicts.csv").write_text("of yesterday\n", encoding="utf-8")
    command = ["pack", instance, "--routes", str(routes), "--out", "{folder}/verdicts.csv"]
    folders = killed_at_every_step(command, tmp_path / "runs", given=old)
    tables = [
        (folder / "verdicts.csv").read_text(encoding="utf-8").splitlines() for folder in folders
    ]
    assert tables[0] == ["of yesterday"]
    assert {len(table) for table in tables} == {1, 4}


def test_show_leaves_no_half_sheet(instance: str, tmp_path: Path) -> None:
    """Someone may print it at once."""
    plan = str(tmp_path / "plan.json")
    assert main(["solve", instance, "--out", plan]) == 0
    command = ["show", instance, plan, "--out", "{folder}/plans", "--format", "svg,csv"]
    folders = killed_at_every_step(command, tmp_path / "runs", stride=3)
    for folder in folders[:-1]:
        assert_all_whole(folder)
    everything = assert_all_whole(folders[-1])
    again = folders[len(folders) // 2]
    assert main(["show", instance, plan, "--out", str(again / "plans"), "--format", "svg,csv"]) == 0
    assert assert_all_whole(again) == everything


@pytest.mark.skipif(benchmark_folder() is None, reason="the published benchmark is absent")
def test_benchmark_instances_leaves_no_half_instance(tmp_path: Path) -> None:
    """Every published file that it has brought over is the whole one."""
    published = benchmark_folder()
    assert published is not None
    command = ["benchmark-instances", str(published), "--out", "{folder}/2l_cvrp"]
    folders = killed_at_every_step(command, tmp_path / "runs", stride=80)
    counts = []
    for folder in folders:
        found = sorted((folder / "2l_cvrp").glob("[!.]*"))
        counts.append(len(found))
        # The newest is the one that may be half.
        for path in found[-2:]:
            assert read(path) == read(published / path.name)
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 180)


def test_generate_leaves_a_whole_instance_or_none(tmp_path: Path) -> None:
    """In all three formats; half a folder of tables is refused by the reader."""
    for ending in ("json", "txt", "csv"):
        out = "{folder}/day" + ("" if ending == "csv" else f".{ending}")
        command = ["generate", "-n", "5", "--class", "2", "--format", ending, "--out", out]
        folders = killed_at_every_step(command, tmp_path / ending)
        for folder in folders:
            path = Path(out.replace("{folder}", str(folder)))
            whole = len(list(path.glob("[!.]*"))) == 3 if path.is_dir() else path.exists()
            code = main(["pack", str(path), "--route", "1"])
            assert code == (0 if whole else 2)
        (first, *_) = folders
        again = [word.replace("{folder}", str(first)) for word in command]
        assert main([*again, "--force"]) == 0


def test_generate_never_mixes_two_folders_of_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Customers of yesterday with the items of today would pass for an order."""
    old, new = (generate_instance(n, 2, seed=1, name="day") for n in (6, 5))
    given = tmp_path / "given"
    write(old, given / "day")
    (given / "day" / "notes.txt").write_text("call the depot", encoding="utf-8")
    options = ["--class", "2", "--seed", "1", "--name", "day", "--force", "--out"]
    command = ["generate", "-n", "5", *options, "{folder}/day"]
    found: list[Instance | None] = []
    for folder in killed_at_every_step(command, tmp_path / "runs", given=given):
        day = folder / "day"
        assert (day / "notes.txt").exists()
        capsys.readouterr()
        if main(["pack", str(day), "--route", "1"]) == 0:
            found.append(read(day))
            assert found[-1] in (old, new)
        else:
            found.append(None)
            assert "writing it was cut short, so make it again" in capsys.readouterr().err
            # Nothing is lost: every table of both is there under some name.
            tables = {path.read_bytes() for path in day.rglob("*") if path.is_file()}
            assert {path.read_bytes() for path in (given / "day").iterdir()} <= tables
        again = [word.replace("{folder}", str(folder)) for word in command]
        assert main(again) == 0
        assert read(day) == new
    assert (found[0], found[-1]) == (old, new)
    assert None in found
    left = {path.name for path in day.iterdir()}
    assert left == {"customers.csv", "items.csv", "vehicle.json", "notes.txt"}


FEW = ["--instances", "2", "--customers", "8-8", "--seconds", "0.05", "--quick"]


def test_a_data_set_goes_on(tmp_path: Path) -> None:
    """Files that are there are whole, and are not made again."""
    command = ["dataset", *FEW, "--out", "{folder}/data"]
    modules = ("pyarrow.parquet",)
    folders = killed_at_every_step(command, tmp_path / "runs", modules=modules, stride=5)
    for folder in folders:
        names = assert_all_whole(folder)
        if folder == folders[-2]:
            made = {name: (folder / name).stat().st_mtime_ns for name in names}
            assert main(["dataset", *FEW, "--out", str(folder / "data")]) == 0
            for name in names:
                if name.endswith(".parquet"):
                    assert (folder / name).stat().st_mtime_ns == made[name]
            assert len(list((folder / "data" / "queries").glob("*.parquet"))) == 2


def test_an_experiment_goes_on(instance: str, tmp_path: Path) -> None:
    """Rows that were measured are not measured again; tables and figures are whole."""
    command = ["experiment", "optima", "--out", "{folder}", "--instances", instance]
    modules = ("tailgate.research.experiments.running", "matplotlib.figure")
    folders = killed_at_every_step(command, tmp_path / "runs", modules=modules, stride=11)
    for folder in folders:
        assert_all_whole(folder)
    again = ["experiment", "optima", "--out", str(folders[1]), "--instances", instance]
    assert main([*again, "--resume"]) == 0
    # What was proven before is not measured again, and then there are no new rows to list.
    missing = assert_all_whole(folders[-1]) - assert_all_whole(folders[1])
    assert missing <= {"optima/rows.csv"}


# The first steps of a training load these, which takes far longer than the training.
TRAINING_MODULES = (
    "tailgate.research.learning.training",
    "torch._inductor",
    "pyarrow.dataset",
    "matplotlib.pyplot",
    "matplotlib.backends.backend_svg",
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a small data set to train on."""
    folder = str(tmp_path_factory.mktemp("trained") / "data")
    few = ["--instances", "9", "--customers", "10-12", "--seconds", "0.3"]
    assert main(["dataset", "--quick", *few, "--out", folder]) == 0
    return folder


def test_a_training_goes_on(data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is resumed from its last whole epoch, or begins again where there is none."""
    command = ["train", "--quick", "--data", data, "--out", "{folder}/run"]
    folders = killed_at_every_step(command, tmp_path / "runs", modules=TRAINING_MODULES, stride=2)
    everything = assert_all_whole(folders[-1])
    for folder in folders[:-1]:
        has_epoch = "run/checkpoint.pt" in assert_all_whole(folder)
        again = ["train", "--quick", "--data", data, "--out", str(folder / "run")]
        assert main([*again, *(["--resume"] if has_epoch else [])]) == 0
        assert assert_all_whole(folder) == everything
        capsys.readouterr()
        assert main(["evaluate", str(folder / "run"), "--data", data, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["models"]
