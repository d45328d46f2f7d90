"""The published instances: known by their numbers, whatever the files are called."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from builders import benchmark_folder
from tailgate.apps.cli import benchmark_instances
from tailgate.apps.cli.main import main
from tailgate.io import write_benchmark
from tailgate.model.errors import InputError
from tailgate.research.experiments import published_files
from tailgate.research.experiments.published_files import checksum, checksums, examine
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import read


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two files of a publication that has three."""
    place = tmp_path / "downloads"
    place.mkdir()
    texts = {}
    for number in (1, 2, 3):
        path = place / f"2l_cvrp{number:02}02.txt"
        write_benchmark(generate_instance(6, 2, seed=number), path)
        texts[f"{number:02}02"] = path.read_text(encoding="utf-8")
    known = {name: checksum(text) for name, text in texts.items()}
    monkeypatch.setattr(published_files, "checksums", lambda: known)
    monkeypatch.setattr(benchmark_instances, "checksums", lambda: known)
    return place


def test_every_published_instance_has_a_checksum() -> None:
    """36 instances in 5 classes, no two alike."""
    known = checksums()
    assert list(known) == [
        f"{number:02}{group:02}" for number in range(1, 37) for group in range(1, 6)
    ]
    assert len(set(known.values())) == 180
    assert all(len(value) == 64 for value in known.values())


@pytest.mark.skipif(benchmark_folder() is None, reason="the published benchmark is absent")
def test_the_published_instances_are_recognised() -> None:
    """All of them, and nothing else is in their folder."""
    place = benchmark_folder()
    assert place is not None
    examination = examine(place)
    assert examination.missing == []
    assert examination.damaged == ()


def test_names_line_ends_and_blanks_do_not_matter(folder: Path) -> None:
    """Files were carried between systems and renamed by browsers."""
    first = folder / "2l_cvrp0102.txt"
    text = first.read_text(encoding="utf-8")
    first.unlink()
    changed = text.replace("\n", "\r\r\n").replace("  ", "\t ") + "\r\n\r\n"
    (folder / "download (3).dat").write_bytes(changed.encode("ascii"))
    second = folder / "2l_cvrp0202.txt"
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.write(second, "deep/inside/TWO.TXT")
    second.unlink()
    (folder / "readme.txt").write_text("Instances of the 2L-CVRP, 2007\n", encoding="ascii")
    examination = examine(folder)
    assert examination.missing == []
    assert examination.others == ("readme.txt",)


def test_whole_numbers_may_be_written_as_decimals() -> None:
    """30.0 is 30; 30.5 is not."""
    assert checksum("Node 1\n 30.0 +4\n") == checksum("node 1\r\n\r\n30 4.")
    assert checksum("30.5") != checksum("30")
    assert checksum("1 2\n3") != checksum("1\n2 3")


def test_missing_and_damaged_ones_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever downloaded 180 files wants to know which one to fetch again."""
    (folder / "2l_cvrp0102.txt").unlink()
    second = folder / "2l_cvrp0202.txt"
    second.write_text("\n".join(second.read_text(encoding="utf-8").splitlines()[:-2]), "utf-8")
    third = folder / "2l_cvrp0302.txt"
    write_benchmark(generate_instance(7, 2, seed=9), third)
    assert main(["benchmark-instances", str(folder)]) == 4
    printed = capsys.readouterr().out
    assert "0 of 3 published instances" in printed
    assert "2l_cvrp0202.txt (instance 0202)" in printed
    assert "an instance with 7 customers, but its numbers are not the published ones" in printed
    assert "or.dei.unibo.it/library" in printed
    assert main(["benchmark-instances", str(folder), "--json"]) == 4
    content = json.loads(capsys.readouterr().out)
    assert content["missing"] == ["0102", "0202", "0302"]
    assert [entry["instance"] for entry in content["damaged"]] == ["0202", "0302"]


def test_they_are_brought_into_one_folder(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under the names that everything else here expects."""
    (folder / "2l_cvrp0102.txt").rename(folder / "one")
    out = tmp_path / "2l_cvrp"
    assert main(["benchmark-instances", str(folder), "--out", str(out)]) == 0
    assert "TAILGATE_BENCHMARK_DIR" in capsys.readouterr().out
    assert read(out / "2l_cvrp0102.txt").n == 6
    assert examine(out).missing == []


def test_without_a_folder_it_tells_how(capsys: pytest.CaptureFixture[str]) -> None:
    """That is what a newcomer asks first."""
    assert main(["benchmark-instances"]) == 0
    assert "2l_cvrp0102.txt" in capsys.readouterr().out
    assert main(["benchmark-instances", "--out", "x"]) == 2
    assert main(["benchmark-instances", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["instances"]) == 180


def test_a_broken_archive_is_named(tmp_path: Path) -> None:
    """Half a download."""
    (tmp_path / "all.zip").write_bytes(b"PK\x03\x04 half")
    with pytest.raises(InputError, match="not a sound zip archive"):
        examine(tmp_path)
