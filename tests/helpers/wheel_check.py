"""Build the sdist and a wheel from it, look into both, and try the wheel as a new user would.

    python tests/helpers/wheel_check.py build/wheel-check

Everything happens in fresh environments: nothing of this repository but the sdist is used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "random-n15-c2-s1.txt"
BINARIES = "Scripts" if os.name == "nt" else "bin"

IN_SDIST = ("cpp/packing/oracle.cpp", "src/tailgate/__init__.py", "LICENSE", "CMakeLists.txt")
NOT_IN_SDIST = ("docs/results/", ".ci/", ".github/", ".venv/", "build/", ".git/")


def main() -> int:
    """Do it all in the folder that is named."""
    folder = Path(sys.argv[1]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    dist = folder / "dist"
    _run(sys.executable, "-m", "build", "--outdir", str(dist), str(ROOT))
    (sdist,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    _look_into_sdist(sdist)
    _look_into_wheel(wheel)
    _try(wheel, folder / "venv")
    print(f"wheel-check: {sdist.name} and {wheel.name} are in order")
    return 0


def _look_into_sdist(path: Path) -> None:
    with tarfile.open(path) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    _require(IN_SDIST, names, path)
    unwanted = [name for name in names if name.startswith(NOT_IN_SDIST)]
    # The published instances, which are not ours to hand on.
    unwanted += [name for name in names if "2l_cvrp" in name.lower()]
    if unwanted:
        raise SystemExit(f"{path.name} holds {unwanted[0]}, which does not belong there")


def _look_into_wheel(path: Path) -> None:
    """Require every file of the package: weights, pages, styles, scripts, checksums, stubs."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    package = ROOT / "src"
    data = [
        file.relative_to(package).as_posix()
        for file in (package / "tailgate").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    ]
    _require(data, names, path)
    if not any(name.startswith("tailgate/_core.") and not name.endswith(".pyi") for name in names):
        raise SystemExit(f"{path.name} lacks the compiled core")
    _require((next(name for name in names if name.endswith("licenses/LICENSE")),), names, path)


def _require(wanted: Iterable[str], names: Iterable[str], path: Path) -> None:
    missing = sorted(set(wanted) - set(names))
    if missing:
        raise SystemExit(f"{path.name} lacks {', '.join(missing[:5])}")


def _try(wheel: Path, venv: Path) -> None:
    """Install the wheel alone, as pipx does, and run it far from this repository."""
    _run(sys.executable, "-m", "venv", str(venv))
    python, tailgate = (str(venv / BINARIES / name) for name in ("python", "tailgate"))
    _run(python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", str(wheel))
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder) / EXAMPLE.name
        shutil.copy(EXAMPLE, instance)
        for argv in (
            ["doctor"],
            ["solve", str(instance), "--time-limit", "60", "--out", "plan.json"],
            ["verify", str(instance), "plan.json"],
            ["bound", str(instance), "--screen", "neural", "--time-limit", "60"],
            ["show", str(instance), "plan.json", "--out", "plans"],
            ["serve", "--help"],
        ):
            _run(tailgate, *argv, folder=folder)
        # Without its extra, the page says how to get it.
        told = subprocess.run(
            [tailgate, "serve"], cwd=folder, capture_output=True, text=True, check=False
        )
        if told.returncode != 2 or "tailgate[serve]" not in told.stderr:
            raise SystemExit(f"tailgate serve does not name its extra: {told.stderr}")


def _run(*argv: str, folder: str | None = None) -> None:
    # Neither this repository nor what the user has set may be found instead of the installation.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    print("wheel-check:", *argv, flush=True)
    subprocess.run(argv, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
